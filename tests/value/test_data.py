"""Training data: what a search saw, what came of it, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from maxcode.search import Budget, search
from maxcode.strategies import strategy
from maxcode.tree import Tree
from maxcode.value.data import (
    Row,
    Target,
    class_of,
    labelled,
    quartiles,
    rows_of,
    split_of,
    target_of,
    without_duplicates,
)
from maxcode.value.model import Models, model_screen, model_value
from maxcode.value.state import State
from tests.search.fakes import TASK, instant_parts

PLACES = ["cuda-llm+maxcode", "beam+maxcode", "paths+critique", "rollouts+critique", "mcts"]


def tree_of(name: str, evals: int = 40) -> Tree:
    return asyncio.run(search(TASK, strategy(name), instant_parts(), budget=Budget(evals=evals), seed=3))


def rows(name: str, evals: int = 40, tree: Tree | None = None) -> list[Row]:
    return list(rows_of(tree or tree_of(name, evals), strategy(name), run="r", policy="p", text=True))


def seen(row: Row) -> State:
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
    model, chosen = Witness(), strategy(f"{name}+value")
    value = model_value(Models(model, model, frozenset()))
    tree = asyncio.run(search(TASK, chosen, replace(instant_parts(), value=value), budget=Budget(evals=40)))
    states = [seen(row) for row in rows(name, tree=tree) if not row.masked and row.depth > 0]
    assert {state.model_dump_json() for state in states} == {state.model_dump_json() for state in model.states}


def test_masked_rows_are_what_a_model_is_shown_before_programs_run() -> None:
    model, chosen = Witness(), replace(strategy("cuda-llm+maxcode"), screen=0.999)
    screen = model_screen(Models(model, model, frozenset()))
    tree = asyncio.run(search(TASK, chosen, replace(instant_parts(), screen=screen), budget=Budget(evals=40)))
    shown = {state.model_dump_json() for state in model.states}
    assert {seen(row).model_dump_json() for row in rows("cuda-llm+maxcode", tree=tree) if row.masked} == shown


@pytest.mark.parametrize("name", PLACES)
def test_what_comes_later_changes_no_earlier_state(name: str) -> None:
    early, late = rows(name, 16), rows(name, 40)
    assert {seen(row).model_dump_json() for row in early} <= {seen(row).model_dump_json() for row in late}


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


def row_with(after: tuple[float, ...], u: float = 1.5, task: str = "one-001") -> Row:
    some = rows("flat", 1)[0]
    return some.model_copy(update={"after": after, "u": u, "task": task})


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


def test_equal_rows_are_kept_once() -> None:
    found = rows("cuda-llm")
    assert len(without_duplicates(found + found)) == len(without_duplicates(found))
