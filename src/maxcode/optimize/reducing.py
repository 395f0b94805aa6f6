"""The winner of a search brought down to what one merges: the fewest hunks that keep its speed, tidied and restyled."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import log
from typing import NamedTuple

from maxcode.core import Candidate, Frozen, Mode, Outcome, Status
from maxcode.evaluate.pool import Pool
from maxcode.optimize.minimize import HunkGain, Judge, allowance, beside_winner, keeps, made, minimize
from maxcode.optimize.style import styled
from maxcode.optimize.tidy import tidied
from maxcode.optimize.unused import without_unused
from maxcode.search.budget import Budget
from maxcode.store.journal import Journal
from maxcode.task.model import Task

MOST_EVALS = 40
MOST_SECONDS = 60.0
"""Seconds in which the diff is reduced, where the run has no limit of its own."""


class Reduced(NamedTuple):
    """A smaller winner, its fresh measurement, and what is known of its hunks."""

    candidate: Candidate
    confirmed: Outcome
    hunks: tuple[HunkGain, ...]


@contextmanager
def judging(task: Task, winner: Candidate, speedup: float, pool: Pool) -> Iterator[Judge]:
    """Candidates against the winner, or where it may not take the baseline's place, by the winner's speedup."""
    variant = task.kind.against(task, winner)
    if variant is None:

        async def beside(candidate: Candidate) -> Outcome:
            return beside_winner((await pool(task, [candidate]))[0], speedup)

        yield beside
        return
    with made(task, variant) as duel:

        async def dueling(candidate: Candidate) -> Outcome:
            return (await pool(duel, [candidate]))[0]

        yield dueling


async def reduced(
    task: Task, winner: Candidate, confirmed: Outcome, pool: Pool, journal: Journal, budget: Budget, seconds: float
) -> Reduced | None:
    """The smallest winner found in that time that holds when measured afresh; None where the winner stays as it is."""
    speedup = _speedup(confirmed)
    until = time.monotonic() + max(seconds, 1.0)
    with judging(task, winner, speedup, pool) as judge:

        async def remembered(candidate: Candidate) -> Outcome:
            async def ask() -> Frozen:
                return await judge(candidate)

            return Outcome.model_validate(await journal.remembered("reduce", candidate.id, ask))

        hunks = await minimize(task, winner, speedup, remembered, most=MOST_EVALS, until=until)
        small = await neat(task, hunks.candidate, speedup, remembered)
    if small.id == winner.id:
        return Reduced(winner, confirmed, hunks.gains)
    afresh = await measured_afresh(task, small, pool, journal, budget)
    m = afresh.measurement if afresh.status is Status.OK else None
    if m is None or m.ci_low <= 1.0 or log(m.speedup) < log(speedup) - 2 * allowance(log(speedup)):
        return None
    return Reduced(small.model_copy(update={"origin": "minimize"}), afresh, hunks.gains)


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
