"""Whole searches on a simulated clock: programs of known speed, judged and confirmed by noisy pairs."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from math import log
from statistics import fmean

import numpy as np
from machine import SimulatedPairs, measured, noise_of

from maxcode.core import Candidate, Frozen, Mode, Outcome, Status
from maxcode.evaluate.measure.sampling import measure
from maxcode.optimize.run import finalists
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.parts import Parts, Policy
from maxcode.search.rewards import Ranking, lower_bound
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.store.journal import Store
from maxcode.task import Task

Truth = Callable[[Candidate], Awaitable[Outcome]]
"""Outcome of a candidate with an exact speedup."""
BEFORE, AFTER = 3, 2
"""Number of finalists that were measured afresh by lower bounds, and that are now."""


class Found(Frozen):
    """What a search reports, in truth, and what it took."""

    speedup: float
    best: float
    """Speedup of the truly best program that it saw."""
    evals: int
    race_pairs: int
    confirm_pairs: int


@dataclass(frozen=True)
class Clock:
    """Times programs of known speed. The same program has the same first pairs in every search of a seed."""

    truth: Truth
    deviation: float
    seed: int

    async def pairs(self, candidate: Candidate, turn: str) -> SimulatedPairs | None:
        """Pairs of a program; None if it does not work."""
        speedup = await self.speedup(candidate)
        rng = random.Random(f"{self.seed}/{candidate.id}/{turn}")
        return SimulatedPairs(log(speedup), self.deviation, rng) if speedup else None

    async def speedup(self, candidate: Candidate) -> float:
        m = (outcome := await self.truth(candidate)).measurement
        return m.samples[0].baseline / m.samples[0].candidate if m and outcome.status is Status.OK else 0.0

    async def evaluate(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del task, mode, seed
        return [await self.timed(each, "first") for each in candidates]

    async def timed(self, candidate: Candidate, turn: str, further: int | None = None) -> Outcome:
        outcome, pairs = await self.truth(candidate), await self.pairs(candidate, turn)
        return outcome.model_copy(update={"measurement": measured(pairs, further)}) if pairs else outcome

    async def confirmed(self, candidate: Candidate, turn: str) -> Outcome:
        outcome, pairs = await self.truth(candidate), await self.pairs(candidate, turn)
        assert pairs is not None
        fresh = measure(pairs, mode=Mode.CONFIRM, noise=noise_of(self.deviation), cpus=())
        return outcome.model_copy(update={"measurement": fresh})


async def searched(task: Task, name: str, ranking: Ranking, policy: Policy, clock: Clock, evals: int) -> Found:
    turns = iter(range(1_000_000))

    async def further(task: Task, candidate: Candidate, pairs: int) -> Outcome:
        del task
        return await clock.timed(candidate, f"further {next(turns)}", pairs)

    with Store("sqlite://") as store:
        parts = Parts(policy=policy, evaluate=clock.evaluate, journal=store.start("simulated", {}), further=further)
        chosen = replace(strategy(name), ranking=ranking)
        found = await search(task, chosen, parts, budget=Budget(evals=evals), seed=0)
    reported, pairs = await (_claimed_before if ranking == "lower-bound" else _claimed)(found.tree, clock)
    return Found(
        speedup=await clock.speedup(reported) if reported else 1.0,
        best=max([await clock.speedup(node.candidate) for node in found.tree]),
        evals=found.spent.evals,
        race_pairs=found.spent.race_pairs,
        confirm_pairs=pairs,
    )


async def _claimed(tree: Tree, clock: Clock) -> tuple[Candidate | None, int]:
    """The program that is claimed, and the pairs it took: the first finalist that holds."""
    pairs = 0
    for candidate in finalists(tree, AFTER):
        outcome = await clock.confirmed(candidate, "confirm")
        pairs += len(outcome.measurement.samples) if outcome.measurement else 0
        if lower_bound(outcome) > 1.0:
            return candidate, pairs
    return None, pairs


async def _claimed_before(tree: Tree, clock: Clock) -> tuple[Candidate | None, int]:
    """As it was: the best of three by fresh lower bounds, which is then measured once more."""
    tried = finalists(tree, BEFORE)
    afresh = [await clock.confirmed(candidate, "confirm") for candidate in tried]
    bounds = [lower_bound(outcome) for outcome in afresh]
    if not tried or max(bounds) <= 1.0:
        return None, _pairs(afresh)
    best = tried[bounds.index(max(bounds))]
    if len(tried) > 1:
        afresh.append(await clock.confirmed(best, "claim"))
    return (best if lower_bound(afresh[-1]) > 1.0 or len(tried) == 1 else None), _pairs(afresh)


def _pairs(outcomes: list[Outcome]) -> int:
    return sum(len(outcome.measurement.samples) for outcome in outcomes if outcome.measurement)


def compared(groups: list[list[tuple[Found, Found]]]) -> dict[str, object]:
    """Geometric mean of after to before, with a 95% interval by resampling groups, and the costs."""
    means = [fmean(log(b.speedup / a.speedup) for a, b in group) for group in groups]
    drawn = np.random.default_rng(0).choice(np.array(means), (4000, len(means))).mean(axis=1)
    low, high = np.exp(np.quantile(drawn, (0.025, 0.975)))
    both = [pair for group in groups for pair in group]
    costs = {
        name: [round(fmean(getattr(pair[i], name) for pair in both), 1) for i in (0, 1)]
        for name in ("evals", "race_pairs", "confirm_pairs")
    }
    lost = [round(float(np.exp(fmean(log(pair[i].speedup / pair[i].best) for pair in both))), 4) for i in (0, 1)]
    reached = [round(float(np.exp(fmean(log(pair[i].speedup) for pair in both))), 4) for i in (0, 1)]
    ratio = {"ratio": round(float(np.exp(fmean(means))), 4), "low": round(float(low), 4), "high": round(float(high), 4)}
    better = [sum(b.speedup > 1.01 * a.speedup for a, b in both), sum(a.speedup > 1.01 * b.speedup for a, b in both)]
    return {**ratio, "better, worse": better, "speedup": reached, "of the best seen": lost, **costs, "n": len(both)}
