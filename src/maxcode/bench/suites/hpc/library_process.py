"""Times a library and a task's baseline in turn: `python -m ... FOLDER CHANGES BASELINE.so CPUS PAIRS`.

BLAS fixes its number of threads when it is loaded, so the caller sets that in the environment.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from maxcode.bench.roofline.calls import Arrays, Call, Clock, arrays, datasets, enough, round_seconds, trusted_call
from maxcode.bench.suites.hpc.library_calls import library_of
from maxcode.kinds.kernel.data import first_difference
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.expression import Sizes
from maxcode.task.load import load_task

ROUND_SECONDS = 0.01


def main() -> None:
    folder, changes, baseline, cpus, pairs = sys.argv[1:6]
    pinned = {int(cpu) for cpu in cpus.split(",")}
    os.sched_setaffinity(0, pinned)
    kernel = load_task(folder, json.loads(changes)).table(Kernel)
    sizes = kernel.shapes.timed[0]
    clock = time.process_time if len(pinned) == 1 else time.perf_counter
    rng = np.random.default_rng()
    _agree(kernel, sizes, Path(baseline), rng)
    data = datasets(kernel, sizes, rng)
    ours = [trusted_call(kernel, Path(baseline), sizes, each) for each in data]
    theirs = [_library(kernel, sizes, each) for each in data]
    print(json.dumps(_pairs(ours, theirs, clock, int(pairs))))


def _library(kernel: Kernel, sizes: Sizes, data: Arrays) -> Call:
    found = library_of(kernel.function)
    assert found is not None
    return found[1](sizes, data)


def _agree(kernel: Kernel, sizes: Sizes, baseline: Path, rng: np.random.Generator) -> None:
    """Checks that the library computes what the baseline does; exits with the difference where not."""
    data = arrays(kernel, sizes, rng)
    results = [a.name for a in kernel.arguments if a.role == "out"]
    trusted_call(kernel, baseline, sizes, data)()
    expected = {name: data[name].copy() for name in results}
    _library(kernel, sizes, data)()
    difference = first_difference(expected, {name: data[name] for name in results}, kernel.tolerance, hidden=False)
    if difference:
        raise SystemExit(f"the library's result differs: {difference}")


def _pairs(ours: list[Call], theirs: list[Call], clock: Clock, pairs: int) -> list[list[float]]:
    """Seconds per call of baseline and library, in turn."""
    sides = [enough(calls, clock, ROUND_SECONDS) for calls in (ours, theirs)]
    found = []
    for pair in range(pairs):
        seconds = [0.0, 0.0]
        for which in (0, 1) if pair % 2 else (1, 0):
            seconds[which] = round_seconds(sides[which], clock)
        found.append(seconds)
    return found


if __name__ == "__main__":
    main()
