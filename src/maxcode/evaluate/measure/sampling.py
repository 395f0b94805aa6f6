"""How much faster is the candidate? Pairs until the answer is clear, and an interval that holds at any stopping time.

Search: a few exclusive pairs first, for every candidate. Where they leave it open, the same-core duet, which is ten
times sharper but is biased when cache footprints differ: its verdict counts only where it agrees with the exclusive
pairs; otherwise exclusive pairs go on. Confirm: exclusive pairs only, more of them, until the interval is tight too.
Pairs from which the host stole CPU time are dropped and repeated, a few times at most; outliers are winsorised, but
where the candidate was slow in one, the same inputs are timed again: slow again means the program, not the machine, and
whoever is faster must be so in total too.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import partial
from math import exp, inf, log
from statistics import fmean, median, stdev
from typing import Literal

from maxcode.core import Measurement, Mode, Noise, Sample, Verdict
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.measure.pairs import Pair, Pairs, Timing
from maxcode.evaluate.measure.statistics import MIN_PAIRS, TIE, LogInterval, bounds, estimate, pooled_noise, total
from maxcode.evaluate.measure.stolen import Undisturbed

WAITING_SHARE = 1.25
"""Ratio of wall time to CPU time above which a program waits for something; then the wall clock counts."""
WAITING_PAIRS, WAITING_MORE = 2, 2.0
"""A program also waits, however rarely, if it does so in this many pairs and idles this many times as long as the
baseline in all."""
REPEATS, MOST_REPEATED = 2, 6
"""Number of times that a pair in which the candidate was slow is repeated, and number of pairs that are."""
MOST_HICCUPS = 3
"""Number of pairs in which the candidate was slow once and not again that are put down to the machine. More than this,
and more than three times the baseline's, are the candidate's own doing."""
MOST_SLOWED = 2.0
"""Multiple of its CPU time on the same input up to which the machine may slow a candidate down. What is slower by more
is its own doing, though it be by chance and not again."""
FOOTPRINT_RATIO = 1.5
MIN_DUETS = 4
ALIKE = 0.02
"""Distance in log-ratio from the estimate of the exclusive pairs up to which a duet's verdict counts."""
UNSTEADY = 2.5
ONE_AT_A_TIME = "timed by calls made one at a time, which take longer than the same calls in a row"
AT_LEAST = "too short to be timed: the speedup is at least this. Larger timed shapes would tell more"
LEAST_EXCLUSIVE, LEAST_DUET = 0.015, 0.008
"""Least noise that is assumed, in log-ratio: a few calm A/A pairs say little about the next minute."""

LOUD, MOST_NOISE = 0.05, 3
"""Noise above which more pairs are taken, up to this many times as many. It is believed for a day, so a loud moment
must not decide."""

Clock = Literal["cpu", "wall"]


@dataclass(frozen=True)
class SamplingPlan:
    """Plan of how long to sample."""

    alpha: float
    first: int
    """Number of exclusive pairs before duets are tried."""
    duets: int
    exclusive: int
    """Largest number of exclusive pairs."""
    precision: float
    """Half-width, in log-ratio, to reach even after the verdict is clear."""
    patience: int
    """Exclusive pairs to spend on precision once a candidate is known to be faster: winners are ranked by it."""
    least: int = 0
    """Smallest number of exclusive pairs, however clear the verdict."""


PLANS = {
    Mode.SEARCH: SamplingPlan(alpha=0.01, first=5, duets=24, exclusive=24, precision=log(1.2), patience=10),
    Mode.CONFIRM: SamplingPlan(alpha=0.01, first=60, duets=0, exclusive=60, precision=log(1.05), patience=60),
}


def exactly(pairs: int) -> SamplingPlan:
    """Plan of a program that is measured further: this many exclusive pairs, whatever they say."""
    return replace(PLANS[Mode.SEARCH], duets=0, exclusive=pairs, least=pairs)


SECONDS = {Mode.SEARCH: 0.0, Mode.CONFIRM: 6.0}
"""Least seconds of sampling where each pair has inputs of its own, to find programs that are slow on few inputs."""


@dataclass
class _Sampling:
    """Pairs that have been sampled so far."""

    pairs: Pairs
    undisturbed: Undisturbed
    exclusive: list[Pair] = field(default_factory=list)
    duets: list[Pair] = field(default_factory=list)
    alone: bool = False
    """True if calls made one at a time count, not those in a row."""
    taken: int = 0
    """Number of pairs that were taken: exclusive ones and duets, dropped ones too."""
    numbers: list[int] = field(default_factory=list)
    """Number of pairs that were taken before each exclusive pair."""
    repeats: dict[int, list[Pair]] = field(default_factory=dict)
    """Further pairs on the same inputs, by the index of an exclusive pair."""

    def add_exclusive(self) -> None:
        first = len(self.exclusive) % 2 == 1
        self.exclusive.append(self.undisturbed.taken(lambda: self._counted(self.pairs.exclusive(first))))
        self.numbers.append(self.taken - 1)

    @property
    def counting(self) -> list[Pair]:
        """Exclusive pairs with the timings that count: of calls in a row, or of calls one at a time."""
        return [one_at_a_time(pair) for pair in self.exclusive] if self.alone else self.exclusive

    def choose_calls(self, clock: Clock, noise: float, plan: SamplingPlan) -> bool:
        """Decides whether calls in a row or one at a time count. True if that is still open.

        Calls in a row could have been worked on together, so calls one at a time must bear them out. After the last
        pair, what is still open is decided by the estimate: calls one at a time count if they took longer.
        """
        known = [pair for pair in self.exclusive if pair[1].alone and pair[1].alone_at_least]
        in_a_row = _log_ratios(known, clock)
        apart = _log_ratios([(one_at_a_time((a, b))[0], b.alone_at_least or b) for a, b in known], clock)
        less = estimate([a - b for a, b in zip(in_a_row, apart, strict=True)], noise=noise, alpha=plan.alpha)
        last = len(self.exclusive) >= plan.exclusive
        self.alone = less.pairs >= MIN_PAIRS and (less.centre if last else less.low) > TIE
        borne_out = estimate(apart, noise=noise, alpha=plan.alpha).verdict is Verdict.FASTER
        return bool(known) and not self.alone and not borne_out

    def add_duet(self) -> None:
        first = len(self.duets) % 2 == 1
        self.duets.append(self.undisturbed.taken(lambda: self._counted(self.pairs.duet(first))))

    def undisturbed_times(self, clock: Clock) -> list[tuple[float, float]]:
        """Times of the exclusive pairs, corrected for disturbances by the machine."""
        low, high = bounds(_log_ratios(self.counting, clock))
        times = [_times(pair, clock) for pair in self.counting]
        slow = [i for i, (a, b) in enumerate(times) if log(a / b) < min(low, 0)]
        fast = [i for i, (a, b) in enumerate(times) if log(a / b) > high]
        again = {i: found for i in slow if (found := self._not_slow_again(i, min(low, 0), clock))}
        calm = {i: found for i, found in again.items() if clock == "wall" or times[i][1] <= MOST_SLOWED * found[1]}
        if len(calm) <= max(MOST_HICCUPS, 3 * len(fast)):
            times = [calm.get(i, each) for i, each in enumerate(times)]
        return [(b * exp(high), b) if i in fast else (a, b) for i, (a, b) in enumerate(times)]

    def _not_slow_again(self, index: int, low: float, clock: Clock) -> tuple[float, float] | None:
        """Times of a repeated pair on the same inputs in which the candidate was not as slow; None if it was slow
        again."""
        if index not in self.repeats and len(self.repeats) >= MOST_REPEATED:
            return None
        known = self.repeats.setdefault(index, [])
        for turn in range(REPEATS):
            if turn == len(known):
                first = (index + turn) % 2 == 0  # the other way round at first
                known.append(self.undisturbed.taken(partial(self.pairs.again, self.numbers[index], first)))
            a, b = _times(one_at_a_time(known[turn]) if self.alone else known[turn], clock)
            if log(a / b) >= low:
                return a, b
        return None

    def _counted(self, pair: Pair) -> Pair:
        self.taken += 1
        return pair

    def clock(self, threads: int) -> Clock:
        """Clock that counts: CPU time, which is steadier, or the wall for programs with threads and programs that
        wait."""
        sides = [[pair[i] for pair in self.exclusive] for i in (0, 1)]
        waits = any(_waits(median(t.wall for t in side), median(t.cpu for t in side)) for side in sides)
        return "wall" if threads > 1 or waits or self._waits_at_times(*sides) else "cpu"

    def _waits_at_times(self, baseline: list[Timing], candidate: list[Timing]) -> bool:
        if sum(_waits(t.wall, t.cpu) for t in candidate) < WAITING_PAIRS:
            return False
        idle = [sum(t.wall - t.cpu for t in side) for side in (baseline, candidate)]
        waits = _waits(fmean(t.wall for t in candidate), fmean(t.cpu for t in candidate))
        return waits and idle[1] > WAITING_MORE * idle[0]


def one_at_a_time(pair: Pair) -> Pair:
    return pair[0].alone or pair[0], pair[1].alone or pair[1]


def _waits(wall: float, cpu: float) -> bool:
    return wall > WAITING_SHARE * cpu + 2e-3


def measure(
    pairs: Pairs,
    *,
    mode: Mode,
    noise: Noise,
    cpus: tuple[int, ...],
    further: int | None = None,
    threads: int = 1,
    seconds: float = 0.0,
    most_seconds: float = inf,
) -> Measurement:
    """Samples pairs until the verdict is clear, and for at least `seconds` where it is `faster`; or `further` pairs.

    After `most_seconds` it ends with what it has, `MIN_PAIRS` pairs at least: the interval is wider, and as valid.
    Failure when the candidate fails in a timed run.
    """
    plan = PLANS[mode] if further is None else exactly(further)
    sampling = _Sampling(pairs, Undisturbed(cpus))
    began = time.monotonic()
    while True:
        sampling.add_exclusive()
        clock = sampling.clock(threads)
        open_yet = sampling.choose_calls(clock, noise.exclusive, plan)
        found = _borne_out(_estimate(sampling.counting, clock, noise.exclusive, plan), sampling, clock, plan)
        took = time.monotonic() - began
        early = found.pairs < plan.least or (found.verdict is Verdict.FASTER and (open_yet or took < seconds))
        late = took >= most_seconds and found.pairs >= MIN_PAIRS
        if found.pairs >= plan.exclusive or late or (_settled(found, plan) and not early):
            return _measurement(sampling, found, "exclusive", clock, plan, noise)
        if found.verdict is Verdict.UNCLEAR and found.pairs == plan.first and plan.duets and clock == "cpu":
            resolved = _try_duets(sampling, found, plan, noise)
            if resolved:
                return _measurement(sampling, resolved, "duet", clock, plan, noise)


def _borne_out(found: LogInterval, sampling: _Sampling, clock: Clock, plan: SamplingPlan) -> LogInterval:
    """The estimate, or the estimate of total times if a candidate that seems faster is not faster by them."""
    if found.verdict is not Verdict.FASTER:
        return found
    in_total = total(sampling.undisturbed_times(clock), alpha=plan.alpha)
    return found if in_total.low > 0 else in_total


def _settled(found: LogInterval, plan: SamplingPlan) -> bool:
    if found.verdict is Verdict.UNCLEAR:
        return False
    if found.half <= plan.precision or found.verdict is Verdict.SLOWER:
        return True
    return found.pairs >= (plan.patience if found.verdict is Verdict.FASTER else plan.first)


def _try_duets(sampling: _Sampling, exclusive: LogInterval, plan: SamplingPlan, noise: Noise) -> LogInterval | None:
    """Estimate of duets; None where it cannot be trusted.

    An estimate that stays open to the end is as good as a tie.
    """
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
    """True if duets can be trusted: both programs use about as much memory, and run steadily when alone."""
    memory = [max(p[i].rss_mb for p in sampling.exclusive) for i in (0, 1)]
    steady = stdev(_log_ratios(sampling.exclusive, "cpu")) <= UNSTEADY * noise.exclusive
    return noise.duet is not None and steady and max(memory) <= FOOTPRINT_RATIO * min(memory) + 1


def _times(pair: Pair, clock: Clock) -> tuple[float, float]:
    return getattr(pair[0], clock), getattr(pair[1], clock)


def _log_ratios(pairs: list[Pair], clock: Clock) -> list[float]:
    return [log(a / b) for a, b in (_times(pair, clock) for pair in pairs)]


def _estimate(pairs: list[Pair], clock: Clock, noise: float, plan: SamplingPlan) -> LogInterval:
    return estimate(_log_ratios(pairs, clock), noise=noise, alpha=plan.alpha)


def _measurement(
    sampling: _Sampling,
    found: LogInterval,
    method: Literal["exclusive", "duet"],
    clock: Clock,
    plan: SamplingPlan,
    noise: Noise,
) -> Measurement:
    speedup, low, high = found.ratios
    unresolved = sum(b.unresolved for _, b in sampling.exclusive)
    exclusive = sampling.counting
    samples = [*_samples(exclusive, "exclusive", clock), *_samples(sampling.duets, "duet", clock)]
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
        dropped=sampling.undisturbed.dropped,
        note=ONE_AT_A_TIME if sampling.alone else AT_LEAST if 2 * unresolved > len(exclusive) else None,
        machine=machine_class(),
        seconds_baseline=median(getattr(a, clock) for a, _ in exclusive),
        seconds_candidate=median(getattr(b, clock) for _, b in exclusive),
    )


def _samples(pairs: list[Pair], method: Literal["exclusive", "duet"], clock: Clock) -> list[Sample]:
    return [Sample(baseline=getattr(a, clock), candidate=getattr(b, clock), method=method) for a, b in pairs]


def measure_noise(pairs: Pairs, *, cpus: tuple[int, ...], threads: int, count: int = 5) -> Noise:
    """Noise of A/A pairs: the same program on both sides."""
    sampling = _Sampling(pairs, Undisturbed(cpus))
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
