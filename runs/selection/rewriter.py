"""Whole searches by the rewriter: the truth is counted instructions, the clock is simulated. Paired over tasks."""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path

from simulated import Clock, Found, compared, searched

from maxcode.config import Config
from maxcode.core import Candidate, Outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.choose import choose_policy
from maxcode.search.rewards import Ranking
from maxcode.task import Task, load_task

EXAMPLES = Path(__file__).parents[2] / "examples"
TASKS = ("dp", "fft", "graph", "hashmap", "parse", "primes", "sort", "strings", "wordfreq")
RANKINGS: tuple[Ranking, ...] = ("lower-bound", "posterior")
DEVIATION = 0.10


async def of_task(task: Task, pool: LocalPool, wanted: argparse.Namespace) -> list[tuple[Found, Found]]:
    known: dict[str, Outcome] = {}

    async def truth(candidate: Candidate) -> Outcome:
        if candidate.id not in known:
            (known[candidate.id],) = await pool(task, [candidate])
        return known[candidate.id]

    found = []
    for seed in range(wanted.seeds):
        policy, clock = choose_policy("rewrite", Config()), Clock(truth, DEVIATION, seed)
        before, after = [await searched(task, wanted.method, each, policy, clock, wanted.evals) for each in RANKINGS]
        found.append((before, after))
    return found


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="draws of noise a task")
    parser.add_argument("--minutes", type=float, default=40.0, help="no further task after this long")
    parser.add_argument("--method", default="cuda-llm")
    parser.add_argument("--evals", type=int, default=24)
    parser.add_argument("--folder", type=Path, default=EXAMPLES, help="folder of task folders")
    parser.add_argument("--tasks", default=",".join(TASKS))
    wanted = parser.parse_args()
    began, groups = time.monotonic(), []
    async with LocalPool() as pool:
        for name in wanted.tasks.split(","):
            if time.monotonic() - began > 60 * wanted.minutes:
                break
            task = load_task(wanted.folder / name, {"objective": {"metric": "instructions"}})
            groups.append(await of_task(task, pool, wanted))
            told = [[pair[i].speedup for pair in groups[-1]] for i in (0, 1)]
            print(json.dumps({"task": name, "before": told[0], "after": told[1]}), flush=True)
    print(json.dumps({"method": wanted.method, "deviation": DEVIATION, **compared(groups)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
