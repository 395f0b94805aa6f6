"""Real searches and a real journal, with evaluators that only wait. See runs/scale.sh."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles
from typing import Any

from maxcode.core import Candidate, Measurement, Mode, Outcome, Proposal, Sample, Status, Verdict
from maxcode.critic.rules import rule_critic
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Parts
from maxcode.search.strategies import DEFAULT, strategy
from maxcode.store.journal import URL, Store
from maxcode.task import Task, load_task

TASK = Path(__file__).parents[2] / "examples" / "dp"


@dataclass
class Evaluators:
    """Evaluators that take a while and do nothing."""

    count: int
    seconds: float
    busy: float = 0.0
    """Seconds of all of them together."""
    judged: int = 0
    free: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.free = asyncio.Semaphore(self.count)

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del mode, seed
        return [await self._one(task, each) for each in candidates]

    async def _one(self, task: Task, candidate: Candidate) -> Outcome:
        rng = random.Random(candidate.id)
        takes = self.seconds * rng.lognormvariate(-0.125, 0.5)
        async with self.free:
            await asyncio.sleep(takes)
        self.busy += takes
        self.judged += 1
        speedup = rng.lognormvariate(0.0, 0.3)
        pairs = tuple(
            Sample(baseline=1.0, candidate=rng.gauss(1, 0.01) / speedup, method="exclusive") for _ in range(10)
        )
        measured = Measurement(
            samples=pairs,
            clock="cpu",
            method="exclusive",
            verdict=Verdict.FASTER if speedup > 1 else Verdict.SLOWER,
            speedup=speedup,
            ci_low=0.98 * speedup,
            ci_high=1.02 * speedup,
            alpha=0.01,
            machine="simulated",
        )
        return Outcome(candidate=candidate.id, task=task.hash, status=Status.OK, measurement=measured)


class TimedStore(Store):
    """A journal that notes how long each event took to be written."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.took: list[float] = []

    def append(self, run: str, kind: str, key: str, payload: dict[str, Any]) -> None:
        with self._timed():
            super().append(run, kind, key, payload)

    def answer(self, run: str, kind: str, key: str, payload: dict[str, Any]) -> dict[str, Any]:
        with self._timed():
            return super().answer(run, kind, key, payload)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.took.append(time.perf_counter() - began)


async def propose(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
    """Programs that differ from the one they come from by a comment."""
    (text, *_) = observation.current.files.values()
    for i in range(n):
        candidate = observation.task.candidate(f"{text}// {seed} {i}\n")
        yield Proposal(text="", candidate=candidate)


async def simulate(options: argparse.Namespace, store: TimedStore) -> None:
    task, evaluators = load_task(TASK), Evaluators(options.evaluators, options.seconds)
    ahead = max(options.evaluators // options.searches, 1)
    method = replace(strategy(DEFAULT), ahead=ahead)

    async def one(seed: int) -> None:
        journal = store.start(task.name, {"seed": seed})
        parts = Parts(policy=propose, evaluate=evaluators, journal=journal, critic=rule_critic)
        await search(task, method, parts, budget=Budget(evals=options.evals), seed=seed)

    began, used = time.monotonic(), time.process_time()
    await asyncio.gather(*map(one, range(options.searches)))
    took, used = time.monotonic() - began, time.process_time() - used
    tail = quantiles(store.took, n=100)
    print(
        f"{options.searches} searches, {options.evaluators} evaluators of {options.seconds:g} s, {ahead} ahead\n"
        f"{evaluators.judged} programs in {took:.1f} s: {evaluators.judged / took:.0f} a second\n"
        f"evaluators at work: {100 * evaluators.busy / took / options.evaluators:.0f}%\n"
        f"processor time of searches and journal: {1000 * used / evaluators.judged:.1f} ms a program, "
        f"{100 * used / took:.0f}% of one core\n"
        f"{len(store.took)} events noted, {1000 * tail[49]:.1f} ms each in the median, {1000 * tail[98]:.1f} ms at 99%"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--searches", type=int, default=100)
    parser.add_argument("--evaluators", type=int, default=1000)
    parser.add_argument("--evals", type=int, default=20, help="programs of each search")
    parser.add_argument("--seconds", type=float, default=5.0, help="an evaluation, in the mean")
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory(prefix="maxcode-scale-")
    with folder as place, TimedStore(os.environ.get(URL) or f"sqlite:///{place}/journal.db") as store:
        asyncio.run(simulate(options, store))


if __name__ == "__main__":
    main()
