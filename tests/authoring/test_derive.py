"""New inputs from given ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode.authoring.derive import derived_inputs, shortened

seeds = st.integers(0, 1000)
numbers = st.integers(-999, 999)
rows = st.lists(st.lists(numbers, min_size=2, max_size=4).map(lambda r: " ".join(map(str, r))), min_size=1, max_size=30)


def derive(text: str, seed: int = 0) -> list[str]:
    return list(derived_inputs(text, random.Random(seed)))


@given(st.text(max_size=300), seeds)
def test_neither_the_input_itself_nor_anything_twice(text: str, seed: int) -> None:
    made = derive(text, seed)
    assert text not in made
    assert len(set(made)) == len(made)


@given(st.lists(numbers, min_size=1, max_size=40), seeds)
def test_same_seed_gives_the_same_inputs(values: list[int], seed: int) -> None:
    text = f"{len(values)}\n{' '.join(map(str, values))}\n"
    assert derive(text, seed) == derive(text, seed)


@given(st.lists(numbers, min_size=2, max_size=60), seeds)
def test_count_of_values_on_one_line_stays_right(values: list[int], seed: int) -> None:
    text = f"{len(values)}\n{' '.join(map(str, values))}\n"
    for made in derive(text, seed):
        count, *rest = made.split()
        assert int(count) == len(rest)


@given(st.lists(numbers, min_size=2, max_size=60), seeds)
def test_count_of_values_one_to_a_line_stays_right(values: list[int], seed: int) -> None:
    text = f"{len(values)}\n" + "".join(f"{v}\n" for v in values)
    for made in derive(text, seed):
        count, *rest = made.split()
        assert int(count) == len(rest)


@given(rows, seeds)
def test_count_of_lines_stays_right(lines: list[str], seed: int) -> None:
    text = f"{len(lines)}\n" + "".join(f"{line}\n" for line in lines)
    for made in derive(text, seed):
        count, *rest = made.splitlines()
        assert int(count) == len(rest)


@given(rows, seeds)
def test_other_numbers_of_the_header_stay(lines: list[str], seed: int) -> None:
    text = f"{len(lines)} 77 x\n" + "".join(f"{line}\n" for line in lines)
    assert all(made.splitlines()[0].endswith(" 77 x") for made in derive(text, seed))


@given(rows, seeds)
def test_count_is_right_where_there_are_empty_lines(lines: list[str], seed: int) -> None:
    text = f"{len(lines)}\n\n" + "".join(f"{line}\n" for line in lines)
    for made in derive(text, seed):
        count, *rest = made.splitlines()
        assert int(count) == len([line for line in rest if line])


@given(st.lists(st.integers(0, 99999), min_size=30, max_size=60))
def test_small_inputs_come_first(values: list[int]) -> None:
    made = derive(f"{len(values)}\n" + "".join(f"{v}\n" for v in values))
    assert len(made[0].split()) == 2
    assert len(made) >= 10


@settings(max_examples=30)
@given(st.lists(st.integers(-(10**6), 10**6), min_size=4, max_size=40), seeds)
def test_changed_values_have_as_many_digits_as_the_given(values: list[int], seed: int) -> None:
    text = f"{len(values)}\n{' '.join(map(str, values))}\n"
    longest = max(len(str(abs(v))) for v in values)
    for made in derive(text, seed):
        assert all(len(v.lstrip("-")) <= longest for v in made.split()[1:])


def test_nothing_comes_of_an_empty_input() -> None:
    assert derive("") == []


def test_words_are_left_whole() -> None:
    text = "apple banana\ncherry date elder\n"
    assert all(sorted(made.split()) == sorted(text.split()) for made in derive(text) if made.count("\n") == 2)


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("4\n9\n8\n7\n6\n", "2\n9\n8\n"),
        ("4\n9 8 7 6\n", "2\n9 8\n"),
        ("one\ntwo\nthree\nfour\n", "one\ntwo\n"),
        ("5 7\n1 2\n3 4\n", None),
        ("0.5\n0.7\n", None),
        ("", None),
        ("word", None),
    ],
    ids=["lines", "one line", "words", "header that counts something else", "no header", "empty", "one word"],
)
def test_an_input_is_cut_only_where_it_is_clear_how(text: str, half: str | None) -> None:
    assert shortened(text, 0.5) == half
