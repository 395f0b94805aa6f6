"""Seconds per evaluation of a plain harness: a new process each, a plain `load_inline`, 5 seeds, 100 runs.

    python runs/torch/plain_harness.py [FILE ...] [--parallel-builds 8] [--fresh TAG] [--out FILE.json]

FILE is examples/torch/NAME/solutions/ANY.py; when none is given: all cuda.py, sixteen candidates. With
--parallel-builds, that many build ahead side by side, and each candidate runs, one at a time, as soon as it is built.
--fresh TAG makes every candidate a new one; with --write DIR these are written there, each printed beside its task, for
another evaluator to be given the same, and nothing is run.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plain import EXAMPLES, check, cpu_clock, gpu_clock, load_module, load_problem, make_inputs, make_model, set_up

SEEDS = (21, 22, 23, 24, 25)
RUNS = 100


@dataclass(frozen=True)
class Job:
    name: str
    task: Path
    file: Path
    extensions: Path
    """Where its extension is built: a folder of its own, empty at first."""


def freshened(text: str, tag: str) -> str:
    """The same candidate with something in its source that no cache has seen."""
    word = re.sub(r"\W", "_", tag)
    marked = re.sub(r'^(SOURCE = r""")\n', rf"\1\nstatic constexpr int fresh_{word} = 1;  // {tag}\n", text, flags=re.M)
    return f"# {tag}\n{marked}"


def prepare(files: list[Path], tag: str | None, folder: Path) -> list[Job]:
    jobs = []
    for number, file in enumerate(files):
        task = file.resolve().parents[1]
        name = f"{task.name}_{file.stem}_{number}"
        copy = folder / f"{name}.py"
        text = file.read_text()
        copy.write_text(freshened(text, f"{tag}_{number}") if tag else text)
        jobs.append(Job(f"{task.name}/{file.stem}", task, copy, folder / f"extensions_{number}"))
    return jobs


def evaluate(task: Path, file: Path) -> dict[str, Any]:
    """What a plain harness does in its process, after the import of torch."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    set_up(device)
    problem, _ = load_problem(task, device)
    candidate = load_module(file, "candidate")
    with torch.no_grad():
        if found := check(problem, candidate, SEEDS, device):
            return {"correct": False, "reason": found}
        inputs = make_inputs(problem, SEEDS[0], device)
        clock = gpu_clock() if device == "cuda" else cpu_clock()
        times = []
        for kind in (problem.Model, candidate.ModelNew):
            model = make_model(problem, kind, SEEDS[0], device)
            for _ in range(3):
                model(*inputs)
            times.append(statistics.median(clock(lambda: model(*inputs)) for _ in range(RUNS)))  # noqa: B023
    return {"correct": True, "speedup": times[0] / times[1]}


def start(job: Job, *, build_only: bool) -> tuple[float, dict[str, Any]]:
    """Runs one process to its end; seconds, and what it found."""
    begin = time.perf_counter()
    job.extensions.mkdir(exist_ok=True)
    command = [sys.executable, __file__, "--child", str(job.task), str(job.file)] + ["--build-only"] * build_only
    environment = os.environ | {"TORCH_EXTENSIONS_DIR": str(job.extensions)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - begin
    lines = [line for line in done.stdout.splitlines() if line.startswith('{"correct"')]
    if lines:
        return seconds, json.loads(lines[-1])
    return seconds, {"correct": False, "reason": done.stderr[-2000:] or f"exit code {done.returncode}"}


def run_all(jobs: list[Job], parallel_builds: int) -> list[dict[str, Any]]:
    rows = []
    with concurrent.futures.ThreadPoolExecutor(max(1, parallel_builds)) as pool:
        builds = [pool.submit(start, job, build_only=True) for job in jobs] if parallel_builds else []
        for number, job in enumerate(jobs):
            built = builds[number].result()[0] if builds else None
            seconds, found = start(job, build_only=False)
            rows.append({"candidate": job.name, "seconds": seconds, "seconds_build_ahead": built} | found)
            ahead = "" if built is None else f" (built ahead in {built:.1f} s)"
            verdict = f"right {found['speedup']:.3f}x" if found["correct"] else f"WRONG {found['reason'][-300:]}"
            print(f"{job.name:28} {seconds:6.1f} s{ahead} {verdict}", flush=True)
    return rows


def child(task: Path, file: Path, build_only: bool) -> None:
    import torch  # noqa: F401  # part of what is timed

    if build_only:
        load_module(file, "candidate")
    else:
        print(json.dumps(evaluate(task, file)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--parallel-builds", type=int, default=0)
    parser.add_argument("--fresh", metavar="TAG")
    parser.add_argument("--write", type=Path, metavar="DIR")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--child", nargs=2, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--build-only", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(*given.child, given.build_only)
        return
    files = given.files or sorted(EXAMPLES.glob("*/solutions/cuda.py"))
    if given.write:
        given.write.mkdir(parents=True, exist_ok=True)
        for job in prepare(files, given.fresh, given.write):
            print(job.task, job.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        jobs = prepare(files, given.fresh, Path(folder))
        begin = time.perf_counter()
        rows = run_all(jobs, given.parallel_builds)
        total = time.perf_counter() - begin
    print(f"{len(rows)} candidates in {total:.1f} s: {total / len(rows):.1f} s each")
    if given.out:
        given.out.write_text(json.dumps({"seconds": total, "candidates": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
