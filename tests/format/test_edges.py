"""Inputs at the edges of a format: small numbers, few values, what a program names, what is empty."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.format import infer, with_named
from maxcode.format import tests as inputs
from maxcode.format.infer_fields import likely_least


def made(text: str, seed: int = 0, named: tuple[int, ...] = ()) -> dict[str, str]:
    """Inputs by what is special about them."""
    return {each.idea: each.text for each in inputs(with_named(infer([text]), named), random.Random(seed))}


def knapsack(rng: random.Random) -> str:
    """Items of a cost and a value, and what may be spent."""
    rows = [f"{rng.randint(1, 900)} {rng.randint(1, 900)}" for _ in range(40)]
    return "\n".join(["40 5000", *rows]) + "\n"


def requests(rng: random.Random) -> str:
    """Reads and writes of pages, twice as many reads: the order shows a pattern by chance."""
    rows = [f"{rng.choice('rrw')} page{rng.randint(1000, 1300)}" for _ in range(400)]
    return "\n".join(["20 50 100", "r page1000", "r page1001", "r page1002", *rows]) + "\n"


def documents(rng: random.Random) -> str:
    """Names with lists of different lengths."""

    def word() -> str:
        return f"w{rng.randint(0, 99)}:{rng.randint(1, 5)}"

    rows = [" ".join([f"doc{i:03}", *(word() for _ in range(rng.randint(4, 9)))]) for i in range(30)]
    return "\n".join(rows) + "\n"


def test_small_numbers_are_close_to_their_least() -> None:
    _, *rows = made(knapsack(random.Random(1)))["9 records, small numbers"].splitlines()
    assert all(1 <= int(number) <= 10 for row in rows for number in row.split())


def test_numbers_in_the_header_are_zero_one_and_those_of_machine_words() -> None:
    found = made(knapsack(random.Random(1)))
    assert [found[f"{number} in the header"].split()[1] for number in (0, 1, 63, 64)] == ["0", "1", "63", "64"]


def test_columns_of_one_kind_share_a_few_values() -> None:
    _, *rows = made(knapsack(random.Random(1)))["40 records of a few values"].splitlines()
    assert len({number for row in rows for number in row.split()}) <= 6


def test_there_are_as_many_records_as_the_program_names() -> None:
    found = made(knapsack(random.Random(1)), named=(25,))
    assert {f"{size} records as named" for size in (24, 25, 26)} <= set(found)


@pytest.mark.parametrize("seed", range(5))
def test_words_in_balance_stay_so_in_any_order(seed: int) -> None:
    text = requests(random.Random(seed))
    if "never more w than r" not in "\n".join(infer([text]).words()):
        pytest.skip("more writes than reads by chance")
    orders = set()
    for each in made(text, seed).values():
        level = 0
        for word in [line.split()[0] for line in each.splitlines()[1:]]:
            level += 1 if word == "r" else -1
            assert level >= 0
        orders.add(each)
    assert len(orders) > 40


def test_lists_of_different_lengths_may_be_empty() -> None:
    lengths = [len(line.split()) for line in made(documents(random.Random(1)))["empty lists"].splitlines()]
    assert min(lengths) == 1 < max(lengths)


@pytest.mark.parametrize(("make", "tried"), [(knapsack, False), (documents, True)])
def test_nothing_is_an_input_only_where_no_numbers_are_at_the_head(
    make: Callable[[random.Random], str], tried: bool
) -> None:
    assert ("" in made(make(random.Random(1))).values()) == tried


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=200))
def test_a_range_begins_at_one_or_where_it_was_seen_to(numbers: list[int]) -> None:
    low, high = min(numbers), max(numbers)
    assert likely_least(low, high, len(set(numbers)), "int") in (1, low)


def test_a_range_far_from_one_begins_where_it_was_seen_to() -> None:
    assert likely_least(1900, 2020, 100, "int") == 1900
    assert likely_least(700, 90000, 100, "int") == 1
