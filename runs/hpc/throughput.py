"""Reward throughput: answers judged per second and benchmark core, for DGEMM as whole programs.

Half of the answers are correct programs (loop orders and tile sizes, all different), the others fail in the usual ways.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import permutations

from maxcode.bench.suites.hpc.shapes import load_hpc
from maxcode.evaluate.pool import LocalPool
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Rewards, Throughput

SIGNATURE = "void dgemm(int m, int n, int k, const double *a, const double *b, double *c)"
CLEAR = "for (int i = 0; i < m * n; i++) c[i] = 0;"
LOOPS = {"i": "for (int i = 0; i < m; i++)", "j": "for (int j = 0; j < n; j++)", "p": "for (int p = 0; p < k; p++)"}
WORK = "c[i * n + j] += a[i * k + p] * b[p * n + j];"


def correct() -> list[str]:
    """Six loop orders, and tiles of the innermost product in several sizes."""
    orders = [f"{CLEAR}\n{' '.join(LOOPS[x] for x in order)} {WORK}" for order in permutations("ijp")]
    tiles = [
        f"{CLEAR}\nfor (int t = 0; t < k; t += {size}) {LOOPS['i']} "
        f"for (int p = t; p < (t + {size} < k ? t + {size} : k); p++) {LOOPS['j']} {WORK}"
        for size in (8, 16, 24, 32, 48, 64)
    ]
    return [f"{SIGNATURE} {{\n{body}\n}}" for body in orders + tiles]


def failing() -> list[str]:
    """Wrong results, missing declarations, bad pointers, no code."""
    wrong = [f"{SIGNATURE} {{\n{CLEAR}\nc[0] = {i};\n}}" for i in range(4)]
    unbuilt = [f"{SIGNATURE} {{ undeclared{i} = 1; }}" for i in range(4)]
    crashing = [f"{SIGNATURE} {{ *(volatile int *){i} = m; }}" for i in range(2)]
    return [*wrong, *unbuilt, *crashing]


async def measured(size: int, programs: list[str]) -> Throughput:
    problem = MaskedTask(task=load_hpc("dgemm", m=size, n=size, k=size), mask=EVERYTHING)
    async with LocalPool(use_cache=False) as pool:
        async with Rewards(pool) as warm:  # references, noise floor and roofs are found once per problem
            await warm.prepare(problem)
            first = [f"```c\n{programs[0]} // warm {slot}\n```" for slot in range(pool.slots)]
            await warm.score(problem, first)
        async with Rewards(pool) as rewards:
            await rewards.score(problem, [*(f"```c\n{text}\n```" for text in programs)])
            return rewards.throughput


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or [128, 256]
    print("| DGEMM | answers | judged per second and busy core | seconds each | cores busy | tiers |")
    print("|---|---|---:|---:|---:|---|")
    for size in sizes:
        for name, programs in (("correct", correct()), ("half failing", [*correct(), *failing()])):
            found = asyncio.run(measured(size, programs))
            rate = found.per_core_second or float("nan")
            tiers = ", ".join(f"{tier} {count}" for tier, count in sorted(found.tiers.items()))
            dropped = f", without a verdict {found.dropped}" if found.dropped else ""
            busy = f"{found.busy_share:.0%}" if found.busy_share is not None else "-"
            print(f"| {size} | {name} | {rate:.2f} | {1 / rate:.1f} | {busy} | {tiers}{dropped} |", flush=True)


if __name__ == "__main__":
    main()
