"""What is said of a format, and what may be said against it."""

from __future__ import annotations

import random

import pytest

from maxcode.format import Format, alike, corrected, infer
from maxcode.format import tests as inputs
from tests.format.counted import cases, edges, sections
from tests.format.uncounted import commands, csv

EDGES = edges(random.Random(5))


def words(text: str) -> str:
    return "\n".join(infer([text]).words())


def test_counts_indices_and_ranges_are_said_in_words() -> None:
    said = words(EDGES)
    assert "a line with n (a count), m (a count)" in said
    assert "m lines of 3 fields" in said
    assert "field 1: an index from 1 to n" in said
    assert "field 3: whole numbers from" in said


def test_cases_are_said_in_words() -> None:
    said = words(cases(random.Random(1)))
    assert "n times:" in said
    assert "a line of m tokens" in said


@pytest.mark.parametrize(("text", "note"), [("", "empty"), ("a\0b\n", "not text")])
def test_what_is_no_text_has_no_model(text: str, note: str) -> None:
    format = infer([text])
    assert note in "".join(format.words())
    assert list(inputs(format, random.Random(0))) == []
    assert list(alike(format, random.Random(0))) == []


def test_neither_the_given_input_nor_anything_twice() -> None:
    made = [each.text for each in inputs(infer([EDGES]), random.Random(0))]
    assert EDGES not in made
    assert len(set(made)) == len(made)


def test_the_same_seed_makes_the_same_inputs() -> None:
    one, two = ([each.text for each in inputs(infer([EDGES]), random.Random(3))] for _ in range(2))
    assert one == two


@pytest.mark.parametrize("make", [edges, sections, csv, commands])
def test_alike_inputs_are_about_as_long(make: object) -> None:
    assert callable(make)
    text = make(random.Random(2))
    made = list(alike(infer([text]), random.Random(2)))
    assert len(made) >= 7
    assert all(0.85 * len(text) <= len(each.text) <= 1.1 * len(text) for each in made)


def test_what_only_one_of_two_inputs_shows_is_no_relation() -> None:
    one, two = "3\n1\n2\n3\n", "4\n9\n5\n5\n1\n"
    values = {v for each in inputs(infer([one, two]), random.Random(0)) for v in each.text.split()[1:]}
    assert len(values) > 3


def test_kept_columns_keep_their_values() -> None:
    format = corrected(infer([EDGES]), keep=[3])
    seen = {line.split()[2] for line in EDGES.splitlines()[1:]}
    made = [line.split() for each in inputs(format, random.Random(0)) for line in each.text.splitlines()[1:]]
    assert {row[2] for row in made} <= seen


def test_ordered_lines_are_only_cut_at_the_end() -> None:
    text = "".join(f"{word}\n" for word in ("one", "two", "three", "four", "five", "six", "seven", "eight"))
    format = corrected(infer([text]), ordered=True)
    assert all(text.startswith(each.text) for each in inputs(format, random.Random(0)) if "other" not in each.idea)


def test_no_section_is_smaller_than_the_task_says() -> None:
    format = corrected(infer([EDGES]), smallest=4)
    assert all(int(each.text.split()[1]) >= 4 for each in inputs(format, random.Random(0)) if each.text)


def test_a_format_is_a_value() -> None:
    assert isinstance(infer(["1\n"]), Format)
