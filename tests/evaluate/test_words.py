"""Speedups in words: digits that count, and no end of an interval that says nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.evaluate.measure.words import interval_in_words, ratio_in_words

RATIOS = st.floats(1e-300, 1e300)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(3.3, "3.3"), (0.99961, "1"), (99.96, "100"), (2354.4, "2354"), (0.000123, "0.000123"), (0.0, "0")],
)
def test_a_ratio_has_three_digits_and_no_exponent(ratio: float, words: str) -> None:
    assert ratio_in_words(ratio) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (2.9, 3.774, "2.9 to 3.77"),
        (2290.0, 2410.2, "2290 to 2410"),
        (1.34, 2350.0, "1.34 or more, few pairs"),
        (0.0004, 0.91, "0.91 or less, few pairs"),
        (0.02, 3.0, "unknown, few pairs"),
        (0.0, float("inf"), "unknown, few pairs"),
    ],
)
def test_an_end_that_few_pairs_leave_open_is_not_told(low: float, high: float, words: str) -> None:
    assert interval_in_words(low, high) == words


@given(RATIOS, RATIOS)
def test_no_interval_is_longer_than_what_it_says(one: float, other: float) -> None:
    words = interval_in_words(min(one, other), max(one, other))
    assert "e+" not in words and "e-" not in words
