"""Histograms in characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from maxcode.compare.histogram import BARS, bar, histogram


@given(st.lists(st.floats(0.5, 2.0), min_size=1, max_size=80))
def test_every_ratio_is_in_one_row(ratios: list[float]) -> None:
    assert sum(int(line.split()[-1]) for line in histogram(ratios)) == len(ratios)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_larger_share_has_no_shorter_bar(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert _eighths(bar(low, 40)) <= _eighths(bar(high, 40)) <= 320


def _eighths(text: str) -> int:
    return sum(BARS.index(each) + 1 for each in text)
