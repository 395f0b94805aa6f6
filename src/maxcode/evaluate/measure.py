"""How much faster is the candidate? Pairs until the answer is clear, and an interval that holds at any stopping time.

Search: a few exclusive pairs first, for every candidate. Where they leave it open, the same-core duet, which is ten
times sharper but is biased when cache footprints differ: its verdict counts only where it agrees with the exclusive
pairs; otherwise exclusive pairs go on. Confirm: exclusive pairs only, more of them, until the interval is tight too.
Pairs from which the host stole CPU time are dropped and repeated, a few times at most; outliers are winsorised.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf, log
from statistics import median, stdev
from typing import Literal

from maxcode.core import Measurement, Mode, Noise, Sample, Verdict
from maxcode.evaluate.machine import machine_class, stolen_seconds
from maxcode.evaluate.pairs import Pair, Pairs
from maxcode.evaluate.statistics import Estimate, estimate, pooled_noise

STOLEN_SHARE = 0.03
MOST_DROPPED = 6
WAITING_SHARE = 1.25
"""A program whose wall time is this much above its CPU time waits for something: then the wall clock counts."""
FOOTPRINT_RATIO = 1.5
MIN_DUETS = 4
ALIKE = 0.02
"""A duet's verdict counts when its estimate is this close, in log-ratio, to that of the exclusive pairs."""
UNSTEADY = 2.5
AT_LEAST = "too short to be timed: the speedup is at least this. Larger timed shapes would tell more"
LEAST_EXCLUSIVE, LEAST_DUET = 0.015, 0.008
"""Noise is never taken to be less than this: a few calm A/A pairs say little about the next minute."""

LOUD, MOST_NOISE = 0.05, 3
"""Noise above this is looked at again, up to so many times as long: it is believed for a day, and a moment is not."""

Clock = Literal["cpu", "wall"]


@dataclass(frozen=True)
class Plan:
    """How long to sample."""

    alpha: float
    first: int
    """Exclusive pairs before the duet is asked."""
    duets: int
    exclusive: int
    """Exclusive pairs in all."""
    precision: float
    """Half-width, in log-ratio, to reach even after the verdict is clear."""
    patience: int
    """Exclusive pairs to spend on precision once a candidate is known to be faster: winners are ranked by it."""


PLANS = {
    Mode.SEARCH: Plan(alpha=0.01, first=5, duets=24, exclusive=24, precision=log(1.2), patience=10),
    Mode.CONFIRM: Plan(alpha=0.01, first=60, duets=0, exclusive=60, precision=log(1.05), patience=60),
}


@dataclass
class _Sampling:
    """What has been sampled so far."""

    pairs: Pairs
    cpus: tuple[int, ...]
    exclusive: list[Pair] = field(default_factory=list)
    duets: list[Pair] = field(default_factory=list)
    dropped: int = 0

    def add_exclusive(self) -> None:
        first = len(self.exclusive) % 2 == 1
        self.exclusive.append(self._undisturbed(lambda: self.pairs.exclusive(first)))

    def add_duet(self) -> None:
        self.duets.append(self._undisturbed(self.pairs.duet))

    def _undisturbed(self, take: Callable[[], Pair]) -> Pair:
        while True:
            stolen, started = stolen_seconds(self.cpus), time.monotonic()
            pair = take()
            lost, took = stolen_seconds(self.cpus) - stolen, time.monotonic() - started
            if self.dropped >= MOST_DROPPED or lost <= STOLEN_SHARE * took:
                return pair
            self.dropped += 1

    def clock(self, threads: int) -> Clock:
        """CPU time is the steadier clock; the wall counts for programs with threads and for programs that wait."""
        waits = any(
            median(p[i].wall for p in self.exclusive) > WAITING_SHARE * median(p[i].cpu for p in self.exclusive) + 2e-3
            for i in (0, 1)
        )
        return "wall" if threads > 1 or waits else "cpu"


def measure(
    pairs: Pairs, *, mode: Mode, noise: Noise, cpus: tuple[int, ...], threads: int = 1, seconds: float = 0.0
) -> Measurement:
    """Samples pairs until the verdict is clear, and for so many seconds at least where it is `faster`.

    Failure when the candidate fails in a timed run.
    """
    plan = PLANS[mode]
    sampling = _Sampling(pairs, cpus)
    began = time.monotonic()
    while True:
        sampling.add_exclusive()
        clock = sampling.clock(threads)
        found = _estimate(sampling.exclusive, clock, noise.exclusive, plan)
        early = found.verdict is Verdict.FASTER and time.monotonic() - began < seconds
        if found.pairs >= plan.exclusive or (_settled(found, plan) and not early):
            return _measurement(sampling, found, "exclusive", clock, plan, noise)
        if found.verdict is Verdict.UNCLEAR and found.pairs == plan.first and plan.duets and clock == "cpu":
            resolved = _try_duets(sampling, found, plan, noise)
            if resolved:
                return _measurement(sampling, resolved, "duet", clock, plan, noise)


def _settled(found: Estimate, plan: Plan) -> bool:
    if found.verdict is Verdict.UNCLEAR:
        return False
    if found.half <= plan.precision or found.verdict is Verdict.SLOWER:
        return True
    return found.pairs >= (plan.patience if found.verdict is Verdict.FASTER else plan.first)


def _try_duets(sampling: _Sampling, exclusive: Estimate, plan: Plan, noise: Noise) -> Estimate | None:
    """The duet's estimate, or None where it cannot be trusted. One that stays open to the end is as good as a tie."""
    if not _duet_fits(sampling, noise):
        return None
    assert noise.duet is not None
    while True:
        sampling.add_duet()
        found = _estimate(sampling.duets, "cpu", noise.duet, plan)
        apart = abs(exclusive.centre - found.centre)
        if found.pairs >= MIN_DUETS and apart > ALIKE + found.half:
            return None
        if found.pairs >= (plan.duets if found.verdict is Verdict.UNCLEAR else MIN_DUETS):
            return found if apart <= ALIKE else None


def _duet_fits(sampling: _Sampling, noise: Noise) -> bool:
    """Not for programs of different memory, nor for ones that are sometimes fast and sometimes slow when alone."""
    memory = [max(p[i].rss_mb for p in sampling.exclusive) for i in (0, 1)]
    steady = stdev(_log_ratios(sampling.exclusive, "cpu")) <= UNSTEADY * noise.exclusive
    return noise.duet is not None and steady and max(memory) <= FOOTPRINT_RATIO * min(memory) + 1


def _log_ratios(pairs: list[Pair], clock: Clock) -> list[float]:
    return [log(getattr(a, clock) / getattr(b, clock)) for a, b in pairs]


def _estimate(pairs: list[Pair], clock: Clock, noise: float, plan: Plan) -> Estimate:
    return estimate(_log_ratios(pairs, clock), noise=noise, alpha=plan.alpha)


def _measurement(
    sampling: _Sampling, found: Estimate, method: Literal["exclusive", "duet"], clock: Clock, plan: Plan, noise: Noise
) -> Measurement:
    speedup, low, high = found.ratios
    samples = [*_samples(sampling.exclusive, "exclusive", clock), *_samples(sampling.duets, "duet", clock)]
    return Measurement(
        samples=tuple(samples),
        clock=clock,
        method=method,
        verdict=found.verdict,
        speedup=speedup,
        ci_low=low,
        ci_high=high,
        alpha=plan.alpha,
        noise=noise,
        dropped=sampling.dropped,
        note=AT_LEAST if 2 * sum(b.unresolved for _, b in sampling.exclusive) > len(sampling.exclusive) else None,
        machine=machine_class(),
        seconds_baseline=median(getattr(a, clock) for a, _ in sampling.exclusive),
        seconds_candidate=median(getattr(b, clock) for _, b in sampling.exclusive),
    )


def _samples(pairs: list[Pair], method: Literal["exclusive", "duet"], clock: Clock) -> list[Sample]:
    return [Sample(baseline=getattr(a, clock), candidate=getattr(b, clock), method=method) for a, b in pairs]


def measure_noise(pairs: Pairs, *, cpus: tuple[int, ...], threads: int, count: int = 5) -> Noise:
    """A/A: the same program on both sides."""
    sampling = _Sampling(pairs, cpus)
    exclusive = inf
    while exclusive > LOUD and len(sampling.exclusive) < MOST_NOISE * count:
        for _ in range(count):
            sampling.add_exclusive()
        clock = sampling.clock(threads)
        exclusive = _floor(_log_ratios(sampling.exclusive, clock), LEAST_EXCLUSIVE)
    if clock == "wall":
        return Noise(exclusive=exclusive, pairs=len(sampling.exclusive))
    for _ in range(count):
        sampling.add_duet()
    return Noise(
        exclusive=exclusive, duet=_floor(_log_ratios(sampling.duets, "cpu"), LEAST_DUET), pairs=len(sampling.exclusive)
    )


def _floor(log_ratios: list[float], least: float) -> float:
    return max(least, pooled_noise(log_ratios, prior=least))
