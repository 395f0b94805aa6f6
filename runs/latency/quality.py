"""Whether a search that asks ahead finds as much with as many programs: simulated tasks, paired with `--ahead 0`.

Time is simulated too: a model that takes about 20 s for an answer and two evaluators that take about 5 s a program
bring verdicts in a random order, and the clock jumps from one to the next. A program has a true log speedup, which the
policy changes at random and the evaluator measures with noise; what counts is the truth of the program that the search
picks. Searches are compared after as many programs, and after as many seconds as `--ahead 0` takes.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import re
import statistics
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from heapq import nsmallest

from latency import AT_ONCE, EVALUATION, PROGRAMS, TASK, outcome_of

from maxcode.core import Candidate, Mode, Outcome, Proposal, Status
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Parts
from maxcode.search.strategies import strategy
from maxcode.store.journal import Store
from maxcode.task import Task, load_task

METHODS = ("cuda-llm+maxcode", "mcts+maxcode", "evolve+maxcode")
AHEADS = (1, 2, 4, 8)
LATENCY, EVALUATORS = 20.0, 2
NOISE = 0.05
MARGIN = math.log(0.95)
"""Least mean log ratio that counts as no worse."""


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer when nothing else is to be done."""

    _now = 0.0

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:
            self._now = max(self._now, nsmallest(1, self._scheduled)[0].when())
        super()._run_once()


@dataclass(frozen=True)
class Landscape:
    """A simulated task: how the log speedup of an answer follows from that of the program it was made from."""

    ceiling: float | None
    """Log speedup that gains approach; None where they go on for ever."""

    def step(self, x: float, rng: random.Random) -> float | None:
        """The log speedup of an answer; None for one that is wrong."""
        if rng.random() < 0.25:
            return None
        if self.ceiling is None:
            return x + rng.gauss(0.0, 0.25)
        if rng.random() < 0.45:
            return x + (self.ceiling - x) * rng.betavariate(1, 4)
        return x - rng.expovariate(5.0)


def truth(candidate: Candidate) -> float | None:
    """True log speedup as a program's own text says; 0 for the baseline, None for a wrong program."""
    text = "".join(candidate.files.values())
    found = re.search(r"// log (\S+)\n", text)
    return None if "// wrong" in text else float(found[1]) if found else 0.0


async def simulated(method: str, ahead: int, landscape: Landscape, seed: int, budget: Budget) -> tuple[float, float]:
    """True log speedup of the best program of one search, and its seconds."""
    task, rng = load_task(TASK), random.Random(f"order {seed} {ahead}")
    model, evaluators = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(EVALUATORS)

    async def answered(observation: Observation, number: int) -> Proposal:
        async with model:
            await asyncio.sleep(LATENCY * rng.lognormvariate(0.0, 0.4))
        draw = random.Random(f"{seed}/{number}")
        lineage = [observation.current, *reversed(observation.trajectory)]
        known = (truth(Candidate(files=each.files)) for each in lineage if each.files)
        x = landscape.step(next((each for each in known if each is not None), 0.0), draw)
        text = f"// number {number}\n" + ("// wrong\n" if x is None else f"// log {x:.6f}\n")
        return Proposal(text=text, candidate=task.candidate(text))

    async def policy(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        del seed
        asked = [asyncio.create_task(answered(observation, observation.program + i)) for i in range(n)]
        for each in asyncio.as_completed(asked):
            yield await each

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del mode, seed
        (candidate,) = candidates
        async with evaluators:
            await asyncio.sleep(EVALUATION * rng.lognormvariate(0.0, 0.4))
        x = truth(candidate)
        if x is None:
            return [Outcome(candidate=candidate.id, task=task.hash, status=Status.WRONG, reason="wrong")]
        noise = 0.0 if candidate == task.baseline_candidate else random.Random(candidate.id).gauss(0.0, NOISE)
        return [outcome_of(task, candidate, math.exp(x + noise))]

    clock = asyncio.get_running_loop().time
    parts = Parts(policy, evaluate, Store("sqlite://").start(task.name, {}), clock=clock)
    found = await search(task, replace(strategy(method), ahead=ahead), parts, budget=budget, seed=seed)
    return truth(found.tree.best.candidate) or 0.0, found.spent.seconds


def searched(method: str, ahead: int, landscape: Landscape, seed: int, budget: Budget) -> tuple[float, float]:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(simulated(method, ahead, landscape, seed, budget))


def in_words(pairs: list[float]) -> str:
    """Mean ratio with its 95% interval (Student's t, 19 degrees of freedom), and what it means."""
    middle, half = statistics.mean(pairs), 2.093 * statistics.stdev(pairs) / math.sqrt(len(pairs))
    low, high = middle - half, middle + half
    verdict = "better" if low > 0 else "no worse" if low > MARGIN else "worse" if high < 0 else "open"
    return f"{math.exp(middle):.3f} ({math.exp(middle - half):.3f} to {math.exp(middle + half):.3f}) {verdict}"


def compared(kind: str, method: str, tasks: list[Landscape], aheads: list[int]) -> None:
    """Prints one method beside itself with --ahead 0, task by task."""
    same_count = Budget(evals=PROGRAMS)
    usual = [searched(method, 0, task, i, same_count) for i, task in enumerate(tasks)]
    took = statistics.mean(seconds for _, seconds in usual)
    best = math.exp(statistics.mean(x for x, _ in usual))
    print(f"{kind:11} {method:18} ahead  0: best {best:.2f}x, {took:.0f} s", flush=True)
    for ahead in aheads:
        by_count = [searched(method, ahead, task, i, same_count) for i, task in enumerate(tasks)]
        budgets = [Budget(evals=None, seconds=seconds) for _, seconds in usual]
        by_time = [searched(method, ahead, task, i, budgets[i]) for i, task in enumerate(tasks)]
        equal_count = in_words([x - y for (x, _), (y, _) in zip(by_count, usual, strict=True)])
        equal_time = in_words([x - y for (x, _), (y, _) in zip(by_time, usual, strict=True)])
        faster = took / statistics.mean(seconds for _, seconds in by_count)
        print(f"  ahead {ahead:2d}: {faster:.2f}x as fast; {equal_count}; at equal time {equal_time}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--ahead", type=int, nargs="+", default=AHEADS)
    given = parser.parse_args()
    print(f"{given.tasks} tasks, {PROGRAMS} programs a search; best beside that of --ahead 0 with as many programs")
    for kind in ("saturating", "endless"):
        rng = random.Random(f"tasks {kind}")
        tasks = [Landscape(rng.uniform(0.5, 3.0) if kind == "saturating" else None) for _ in range(given.tasks)]
        for method in given.methods:
            compared(kind, method, tasks, given.ahead)


if __name__ == "__main__":
    main()
