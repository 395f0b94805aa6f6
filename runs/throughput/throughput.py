"""Evaluations per minute and core, beside the same compilations and runs by hand. See runs/throughput.sh."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from maxcode.core import Candidate, Outcome
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.pool import LocalPool
from maxcode.task import Task, load_task

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = (("hashmap", "unordered.cpp"), ("dp", "rolling.cpp"), ("sort", "plain.cpp"))


@dataclass(frozen=True)
class Row:
    example: str
    evaluator: float
    floor: float
    pairs: float
    cached_per_second: float


class ByHand:
    """What a person would type: g++, each test once, then baseline and candidate in turn; no sandbox, no checks."""

    def __init__(self, task: Task, folder: Path, workload: Path) -> None:
        self._task, self._folder, self._workload = task, folder, workload
        self._baseline = folder / "baseline"
        self._compile(task.baseline_candidate, self._baseline)

    def seconds(self, candidate: Candidate, outcome: Outcome) -> float:
        """Time of the same number of runs as the evaluator made."""
        started = time.monotonic()
        program = self._folder / "candidate"
        self._compile(candidate, program)
        tests = [
            path for name in ("public", "hidden") for path in (self._task.folder / "tests" / name).glob("input.*.txt")
        ]
        extra = (outcome.verification.total if outcome.verification else 0) - len(tests) - 1
        for path in [*tests, *tests[:extra]]:
            self._run(program, path)
        for _ in outcome.measurement.samples if outcome.measurement else ():
            self._run(self._baseline, self._workload)
            self._run(program, self._workload)
        return time.monotonic() - started

    def _compile(self, candidate: Candidate, program: Path) -> None:
        source = self._folder / self._task.main_file
        source.write_text(candidate.files[self._task.main_file])
        flags = [f"-std={self._task.standard}", *self._task.build.flags]
        subprocess.run(["g++", *flags, "-o", program, source], check=True)

    def _run(self, program: Path, stdin: Path) -> None:
        with stdin.open() as source:
            subprocess.run([program], stdin=source, capture_output=True, check=False)


def variants(task: Task, attempt: str, count: int) -> list[Candidate]:
    text = (task.folder / "attempts" / attempt).read_text()
    return [task.candidate(f"{text}// variant {i}\n") for i in range(count)]


async def measure_example(name: str, attempt: str, count: int, folder: Path) -> Row:
    task = load_task(EXAMPLES / name)
    candidates = variants(task, attempt, count + 1)
    workload = folder / "workload.txt"
    spec = task.workloads[0]
    with workload.open("w") as file:
        subprocess.run(["python3", task.folder / str(spec.generator), "1", *spec.arguments], stdout=file, check=True)
    hand = ByHand(task, folder, workload)
    evaluator, floor, pairs = [], [], []
    async with LocalPool(workers=1) as pool:
        await pool(task, candidates[:1])  # baseline, tests and noise floor are made once per task, not per candidate
        for candidate in candidates[1:]:
            started = time.monotonic()
            (outcome,) = await pool(task, [candidate])
            evaluator.append(time.monotonic() - started)
            floor.append(hand.seconds(candidate, outcome))
            pairs.append(len(outcome.measurement.samples) if outcome.measurement else 0)
        started, asked = time.monotonic(), 0
        while time.monotonic() - started < 1.0:
            await pool(task, candidates)
            asked += len(candidates)
        cached = asked / (time.monotonic() - started)
    return Row(name, statistics.mean(evaluator), statistics.mean(floor), statistics.median(pairs), cached)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="candidates per example")
    options = parser.parse_args()
    os.environ["MAXCODE_HOME"] = tempfile.mkdtemp(prefix="maxcode-throughput-")
    os.sched_setaffinity(0, usable_cpus()[:1])  # one core for both ways
    table = Table(title="Evaluations on one core; nothing cached but the task's own baseline", title_justify="left")
    for column in ("example", "evaluations/min", "floor/min", "times the floor", "median pairs", "cached/s"):
        table.add_column(column, justify="left" if column == "example" else "right")
    with tempfile.TemporaryDirectory(prefix="maxcode-throughput-") as folder:
        for name, attempt in PROGRAMS:
            row = asyncio.run(measure_example(name, attempt, options.count, Path(folder)))
            table.add_row(
                row.example,
                f"{60 / row.evaluator:.0f}",
                f"{60 / row.floor:.0f}",
                f"{row.evaluator / row.floor:.2f}x",
                f"{row.pairs:.0f}",
                f"{row.cached_per_second:.0f}",
            )
    Console(width=120).print(table)
    shutil.rmtree(os.environ["MAXCODE_HOME"], ignore_errors=True)


if __name__ == "__main__":
    main()
