"""Whole searches on made-up programs, ranked by lower bounds and by the posterior with races, paired over seeds."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import time
from collections import defaultdict
from itertools import product
from math import exp
from pathlib import Path

from simulated import Clock, Found, compared, searched

from maxcode.core import Candidate, Measurement, Outcome, Proposal, Sample, Status, Verdict
from maxcode.search.observe.observation import Observation
from maxcode.search.rewards import Ranking
from maxcode.task import load_task

TASK = load_task(Path(__file__).parents[2] / "examples/sort")
DEVIATIONS = (0.015, 0.05, 0.15)
METHODS = ("cuda-llm", "beam")
RANKINGS: tuple[Ranking, ...] = ("lower-bound", "posterior")


def step(rng: random.Random) -> float | None:
    """Change of a log speedup from a program to its child; None for one that does not work."""
    place = rng.random()
    if place < 0.2:
        return None
    return 0.0 if place < 0.5 else rng.gauss(-0.02, 0.04) if place < 0.8 else rng.gauss(0.05, 0.2)


def truth_in(candidate: Candidate) -> float | None:
    """Log speedup that a program states; 0 for the baseline, None for one that does not work."""
    text = candidate.files[TASK.main_file]
    stated = re.match(r"// truth (\S+)", text)
    return (None if stated[1] == "none" else float(stated[1])) if stated else 0.0


async def truth(candidate: Candidate) -> Outcome:
    known = truth_in(candidate)
    if known is None:
        return Outcome(candidate=candidate.id, task=TASK.hash, status=Status.WRONG)
    m = Measurement(
        samples=(Sample(baseline=exp(known), candidate=1.0, method="count"),),
        clock="instructions",
        method="count",
        verdict=Verdict.FASTER,
        speedup=exp(known),
        ci_low=exp(known),
        ci_high=exp(known),
        alpha=0.0,
        machine="simulated",
    )
    return Outcome(candidate=candidate.id, task=TASK.hash, status=Status.OK, measurement=m)


class Steps:
    """Proposes changed programs; which ones depends on the seed, the program, and how often it was asked about it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._asked: dict[str, int] = {}

    async def __call__(self, observation: Observation, n: int, seed: int) -> list[Proposal]:
        del seed
        parent = Candidate(files=observation.current.files)
        return [self._proposal(parent) for _ in range(n)]

    def _proposal(self, parent: Candidate) -> Proposal:
        turn = self._asked[parent.id] = self._asked.get(parent.id, 0) + 1
        change, known = step(random.Random(f"{self._seed}/{parent.id}/{turn}")), truth_in(parent)
        now = "none" if change is None else f"{(known or 0.0) + change:.6f}"
        return Proposal(text="", candidate=TASK.candidate(f"// truth {now}\n// {parent.id} {turn}\n"))


async def both(method: str, deviation: float, seed: int) -> tuple[Found, Found]:
    before, after = [
        await searched(TASK, method, each, Steps(seed), Clock(truth, deviation, seed), evals=64) for each in RANKINGS
    ]
    return before, after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=240.0, help="no further seed after this long")
    wanted = parser.parse_args()
    found = defaultdict[tuple[str, float], list[list[tuple[Found, Found]]]](list)
    began = time.monotonic()
    for seed in range(wanted.first, wanted.first + wanted.seeds):
        if time.monotonic() - began > 60 * wanted.minutes:
            break
        for place in product(METHODS, DEVIATIONS):
            found[place].append([asyncio.run(both(*place, seed))])
        print(f"seed {seed} done", file=sys.stderr, flush=True)
    for (method, deviation), groups in found.items():
        print(json.dumps({"method": method, "deviation": deviation, **compared(groups)}), flush=True)


if __name__ == "__main__":
    main()
