"""Posterior of a program's log speedup: its own pairs, seen together with the other programs of its run.

    x_i     ~ Normal(theta_i, error_i^2)                     what the pairs of program i say
    theta_i ~ sum over k of w_k Normal(centre, scale_k^2)    what the programs of the run are like

The second line is the prior, estimated from the run itself (empirical Bayes; adaptive shrinkage, Stephens 2017). Its
scales reach from one per cent to a factor of 100. Where most programs differ by noise, small differences are shrunk
away; a large one can only come from a wide scale, so it is kept. The mean does not depend on why sampling stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, exp, hypot, log, sqrt
from typing import Any

import numpy as np

from maxcode.core import Measurement, Noise
from maxcode.evaluate.measure.statistics import TIE, dependence, winsorise

Array = np.ndarray[Any, np.dtype[np.float64]]

SCALES: Array = np.geomspace(0.01, 5.12, 10)
"""Scales of the prior, in log-ratio."""
PSEUDO_PROGRAMS = 3.0
"""Number of programs that the prior before any program counts as: evenly spread over the scales."""
PSEUDO_BASELINES = 2
"""Number of programs as fast as the baseline that the prior's centre is taken with."""
ROUNDS = 30
"""Rounds of expectation maximisation, a fixed number: equal input gives an equal prior."""
NOISE_WEIGHT = 4.0
"""Number of pairs that the noise floor counts as, where a few pairs have to tell their spread."""
DUET_BIAS = 0.01
"""Deviation of what duets are off by where cache footprints differ, in log-ratio."""
SURE = 0.9
"""Probability with which the best must be known for a race to end."""
MOST_RACING = 4
"""Number of programs that are measured further at a time."""


@dataclass(frozen=True)
class Evidence:
    """What the pairs of one program say: its log speedup, and the standard error of that. An error of 0 is exact."""

    centre: float
    error: float


@dataclass(frozen=True)
class Prior:
    """What programs of a run are like: a centre, and the weights of the scales around it."""

    centre: float = 0.0
    weights: tuple[float, ...] = (1 / len(SCALES),) * len(SCALES)


BEFORE_ANY = Prior()


@dataclass(frozen=True)
class Posterior:
    """Mean and deviation of a log speedup."""

    mean: float
    deviation: float

    @property
    def speedup(self) -> float:
        return exp(self.mean)

    def chance_of_beating(self, other: Posterior, margin: float = TIE) -> float:
        """Probability that this program is faster than the other by more than the margin."""
        apart, deviation = self.mean - other.mean - margin, hypot(self.deviation, other.deviation)
        return 0.5 * (1 + erf(apart / deviation / sqrt(2))) if deviation else float(apart > 0)


def evidence(m: Measurement) -> Evidence:
    """Evidence of a measurement. One without a noise floor counts something, and is exact."""
    if m.noise is None:
        return Evidence(log(m.speedup), 0.0)
    exclusive = [log(s.baseline / s.candidate) for s in m.samples if s.method == "exclusive"]
    if m.method == "exclusive":
        return Evidence(log(m.speedup), _error(exclusive, m.noise.exclusive))
    duets = [log(s.baseline / s.candidate) for s in m.samples if s.method == "duet"]
    by_duets = Evidence(log(m.speedup), hypot(_error(duets, _duet_noise(m.noise)), DUET_BIAS))
    if not exclusive:
        return by_duets
    return _together(by_duets, Evidence(float(np.mean(winsorise(exclusive))), _error(exclusive, m.noise.exclusive)))


def _duet_noise(noise: Noise) -> float:
    return noise.exclusive if noise.duet is None else noise.duet


def _error(values: list[float], floor: float) -> float:
    """Standard error of the mean. The spread of few pairs is drawn towards the noise floor, and is never below it."""
    if not values:
        return floor
    kept = winsorise(values)
    spread = float(np.var(kept, ddof=1)) if len(kept) > 1 else 0.0
    pooled = (NOISE_WEIGHT * floor**2 + (len(kept) - 1) * spread) / (NOISE_WEIGHT + len(kept) - 1)
    return sqrt(max(pooled, floor**2) * dependence(kept) / len(kept))


def _together(a: Evidence, b: Evidence) -> Evidence:
    """Two independent pieces of evidence, weighed by their precision."""
    weight = b.error**2 / (a.error**2 + b.error**2)
    return Evidence(weight * a.centre + (1 - weight) * b.centre, a.error * sqrt(weight))


def fitted(found: Sequence[Evidence]) -> Prior:
    """Prior of a run from its correct programs, in any order; exact ones need no prior and do not count."""
    noisy = [each for each in found if each.error > 0]
    if not noisy:
        return BEFORE_ANY
    values = np.array(sorted((each.centre, each.error) for each in noisy))  # sorted: the same sums in any order
    centre = float(np.median([0.0] * PSEUDO_BASELINES + [each.centre for each in noisy]))
    logs = _log_likelihoods(values[:, 0] - centre, values[:, 1])
    weights = np.full(len(SCALES), 1 / len(SCALES))
    for _ in range(ROUNDS):
        shares = _normalised(logs + np.log(weights))
        weights = PSEUDO_PROGRAMS / len(SCALES) + shares.sum(axis=0)
        weights /= weights.sum()
    return Prior(centre, tuple(map(float, weights)))


def posterior(found: Evidence, prior: Prior = BEFORE_ANY) -> Posterior:
    (only,) = posteriors([found], prior)
    return only


def posteriors(found: Sequence[Evidence], prior: Prior) -> list[Posterior]:
    """Posteriors of several programs: each a mixture, told by its mean and deviation."""
    if not found:
        return []
    centres, errors = (np.array([getattr(each, name) for each in found]) for name in ("centre", "error"))
    away = centres - prior.centre
    shares = _normalised(_log_likelihoods(away, errors) + np.log(np.array(prior.weights)))
    kept = SCALES**2 / (SCALES**2 + errors[:, None] ** 2)
    means = away[:, None] * kept
    mean = (shares * means).sum(axis=1)
    variance = (shares * (kept * errors[:, None] ** 2 + (means - mean[:, None]) ** 2)).sum(axis=1)
    known = zip(found, mean, variance, strict=True)
    return [
        Posterior(prior.centre + float(m), sqrt(float(v))) if each.error else Posterior(each.centre, 0.0)
        for each, m, v in known
    ]


def _log_likelihoods(away: Array, errors: Array) -> Array:
    """Log-likelihoods of each value (rows) under each scale (columns), up to a constant."""
    variance: Array = SCALES**2 + errors[:, None] ** 2
    return np.asarray(-0.5 * (np.log(variance) + away[:, None] ** 2 / variance))


def _normalised(logs: Array) -> Array:
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def undecided(found: Sequence[Posterior], count: int = 1) -> list[int]:
    """Indices of the programs to measure further before the best `count` are taken; none where these are known.

    At stake is the last place. It is known once, with probability `SURE`, no other program is faster by more than a
    tie than the one that has it. Programs that are very unlikely to be are no longer measured.
    """
    order = sorted(range(len(found)), key=lambda i: (-found[i].mean, i))
    inside, outside = order[:count], order[count:]
    if not outside:
        return []
    last = inside[-1]
    chances = {i: found[i].chance_of_beating(found[last]) for i in outside}
    if sum(chances.values()) <= 1 - SURE:
        return []
    rivals = sorted((i for i in outside if chances[i] > (1 - SURE) / len(outside)), key=lambda i: (-chances[i], i))
    return [i for i in (last, *rivals[: MOST_RACING - 1]) if found[i].deviation > 0]
