"""What an answer says outside of its code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.search.observe.rationale import LONGEST, rationale


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("I hoist the call.\n```cpp\nint x;\n```", "I hoist the call."),
        ("I hoist\n  the call.\n\nmain.cpp:\n```\nint x;\n```\nDone.", "I hoist the call."),
        ("```cpp\nint x;\n```\nThe call is hoisted.", "The call is hoisted."),
        ("Faster.\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE", "Faster."),
        ("restrict(matmul)@main.cpp:3", "restrict(matmul)@main.cpp:3"),
        ("I would rather not.", "I would rather not."),
        ("#include <cstdio>\nint main() { return 0; }\n", ""),
        ("```\nint x;\n```", ""),
        ("", ""),
    ],
)
def test_the_words_of_an_answer_are_found(answer: str, words: str) -> None:
    assert rationale(answer) == words


@given(st.text())
def test_any_answer_gives_one_bounded_line(answer: str) -> None:
    assert len(rationale(answer)) <= LONGEST
    assert "\n" not in rationale(answer)
