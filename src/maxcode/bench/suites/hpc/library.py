"""How fast a library does a kernel's work, in units of the task's baseline.

Both are timed in turn on the same core (or cores), each call on data of its own, so that the host's slow phases hit
both, as they do when a candidate is timed. The quotient of the speedups says how a candidate and the library compare.
"""

from __future__ import annotations

import tempfile
import time
from math import exp, log
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from maxcode.bench.roofline.calls import compile_trusted
from maxcode.bench.roofline.local import run_beside
from maxcode.bench.suites.hpc.library_calls import library_of
from maxcode.core import Frozen, content_hash
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.measure.sampling import LEAST_EXCLUSIVE
from maxcode.evaluate.measure.statistics import estimate
from maxcode.evaluate.toolchain import toolchain
from maxcode.system.home import cache_folder, write_atomically
from maxcode.task.model import Task

VERSION = "1"
LASTS = 24 * 3600.0
PAIRS = 24
ALPHA = 0.05


class Library(Frozen):
    """A library's speed over the baseline of a task."""

    name: str
    speedup: float
    ci_low: float
    ci_high: float

    def share(self, speedup: float, ci_low: float, ci_high: float) -> tuple[float, float, float]:
        """A candidate's speed over the library's, with its interval; that holds whenever both given intervals hold."""
        low, high = (log(self.speedup / self.ci_low), log(self.ci_high / self.speedup))
        ratio = speedup / self.speedup
        return ratio, ratio * exp(-log(speedup / ci_low) - high), ratio * exp(log(ci_high / speedup) + low)


def library_speed(task: Task, *, pairs: int = PAIRS) -> Library | None:
    """Speed of a library on the task, measured now or less than a day ago; None where no library has this kernel."""
    entry = task.kind.entry(task)
    if entry is None or (found := library_of(entry.function)) is None:
        return None
    key = content_hash(VERSION, task.hash, machine_class(), toolchain().id, np.__version__, str(pairs))
    file = cache_folder("libraries") / f"{key}.json"
    try:
        if time.time() - file.stat().st_mtime < LASTS:
            return Library.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        pass
    ratios = [log(ours / theirs) for ours, theirs in _timed(task, pairs)]
    speedup, low, high = estimate(ratios, noise=LEAST_EXCLUSIVE, alpha=ALPHA).ratios
    measured = Library(name=found[0], speedup=speedup, ci_low=low, ci_high=high)
    write_atomically(file, measured.model_dump_json().encode())
    return measured


def _timed(task: Task, pairs: int) -> list[list[float]]:
    with tempfile.TemporaryDirectory(prefix="maxcode-library-") as folder:
        baseline = Path(folder) / "baseline.so"
        compile_trusted(task, task.main_file, baseline)
        found = run_beside(task, "maxcode.bench.suites.hpc.library_process", baseline, str(pairs))
    return [each for each in found if isinstance(each, list)]
