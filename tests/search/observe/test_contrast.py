"""A program beside the one before it."""

from __future__ import annotations

from maxcode.core import Fact, Status
from maxcode.search.observe.contrast import contrast
from maxcode.search.observe.observation import Attempt
from tests.search.fakes import measured, outcome


def attempt(node: int, speed: float | None, text: str, *facts: Fact) -> Attempt:
    status = Status.WRONG if speed is None else Status.OK
    found = outcome(status, None if speed is None else measured(speed)).model_copy(update={"facts": facts})
    return Attempt(node=node, depth=node, files={"main.cpp": text}, outcome=found, reward=speed or 0.0, u=1.0)


def counted(words: str, value: float) -> Fact:
    return Fact(kind="count", text=f"{value:,.0f} {words}", source="counter", value=value)


def test_the_change_is_counted_and_shown() -> None:
    same = "the same\n" * 9
    text = contrast(attempt(1, 1.0, f"{same}b\nc\n"), attempt(2, 2.0, f"{same}B\nc\nd\n"))
    assert text.startswith("Compared with #1, from which it was made: lines added: 2, removed: 1;")
    assert "```diff\n-b\n+B\n+d\n```" in text
    assert "```" not in contrast(attempt(1, 1.0, f"{same}b"), attempt(2, 2.0, f"{same}c"), with_change=False)


def test_a_change_of_nearly_all_is_not_shown_beside_the_program() -> None:
    assert "```" not in contrast(attempt(1, 1.0, "a\nb\n"), attempt(2, 2.0, "c\nd\n"))


def test_what_got_faster_or_slower_is_said() -> None:
    assert "about 2x its speed: faster" in contrast(attempt(1, 1.5, "a"), attempt(2, 3.0, "b"))
    assert "about 0.5x its speed: slower" in contrast(attempt(1, 3.0, "a"), attempt(2, 1.5, "b"))
    assert "about 1x its speed: not clearly different" in contrast(attempt(1, 3.0, "a"), attempt(2, 3.01, "b"))


def test_the_speed_over_the_original_is_not_told_twice() -> None:
    assert "its speed" not in contrast(attempt(0, 1.0, "a"), attempt(2, 3.0, "b"))


def test_what_broke_and_what_was_repaired_is_said() -> None:
    good, bad = attempt(1, 2.0, "a"), attempt(2, None, "b")
    assert "now it fails" in contrast(good, bad)
    assert "now it is correct" in contrast(bad, good)
    assert "it still fails" in contrast(bad, attempt(3, None, "c"))


def test_counts_that_differ_are_told_and_others_are_not() -> None:
    before = attempt(1, 1.0, "a", counted("instructions, 97% of them on your own lines", 1000), counted("misses", 50))
    now = attempt(2, 1.0, "b", counted("instructions, 90% of them on your own lines", 400), counted("misses", 50))
    lines = contrast(before, now).splitlines()
    assert "- instructions: 1,000 before, 400 now" in lines
    assert not any("misses" in line for line in lines)


def test_a_program_that_changes_nothing_is_told_so() -> None:
    assert "nothing was changed" in contrast(attempt(1, 1.0, "a"), attempt(2, 1.0, "a"))
