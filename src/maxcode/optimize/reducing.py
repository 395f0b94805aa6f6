"""The winner of a search brought down to what one merges: the fewest hunks that keep its speed, tidied and restyled."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import log
from typing import NamedTuple

from maxcode.core import Candidate, Frozen, Mode, Outcome, Status
from maxcode.evaluate.pool import Pool
from maxcode.optimize.minimize import HunkGain, Judge, allowance, beside_winner, ddmin, keeps, made, minimize
from maxcode.optimize.steps import StepTaken, remade, with_small_means
from maxcode.optimize.style import styled
from maxcode.optimize.tidy import tidied
from maxcode.optimize.unused import without_unused
from maxcode.search.budget import Budget
from maxcode.store.journal import Journal
from maxcode.task.model import Task

MOST_EVALS = 40
HELPER_WORTH = log(1.05)
"""Logarithm that a long step, such as a pasted reader, must bring: without that, it is left out or replaced."""
TRIAL_SECONDS = 3.0
"""Most seconds for which a smaller diff is timed beside the winner: they are mostly alike, and stay so."""
MOST_SECONDS = 45.0
"""Seconds in which the diff is reduced, where the run has no limit of its own."""


class Reduced(NamedTuple):
    """A smaller winner, its fresh measurement, and what is known of its hunks."""

    candidate: Candidate
    confirmed: Outcome
    hunks: tuple[HunkGain, ...]
    steps: tuple[StepTaken, ...] | None = None
    """Steps that the winner was made again with, where long ones were left out; None where it was not."""


@contextmanager
def judging(task: Task, winner: Candidate, speedup: float, pool: Pool, seconds: float | None = None) -> Iterator[Judge]:
    """Candidates against the winner, or where it may not take the baseline's place, by the winner's speedup; each timed
    for so many seconds at most."""
    variant = task.kind.against(task, winner)
    if variant is None:

        async def beside(candidate: Candidate) -> Outcome:
            return beside_winner((await pool(task, [candidate], seconds=seconds))[0], speedup)

        yield beside
        return
    with made(task, variant) as duel:

        async def dueling(candidate: Candidate) -> Outcome:
            return (await pool(duel, [candidate], seconds=seconds))[0]

        yield dueling


async def reduced(
    task: Task,
    winner: Candidate,
    confirmed: Outcome,
    pool: Pool,
    journal: Journal,
    budget: Budget,
    seconds: float,
    steps: Sequence[StepTaken] = (),
) -> Reduced | None:
    """The smallest winner found in that time that holds when measured afresh; None where the winner stays as it is.

    `steps` are those that the winner was made in, as far as they are known.
    """
    speedup = _speedup(confirmed)
    until = time.monotonic() + max(seconds, 1.0)
    with judging(task, winner, speedup, pool, TRIAL_SECONDS) as judge:

        async def remembered(candidate: Candidate) -> Outcome:
            async def ask() -> Frozen:
                return await judge(candidate)

            return Outcome.model_validate(await journal.remembered("reduce", candidate.id, ask))

        again = await _made_again(task, winner, speedup, steps, remembered, (time.monotonic() + 2 * until) / 3)

        async def beside_again(candidate: Candidate) -> Outcome:
            return beside_winner(await remembered(candidate), again.rate)

        judge_small = remembered if again.steps is None else beside_again
        hunks = await minimize(task, again.candidate, speedup, judge_small, most=MOST_EVALS, until=until)
        small = await neat(task, hunks.candidate, speedup, judge_small)
    if small.id == winner.id:
        return Reduced(winner, confirmed, hunks.gains)
    afresh = await measured_afresh(task, small, pool, journal, budget)
    m = afresh.measurement if afresh.status is Status.OK else None
    lost = 2 * allowance(log(speedup)) + (0.0 if again.steps is None else worth_its_lines(log(speedup)))
    if m is None or m.ci_low <= 1.0 or log(m.speedup) < log(speedup) - lost:
        return None
    return Reduced(small.model_copy(update={"origin": "minimize"}), afresh, hunks.gains, again.steps)


class _Again(NamedTuple):
    """The winner, or what was made in its place in fewer and smaller steps."""

    candidate: Candidate
    rate: float = 1.0
    """Speedup over the winner."""
    steps: tuple[StepTaken, ...] | None = None


async def _made_again(
    task: Task, winner: Candidate, speedup: float, steps: Sequence[StepTaken], judge: Judge, until: float
) -> _Again:
    rates: dict[str, float] = {}

    async def good(candidate: Candidate) -> bool:
        if time.monotonic() > until:
            return False
        found = await judge(candidate)
        m = found.measurement if found.status is Status.OK else None
        rates[candidate.id] = m.speedup if m else 0.0
        return m is not None and log(m.speedup) >= -worth_its_lines(log(speedup))

    async def as_good(few: list[StepTaken]) -> bool:
        trial, _ = remade(task, few)
        return await good(trial) and log(rates[trial.id]) >= log(rate) - allowance(log(speedup))

    candidate, left = await with_small_means(task, steps, good)
    rate = rates[candidate.id] if candidate is not None else 1.0
    fewer = await ddmin(list(left), as_good)
    if len(fewer) < len(left):
        candidate, left = remade(task, fewer)
    if candidate is None:
        return _Again(winner)
    return _Again(candidate, rates[candidate.id], left)


def worth_its_lines(gain: float) -> float:
    """Logarithm that a long step must bring, of that of the speedup: 5%, or a quarter of a small gain."""
    return min(HELPER_WORTH, 0.25 * gain)


async def neat(task: Task, candidate: Candidate, speedup: float, judge: Judge) -> Candidate:
    """The candidate without what nothing uses, tidied and in the project's style, as far as it keeps its speed."""
    for change in (without_unused, tidied, styled):
        neater = change(task, candidate)
        if neater.id != candidate.id and keeps(await judge(neater), speedup):
            candidate = neater
    return candidate


async def measured_afresh(task: Task, candidate: Candidate, pool: Pool, journal: Journal, budget: Budget) -> Outcome:
    """What may be claimed of a candidate: exclusive pairs with fresh seeds."""

    async def ask() -> Frozen:
        (outcome,) = await pool(task, [candidate], mode=Mode.CONFIRM, sanitize=True, seconds=budget.confirm_seconds)
        return outcome

    return Outcome.model_validate(await journal.remembered("confirm", candidate.id, ask))


def _speedup(outcome: Outcome) -> float:
    assert outcome.measurement is not None
    return outcome.measurement.speedup
