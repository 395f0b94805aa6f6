"""Milliseconds per step of the search loop alone. See runs/overhead.sh."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from maxcode.core import Candidate, Measurement, Mode, Outcome, Proposal, Status, Verdict
from maxcode.observe.observation import Observation
from maxcode.search import Budget, Parts, Spent, search
from maxcode.store.journal import Store
from maxcode.strategies import STRATEGIES, strategy
from maxcode.task import Task, load_task
from maxcode.tree import Tree

TASK = Path(__file__).parents[2] / "examples" / "hashmap"


def instant_outcome(task: Task, candidate: Candidate) -> Outcome:
    speed = 1 + int(candidate.id[:6], 16) / 2**24
    measured = Measurement(
        samples=(), clock="cpu", method="exclusive", verdict=Verdict.FASTER, speedup=speed, ci_low=speed * 0.99,
        ci_high=speed * 1.01, alpha=0.01, machine="none",
    )  # fmt: skip
    return Outcome(candidate=candidate.id, task=task.hash, status=Status.OK, measurement=measured)


async def instant_policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
    task = observation.task
    return [Proposal(text="", candidate=task.candidate(f"// program {seed + i}\n")) for i in range(n)]


async def instant_evaluator(
    task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
) -> list[Outcome]:
    del mode, seed
    return [instant_outcome(task, candidate) for candidate in candidates]


def time_steps(name: str, nodes: int, folder: Path) -> tuple[float, float]:
    """Median milliseconds per program over the last tenth of the run, and over all of it."""
    task = load_task(TASK)
    moments: list[tuple[int, float]] = []

    def watch(tree: Tree, spent: Spent) -> None:
        del spent
        moments.append((len(tree), time.perf_counter()))

    with Store(f"sqlite:///{folder / f'{name}-{nodes}.db'}") as store:
        parts = Parts(
            policy=instant_policy, evaluate=instant_evaluator, journal=store.start(task.name, {}), watch=watch
        )
        asyncio.run(search(task, strategy(name), parts, budget=Budget(evals=nodes)))
    costs = [(b[0], 1000 * (b[1] - a[1]) / (b[0] - a[0])) for a, b in itertools.pairwise(moments) if b[0] > a[0]]
    late = [cost for size, cost in costs if size > 0.9 * nodes]
    return statistics.median(late), statistics.median(cost for _, cost in costs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 10_000])
    options = parser.parse_args()
    table = Table(title="Milliseconds per program, policy and evaluator instant, journal on disk", title_justify="left")
    table.add_column("strategy")
    for size in options.sizes:
        table.add_column(f"at {size:,} nodes", justify="right")
    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
        os.environ["MAXCODE_HOME"] = folder
        for name in STRATEGIES:
            table.add_row(name, *(f"{time_steps(name, size, Path(folder))[0]:.2f}" for size in options.sizes))
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
