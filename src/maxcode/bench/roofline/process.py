"""Times one kernel of our own in a process of its own: `python -m ... FOLDER CHANGES LIBRARY.so CPUS`.

Many short rounds rather than a few long ones: between two turns of other processes there is room for a short one. One
core is timed by its CPU time, which others on a busy machine do not count towards.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from maxcode.bench.roofline.calls import datasets, enough, round_seconds, trusted_call
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.load import load_task

ROUND_SECONDS = 0.004
CACHED_BYTES = 1 << 23
"""Bytes of data for small calls: few enough to stay in a cache, as in the harness, which has just written them."""
SECONDS = 1.5
ROUNDS = 8, 60


def main() -> None:
    folder, changes, library, cpus = sys.argv[1:5]
    pinned = {int(cpu) for cpu in cpus.split(",")}
    os.sched_setaffinity(0, pinned)
    kernel = load_task(folder, json.loads(changes)).table(Kernel)
    sizes = kernel.shapes.timed[0]
    clock = time.process_time if len(pinned) == 1 else time.perf_counter
    data = datasets(kernel, sizes, np.random.default_rng(), CACHED_BYTES)
    calls = enough([trusted_call(kernel, Path(library), sizes, each) for each in data], clock, ROUND_SECONDS)
    found: list[float] = []
    start = time.perf_counter()
    while len(found) < ROUNDS[0] or (len(found) < ROUNDS[1] and time.perf_counter() - start < SECONDS):
        found.append(round_seconds(calls, clock))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
