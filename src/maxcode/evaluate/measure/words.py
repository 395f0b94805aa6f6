"""Speedups and their intervals in words: the only place that decides how people and models read them.

The page's own `interval` (report/page/dom.js) follows the same rules.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor, isfinite, log10

from maxcode.core import Measurement

OPEN = 30.0
"""Ratio of the two ends of an interval from which on its far end says nothing."""


def ratio_in_words(ratio: float, digits: int = 3) -> str:
    """A ratio with so many digits that count, whole from there on; never with an exponent."""
    if ratio == 0 or not isfinite(ratio):
        return "0" if ratio == 0 else "∞"
    decimals = max(digits - 1 - floor(log10(abs(ratio))), 0)
    text = f"{ratio:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if decimals else text


def times(ratio: float) -> str:
    """A ratio as a speedup: 3.3x."""
    return f"{ratio_in_words(ratio)}x"


def interval_in_words(
    low: float, high: float, few: str = "pairs", spelled: Callable[[float], str] = ratio_in_words
) -> str:
    """An interval of a ratio. Where few pairs leave it open, only the end nearer to 1 is told, if any.

    Two pairs can give 1.34 to 2350, of which only the first says something.
    """
    if high <= OPEN * low:
        return f"{spelled(low)} to {spelled(high)}"
    if low <= 1 <= high:
        return f"unknown, few {few}"
    return f"{spelled(low)} or more, few {few}" if low > 1 else f"{spelled(high)} or less, few {few}"


def speed_in_words(measured: Measurement) -> str:
    """The estimate with its interval: 3.3x (2.9 to 3.77). Exact counts have none."""
    if measured.ci_low == measured.ci_high:
        return times(measured.speedup)
    interval = interval_in_words(measured.ci_low, measured.ci_high)
    return f"{times(measured.speedup)} ({interval})"
