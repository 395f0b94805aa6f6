"""Answers that were made to be slow to read are read in bounded time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode.policy.extract import LONGEST_ANSWER, extract

CURRENT = {"main.c": "int main(void) {\n    return 0;\n}\n"}
MARKS = [
    "\n",
    "@",
    "@@ -1 @@\n",
    "<<<<<SEARCH\n",
    "=====\n",
    ">>>>>REPLACE\n",
    "```\n",
    "`",
    "~~~",
    " ",
    "\t",
    "{",
    "a\n",
]


def read(answer: str) -> str | None:
    started = time.process_time()
    found = extract(answer, CURRENT, "main.c")
    assert time.process_time() - started < 5
    return found.problem


@pytest.mark.parametrize("answer", ["x" + "\n" * 900_000, "@" * 500_000 + "\n", "<<<<<SEARCH\n" * 80_000])
def test_long_answers_of_one_mark_are_read_in_seconds(answer: str) -> None:
    assert read(answer) == "the answer contains no code block"


def test_an_answer_beyond_the_bound_is_refused_with_the_reason() -> None:
    assert "characters; none beyond 1000000 is read" in str(read("x" * (LONGEST_ANSWER + 1)))


def test_a_line_number_of_thousands_of_digits_is_no_crash() -> None:
    assert "does not apply" in str(read(f"@@ -{'9' * 5000} +1 @@\n-nothing like it\n+x\n"))


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=4), st.sampled_from(MARKS))
def test_any_repetition_of_marks_is_read_in_seconds(unit: list[str], first: str) -> None:
    text = "".join(unit)
    read(first + text * (300_000 // len(text)))
