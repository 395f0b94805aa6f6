"""What classes are worth: always more for a higher one."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from maxcode.value.classes import PLAIN, Classes, classes_of, expected_class

pairs = some.lists(some.tuples(some.integers(0, 4), some.floats(-2.0, 3.0)), max_size=30)


@given(pairs, some.floats(0.0, 4.0), some.floats(0.0, 4.0))
def test_a_higher_expected_class_is_worth_more(rewards: list[tuple[int, float]], one: float, other: float) -> None:
    classes = classes_of(rewards)
    low, high = sorted((one, other))
    assert classes.value(low) <= classes.value(high)
    assert all(a < b for a, b in pairwise(classes.means))


def test_means_are_those_of_the_data_where_they_rise() -> None:
    classes = classes_of([(0, -1.0), (0, -2.0), (1, 0.1), (2, 0.3), (3, 0.5), (4, 1.0)])
    assert classes.means == pytest.approx((-1.5, 0.1, 0.3, 0.5, 1.0), abs=0.01)
    assert classes.value(1.5) == pytest.approx(0.2, abs=0.01)


def test_a_class_without_rows_lies_between_its_neighbours() -> None:
    assert classes_of([(0, 0.0), (4, 1.0)]).means == pytest.approx((0.0, 0.25, 0.5, 0.75, 1.0), abs=0.01)
    assert classes_of([]) == PLAIN


def test_the_expected_class_is_a_mean() -> None:
    assert expected_class([0.5, 0.0, 0.0, 0.0, 0.5]) == 2.0
    assert Classes(means=(0.0, 1.0, 2.0, 3.0, 4.0)).value(2.5) == 2.5
