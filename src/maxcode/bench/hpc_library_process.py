"""Times a library beside a task's baseline, in turn: `python -m ... FOLDER BASELINE.so CPUS PAIRS`.

How many threads BLAS uses is settled when it is loaded, so that the caller sets it in the environment. Only our own
baseline is loaded here, never a candidate.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Callable
from math import ceil
from typing import Any

import numpy as np

from maxcode.bench.hpc_library_calls import Arrays, library_of
from maxcode.evaluate.kernel_data import first_difference, make_inputs
from maxcode.task.expression import evaluate
from maxcode.task.load import load_task
from maxcode.task.model import Kernel, Sizes

ROUND_SECONDS = 0.02
MOST_CALLS = 48
ROUND_BYTES = 1 << 26
Call = Callable[[], object]
Clock = Callable[[], float]


def main() -> None:
    folder, library, cpus, pairs = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    pinned = {int(cpu) for cpu in cpus.split(",")}
    os.sched_setaffinity(0, pinned)
    task = load_task(folder)
    kernel = task.kernel
    assert kernel is not None
    sizes = kernel.shapes.timed[0]
    clock = time.process_time if len(pinned) == 1 else time.perf_counter
    rng = np.random.default_rng()
    ours, theirs = _calls(kernel, library, sizes, rng)
    _agree(kernel, sizes, library, rng)
    print(json.dumps(_pairs(ours, theirs, clock, pairs)))


def _calls(kernel: Kernel, library: str, sizes: Sizes, rng: np.random.Generator) -> tuple[list[Call], list[Call]]:
    """As many prepared calls of each as a round may have, every one on data of its own."""
    first = _arrays(kernel, sizes, rng)
    size = sum(array.nbytes for array in first.values())
    count = int(max(2, min(MOST_CALLS, ROUND_BYTES // size)))
    data = [first, *(_arrays(kernel, sizes, rng) for _ in range(count - 1))]
    return [_baseline(kernel, library, sizes, each) for each in data], [_library(kernel, sizes, each) for each in data]


def _arrays(kernel: Kernel, sizes: Sizes, rng: np.random.Generator) -> Arrays:
    made = make_inputs(kernel, sizes, rng)
    for a in kernel.arguments:
        if a.shape is not None and a.role == "out":
            made[a.name] = np.zeros(int(evaluate(a.shape, sizes)), a.dtype)
    return made


def _baseline(kernel: Kernel, library: str, sizes: Sizes, arrays: Arrays) -> Call:
    function = getattr(ctypes.CDLL(library), kernel.function)
    arguments: list[Any] = [
        ctypes.c_void_p(arrays[a.name].ctypes.data) if a.is_buffer else ctypes.c_int(int(sizes[a.name]))
        for a in kernel.arguments
    ]
    return lambda: function(*arguments)


def _library(kernel: Kernel, sizes: Sizes, arrays: Arrays) -> Call:
    found = library_of(kernel.function)
    assert found is not None
    return found[1](sizes, arrays)


def _agree(kernel: Kernel, sizes: Sizes, library: str, rng: np.random.Generator) -> None:
    """A library that computes something else is no comparison."""
    arrays = _arrays(kernel, sizes, rng)
    results = [a.name for a in kernel.arguments if a.role == "out"]
    _baseline(kernel, library, sizes, arrays)()
    expected = {name: arrays[name].copy() for name in results}
    _library(kernel, sizes, arrays)()
    difference = first_difference(expected, {name: arrays[name] for name in results}, kernel.tolerance, hidden=False)
    if difference:
        raise SystemExit(f"the library's result differs: {difference}")


def _pairs(ours: list[Call], theirs: list[Call], clock: Clock, pairs: int) -> list[list[float]]:
    """Seconds per call of baseline and library, in turn."""
    counts = [_enough(calls, clock) for calls in (ours, theirs)]
    found = []
    for pair in range(pairs):
        seconds = [0.0, 0.0]
        for which in (0, 1) if pair % 2 else (1, 0):
            seconds[which] = _round((ours, theirs)[which][: counts[which]], clock)
        found.append(seconds)
    return found


def _enough(calls: list[Call], clock: Clock) -> int:
    once = max(_round(calls[:1], clock), 1e-7)
    return max(1, min(len(calls), ceil(ROUND_SECONDS / once)))


def _round(calls: list[Call], clock: Clock) -> float:
    """Seconds per call, after one to warm up."""
    calls[0]()
    start = clock()
    for call in calls:
        call()
    return (clock() - start) / len(calls)


if __name__ == "__main__":
    main()
