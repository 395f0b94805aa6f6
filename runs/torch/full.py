"""Large problems of KernelBench at their own size: the original against itself, renamed, and with a wrong factor.

python runs/torch/full.py OUT PATH [--seconds 540] [--problems 1/19,2/59] [--scale 1]

PATH is a checkout of KernelBench. Each result is appended to OUT/full.jsonl at once; a further call goes on where the
last one stopped. OUT/full.txt has the table. It runs without a GPU too, with a small --scale.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

from maxcode.bench.suites.kernelbench.problems import KernelProblem, read_kernelbench
from maxcode.bench.suites.kernelbench.tasks import Making, make_kernelbench
from maxcode.core import Candidate, Outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.kinds.torch.problem.tryout import Tryouts
from maxcode.task import load_task
from maxcode.task.model import Task

NAMED = ("1/19", "2/59", "1/23", "1/36", "1/34", "2/55", "1/24", "2/56")
DRAWN = ("1/94", "1/44", "3/17", "1/38", "1/31", "1/84", "1/90", "1/91", "1/93", "1/89", "3/31", "2/19")
"""Drawn by random.Random(0) from the sixty problems of levels 1 to 3 that take most memory, without those of NAMED."""
NOT_ON_GPU = ("rules", "build", "wait")
COLUMNS = f"{'problem':40} {'program':8} {'verdict':12} {'speedup':>8} {'interval':>16} {'held s':>7} {'GiB':>6}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("out", type=Path)
    options.add_argument("path", type=Path)
    options.add_argument("--seconds", type=float, default=540.0)
    options.add_argument("--problems", default=",".join((*NAMED, *DRAWN)))
    options.add_argument("--scale", type=float, default=None)
    given = options.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + given.seconds
    asyncio.run(judge_all(chosen(given.path, given.problems), given.out / "full.jsonl", until, given.scale))
    report(given.out)


def chosen(path: Path, wanted: str) -> list[KernelProblem]:
    """The problems of these levels and numbers, in this order."""
    found = {f"{each.level}/{each.number}": each for each in read_kernelbench(path) if isinstance(each, KernelProblem)}
    return [found[each] for each in wanted.split(",") if each in found]


async def judge_all(problems: list[KernelProblem], file: Path, until: float, scale: float | None) -> None:
    known = {(each["problem"], each["program"]) for each in results(file)}
    print(COLUMNS, flush=True)
    with Tryouts() as tryouts:
        async with LocalPool(use_cache=False) as pool:
            for problem in problems:
                if time.monotonic() > until:
                    print(f"{problem.name}: no time left; call again")
                    break
                if (problem.name, "wrong") not in known:
                    await judge(problem, pool, tryouts, scale, file, known, until)


async def judge(
    problem: KernelProblem,
    pool: LocalPool,
    tryouts: Tryouts,
    scale: float | None,
    file: Path,
    known: set[tuple[str, str]],
    until: float,
) -> None:
    began = time.monotonic()
    (made,) = make_kernelbench([problem], Making(scale=scale), tryouts).made
    loaded = time.monotonic() - began
    if made.folder is None or made.problem:
        keep(file, {"problem": problem.name, "program": "wrong", "verdict": "left out", "reason": made.problem})
        return
    task = load_task(Path(made.folder))
    for name, candidate in candidates(task).items():
        if (problem.name, name) not in known and time.monotonic() < until:
            with PeakMemory() as memory:
                (outcome,) = await pool(task, [candidate])
            row = described(outcome) | {"gib": memory.gib, "loaded": round(loaded, 1)}
            keep(file, {"problem": problem.name, "program": name} | row)


def candidates(task: Task) -> dict[str, Candidate]:
    renamed = re.sub(r"\bModel\b", "ModelNew", task.read(task.main_file))
    head, body = renamed[: (at := renamed.index("class ModelNew"))], renamed[at:]
    factor = "    def forward(self, *given):\n        return self._right(*given) * 1.01\n\n    def _right("
    wrong = head + body.replace("    def forward(", factor, 1)
    return {
        "itself": task.baseline_candidate,
        "renamed": task.candidate(renamed, origin="renamed"),
        "wrong": task.candidate(wrong, origin="wrong"),
    }


def described(outcome: Outcome) -> dict[str, Any]:
    found = outcome.measurement
    stages = {each.name: round(each.seconds, 2) for each in outcome.stages}
    return {
        "verdict": outcome.status.value,
        "reason": outcome.reason,
        "speedup": found and found.speedup,
        "interval": found and [found.ci_low, found.ci_high],
        "tie": found and found.verdict,
        "stages": stages,
        "held": round(sum(seconds for name, seconds in stages.items() if name not in NOT_ON_GPU), 2),
    }


class PeakMemory:
    """Largest memory in use on the GPU, as nvidia-smi shows it; None without one."""

    gib: float | None = None

    def __enter__(self) -> PeakMemory:
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _watch(self) -> None:
        tool = shutil.which("nvidia-smi")
        while tool and not self._ends.wait(0.25):
            query = [tool, "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
            done = subprocess.run(query, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                self.gib = max(self.gib or 0.0, round(int(done.stdout.split()[0]) / 1024, 1))


def keep(file: Path, row: dict[str, Any]) -> None:
    with file.open("a") as opened:
        opened.write(json.dumps(row) + "\n")
    print(line(row), flush=True)


def results(file: Path) -> list[dict[str, Any]]:
    return [json.loads(each) for each in file.read_text().splitlines()] if file.exists() else []


def line(row: dict[str, Any]) -> str:
    low, high = row.get("interval") or (0.0, 0.0)
    speedup = f"{row['speedup']:8.4f} {low:7.4f}-{high:7.4f} " if row.get("speedup") else f"{'':26}"
    reason = " ".join((row.get("reason") or row.get("tie") or "").split())[:160]
    figures = f"{row.get('held') or 0:7.1f} {row.get('gib') or 0:6.1f}"
    return f"{row['problem'][:40]:40} {row['program']:8} {row['verdict']:12} {speedup} {figures} {reason}"


def report(out: Path) -> None:
    rows = results(out / "full.jsonl")
    same = [each for each in rows if each.get("speedup") and each["program"] != "wrong"]
    ties = sum(each["tie"] == "tie" for each in same)
    refused = [each for each in rows if each["program"] == "wrong" and each["verdict"] == "wrong"]
    failed = [each for each in rows if each["program"] != "wrong" and each["verdict"] != "ok"]
    total = f"{len({each['problem'] for each in rows})} problems; originals ok {len(same)}, of them ties {ties}"
    total += f"; not ok {len(failed)}; wrong ones refused as wrong {len(refused)}"
    (out / "full.txt").write_text("\n".join((COLUMNS, *map(line, rows), total)) + "\n")
    print(total)


if __name__ == "__main__":
    main()
