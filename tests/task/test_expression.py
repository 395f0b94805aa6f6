"""Sizes as arithmetic: the same values as Python's, and nothing but arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.task.expression import evaluate

NAMES = {"n": 7, "m": 3, "k": 1024}
_atoms = st.one_of(st.integers(0, 1000).map(str), st.floats(0, 100).map(repr), st.sampled_from(sorted(NAMES)))


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(["+", "-", "*", "/", "//", "%"])
    return st.one_of(
        st.tuples(inner, operators, inner).map(lambda p: f"({p[0]} {p[1]} {p[2]})"),
        st.tuples(inner, operators, inner).map(lambda p: f"{p[0]}{p[1]}{p[2]}"),
        inner.map(lambda x: f"-({x})"),
        st.tuples(st.sampled_from(["min", "max"]), st.lists(inner, min_size=2, max_size=3)).map(
            lambda p: f"{p[0]}({', '.join(p[1])})"
        ),
    )


expressions = st.recursive(_atoms, _grow, max_leaves=8)


@given(expressions)
def test_value_is_that_of_python(text: str) -> None:
    try:
        expected = eval(text, {"__builtins__": {"min": min, "max": max}}, NAMES)
    except ZeroDivisionError:
        with pytest.raises(ValueError, match="divides by zero"):
            evaluate(text, NAMES)
        return
    got = evaluate(text, NAMES)
    assert got == expected or (math.isnan(got) and math.isnan(expected))
    assert type(got) is type(expected)


@given(st.one_of(st.integers(), st.floats(allow_nan=False)))
def test_number_is_itself(number: int | float) -> None:
    assert evaluate(number, {}) == number


@given(st.text())
def test_any_text_is_a_number_or_a_readable_refusal(text: str) -> None:
    try:
        value = evaluate(text, NAMES)
    except ValueError as error:
        assert str(error)
    else:
        assert isinstance(value, int | float)


@given(st.from_regex(r"[a-z_]{1,8}", fullmatch=True).filter(lambda name: name not in NAMES))
def test_unknown_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"known names are: n, m, k|may only use|not an arithmetic"):
        evaluate(name, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        "n.real",
        "n.__class__",
        "abs(n)",
        "min(n)",
        "min(*n)",
        "max(n, m, key=abs)",
        "__import__('os')",
        "n ** m",
        "n << 2",
        "n if m else k",
        "n < m",
        "n and m",
        "[n]",
        "n[0]",
        "'n'",
        "f'{n}'",
        "lambda: n",
        "(n := 3)",
        "1j",
        "None",
        "...",
        "~n",
        "not n",
        "",
        "n;m",
        "n = 3",
    ],
)
def test_anything_but_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"may only use|not an arithmetic expression"):
        evaluate(text, NAMES)
