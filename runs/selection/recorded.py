"""One choice among recorded pairs: programs of the rewriter, each timed long enough for its true speedup to be known.

`record` takes the pairs (once, on any machine) and appends them to a file; `choose` draws from them with replacement.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from pathlib import Path
from statistics import fmean, median

from choosing import WAYS, choices

from maxcode.config import Config
from maxcode.core import Candidate, Measurement, Mode, Noise, Status
from maxcode.evaluate.measure.pairs import Pair, Timing
from maxcode.evaluate.measure.sampling import LEAST_EXCLUSIVE, measure
from maxcode.evaluate.measure.statistics import TIE
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.choose import choose_policy
from maxcode.search.observe.observation import observe
from maxcode.search.tree import Tree
from maxcode.task import Task, load_task

PROGRAMS, PAIRS, PROPOSALS = 8, 60, 24


@dataclass
class RecordedPairs:
    """Pairs drawn from those that were recorded of a program. It has no duets: they were not recorded."""

    ratios: list[float]
    rng: random.Random

    def exclusive(self, candidate_first: bool) -> Pair:
        del candidate_first
        ratio = self.rng.choice(self.ratios)
        return Timing(ratio, ratio, 10.0), Timing(1.0, 1.0, 10.0)

    def duet(self, candidate_first: bool) -> Pair:
        del candidate_first
        raise AssertionError("there is no noise floor for duets, so that none is tried")

    def again(self, number: int, candidate_first: bool) -> Pair:
        del number
        return self.exclusive(candidate_first)

    def close(self) -> None:
        """Does nothing: there is no process."""


async def correct_programs(task: Task, pool: LocalPool) -> list[Candidate]:
    """The first correct programs that the rewriter makes of the baseline; each differs from all others."""
    (baseline,) = await pool(task, [task.baseline_candidate])
    tree = Tree(task, baseline)
    policy = choose_policy("rewrite", Config())
    proposals = await policy(observe(tree, tree.root, frozenset()), PROPOSALS, 0)
    made = {each.candidate.id: each.candidate for each in proposals if each.candidate is not None}
    judged = await pool(task, list(made.values()))
    return [made[each.candidate] for each in judged if each.status is Status.OK][:PROGRAMS]


async def record(folders: list[Path], out: Path) -> None:
    async with LocalPool() as pool:
        for folder in folders:
            task = load_task(folder)
            floor = (await pool.noise(task)).exclusive
            ratios = []
            for candidate in await correct_programs(task, pool):
                (outcome,) = await pool(task, [candidate], pairs=PAIRS)
                assert outcome.measurement is not None, outcome.reason
                ratios.append([round(each.baseline / each.candidate, 5) for each in outcome.measurement.samples])
            with out.open("a") as file:
                file.write(json.dumps({"task": folder.name, "noise": floor, "ratios": ratios}) + "\n")
            print(folder.name, [round(median(each), 3) for each in ratios], flush=True)


def drawn(recorded: dict[str, list[list[float]]], noise: Noise, seed: int) -> dict[str, tuple[float, int]]:
    """Log-ratio to the best that each way loses, and the pairs it took in all."""
    rng = random.Random(f"{recorded['task']}/{seed}")
    truths = [log(median(ratios)) for ratios in recorded["ratios"]]
    programs = [RecordedPairs(ratios, random.Random(rng.random())) for ratios in recorded["ratios"]]

    def timed(index: int, pairs: int | None = None) -> Measurement:
        return measure(programs[index], mode=Mode.SEARCH, noise=noise, cpus=(), further=pairs)

    known = [timed(i) for i in range(len(programs))]
    first = sum(len(m.samples) for m in known)
    return {way: (max(truths) - truths[i], first + more) for way, (i, more) in choices(known, timed).items()}


def rows(path: Path, draws: int) -> Iterator[dict[str, object]]:
    """What each way loses, by task."""
    for recorded in map(json.loads, path.read_text().splitlines()):
        noise = Noise(exclusive=max(recorded["noise"], LEAST_EXCLUSIVE), duet=None, pairs=5)
        found = [drawn(recorded, noise, i) for i in range(draws)]
        for way in WAYS:
            lost, pairs = ([each[way][place] for each in found] for place in (0, 1))
            row = {"task": recorded["task"], "way": way, "best": round(fmean(each <= TIE for each in lost), 3)}
            yield {**row, "lost": round(fmean(lost), 4), "pairs": round(fmean(pairs), 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("record", "choose"))
    parser.add_argument("file", type=Path)
    parser.add_argument("tasks", type=Path, nargs="*")
    parser.add_argument("--draws", type=int, default=200)
    wanted = parser.parse_args()
    if wanted.part == "record":
        asyncio.run(record(wanted.tasks, wanted.file))
        return
    for row in rows(wanted.file, wanted.draws):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
