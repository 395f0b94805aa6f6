"""Programs, kernels and torch models confirmed against themselves: every `faster` or `slower` is false.

python runs/measuring/same.py [--count N] [--only KIND] [--out FILE] [TASK ...]

Without tasks: one of each kind. Each is confirmed so many times, in turns, nothing cached. Figures go to the file, line
by line, and what is there already counts: a run that was broken off is gone on with.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import tempfile
import time
from collections import Counter
from math import exp, log
from pathlib import Path

from rich.console import Console
from rich.table import Table

from maxcode.core import Mode
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.pool import LocalPool
from maxcode.task import load_task
from maxcode.task.model import Task

ROOT = Path(__file__).parents[2]
TASKS = {
    "program": ROOT / "tests" / "adversarial" / "tasks" / "total",
    "kernel": ROOT / "tests" / "adversarial" / "tasks" / "smooth",
    "torch": ROOT / "tests" / "adversarial" / "torch" / "tasks" / "affine",
}
Record = dict[str, str | float]


async def confirm(task: Task, pool: LocalPool) -> Record:
    (outcome,) = await pool(task, [task.baseline_candidate], mode=Mode.CONFIRM)
    found = outcome.measurement
    if found is None:
        return {"task": task.name, "verdict": f"{outcome.status.value}: {outcome.reason}"}
    return {
        "task": task.name,
        "verdict": found.verdict.value,
        "speedup": found.speedup,
        "low": found.ci_low,
        "high": found.ci_high,
        "pairs": len(found.samples),
        "clock": found.clock,
    }


def known(out: Path) -> list[Record]:
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


async def take(tasks: list[Task], count: int, out: Path, console: Console) -> None:
    """Confirmations that are missing, of each task in turns: a bad minute is shared by all."""
    done = Counter(record["task"] for record in known(out))
    async with LocalPool(use_cache=False) as pool:
        for turn in range(count):
            for task in tasks:
                if done[task.name] > turn:
                    continue
                record = await confirm(task, pool)
                with out.open("a") as file:
                    file.write(json.dumps(record) + "\n")
                console.print(f"{turn + 1}/{count} {task.name}: {_words(record)}", highlight=False)


def _words(record: Record) -> str:
    if "speedup" not in record:
        return str(record["verdict"])
    return "{verdict} {speedup:.4f} ({low:.4f} to {high:.4f}), {pairs} pairs, {clock}".format(**record)


def show(records: list[Record], console: Console) -> None:
    table = Table(title=f"Confirmed against themselves on {machine_class()}", title_justify="left")
    names = ("task", "n", "faster", "slower", "tie/unclear", "failed", "centre", "5% to 95%", "median pairs")
    for name in names:
        table.add_column(name, justify="left" if name == "task" else "right")
    tasks = list(dict.fromkeys(str(record["task"]) for record in records))
    for name in [*tasks, "all"] if len(tasks) > 1 else tasks:
        table.add_row(name, *_row([record for record in records if name in ("all", record["task"])]))
    console.print(table)


def _row(records: list[Record]) -> list[str]:
    verdicts = Counter(record["verdict"] for record in records)
    timed = [record for record in records if "speedup" in record]
    counts = [verdicts["faster"], verdicts["slower"], verdicts["tie"] + verdicts["unclear"], len(records) - len(timed)]
    if not timed:
        return [str(len(records)), *map(str, counts), "-", "-", "-"]
    logs = [log(float(record["speedup"])) for record in timed]
    cuts = statistics.quantiles(logs, n=20) if len(logs) > 1 else logs * 19
    pairs = statistics.median(float(record["pairs"]) for record in timed)
    spread = f"{exp(cuts[0]):.4f} to {exp(cuts[-1]):.4f}"
    return [str(len(records)), *map(str, counts), f"{exp(statistics.fmean(logs)):.4f}", spread, f"{pairs:.0f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", type=Path, help="folders of tasks")
    parser.add_argument("--count", type=int, default=34, help="confirmations of each task")
    parser.add_argument("--only", choices=tuple(TASKS), action="append", help="this kind alone")
    parser.add_argument("--out", type=Path, help="where figures are kept, to go on with")
    options = parser.parse_args()
    folders = options.tasks or [TASKS[kind] for kind in options.only or TASKS]
    console, began = Console(width=150), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="maxcode-same-") as home:
        os.environ["MAXCODE_HOME"] = home
        out = options.out or Path(home) / "same.jsonl"
        asyncio.run(take([load_task(folder) for folder in folders], options.count, out, console))
        show(known(out), console)
    console.print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
