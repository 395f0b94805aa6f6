"""Searches of 50 problems of KernelBench drawn by seed 0, each at its own size; rows in a file, so that it resumes.

python runs/torch/drawn.py PATH ROWS [--seconds 540] [--evals 8] [--policy rewrite]

PATH is a checkout of KernelBench. 30 problems of level 1 and 20 of level 2 are drawn, and their order too. A row is
appended to ROWS (JSON lines) when its search has ended; a problem that did not end within the seconds is searched again
by the next call. Problems that could not be judged have their reason, and count as 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from math import exp, log
from pathlib import Path
from typing import Any

DRAWN = {1: 30, 2: 20}
PROBLEMS = 100
LEAST_SECONDS = 60.0
"""No search begins with less time left."""


def drawn() -> list[tuple[int, int]]:
    """Levels and numbers of the problems, in the order in which they are searched."""
    draw = random.Random(0)
    found = [(level, number) for level, count in DRAWN.items() for number in draw.sample(range(1, PROBLEMS + 1), count)]
    draw.shuffle(found)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("path", type=Path)
    options.add_argument("rows", type=Path)
    options.add_argument("--seconds", type=float, default=540.0)
    options.add_argument("--evals", type=int, default=8)
    options.add_argument("--policy", default="rewrite")
    options.add_argument("--scale", help="smaller problems, for machines without a GPU")
    given = options.parse_args()
    until = time.monotonic() + given.seconds
    known = {(row["level"], row["number"]) for row in rows(given.rows)}
    for level, number in drawn():
        left = until - time.monotonic()
        if (level, number) in known or left < LEAST_SECONDS:
            continue
        row = searched(problem(given.path, level, number), given, left)
        if row is None:
            break
        with given.rows.open("a") as file:
            file.write(json.dumps({"level": level, "number": number, **row}) + "\n")
        print(line({"level": level, "number": number, **row}), flush=True)
    report(rows(given.rows))


def problem(path: Path, level: int, number: int) -> Path:
    (file,) = path.glob(f"**/level{level}/{number}_*.py")
    return file


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(each) for each in file.read_text().splitlines()] if file.exists() else []


def searched(file: Path, given: argparse.Namespace, seconds: float) -> dict[str, Any] | None:
    """Row of one problem; None if it did not end in time."""
    command = [sys.executable, "-m", "maxcode", "bench", "kernelbench", "--path", str(file), "--policy", given.policy]
    command += ["--evals", str(given.evals), "--seeds", "1", "--json"]
    command += ["--scale", given.scale] if given.scale else []
    began = time.monotonic()
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    running = subprocess.Popen(command, **pipes, text=True, start_new_session=True)
    try:
        out, err = running.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGINT)
        try:
            running.communicate(timeout=20.0)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
        return None
    cells = [each for each in map(_record, out.splitlines()) if each and "speedup" in each and "task" in each]
    took = {"problem": file.stem, "seconds": round(time.monotonic() - began, 1)}
    if not cells:
        return {**took, "left_out": " ".join((err or out).split())[-300:]}
    (cell,) = cells[:1]
    kept = ("speedup", "ci_low", "ci_high", "over_compiled", "evals", "built", "right", "rewards")
    return {**took, "left_out": cell.get("problem"), **{name: cell[name] for name in kept}}


def _record(text: str) -> dict[str, Any] | None:
    return json.loads(text) if text.startswith("{") else None


def line(row: dict[str, Any]) -> str:
    name = f"{row['level']}/{row['problem']}"[:46]
    if row["left_out"] or "speedup" not in row:
        return f"{name:46} {row['seconds']:6.0f} s  left out: {str(row['left_out'])[:160]}"
    interval = f"{row['speedup']:6.3g} ({row['ci_low']:.3g} to {row['ci_high']:.3g})"
    return f"{name:46} {row['seconds']:6.0f} s  {interval:26} {row['right']} of {row['evals']} right"


def report(found: list[dict[str, Any]]) -> None:
    """Totals of each level, with unsolved problems as 1."""
    for level in DRAWN:
        here = [row for row in found if row["level"] == level]
        if not here:
            continue
        gains = [max(row.get("speedup") or 1.0, 1.0) if row.get("ci_low", 0.0) > 1.0 else 1.0 for row in here]
        faster, mean = sum(gain > 1.0 for gain in gains), exp(statistics.fmean(map(log, gains)))
        left_out = sum(bool(row["left_out"]) for row in here)
        print(
            f"level {level}: {len(here)} of {DRAWN[level]} drawn problems, confirmed faster (fast_1) {faster}, median"
        )
        print(f"  {statistics.median(gains):.3g}x, geometric mean {mean:.3g}x, left out {left_out}")


if __name__ == "__main__":
    main()
