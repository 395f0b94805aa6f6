"""Values as text: the same for what nobody can tell apart, and another for everything else."""

from __future__ import annotations

import datetime
import sys
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from maxcode.kinds.function.serving import HERE


@pytest.fixture(scope="module")
def values() -> Any:
    sys.path.insert(0, str(HERE))
    try:
        return import_module("maxcode_values")
    finally:
        sys.path.remove(str(HERE))


Point = namedtuple("Point", "x y")
SHARED = [1]
ALL: list[Any] = [
    0, False, 0.0, -0.0, float("nan"), 1, True, 1.0, 1 + 0j, "1", b"1", bytearray(b"1"), None, ...,
    [], (), {}, set(), frozenset(), [1], (1,), {1}, {1: 1}, {1: 2}, {1: 2, 2: 1}, {2: 1, 1: 2}, [[1], [1]],
    [SHARED, SHARED], Point(1, 2), (1, 2), OrderedDict(a=1), Counter("a"), defaultdict(list), defaultdict(set),
    deque([1]), deque([1], 3), Decimal("1.0"), Decimal("1.00"), Fraction(1), datetime.date(2020, 1, 1),
    datetime.datetime(2020, 1, 1), Path("a"), range(3), slice(3), ValueError("a"), ValueError("b"), KeyError("a"),
    int, len, sys, np.zeros(2), np.zeros(2, np.float32), np.zeros((1, 2)), np.float64(1.0), np.ones(2),
]  # fmt: skip


def test_no_two_different_values_have_the_same_text(values: Any) -> None:
    texts = [values.encoded(each) for each in ALL]
    assert len(set(texts)) == len(ALL)


@pytest.mark.parametrize("value", ALL, ids=repr)
def test_a_copy_has_the_same_text(value: Any, values: Any) -> None:
    if value is not sys:
        assert values.encoded(values.unpickled(values.pickled(value))) == values.encoded(value)


MISSING, OTHER = object(), object()


def test_a_marker_stays_itself_in_a_copy(values: Any) -> None:
    unnamed = object()
    first, second, third = values.unpickled(values.pickled([MISSING, OTHER, unnamed]))
    assert first is MISSING and second is OTHER and third is not unnamed
    assert len({values.encoded(each) for each in (MISSING, OTHER, unnamed)}) == 3


def test_a_set_has_no_order_and_a_cycle_has_an_end(values: Any) -> None:
    assert values.encoded({"b", "a", "c"}) == values.encoded({"c", "a", "b"})
    cycle: list[Any] = []
    cycle.append(cycle)
    assert b"same as" in values.encoded(cycle)


def test_a_class_that_bears_the_name_of_another_is_marked(values: Any) -> None:
    lazy = type("list", (list,), {"__module__": "builtins"})
    lazy.__qualname__ = "list"
    assert b"another" in values.encoded(lazy())


def test_lambdas_are_copied_with_what_they_hold(values: Any) -> None:
    held = 3
    copy = values.unpickled(values.pickled(lambda x, y=2: x + y + held))
    assert copy(1) == 6


def test_a_lazy_result_is_read_and_keeps_its_kind(values: Any) -> None:
    generated = values.encoded(values.drained(x for x in (1, 2)))
    assert generated != values.encoded(values.drained(iter([1, 2]))) != values.encoded([1, 2])
