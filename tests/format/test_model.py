"""What is said of a format, and what may be said against it."""

from __future__ import annotations

import random
import re

import pytest

from maxcode.format import InputModel, alike, corrected, infer
from maxcode.format import tests as inputs
from maxcode.format.make_words import related
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


def test_tokens_of_several_parts_vary_in_their_numbers() -> None:
    text = "".join(f"doc w{i * 7 % 31}:{i % 5} w{i + 40}:{i % 3}\n" for i in range(30))
    made = {token for each in inputs(infer([text]), random.Random(0)) for token in each.text.split()}
    others = made - set(text.split()) - {"doc"}
    assert others
    assert all(re.fullmatch(r"w([0-9]|[1-6][0-9]):[0-4]", token) for token in others)


def test_spans_keep_their_order() -> None:
    text = "".join(f"m{i} {i % 9 + 10}:{i % 6}5 {i % 9 + 11}:{i % 6}0\n" for i in range(30))
    rows = [line.split() for each in inputs(infer([text]), random.Random(0)) for line in each.text.splitlines()]
    assert all(start < end for _, start, end in rows)


def test_there_are_inputs_of_twice_the_records_and_of_one_type_only() -> None:
    text = "".join("get\n" if i % 3 == 0 else f"put {i * 37 % 101}\n" for i in range(60))
    made = list(inputs(infer([text]), random.Random(0)))
    assert max(len(each.text.splitlines()) for each in made) == 120
    assert {"get", "put"} <= {" ".join({line.split()[0] for line in each.text.splitlines()}) for each in made}


def test_related_words_stay_within_letters_lengths_and_case() -> None:
    pool = ("banana", "bandana", "cabbage", "cab")
    for seed in range(50):
        words = related(pool, random.Random(seed))
        assert all(3 <= len(word) <= 7 and word.islower() and set(word) <= set("".join(pool)) for word in words)
        assert len(set(words)) > 1


def test_a_format_is_a_value() -> None:
    assert isinstance(infer(["1\n"]), InputModel)
