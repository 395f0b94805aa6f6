"""Anytime-valid answers, from paired log-ratios, to whether one program is faster than another.

x = ln(baseline time / candidate time) of one pair. After n pairs the mean of the winsorised x is within half_width(n)
of the truth, for all n at once, with probability 1 - alpha (Robbins' normal mixture; Howard et al. 2021). So one may
look after every pair and stop when the answer is clear, which is not true of a t-test.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

import numpy as np

from maxcode.core import Verdict

MIXTURE_SCALE = 0.03
"""The effect size, in log-ratio, that the mixture is sharpest for."""
TIE = log(1.01)
"""Log-ratio below which programs are ties: one per cent."""
MIN_PAIRS = 3
WIDEST = 700.0
"""Log-ratio up to which a ratio is a number."""
SPREAD_DOUBT = 4.0
HICCUPS, LEAST_HICCUPS = 1 / 6, 2
"""Share of pairs, and number of them, up to which outliers are put down to the machine, on either side."""
RESAMPLED = 2000
ROUNDING = 1e-12
"""Log-ratio below which values are equal but for rounding, which is alike in neighbours."""
LEAST_FOR_DEPENDENCE = 12
"""Number of pairs from which on it can be told whether neighbours are alike."""

LEAST_FOR_DEVIATION = 20
"""Number of pairs from which on a median of deviations is taken at its word."""


@dataclass(frozen=True)
class LogInterval:
    """Interval of the log-ratio."""

    centre: float
    half: float
    pairs: int
    deviation: float = inf
    """Deviation of one pair that the half-width rests on; infinite where it rests on something else."""
    scale: float = MIXTURE_SCALE
    """Effect size, in log-ratio, that the half-width is sharpest for."""

    @property
    def low(self) -> float:
        return self.centre - self.half

    @property
    def high(self) -> float:
        return self.centre + self.half

    @property
    def ratios(self) -> tuple[float, float, float]:
        """Speedup, and the ends of its interval, which a few loud pairs leave open."""
        return exp(self.centre), exp(self.low), exp(min(self.high, WIDEST))

    @property
    def verdict(self) -> Verdict:
        return self._certain or (Verdict.TIE if self._within(TIE) else Verdict.UNCLEAR)

    def verdict_beyond(self, least: float) -> Verdict:
        """Verdict where a difference of up to `least` (log-ratio) is a tie, however certain it is."""
        return Verdict.TIE if self._within(least) else self._certain or Verdict.UNCLEAR

    @property
    def _certain(self) -> Verdict | None:
        if self.pairs < MIN_PAIRS or self.low <= 0 <= self.high:
            return None
        return Verdict.FASTER if self.low > 0 else Verdict.SLOWER

    def _within(self, least: float) -> bool:
        return self.pairs >= MIN_PAIRS and self.low > -least and self.high < least

    def at(self, alpha: float) -> LogInterval:
        """The same estimate with the half-width of another level."""
        half = half_width(self.pairs, self.deviation, alpha, self.scale) if self.pairs else self.half
        return replace(self, half=half)

    def for_loud_pairs(self, alpha: float) -> LogInterval:
        """The same estimate, sharpest for effects of the size of the noise where that is more than the usual effect.

        An interval that is sharp for 3% is several times wider than it need be where pairs vary by 30%.
        """
        return replace(self, scale=max(MIXTURE_SCALE, self.deviation)).at(alpha) if self.pairs else self

    @property
    def p_value(self) -> float:
        """The least level at which the interval does not hold 0: a p-value that is valid at any stopping time."""
        if self.pairs < MIN_PAIRS or self.deviation == inf:
            return 1.0
        n = self.pairs * (self.scale / self.deviation) ** 2
        return min(1.0, sqrt(1 + n) * exp(-(self.centre**2) * self.pairs / (2 * self.deviation**2 * (1 + 1 / n))))


def winsorise(values: list[float]) -> list[float]:
    """The values, those beyond `bounds` pulled in to there (from five values on)."""
    low, high = bounds(values)
    return [min(max(v, low), high) for v in values]


def one_sided(values: list[float]) -> bool:
    """True if outliers are a program's own: many, and more than three times as many on one side as on the other.

    The machine disturbs both programs alike. A program that is slow on a third of its inputs has not been disturbed.
    """
    low, high = bounds(values)
    fewer, more = sorted((sum(v < low for v in values), sum(v > high for v in values)))
    return more > max(LEAST_HICCUPS, HICCUPS * len(values), 3 * fewer)


def bounds(values: list[float]) -> tuple[float, float]:
    """Bounds beyond which a value is an outlier: three robust deviations from the median."""
    if len(values) < 5:
        return -inf, inf
    median = float(np.median(values))
    deviation = 1.4826 * float(np.median(np.abs(np.asarray(values) - median)))
    return (median - 3 * deviation, median + 3 * deviation) if deviation > 0 else (-inf, inf)


def half_width(pairs: int, deviation: float, alpha: float, scale: float = MIXTURE_SCALE) -> float:
    """Half-width of the confidence sequence after this many pairs."""
    n = pairs * (scale / deviation) ** 2
    return deviation * sqrt((1 + 1 / n) / pairs * log((1 + n) / alpha**2))


def dependence(values: list[float]) -> float:
    """Number of consecutive pairs that hold as much information as one independent pair: 1 or more.

    A machine that is slow for seconds makes pairs that follow each other alike, and their mean less exact than that of
    as many independent ones: by the sum of all autocorrelations, which is taken up to where those of two neighbouring
    lags are no longer positive (Geyer 1992). 1 where the first of them could be chance.
    """
    n = len(values)
    if n < LEAST_FOR_DEPENDENCE:
        return 1.0
    apart = np.asarray(values) - np.mean(values)
    if float(np.abs(apart).max()) < ROUNDING:
        return 1.0
    lags = np.correlate(apart, apart, "full")[n:] / max(float(apart @ apart), 1e-300)
    if lags[0] <= 2 / sqrt(n):
        return 1.0
    found = 1.0
    for both in lags[: 2 * (n // 6)].reshape(-1, 2).sum(axis=1):
        if both <= 0:
            break
        found += 2 * float(both)
    return found


def estimate(log_ratios: list[float], *, noise: float, alpha: float) -> LogInterval:
    """Interval from the pairs so far. `noise` is the machine's A/A deviation: a lucky calm run must not look exact."""
    values = list(log_ratios) if one_sided(log_ratios) else winsorise(log_ratios)
    if not values:
        return LogInterval(0.0, float("inf"), 0)
    spread = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    # The spread of a few values is itself uncertain, and more often too small than too large: an upper bound of it
    # (about the 95% one for normal values) instead of the estimate.
    spread *= (1 + SPREAD_DOUBT / max(len(values) - 1, 1)) * sqrt(dependence(values))
    deviation = max(noise, spread, 1e-6)
    return LogInterval(float(np.mean(values)), half_width(len(values), deviation, alpha), len(values), deviation)


def total(times: list[tuple[float, float]], *, alpha: float) -> LogInterval:
    """Interval of the log-ratio of summed times (baseline, candidate), from resampled pairs.

    Ratios of single pairs do not show how much time each took: a program that is rarely slow, but then for long, has
    good ones.
    """
    sides = np.asarray(times)
    drawn = np.random.default_rng(0).integers(0, len(times), (RESAMPLED, len(times)))
    sums = sides[drawn].sum(axis=1)
    centre = float(np.log(sides[:, 0].sum() / sides[:, 1].sum()))
    low, high = map(float, np.quantile(np.log(sums[:, 0] / sums[:, 1]), (alpha, 1 - alpha)))
    return LogInterval(centre, centre - low if low > 0 else max(centre - low, high - centre), len(times))


def pooled_noise(log_ratios: list[float], *, prior: float, weight: int = 4) -> float:
    """A/A deviation from few pairs, drawn towards what such machines usually show; two loud pairs do not count."""
    scale = 1.4826 * float(np.median(np.abs(log_ratios))) if log_ratios else 0.0
    return sqrt((weight * prior**2 + len(log_ratios) * scale**2) / (weight + len(log_ratios)))


def own_noise(log_ratios: list[float], *, prior: float, weight: int = 4) -> float:
    """Deviation of pairs that have no A/A pairs beside them: their own, drawn towards what machines usually show.

    Robust from `LEAST_FOR_DEVIATION` pairs on. Fewer may lie close together by chance, and what is far from them is
    then all that there is to be seen of the spread.
    """
    few = len(log_ratios) < LEAST_FOR_DEVIATION
    middle = float(np.median(log_ratios)) if log_ratios else 0.0
    if not few:
        return pooled_noise([each - middle for each in log_ratios], prior=prior, weight=weight)
    spread = float(np.std(log_ratios, ddof=1)) if len(log_ratios) > 1 else 0.0
    spread *= 1 + SPREAD_DOUBT / max(len(log_ratios) - 1, 1)
    return sqrt((weight * prior**2 + len(log_ratios) * spread**2) / (weight + len(log_ratios)))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number (Holm): the chance of any false alarm stays below the level."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, highest = [0.0] * len(p_values), 0.0
    for place, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - place) * p_values[i]))
        corrected[i] = highest
    return corrected


def holm_levels(p_values: Sequence[float], alpha: float) -> list[float]:
    """Level at which Holm's method tests each: alpha over the number of those that are not yet found to differ."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    levels, left = [alpha] * len(p_values), len(p_values)
    for place, i in enumerate(order):
        levels[i] = alpha / left
        if p_values[i] <= levels[i] and left == len(p_values) - place:
            left -= 1
    return levels
