"""Training data: what a search saw, what came of it, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

import pytest

from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.value.data import (
    StateRow,
    Target,
    class_of,
    labelled,
    quartiles,
    rows_of,
    split_of,
    target_of,
    with_repeats_marked,
)
from maxcode.value.features import proposal_features
from maxcode.value.model import Models, model_screen, model_value
from maxcode.value.state import State
from tests.search.fakes import TASK, instant_parts

PLACES = ["cuda-llm+maxcode", "beam+maxcode", "paths+critique", "rollouts+critique", "mcts"]


def tree_of(name: str, evals: int = 40) -> Tree:
    return asyncio.run(search(TASK, strategy(name), instant_parts(), budget=Budget(evals=evals), seed=3)).tree


def rows(name: str, evals: int = 40, tree: Tree | None = None) -> list[StateRow]:
    return list(rows_of(tree or tree_of(name, evals), strategy(name), run="r", policy="p", text=True))


def seen(row: StateRow) -> State:
    return State(**{name: getattr(row, name) for name in State.model_fields})


class Witness:
    """A model that remembers what it was shown."""

    reads: Literal["text"] = "text"

    def __init__(self) -> None:
        self.states: list[State] = []

    def scores(self, states: Sequence[State]) -> list[float]:
        self.states += states
        return [state.depth + state.u for state in states]


@pytest.mark.parametrize("name", PLACES)
def test_rows_are_what_a_model_is_shown_in_the_search(name: str) -> None:
    model, chosen = Witness(), replace(strategy(name), value="model")
    value = model_value(Models(model, model, frozenset()))
    tree = asyncio.run(search(TASK, chosen, replace(instant_parts(), value=value), budget=Budget(evals=40))).tree
    states = [seen(row) for row in rows(name, tree=tree) if not row.masked and row.depth > 0]
    assert {state.model_dump_json() for state in states} == {state.model_dump_json() for state in model.states}


def test_masked_rows_are_what_a_model_is_shown_before_programs_run() -> None:
    model, chosen = Witness(), replace(strategy("cuda-llm+maxcode"), screen=0.999)
    screen = model_screen(Models(model, model, frozenset()))
    tree = asyncio.run(search(TASK, chosen, replace(instant_parts(), screen=screen), budget=Budget(evals=40))).tree
    shown = {state.model_dump_json() for state in model.states}
    assert {seen(row).model_dump_json() for row in rows("cuda-llm+maxcode", tree=tree) if row.masked} == shown


@pytest.mark.parametrize("name", PLACES)
def test_what_comes_later_changes_no_earlier_state(name: str) -> None:
    early, late = rows(name, 16), rows(name, 40)
    assert {seen(row).model_dump_json() for row in early} <= {seen(row).model_dump_json() for row in late}


def test_what_a_proposal_does_is_not_mixed_with_what_was_done_before_it() -> None:
    tree = tree_of("paths+critique")
    made = [each for each in tree.nodes if each.depth > 1]
    assert made
    for node in made:
        parent = tree.nodes[node.parent or 0]
        one = node.candidate.model_copy(update={"origin": "rewrite: tile(4)"})
        done = parent.candidate.model_copy(update={"origin": "rewrite: unroll"})
        before = parent.model_copy(update={"candidate": done})
        features = proposal_features(tree, before, one)
        assert {name for name in features if name.startswith(("last:", "before:"))} == {"last:tile", "before:unroll"}


def test_a_masked_row_says_nothing_of_its_own_outcome() -> None:
    told = ("status:", "reward", "gain", "passed", "width", "behind-u")
    for row in rows("cuda-llm+maxcode"):
        assert row.masked == (row.reward is None)
        assert row.masked == (not any(name.startswith(told) for name in row.features))


def test_after_are_the_rewards_of_descendants_in_order() -> None:
    tree = tree_of("beam")
    for row in rows("beam", tree=tree):
        node = tree.nodes[row.node]
        below = [each.reward for each in tree.nodes[1:] if node in tree.path(each)[1:]]
        assert list(row.after) == ([node.reward, *below] if row.masked else below)[:64]


def test_every_single_path_begins_with_a_row_of_the_root() -> None:
    tree = tree_of("paths")
    roots = [row for row in rows("paths", tree=tree) if row.depth == 0]
    assert len(roots) == len(tree.children(tree.root)) > 1
    assert [len(row.after) for row in roots][:2] == [6, 6]


def test_siblings_were_to_be_chosen_from() -> None:
    tree = tree_of("rollouts", 60)
    for row in rows("rollouts", tree=tree):
        node = tree.nodes[row.node]
        assert row.siblings == f"r/{node.parent}/{node.step}"


@cache
def any_row() -> StateRow:
    return rows("flat", 1)[0]


def row_with(after: tuple[float, ...], u: float = 1.5, task: str = "one-001", **changes: object) -> StateRow:
    return any_row().model_copy(update={"after": after, "u": u, "task": task, "program": "", **changes})


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (Target(budget=2), 1.2),
        (Target(budget=None), 3.0),
        (Target(budget=3, returns="sum"), 4.2),
        (Target(budget=2, whole_path=True), 1.5),
        (Target(budget=4), None),
    ],
)
def test_targets_are_functions_of_what_came_after(target: Target, expected: float | None) -> None:
    assert target_of(row_with((0.0, 1.2, 3.0)), target) == (expected and pytest.approx(expected))


def test_without_a_future_there_is_no_target() -> None:
    assert target_of(row_with(()), Target(budget=None)) is None


def test_classes_part_what_was_faster_in_four() -> None:
    cuts = quartiles([0.0, 0.5, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5])
    assert [class_of(each, cuts) for each in (0.0, 1.0, 1.1, 1.2, 1.35, 1.5)] == [0, 0, 1, 1, 3, 4]


def test_a_split_holds_out_whole_tasks_or_whole_families() -> None:
    many = [row_with((1.0,) * 3, task=f"{name}-{i:03}") for name in "abcdefghij" for i in range(20) for _ in range(2)]
    for by in ("task", "family"):
        found = labelled(many, cuts=None, held_out=0.3, by="task" if by == "task" else "family")
        splits = {(row.task if by == "task" else row.family, row.split) for row in found}
        assert len(splits) == len({name for name, _ in splits})
    assert 0.2 < sum(split_of(f"task-{i}", 0.3) == "held-out" for i in range(1000)) / 1000 < 0.4


def test_one_program_is_on_one_side_whatever_its_tasks_are_called() -> None:
    many = [row_with((1.0,) * 3, task=f"a-{i}", program=f"p-{i % 20}") for i in range(100)]
    found = labelled(many, cuts=None, held_out=0.3, by="task")
    assert len({(row.program, row.split) for row in found}) == 20


def test_quartiles_are_those_of_the_rows_to_train_on_apart_for_proposals() -> None:
    many = [row_with((1.0 + i,) * 3, task=f"t-{i}", masked=masked) for i in range(40) for masked in (False, True)]
    found = labelled(many, cuts=None, held_out=0.3, by="task")
    for masked in (False, True):
        trained = [row for row in found if row.masked == masked and row.split == "train"]
        faster = [row.label for row in trained if row.label]
        assert max(faster.count(label) for label in range(1, 5)) - min(faster.count(i) for i in range(1, 5)) <= 1


def test_equal_rows_are_marked_and_stay_beside_their_siblings() -> None:
    found = rows("cuda-llm")
    twice = with_repeats_marked(found + [row.model_copy(update={"run": "other"}) for row in found])
    assert len(twice) == 2 * len(found)
    assert all(row.repeated for row in twice[len(found) :])
    assert sum(not row.repeated for row in twice) == sum(not row.repeated for row in with_repeats_marked(found))
