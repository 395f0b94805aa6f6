"""Rounds of runs until every question is answered: each side once a round, in random order, pairs with the baseline.

The statistics are those of evaluations (`maxcode.evaluate.measure.statistics`): a confidence sequence per question, so
that one may look after every round and stop. Many questions share the level by Holm's method, which holds at any
stopping time too, since each p-value does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, log
from statistics import median

from maxcode.compare.comparison import ComparedSide, ComparisonResult, Metric, Results
from maxcode.core import InputError, Sample, Verdict
from maxcode.evaluate.machine import machine_class, usable_cpus
from maxcode.evaluate.measure.pairs import Timing
from maxcode.evaluate.measure.sampling import LEAST_EXCLUSIVE
from maxcode.evaluate.measure.statistics import MIN_PAIRS, LogInterval, estimate, holm_levels, own_noise
from maxcode.evaluate.measure.stolen import Undisturbed

LEAST_PAIRS = 5
"""Pairs of every question, however clear it is, if there is time."""
PRECISION = 0.25
"""Half-width to reach, as a share of the effect; below the least effect that counts, nothing is gained."""
LOOKS = 20
"""After n pairs, the next look is n / LOOKS pairs later: estimating takes time too."""

Timings = Mapping[str, Timing]
"""Timings of one run, by the question that they answer: of the command itself, or of each benchmark in it."""


@dataclass(frozen=True)
class ComparePlan:
    """Plan of what to tell apart, and how long to sample."""

    metric: Metric = "wall"
    min_effect: float = 0.01
    alpha: float = 0.01
    seconds: float = 60.0


@dataclass
class _Question:
    """Pairs of one side and the baseline."""

    side: int
    name: str
    times: list[tuple[float, float]] = field(default_factory=list)

    def estimate(self, alpha: float) -> LogInterval:
        ratios = [log(a / b) for a, b in self.times]
        noise = own_noise(ratios, prior=LEAST_EXCLUSIVE)
        return estimate(ratios, noise=noise, alpha=alpha).for_loud_pairs(alpha)


@dataclass(frozen=True)
class _Answer:
    found: LogInterval
    verdict: Verdict
    level: float
    settled: bool


class Comparing:
    """A comparison that is under way.

    `run`: one run of a side, by its number; 0 is the baseline.
    """

    def __init__(
        self,
        run: Callable[[int], Timings],
        names: list[str],
        plan: ComparePlan,
        *,
        notes: tuple[str, ...] = (),
        rng: random.Random | None = None,
    ) -> None:
        self._run, self._names, self._plan, self._notes = run, names, plan, notes
        self._rng = rng or random.Random()
        self._undisturbed = Undisturbed(tuple(usable_cpus()))
        self._questions: dict[tuple[int, str], _Question] = {}
        self._order: list[int] = []
        self._began = time.monotonic()

    def results(self) -> Results:
        """The comparison so far, from time to time; the last is the result."""
        self._began, taken, look = time.monotonic(), 0, MIN_PAIRS
        sides = list(range(1, len(self._names)))
        while True:
            self._take(sides)
            taken += 1
            late = self._seconds >= self._plan.seconds and taken >= MIN_PAIRS
            if taken < look and not late:
                continue
            look = taken + max(1, taken // LOOKS)
            answers = self._answers()
            sides = sorted({side for (side, _), answer in answers.items() if not answer.settled})
            yield self._result(answers)
            if not sides or late:
                return

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began

    def _take(self, sides: list[int]) -> None:
        """One round: the baseline and these sides, in a random order, and next time in the opposite one."""
        taking = {0, *sides}
        if set(self._order) == taking:
            order, self._order = self._order[::-1], []
        else:
            self._order = order = self._rng.sample(sorted(taking), len(taking))
        ran = self._undisturbed.taken(lambda: {side: self._run(side) for side in order})
        for side in sides:
            for name in ran[0].keys() & ran[side].keys():
                pair = self._counted(ran[0][name]), self._counted(ran[side][name])
                self._questions.setdefault((side, name), _Question(side, name)).times.append(pair)
        if not self._questions:
            raise InputError("no benchmark is in both results; there is nothing to compare.")

    def _counted(self, timing: Timing) -> float:
        seconds = timing.cpu if self._plan.metric == "cpu" else timing.wall
        if seconds <= 0:
            raise InputError(
                "a run took no CPU time that can be counted; leave --metric cpu out, or let it do more."
                if self._plan.metric == "cpu"
                else "a benchmark says that it took no time."
            )
        return seconds

    def _answers(self) -> dict[tuple[int, str], _Answer]:
        found = {key: each.estimate(self._plan.alpha) for key, each in self._questions.items()}
        levels = holm_levels([each.p_value for each in found.values()], self._plan.alpha)
        return {key: self._answer(found[key].at(level), level) for key, level in zip(found, levels, strict=True)}

    def _answer(self, found: LogInterval, level: float) -> _Answer:
        least = log(1 + self._plan.min_effect)
        verdict = found.verdict_beyond(least)
        narrow = found.pairs >= LEAST_PAIRS and found.half <= max(least, PRECISION * abs(found.centre))
        return _Answer(found, verdict, level, settled=narrow and verdict is not Verdict.UNCLEAR)

    def _result(self, answers: dict[tuple[int, str], _Answer]) -> ComparisonResult:
        order = sorted(answers, key=lambda key: (key[0], list(self._questions).index(key)))
        return ComparisonResult(
            baseline=self._names[0],
            sides=tuple(self._side(self._questions[key], answers[key]) for key in order),
            metric=self._plan.metric,
            alpha=self._plan.alpha,
            min_effect=self._plan.min_effect,
            seconds=self._seconds,
            dropped=self._undisturbed.dropped,
            settled=all(each.settled for each in answers.values()),
            machine=machine_class(),
            notes=self._notes,
        )

    def _side(self, question: _Question, answer: _Answer) -> ComparedSide:
        speedup, low, high = answer.found.ratios
        return ComparedSide(
            name=question.name or self._names[question.side],
            verdict=answer.verdict,
            speedup=speedup,
            ci_low=low,
            ci_high=high if high < inf else low,
            level=answer.level,
            p_value=answer.found.p_value,
            seconds_baseline=median(a for a, _ in question.times),
            seconds=median(b for _, b in question.times),
            samples=tuple(Sample(baseline=a, candidate=b, method="exclusive") for a, b in question.times),
        )
