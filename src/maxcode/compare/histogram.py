"""A histogram of ratios in characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import exp, log

import numpy as np

BARS = "▏▎▍▌▋▊▉█"
ROWS, WIDTH = 9, 40
OUTSIDE = 0.02
"""Share of the ratios at either end that share the first and the last row."""


def histogram(ratios: Sequence[float], rows: int = ROWS, width: int = WIDTH) -> list[str]:
    """Lines from the least ratio to the largest, each with its middle, a bar and the number of ratios."""
    logs = np.log(np.asarray(ratios))
    low, high = (float(each) for each in np.quantile(logs, (OUTSIDE, 1 - OUTSIDE)))
    if high - low < 1e-9:
        low, high = low - log(1.01), high + log(1.01)
    edges = np.linspace(low, high, rows + 1)
    counts, _ = np.histogram(np.clip(logs, low, high), edges)
    most = max(int(counts.max()), 1)
    middles = [exp(float(a + b) / 2) for a, b in pairwise(edges)]
    return [
        f"{middle:7.3f}  {bar(int(count) / most, width)} {count}".rstrip()
        for middle, count in zip(middles, counts, strict=True)
    ]


def bar(share: float, width: int) -> str:
    """A bar of this share of the width, to an eighth of a character; at least that where there is anything."""
    eighths = max(round(share * width * 8), 1) if share > 0 else 0
    whole, rest = divmod(eighths, 8)
    return BARS[-1] * whole + (BARS[rest - 1] if rest else "")
