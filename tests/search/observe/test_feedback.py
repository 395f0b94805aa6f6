"""An outcome in words: what happened, and nothing that the outcome does not hold."""

from __future__ import annotations

import pytest

from maxcode.core import Fact, Mismatch, Status, Verdict, Verification
from maxcode.search.observe.feedback import MOST_FACTS, facts_in_words, feedback, ordered
from tests.search.fakes import measured, outcome


def test_each_failure_has_its_own_words() -> None:
    words = {feedback(outcome(status)) for status in Status}
    assert len(words) == len(Status)
    assert all(words)


def test_the_reason_is_told() -> None:
    assert "main.cpp:3: error: expected ';'" in feedback(
        outcome(Status.BUILD_ERROR, reason="main.cpp:3: error: expected ';'")
    )


def test_speed_is_told_with_its_interval() -> None:
    text = feedback(outcome(measurement=measured(2.0)))
    assert "2x" in text
    assert "1.98 to 2.02" in text
    assert "faster" in text


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (4.0, "4x fewer instructions than the original"),
        (0.5, "2x as many instructions as the original"),
        (1.0, "as many instructions as the original"),
    ],
)
def test_counts_are_told_without_an_interval(ratio: float, words: str) -> None:
    exact = {"clock": "instructions", "speedup": ratio, "ci_low": ratio, "ci_high": ratio}
    assert f"It is correct, {words}: " in feedback(outcome(measurement=measured(ratio).model_copy(update=exact)))


@pytest.mark.parametrize(
    ("verdict", "word"),
    [
        (Verdict.FASTER, "faster"),
        (Verdict.SLOWER, "slower"),
        (Verdict.TIE, "no measurable difference"),
        (Verdict.UNCLEAR, "no measurable difference"),
    ],
)
def test_the_verdict_is_told(verdict: Verdict, word: str) -> None:
    assert f": {word}." in feedback(outcome(measurement=measured(1.1, verdict)))


def test_gflops_are_told_where_they_are_known() -> None:
    known = measured(2.0).model_copy(update={"gflops": 12.5})
    assert "12.5 GFLOPS" in feedback(outcome(measurement=known))
    assert "GFLOPS" not in feedback(outcome(measurement=measured(2.0)))


def test_a_failure_is_never_called_faster() -> None:
    text = feedback(outcome(Status.WRONG, measured(9.0)))
    assert "faster" not in text
    assert "9" not in text


def test_passed_tests_are_counted_for_failures_only() -> None:
    seven = Verification(passed=7, total=10)
    assert "7 of 10" in feedback(outcome(Status.WRONG).model_copy(update={"verification": seven}))
    assert "of 10" not in feedback(outcome().model_copy(update={"verification": seven}))


def test_a_hidden_difference_shows_only_what_the_reason_says() -> None:
    hidden = Mismatch(test="hidden/3", hidden=True, where="line 1", expected="4711-secret", got="0815-got")
    wrong = outcome(Status.WRONG, reason="hidden test 3 differs").model_copy(
        update={"verification": Verification(passed=1, total=4, mismatch=hidden)}
    )
    text = feedback(wrong)
    assert "hidden test 3 differs" in text
    assert "4711-secret" not in text


def fact(text: str, line: int | None = 7) -> Fact:
    file = "main.cpp" if line else None
    return Fact(kind="not_vectorized", text=text, source="gcc", file=file, line=line)


def test_facts_are_told_with_their_place() -> None:
    assert facts_in_words((fact("possible aliasing"),))[1] == "- main.cpp:7: not vectorized: possible aliasing"
    assert facts_in_words((fact("possible aliasing", None),))[1] == "- not vectorized: possible aliasing"


def test_no_facts_take_no_room() -> None:
    assert facts_in_words(()) == []
    assert feedback(outcome()) == "It is correct."


def test_a_flood_of_facts_is_cut_to_the_first() -> None:
    lines = facts_in_words(tuple(fact(f"number {i}") for i in range(100)))
    assert len(lines) == MOST_FACTS + 1
    assert lines[1].endswith("number 0")


def hot(line: int, share: float, file: str = "main.cpp") -> Fact:
    return Fact(kind="hot_line", text=f"{share:.0%} of all", source="cachegrind", file=file, line=line, value=share)


def test_what_takes_the_time_comes_first_and_remarks_last() -> None:
    remark = Fact(kind="not_vectorized", text="aliasing", source="gcc", file="main.cpp", line=3)
    count = Fact(kind="count", text="7 instructions", source="cachegrind", value=7.0)
    found = ordered((remark, count, hot(2, 0.1), hot(4, 0.6)))
    assert [fact.kind for fact in found] == ["hot_line", "hot_line", "count", "not_vectorized"]
    assert [fact.line for fact in found[:2]] == [4, 2]


def test_remarks_are_told_of_the_innermost_hot_loop_only() -> None:
    remarks = [Fact(kind="not_vectorized", text="x", source="gcc", file="main.cpp", line=i) for i in (3, 5, 40)]
    found = ordered((*remarks, hot(7, 0.9), hot(41, 0.01)))
    assert [fact.line for fact in found if fact.kind == "not_vectorized"] == [5]
    assert len(ordered(tuple(remarks))) == 3


def test_facts_about_files_that_may_not_be_edited_are_left_out() -> None:
    lines = facts_in_words((hot(1, 0.5), hot(1, 0.4, "other.h")), {"main.cpp": "int x = slow();\n"})
    assert lines[1:] == ["- main.cpp:1: hot line: 50% of all: `int x = slow();`"]


def test_what_tells_of_the_machines_load_is_left_out() -> None:
    waiting = Fact(kind="resource", text="40% of the time spent waiting, not computing", source="rusage")
    assert facts_in_words((waiting,)) == []


def test_times_are_told_beside_those_of_the_original() -> None:
    known = measured(2.0).model_copy(update={"seconds_candidate": 0.00321, "seconds_baseline": 0.00642})
    text = feedback(outcome(measurement=known))
    assert "A timed run takes about 3.21 ms (the original beside it: 6.42 ms)." in text
    assert "takes" not in feedback(outcome(measurement=known.model_copy(update={"clock": "printed"})))


def test_a_profile_without_hot_lines_has_no_remarks_and_no_nameless_functions() -> None:
    facts = (
        Fact(source="a", kind="not_vectorized", file="main.cpp", line=3, text="not vectorized: no vectype"),
        Fact(source="a", kind="hot_function", text="40% of all instructions in parse(char const*)", value=0.4),
        Fact(source="a", kind="hot_function", text="2% of all instructions in ???", value=0.02),
    )
    assert [fact.text for fact in ordered(facts)] == ["40% of all instructions in parse(char const*)"]
    assert ordered(facts[:1]) == [facts[0]]
