"""A tree depends on task, strategy, seed and answers alone, and stays what it was.

The stored trees are written anew with MAXCODE_WRITE_GOLDEN=1; a change of one is a change of a search method.
"""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.parts import Parts
from maxcode.search.rewards import Ranking
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.tree import Tree
from tests.search.fakes import TASK, dawdling, in_memory, instant_parts, shape

GOLDEN = Path(__file__).parent / "golden"
NAMES = [name + addition for name in STRATEGIES for addition in ("", "+maxcode")]
EVALS = 60


def tree_of(name: str, parts: Parts, seed: int = 7, ranking: Ranking = "posterior") -> Tree:
    chosen = replace(strategy(name), ranking=ranking)
    return asyncio.run(search(TASK, chosen, parts, budget=Budget(evals=EVALS), seed=seed)).tree


def assert_stored(tree: Tree, file: Path) -> None:
    stored, found = json.loads(file.read_text()), shape(tree)
    assert [list(node[:2]) for node in found] == [node[:2] for node in stored]
    assert [node[2] for node in found] == pytest.approx([node[2] for node in stored], rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_tree_is_the_stored_one(name: str) -> None:
    tree = tree_of(name, instant_parts())
    file = GOLDEN / f"{name}.json"
    if os.environ.get("MAXCODE_WRITE_GOLDEN"):
        file.write_text("[\n" + ",\n".join(json.dumps(list(node)) for node in shape(tree)) + "\n]\n")
    assert_stored(tree, file)


@pytest.mark.parametrize("file", sorted((GOLDEN / "lower-bound").glob("*.json")), ids=lambda file: file.stem)
def test_runs_that_were_ranked_by_lower_bounds_keep_their_trees(file: Path) -> None:
    """They were stored when there was no other ranking, and are never written anew."""
    assert_stored(tree_of(file.stem, instant_parts(), ranking="lower-bound"), file)


@pytest.mark.parametrize("name", [name for name in STRATEGIES if STRATEGIES[name].by_backup])
def test_the_sum_of_rewards_leads_elsewhere_than_the_best(name: str) -> None:
    assert shape(tree_of(f"{name}+sum", instant_parts())) != shape(tree_of(name, instant_parts()))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_tree_does_not_depend_on_the_order_of_arrival(name: str) -> None:
    calm = shape(tree_of(name, instant_parts()))
    for arrival in range(4):
        assert shape(tree_of(name, dawdling(instant_parts(), arrival))) == calm


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_gives_another_tree(name: str) -> None:
    assert shape(tree_of(name, instant_parts(), seed=8)) != shape(tree_of(name, instant_parts(), seed=7))


@pytest.mark.parametrize("name", STRATEGIES)
def test_observation_blocks_reach_the_policy(name: str) -> None:
    """The same answers to the same questions: only what is observed differs."""
    assert shape(tree_of(f"{name}+maxcode", instant_parts())) != shape(tree_of(name, instant_parts()))


@pytest.mark.parametrize("name", NAMES)
def test_same_journal_gives_the_same_tree_again(name: str) -> None:
    journal = in_memory()
    assert shape(tree_of(name, instant_parts(journal))) == shape(tree_of(name, dawdling(instant_parts(journal), 3)))
