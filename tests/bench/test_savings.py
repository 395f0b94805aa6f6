"""Evaluations saved: counted search by search, against what the first method reached."""

from __future__ import annotations

from maxcode.bench.cell import Cell
from maxcode.bench.savings import evaluations_to, savings_tables


def cell(method: str, *rewards: float) -> Cell:
    return Cell(task="t", method=method, seed=0, run="r", rewards=rewards)


def test_the_first_reward_that_is_as_good_counts() -> None:
    assert evaluations_to([0.0, 1.2, 1.985, 3.0], 2.0) == 3
    assert evaluations_to([0.0, 1.2], 2.0) is None


def test_savings_are_medians_over_searches_that_got_as_far() -> None:
    first = [cell("a", 1.0, 1.5, 1.2, 2.0), cell("a", 0.0, 3.0), cell("a", 0.5)]
    other = [cell("b", 2.1), cell("b", 0.0, 2.0), cell("b", 9.0)]
    (table,) = savings_tables({"a": first, "b": other})
    assert table.rows == (("b", "1 of 2", "4", "1", "75%"),)


def test_where_nothing_was_found_there_is_nothing_to_save() -> None:
    assert savings_tables({"a": [cell("a", 0.9)], "b": [cell("b", 2.0)]}) == []
    assert savings_tables({"a": [cell("a", 2.0)]}) == []
