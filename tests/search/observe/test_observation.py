"""What is observed of a tree, block by block."""

from __future__ import annotations

from itertools import combinations

import pytest

from maxcode.core import Critique, InputError
from maxcode.search.observe.observation import BLOCKS, Block, Observation, observe
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.strategy import with_blocks
from maxcode.search.tree import Tree
from tests.search.fakes import grown

SUBSETS = [frozenset(each) for n in range(len(BLOCKS) + 1) for each in combinations(BLOCKS, n)]


def criticised() -> Tree:
    """0 - 1 (5x) - 2 (wrong) - 3 (2x), each with a critique."""
    tree = grown((0, 5.0, 1), (1, 0.0, 2), (2, 2.0, 3))
    for node in tree:
        tree.critiques[node.id] = Critique(text=f"critique of {node.id}")
    return tree


def seen(*blocks: Block) -> Observation:
    tree = criticised()
    return observe(tree, tree.nodes[3], frozenset(blocks))


def test_the_current_program_is_always_seen() -> None:
    current = seen().current
    assert (current.node, current.depth, current.reward, current.u) == (3, 3, 2.0, 5.0)
    assert current.correct
    assert "// speed 2.0" in "".join(current.files.values())


@pytest.mark.parametrize("blocks", SUBSETS, ids=lambda blocks: "+".join(sorted(blocks)) or "none")
def test_a_block_is_seen_exactly_when_it_is_on(blocks: frozenset[Block]) -> None:
    tree = criticised()
    found = observe(tree, tree.nodes[3], blocks)
    assert (found.best is not None) == ("best" in blocks)
    assert bool(found.trajectory) == ("trajectory" in blocks)
    attempts = [found.current, *found.trajectory, *([found.best] if found.best else [])]
    assert all((each.critique is not None) == ("critique" in blocks) for each in attempts)
    assert found.blocks == blocks


def test_the_trajectory_is_the_way_from_the_root_without_the_current_program() -> None:
    assert [(each.node, each.depth) for each in seen("trajectory").trajectory] == [(0, 0), (1, 1), (2, 2)]


def test_the_best_is_that_of_the_whole_tree() -> None:
    tree = grown((0, 5.0, 1), (0, 2.0, 1))
    best = observe(tree, tree.nodes[2], frozenset({"best"})).best
    assert best is not None
    assert best.node == 1


def test_critiques_belong_to_their_attempts() -> None:
    found = seen("critique", "trajectory", "best")
    assert found.best is not None
    attempts = [found.current, found.best, *found.trajectory]
    assert [each.critique.text if each.critique else None for each in attempts] == [
        f"critique of {each.node}" for each in attempts
    ]


def test_an_observation_survives_serialisation() -> None:
    found = seen(*BLOCKS)
    data = found.model_dump(mode="json") | {"task": found.task}
    assert Observation.model_validate(data) == found


@pytest.mark.parametrize("name", STRATEGIES)
def test_maxcode_adds_blocks_and_changes_no_selection(name: str) -> None:
    plain, more = strategy(name), strategy(f"{name}+maxcode")
    assert plain.blocks == frozenset()
    assert more.blocks == {"best", "trajectory", "critique"}
    assert more.select is plain.select
    assert more.critique == "expanded"


def test_blocks_can_be_chosen_one_by_one() -> None:
    chosen = with_blocks(strategy("beam+maxcode"), "best, trajectory")
    assert chosen.blocks == {"best", "trajectory"}
    assert chosen.critique == "none"
    assert with_blocks(strategy("beam+maxcode"), "none").blocks == frozenset()
    assert with_blocks(strategy("beam"), "critique").critique == "expanded"


@pytest.mark.parametrize("name", ["nothing", "beam+nothing", ""])
def test_an_unknown_strategy_is_named_with_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match=r"--strategy .* is not known; use .*(flat|\+maxcode)"):
        strategy(name)


def test_an_unknown_block_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="--observe best,worst: 'worst' is not known; use any of: best"):
        with_blocks(strategy("beam"), "best,worst")
