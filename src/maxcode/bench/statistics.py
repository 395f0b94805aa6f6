"""Statistics for leaderboards: intervals, ranks, paired tests and the size of an experiment. Pure functions of numbers.

Speedups are ratios, so everything works on their logarithms. The unit is the task: seeds of one task are not
independent evidence, so they are averaged before tasks are compared, and resampled only within their task.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
RESAMPLES = 4000
EXACT_UP_TO = 25
"""Number of pairs up to which the signed-rank distribution is computed exactly; beyond, it is close to normal."""


@dataclass(frozen=True)
class Estimate:
    value: float
    low: float
    high: float


def geometric_mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def geometric_mean_interval(tasks: Sequence[Sequence[float]], confidence: float = 0.95) -> Estimate:
    """Geometric mean over tasks of each task's mean over seeds, with a t interval over the tasks' log means.

    Not a bootstrap: with the few tasks that suites have, resampling covers too little (90% for 95% at eight tasks).
    """
    logs = np.array([np.mean(np.log(each)) for each in tasks])
    middle = float(logs.mean())
    if len(logs) < 2:
        return Estimate(math.exp(middle), 0.0, math.inf)
    reach = student_quantile(0.5 + confidence / 2, len(logs) - 1) * float(logs.std(ddof=1)) / math.sqrt(len(logs))
    return Estimate(math.exp(middle), math.exp(middle - reach), math.exp(middle + reach))


def bootstrap_interval(
    tasks: Sequence[Sequence[float]],
    statistic: Callable[[Floats], Floats],
    confidence: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Interval of a statistic over tasks by resampling tasks, and seeds within each task.

    `statistic` maps an array (resamples, tasks) of log values to one figure per resample, on the log scale.
    """
    rng = np.random.default_rng(seed)
    logs = [np.log(np.asarray(each, dtype=float)) for each in tasks]
    drawn = np.empty((RESAMPLES, len(logs)))
    chosen = rng.integers(0, len(logs), size=(RESAMPLES, len(logs)))
    for i, values in enumerate(logs):
        places = np.nonzero(chosen == i)
        picks = rng.integers(0, len(values), size=(len(places[0]), len(values)))
        drawn[places] = values[picks].mean(axis=1)
    centre = float(statistic(np.array([[values.mean() for values in logs]]))[0])
    tail = (1 - confidence) / 2
    low, high = np.quantile(statistic(drawn), [tail, 1 - tail])
    return Estimate(math.exp(centre), math.exp(float(low)), math.exp(float(high)))


def median_interval(tasks: Sequence[Sequence[float]], confidence: float = 0.95, seed: int = 0) -> Estimate:
    return bootstrap_interval(tasks, lambda logs: np.median(logs, axis=1), confidence, seed)


def average_ranks(rows: Sequence[Sequence[float]], alike: float = 0.01) -> list[float]:
    """Mean rank of each column over rows, 1 for the largest; values within `alike` of each other share a rank."""
    ranks = [_ranks([-math.log(max(value, 1e-9)) for value in row], alike) for row in rows]
    return [sum(column) / len(ranks) for column in zip(*ranks, strict=True)]


def _ranks(values: Sequence[float], alike: float = 0.0) -> list[float]:
    """Ranks from 1 upwards, ties sharing the mean of their places."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks, start = [0.0] * len(values), 0
    while start < len(order):
        end = start + 1
        while end < len(order) and values[order[end]] - values[order[start]] <= alike:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + 1 + end) / 2
        start = end
    return ranks


def wilcoxon(differences: Sequence[float]) -> float:
    """Two-sided p-value of the signed-rank test that differences are symmetric around 0; zeros are left out."""
    kept = [d for d in differences if d != 0]
    if not kept:
        return 1.0
    ranks = _ranks([abs(d) for d in kept])
    positive = sum(rank for rank, d in zip(ranks, kept, strict=True) if d > 0)
    smaller = min(positive, sum(ranks) - positive)
    if len(kept) <= EXACT_UP_TO:
        return min(1.0, 2 * _exact_tail(ranks, smaller))
    return _normal_tail(ranks, smaller)


def _exact_tail(ranks: Sequence[float], smaller: float) -> float:
    """Share of all sign patterns whose positive rank sum is at most `smaller`; ranks may be halves."""
    doubled = [round(2 * rank) for rank in ranks]
    counts = np.zeros(sum(doubled) + 1)
    counts[0] = 1.0
    for rank in doubled:
        counts[rank:] = counts[rank:] + counts[: len(counts) - rank]
    return float(counts[: round(2 * smaller) + 1].sum() / 2 ** len(ranks))


def _normal_tail(ranks: Sequence[float], smaller: float) -> float:
    variance = sum(rank * rank for rank in ranks) / 4
    z = (smaller - sum(ranks) / 2 + 0.5) / math.sqrt(variance)
    return min(1.0, 2 * NormalDist().cdf(z))


def best_at(curve: Sequence[float], k: int) -> float:
    """Best of the first k values, at least 1: the baseline can always be kept."""
    return max([1.0, *curve[:k]])


@dataclass(frozen=True)
class Spread:
    """Standard deviations of the log-ratio of two methods: between tasks, and between seeds of one task."""

    tasks: float
    seeds: float


def spread(differences: Sequence[Sequence[float]]) -> Spread:
    """Spread from log-ratios by task and seed (one-way variance components)."""
    within = [np.var(each, ddof=1) for each in differences if len(each) > 1]
    seeds = float(np.mean(within)) if within else 0.0
    means = [float(np.mean(each)) for each in differences]
    size = float(np.mean([len(each) for each in differences]))
    between = float(np.var(means, ddof=1)) - seeds / size if len(means) > 1 else 0.0
    return Spread(math.sqrt(max(between, 0.0)), math.sqrt(seeds))


def power(effect: float, found: Spread, tasks: int, seeds: int, level: float = 0.05) -> float:
    """Chance that a paired comparison sees a true ratio of `effect` (1.05: 5% faster)."""
    error = math.sqrt((found.tasks**2 + found.seeds**2 / seeds) / tasks)
    if error == 0:
        return 1.0
    # The signed-rank test needs 3/pi more pairs than the t-test on normal data.
    shift = abs(math.log(effect)) / error * math.sqrt(3 / math.pi)
    critical = student_quantile(1 - level / 2, max(tasks - 1, 1))
    return NormalDist().cdf(shift - critical)


def tasks_needed(effect: float, found: Spread, seeds: int, wanted: float = 0.8, most: int = 100_000) -> int | None:
    """The smallest number of tasks with that power; None beyond `most`."""
    low, high = 5, 8
    while power(effect, found, high, seeds) < wanted:
        low, high = high, high * 2
        if high > most:
            return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(effect, found, middle, seeds) >= wanted else (middle + 1, high)
    return high


def student_quantile(p: float, degrees: int) -> float:
    """Quantile of Student's t by bisection over its distribution, which is an incomplete beta function."""
    if p < 0.5:
        return -student_quantile(1 - p, degrees)
    low, high = 0.0, 1e3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _student_cdf(middle, degrees) < p else (low, middle)
    return high


def _student_cdf(t: float, degrees: int) -> float:
    """Closed forms for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    theta = math.atan(t / math.sqrt(degrees))
    sine, cosine = math.sin(theta), math.cos(theta)
    term, total = (cosine, cosine) if degrees % 2 else (1.0, 1.0)
    first = 2 if degrees % 2 else 1
    for k in range(first, degrees - 2, 2):
        term *= cosine * cosine * k / (k + 1)
        total += term
    if degrees % 2 == 0:
        return 0.5 + sine * total / 2
    area = theta + (sine * total if degrees > 1 else 0.0)
    return 0.5 + area / math.pi
