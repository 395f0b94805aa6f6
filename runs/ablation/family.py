"""Methods compared on the family of generated tasks by counted instructions, the rewriter as policy, rounds of four.

python runs/ablation/family.py FOLDER ROWS [--share I/N] [--seconds S] [--seeds K]    takes what is missing
python runs/ablation/family.py FOLDER ROWS --table                                    prints the table of what there is

FOLDER is what `maxcode value family FOLDER --count 100` writes. A row of JSON is appended to ROWS for each task, seed
and method. A program is judged once for all methods of a task. With counts there is no noise to select by.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from collections import defaultdict
from dataclasses import replace
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from maxcode.config import Config
from maxcode.core import Candidate, Fact, Mode, Outcome
from maxcode.critic.choose import choose_critic
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.choose import choose_policy
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.parts import Parts
from maxcode.search.strategies import strategy
from maxcode.store.journal import Store
from maxcode.task import Task, load_task

METHODS = {"flat": 4, "cuda-llm": 4, "cuda-llm+critique": 4, "cuda-llm+maxcode": 4, "mcts+maxcode": 2, "evolve": 4}
"""Programs that a selection asks for; `mcts` selects twice a round."""
AGAINST = "cuda-llm"
EVALS = 16
Row = dict[str, Any]


async def rows_of(task: Task, seed: int, pool: LocalPool) -> list[Row]:
    known: dict[str, Outcome] = {}
    facts: dict[str, tuple[Fact, ...]] = {}

    async def one(task: Task, candidate: Candidate) -> Outcome:
        if candidate.id not in known:
            (known[candidate.id],) = await pool(task, [candidate])
        return known[candidate.id]

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del mode, seed
        return [await one(task, each) for each in candidates]

    async def profile(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
        if candidate.id not in facts:
            (outcome,) = await pool(task, [candidate], profile=True, measure=False)
            facts[candidate.id] = outcome.facts
        return facts[candidate.id]

    found = []
    for method, samples in METHODS.items():
        usual = strategy(method)
        chosen = replace(usual, select=partial(usual.select, samples=samples))
        with Store("sqlite://") as store:
            policy, critic = choose_policy("rewrite", Config()), choose_critic("rules", Config())
            parts = Parts(policy, evaluate, store.start("family", {}), critic=critic, profile=profile)
            tree = (await search(task, chosen, parts, budget=Budget(evals=EVALS, race=0.0), seed=seed)).tree
        rewards = [node.reward for node in tree if node.parent is not None]
        distinct = len({node.candidate.id for node in tree})
        right = sum(node.correct for node in tree if node.parent is not None)
        row = {"task": task.name, "seed": seed, "method": method, "best": max(1.0, *rewards), "right": right}
        found.append({**row, "distinct": distinct, "by_round": [max(1.0, *rewards[:n]) for n in (4, 8, 12, 16)]})
    return found


async def take(given: argparse.Namespace) -> None:
    until = time.monotonic() + given.seconds
    first, of = map(int, given.share.split("/"))
    paths = sorted(given.folder.glob("*/task.toml"), key=lambda path: path.parent.name.rsplit("-", 1)[::-1])
    wanted = [(path, seed) for seed in range(given.seeds) for path in paths]
    known = {(row["task"], row["seed"]) for row in read(given.rows)}
    async with LocalPool(use_cache=False) as pool:
        for path, seed in wanted[first::of]:
            task = load_task(path.parent)
            if (task.name, seed) in known:
                continue
            if time.monotonic() > until:
                break
            text = "".join(json.dumps(row) + "\n" for row in await rows_of(task, seed, pool))
            with given.rows.open("a") as file:
                file.write(text)


def read(file: Path) -> list[Row]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def table(rows: list[Row]) -> None:
    """Medians, means and ratios to `cuda-llm`, paired over tasks and seeds, with intervals from families drawn anew."""
    best = {(row["task"], row["seed"], row["method"]): row for row in rows}
    pairs = {(task, seed) for task, seed, _ in best}
    print(f"{len({task for task, _ in pairs})} tasks, {len(pairs)} searches a method, {EVALS} programs each")
    print(
        "method              median  geometric mean  fast_1  right  after 4, 8, 12, 16  to cuda-llm (95%)  better:worse"
    )
    for method in METHODS:
        own = [best[(*pair, method)] for pair in sorted(pairs)]
        gains = [row["best"] for row in own]
        ratios = [log(row["best"] / best[(row["task"], row["seed"], AGAINST)]["best"]) for row in own]
        low, high = interval([row["task"] for row in own], ratios)
        rounds = " ".join(f"{exp(fmean(log(row['by_round'][i]) for row in own)):.2f}" for i in range(4))
        share = sum(gain > 1.01 for gain in gains) / len(gains)
        right = fmean(row["right"] for row in own) / EVALS
        told = f"{exp(fmean(ratios)):.3f} ({low:.3f} to {high:.3f})"
        sides = f"{sum(each > 0.01 for each in ratios)}:{sum(each < -0.01 for each in ratios)}"
        mean = exp(fmean(map(log, gains)))
        line = f"{method:18} {median(gains):7.2f} {mean:15.2f} {share:7.0%} {right:6.0%}  {rounds}"
        print(f"{line}  {told}  {sides}")


def interval(tasks: list[str], ratios: list[float]) -> tuple[float, float]:
    """95% interval of the geometric mean ratio. Tasks of one family resemble each other, so families are drawn."""
    families = defaultdict(list)
    for task, ratio in zip(tasks, ratios, strict=True):
        families[task.rsplit("-", 1)[0]].append(ratio)
    means = np.array([fmean(each) for each in families.values()])
    drawn = np.random.default_rng(0).choice(means, (4000, len(means))).mean(axis=1)
    low, high = np.exp(np.quantile(drawn, (0.025, 0.975)))
    return float(low), float(high)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("rows", type=Path)
    options.add_argument("--share", default="0/1", help="I/N: the I-th of every N, to take parts side by side")
    options.add_argument("--seconds", type=float, default=1e9, help="no further task is begun after this long")
    options.add_argument("--seeds", type=int, default=1)
    options.add_argument("--table", action="store_true")
    given = options.parse_args()
    if not given.table:
        asyncio.run(take(given))
    table(read(given.rows))


if __name__ == "__main__":
    main()
