"""Edits between texts: applied, they give the new text, whatever is in either."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.report import delta as module
from maxcode.report.delta import delta
from maxcode.task.diff import lines
from tests.report.edits import apply

LINES = st.lists(st.sampled_from(["a", "b", "", "c\r", "\u2028", "\x0c}"]), max_size=12)
TEXTS = st.one_of(LINES.map("\n".join), st.text(max_size=60))


@given(TEXTS, TEXTS)
def test_applied_edits_give_the_new_text(old: str, new: str) -> None:
    assert apply(old, delta(old, new)) == new


@given(TEXTS)
def test_lines_are_all_of_the_text(text: str) -> None:
    assert "".join(lines(text)) == text


def test_a_changed_line_is_all_there_is() -> None:
    old = "".join(f"line {i}\n" for i in range(100))
    assert delta(old, old.replace("line 50\n", "other\n")) == [(50, 51, "other\n")]


def test_texts_too_long_to_compare_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = "a\nb\nc\nd\n", "a\nc\nb\nd\n"
    monkeypatch.setattr(module, "MOST_COMPARED", 1)
    edits = delta(old, new)
    assert edits == [(1, 3, "c\nb\n")]
    assert apply(old, edits) == new
