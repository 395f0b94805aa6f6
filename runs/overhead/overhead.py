"""Milliseconds per step of the search loop alone. See runs/overhead.sh."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from peer import serve
from rich.console import Console
from rich.table import Table

from maxcode.config import ModelSettings
from maxcode.core import Candidate, Measurement, Mode, Outcome, Proposal, Status, Verdict
from maxcode.policy.openai import chat_policy
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Parts, Policy
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.tree import Tree
from maxcode.store.journal import Store
from maxcode.task import Task, load_task

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


def time_steps(name: str, nodes: int, folder: Path, policy: Policy = instant_policy) -> float:
    """Median milliseconds per program over the last tenth of the run."""
    task = load_task(TASK)
    moments: list[tuple[int, float]] = []

    def watch(tree: Tree, spent: Spent) -> None:
        del spent
        moments.append((len(tree), time.perf_counter()))

    with Store(f"sqlite:///{folder / f'{time.monotonic_ns()}.db'}") as store:
        parts = Parts(policy=policy, evaluate=instant_evaluator, journal=store.start(task.name, {}), watch=watch)
        asyncio.run(search(task, strategy(name), parts, budget=Budget(evals=nodes)))
    costs = [(b[0], 1000 * (b[1] - a[1]) / (b[0] - a[0])) for a, b in itertools.pairwise(moments) if b[0] > a[0]]
    return statistics.median(cost for size, cost in costs if size > 0.9 * nodes)


def time_peer(python: str, few: int = 50, many: int = 250) -> float | None:
    """Milliseconds per iteration of OpenEvolve, where that interpreter has it."""
    command = [python, str(Path(__file__).with_name("peer.py")), str(few), str(many)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"ms-per-iteration ([\d.]+)", done.stdout)
    return float(found[1]) if found else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 10_000])
    parser.add_argument("--peer-python", default=sys.executable, help="interpreter of an environment with OpenEvolve")
    options = parser.parse_args()
    table = Table(
        title="Milliseconds per program: instant model, instant evaluator, journal on disk", title_justify="left"
    )
    table.add_column("loop")
    for size in options.sizes:
        table.add_column(f"at {size:,} nodes", justify="right")
    with tempfile.TemporaryDirectory(prefix="overhead-") as folder:
        os.environ["MAXCODE_HOME"] = folder
        for name in STRATEGIES:
            table.add_row(name, *(f"{time_steps(name, size, Path(folder)):.2f}" for size in options.sizes))
        settings = ModelSettings(base_url=f"http://127.0.0.1:{serve()}/v1")
        asked = time_steps("flat", 200, Path(folder), chat_policy("m", settings, Prompts()))
        table.add_row("flat, asking a model server on loopback", f"{asked:.2f}")
        peer = time_peer(options.peer_python)
        table.add_row("OpenEvolve, asking the same server", f"{peer:.2f}" if peer is not None else "not installed")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
