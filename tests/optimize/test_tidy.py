"""Leftovers of transformations are folded, in changed lines only."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.optimize.indent import indented_as
from maxcode.optimize.tidy import _tidied, changed_lines, folded, leftovers

SINGLE_TURN = """\
    for (int x_tile = 0; x_tile < 4; x_tile += 16) {
        for (int y = 0; y < n; y++) {
            for (int x = x_tile; x < (x_tile + 16 < 4 ? x_tile + 16 : 4); x++) {
                sum += grid[y][x];
            }
        }
    }
"""
FOLDED = """\
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < 4; x++) {
            sum += grid[y][x];
        }
    }
"""
GUARDS = """\
    if (n > 0) {
        if (n > 0) {
            work(n);
        }
    }
"""


def test_a_loop_of_one_turn_becomes_its_body() -> None:
    assert folded(SINGLE_TURN) == FOLDED


def test_a_doubled_guard_becomes_one() -> None:
    assert folded(GUARDS) == "    if (n > 0) {\n        work(n);\n    }\n"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a[0 * width];\n", "a[0];\n"),
        ("a[i + 0];\n", "a[i];\n"),
        ("a[0 + i];\n", "a[i];\n"),
        ("f(i * 1);\n", "f(i);\n"),
        ("for (int i = (0); i < n; i++) {\n", "for (int i = 0; i < n; i++) {\n"),
        ("a[10 * width];\n", "a[10 * width];\n"),
        ("f()(0);\n", "f()(0);\n"),
        ("vector<int>(3);\n", "vector<int>(3);\n"),
        ("x = 1.0 * y;\n", "x = 1.0 * y;\n"),
        ("a[b - 0 * w];\n", "a[b];\n"),
        ("for (int i = 0; i < 4; i += 2) {\n    f(i);\n}\n", "for (int i = 0; i < 4; i += 2) {\n    f(i);\n}\n"),
    ],
)
def test_expressions_are_folded_where_that_is_safe(text: str, made: str) -> None:
    assert folded(text) == made


def test_a_loop_that_breaks_is_left_alone() -> None:
    text = "for (int i = 0; i < 1; i++) {\n    if (f()) break;\n    g(i);\n}\n"
    assert folded(text) == text


def test_leftovers_are_found() -> None:
    assert leftovers(SINGLE_TURN.splitlines(keepends=True), Language.CPP)
    assert leftovers(GUARDS.splitlines(keepends=True), Language.CPP)
    assert leftovers(["a[0 * width];\n"], Language.C)
    assert not leftovers(FOLDED.splitlines(keepends=True), Language.CPP)


def test_lines_of_the_original_are_never_changed() -> None:
    before = "int f() { return a[i + 0]; }\nint g();\n"
    assert _tidied(before, before + "int h() { return a[j + 0]; }\n") == before + "int h() { return a[j]; }\n"


def test_new_lines_have_the_tabs_of_the_original() -> None:
    assert indented_as("int f()\n{\n\treturn 0;\n}\n", "\t    x;\n        y;\n") == "\t\tx;\n\t\ty;\n"
    assert indented_as("int f()\n{\n    return 0;\n}\n", "        y;\n") == "        y;\n"


def test_changed_lines_count_both_sides() -> None:
    assert changed_lines({"a": "1\n2\n3\n"}, {"a": "1\n5\n3\n4\n"}) == 3
