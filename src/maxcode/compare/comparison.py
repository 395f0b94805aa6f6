"""The records of a comparison, and the policy by which one fails."""

from __future__ import annotations

import re
from collections.abc import Generator
from math import log
from typing import Literal

from maxcode.core import Frozen, InputError, Sample, Verdict

Metric = Literal["wall", "cpu"]


class ComparedSide(Frozen):
    """One command, or one benchmark of the head, against the baseline."""

    name: str
    verdict: Verdict
    speedup: float
    """Time of the baseline over its own time, pair by pair."""
    ci_low: float
    ci_high: float
    level: float
    """Chance at most that the interval misses the truth, after correction for many."""
    p_value: float
    """The same question as a p-value: valid whenever sampling stops, not corrected."""
    seconds_baseline: float
    seconds: float
    """Median of its times."""
    samples: tuple[Sample, ...]


class ComparisonResult(Frozen):
    """Everything that was found out so far. The figures follow from the samples."""

    baseline: str
    sides: tuple[ComparedSide, ...]
    metric: Metric
    alpha: float
    min_effect: float
    """Relative difference that counts as none."""
    seconds: float
    dropped: int
    """Rounds that were taken again since the host had taken time from them."""
    settled: bool
    """True if every verdict is clear and every interval narrow; False where time was up."""
    machine: str
    notes: tuple[str, ...] = ()


Results = Generator[ComparisonResult, None, None]
"""A comparison as it goes on; the last result stands."""


class FailurePolicy(Frozen):
    """What a comparison fails by: a side that is certainly slower, and by so much in the estimate."""

    least: float = 0.0

    def slower(self, result: ComparisonResult) -> list[ComparedSide]:
        return [
            each
            for each in result.sides
            if each.verdict is Verdict.SLOWER and -log(each.speedup) >= log(1 + self.least) - 1e-12
        ]


def failure_policy(text: str) -> FailurePolicy:
    """`slower` or `slower:3%`."""
    word, _, least = text.partition(":")
    if word != "slower":
        raise InputError(f"--fail-on {text}: not known; use slower or slower:3%.")
    return FailurePolicy(least=share(least, "--fail-on slower:") if least else 0.0)


def share(text: str, option: str) -> float:
    """`1%` or `0.01` as a number."""
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)(%?)", text.strip())
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= value < 1:
        raise InputError(f"{option} {text}: a share below one is wanted, such as 1% or 0.01.")
    return value
