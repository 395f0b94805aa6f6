"""Many evaluations under random kills of workers. See runs/soak.sh."""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from maxcode.core import Candidate, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.evaluate.sandbox.leftovers import left_behind
from maxcode.task import Task, load_task

DIFFERENT = 100
"""Programs are built once and evaluated again and again: outcomes are never taken from a cache."""
SMALL = Path(__file__).parents[2] / "tests" / "adversarial" / "tasks" / "total"


def candidates(task: Task, count: int) -> list[tuple[Candidate, Status]]:
    """Different right, wrong, crashing and hanging programs."""
    baseline = task.baseline_candidate.files[task.main_file]
    wrong = '#include <cstdio>\nint main() { std::puts("%d"); }\n'
    crash = "#include <cstdlib>\nint main() { volatile int n = %d; if (n >= 0) std::abort(); }\n"
    hang = "int main() { volatile int n = %d; while (n >= 0) {} }\n"
    made = []
    for i in range(count):
        kind = i % 20
        if kind == 7:
            made.append((task.candidate(wrong % i), Status.WRONG))
        elif kind == 13:
            made.append((task.candidate(crash % i), Status.CRASHED))
        elif kind == 19 and i % 100 == 19:
            made.append((task.candidate(hang % i), Status.TIMEOUT))
        else:
            made.append((task.candidate(f"{baseline}// {i}\n"), Status.OK))
    return made


async def killer(pool: LocalPool, rng: random.Random, pause: float, kills: list[int]) -> None:
    """Kills a random worker every now and then."""
    while True:
        await asyncio.sleep(rng.uniform(0.3, 1.7) * pause)
        alive = pool.worker_pids
        if alive:
            victim = rng.choice(alive)
            os.kill(victim, signal.SIGKILL)
            kills.append(victim)


async def soak(count: int, pause: float, seed: int) -> tuple[list[tuple[Status, Outcome]], int]:
    task = load_task(SMALL)
    programs = candidates(task, min(count, DIFFERENT))
    rounds = [programs[: min(DIFFERENT, count - done)] for done in range(0, count, DIFFERENT)]
    kills: list[int] = []
    async with LocalPool(use_cache=False) as pool:
        hunter = asyncio.create_task(killer(pool, random.Random(seed), pause, kills))
        calls = (pool(task, [candidate for candidate, _ in each], measure=False) for each in rounds)
        outcomes = await asyncio.gather(*calls)
        hunter.cancel()
    pairs = [
        (expected, outcome)
        for each, found in zip(rounds, outcomes, strict=True)
        for (_, expected), outcome in zip(each, found, strict=True)
    ]
    return pairs, len(kills)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="evaluations")
    parser.add_argument("--pause", type=float, default=3.0, help="mean seconds between kills")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["MAXCODE_HOME"] = home = tempfile.mkdtemp(prefix="soak-")
    before = set(left_behind())
    started = time.monotonic()
    results, kills = asyncio.run(soak(options.count, options.pause, options.seed))
    seconds = time.monotonic() - started
    missing = options.count - len(results)
    wrong = [(expected, outcome) for expected, outcome in results if outcome.status is not expected]
    left = sorted(set(left_behind()) - before)
    shutil.rmtree(home, ignore_errors=True)
    print(f"evaluations {len(results)}  in {seconds:.0f} s  workers killed {kills}")
    print(
        "verdicts    "
        + ", ".join(f"{status.value} {n}" for status, n in sorted(Counter(o.status for _, o in results).items()))
    )
    print(f"lost {missing}  wrong verdicts {len(wrong)}  left behind {len(left)}")
    for expected, outcome in wrong[:5]:
        print(f"  expected {expected.value}, got {outcome.status.value}: {outcome.reason}")
    for item in left[:10]:
        print(f"  {item}")
    sys.exit(bool(missing or wrong or left))


if __name__ == "__main__":
    main()
