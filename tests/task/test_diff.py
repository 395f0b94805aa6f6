"""Diffs apply to the original file, to the byte, whatever its line endings."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.task.diff import make_patch, with_endings_of

WORDS = st.text("ab\t {};", max_size=6)
FILES = st.tuples(st.lists(st.tuples(WORDS, st.sampled_from(["\n", "\r\n"]))), st.sampled_from(["", "last"])).map(
    lambda file: "".join(word + ending for word, ending in file[0]) + file[1]
)


@given(FILES)
def test_what_is_not_changed_keeps_its_endings(original: str) -> None:
    assert with_endings_of(original, original.replace("\r\n", "\n")) == original


@given(FILES, FILES)
def test_only_endings_are_changed(original: str, text: str) -> None:
    plain = text.replace("\r\n", "\n")
    assert with_endings_of(original, plain).replace("\r\n", "\n") == plain


def test_new_lines_end_as_most_do() -> None:
    assert with_endings_of("a\r\nb\r\nc\n", "a\nx\nb\nc\ny\n") == "a\r\nx\r\nb\r\nc\ny\r\n"


@pytest.mark.parametrize("original", ["a\r\n\tb\r\n c \r\n", "a\r\n\tb\n c ", "a\n\tb\n c \n", "a\n\tb\n c "])
def test_git_applies_the_diff_of_a_changed_line(tmp_path: Path, original: str) -> None:
    after = with_endings_of(original, original.replace("\r\n", "\n").replace("\tb", "\tchanged"))
    (tmp_path / "p.c").write_bytes(original.encode())
    (tmp_path / "best.diff").write_bytes(make_patch({"p.c": original}, {"p.c": after}).encode())
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "apply", "best.diff"], cwd=tmp_path, check=True)
    assert (tmp_path / "p.c").read_bytes().decode() == original.replace("\tb", "\tchanged")
