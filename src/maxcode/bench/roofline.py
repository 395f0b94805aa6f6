"""What a machine can do at most, measured by kernels of our own in the same harness that times candidates.

Two roofs: floating-point operations a second in registers (with vectors and without), and bytes read a second, for
calls of several sizes, because small ones find their data in a cache. No program of a task can be faster than the lower
of the peak and of operations per byte times bandwidth, where the bytes are those of its arguments, moved once each.
The best quarter of the samples counts, because a roof must be above what it is compared with; it is kept for a day.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from maxcode.core import EvaluatorError, Frozen, Mode, Outcome, Status, content_hash
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.pool import Evaluator
from maxcode.home import cache_folder, write_atomically
from maxcode.task.expression import evaluate as value_of
from maxcode.task.load import load_task
from maxcode.task.model import Kernel, Sizes, Task

VERSION = "1"
ROOFS_LAST = 24 * 3600.0
CALL_BYTES = (1 << 20, 1 << 24)
"""Bytes of one call. Those of a round of small calls, each on data of its own, lie in a cache; large ones do not."""
_TASKS = Path(__file__).parent / "roofline_tasks"
_SCALAR = ("-O3", "-march=native", "-fno-tree-vectorize", "-fno-tree-slp-vectorize", "-DSCALAR")
_VECTOR = ("-O3", "-march=native")


class MachineRoofs(Frozen):
    """The roofs of one kind of machine, on so many of its cores."""

    machine: str
    cpus: int
    gflops: float
    gflops_scalar: float
    """Without vector registers."""
    bandwidth: dict[int, float]
    """GB/s by the bytes of a call."""

    def bandwidth_at(self, call_bytes: float) -> float:
        """That of the largest measured call which is not larger: what is in no cache may still be faster."""
        smaller = [size for size in self.bandwidth if size <= call_bytes]
        return self.bandwidth[max(smaller)] if smaller else self.bandwidth[min(self.bandwidth)]

    def roof(self, task: Task, *, vectors: bool = True) -> float | None:
        """The most GFLOPS that any program of the task could reach here; None where its operations are not stated."""
        work = work_of(task)
        if work is None:
            return None
        peak = self.gflops if vectors else self.gflops_scalar
        return min(peak, work.intensity * self.bandwidth_at(work.call_bytes))


class Work(Frozen):
    """What one pass over a task's timed shapes does."""

    flops: float
    bytes: float
    calls: int

    @property
    def call_bytes(self) -> float:
        return self.bytes / self.calls

    @property
    def intensity(self) -> float:
        return self.flops / self.bytes


def work_of(task: Task) -> Work | None:
    kernel = task.kernel
    if kernel is None or kernel.flops is None:
        return None
    timed = kernel.shapes.timed
    flops = sum(float(value_of(kernel.flops, sizes)) for sizes in timed)
    return Work(flops=flops, bytes=sum(_bytes_moved(kernel, sizes) for sizes in timed), calls=len(timed))


def _bytes_moved(kernel: Kernel, sizes: Sizes) -> float:
    """Of the arguments of one call: in once, out once."""
    return sum(
        float(value_of(a.shape, sizes)) * np.dtype(a.dtype).itemsize * (2 if a.role == "inout" else 1)
        for a in kernel.arguments
        if a.shape is not None
    )


async def roofs_of(evaluate: Evaluator, cpus: int = 1, *, machine: str | None = None) -> MachineRoofs:
    """The roofs where the evaluator measures: those of `machine` (its class), this one's when absent."""
    where = machine or machine_class()
    file = cache_folder("roofs") / f"{content_hash(VERSION, where, str(cpus))}.json"
    known = _kept(file)
    if known:
        return known
    found = await _measured(evaluate, cpus, where)
    write_atomically(file, found.model_dump_json().encode())
    return found


def _kept(file: Path) -> MachineRoofs | None:
    try:
        if time.time() - file.stat().st_mtime < ROOFS_LAST:
            return MachineRoofs.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        pass
    return None


async def _measured(evaluate: Evaluator, cpus: int, machine: str) -> MachineRoofs:
    vector, scalar = peak_task(cpus), peak_task(cpus, vectors=False)
    reading = {size: memory_task(cpus, size) for size in CALL_BYTES}
    rates = {task.hash: await _rate(evaluate, task) for task in (vector, scalar, *reading.values())}
    return MachineRoofs(
        machine=machine,
        cpus=cpus,
        gflops=rates[vector.hash],
        gflops_scalar=rates[scalar.hash],
        bandwidth={size: rates[task.hash] for size, task in reading.items()},
    )


def peak_task(cpus: int, *, vectors: bool = True) -> Task:
    shapes = {"timed": [{"threads": cpus, "steps": 1_000_000 if vectors else 125_000}]}
    return _task("peak", cpus, _VECTOR if vectors else _SCALAR, {"shapes": shapes})


def memory_task(cpus: int, call_bytes: int) -> Task:
    """Its operations are counted in bytes, so that its GFLOPS are GB/s."""
    each = call_bytes // 8 // cpus // 64 * 64
    shapes = {"timed": [{"threads": cpus, "n": each}]}
    return _task("memory", cpus, _VECTOR, {"flops": "8*n*threads", "shapes": shapes})


def _task(name: str, cpus: int, flags: tuple[str, ...], kernel: Mapping[str, Any]) -> Task:
    threads = ("-fopenmp",) if cpus > 1 else ()
    build = {"flags": [*flags, *threads]}
    return load_task(_TASKS / name, {"build": build, "kernel": dict(kernel), "limits": {"cpus": cpus}})


async def _rate(evaluate: Evaluator, task: Task) -> float:
    """In units of 10^9 a second."""
    (outcome,) = await evaluate(task, [task.baseline_candidate])
    if outcome.status is Status.REJECTED:  # our own kernel: a loaded machine made its clocks look forged
        (outcome,) = await evaluate(task, [task.baseline_candidate], mode=Mode.CONFIRM)
    return best_rate(task, outcome)


def best_rate(task: Task, outcome: Outcome) -> float:
    """The rate that the best quarter of the samples reaches; the very best may be a slip of the clock."""
    work, m = work_of(task), outcome.measurement
    if outcome.status is not Status.OK or m is None or work is None:
        raise EvaluatorError(f"{task.name}: this machine's roof cannot be measured: {outcome.reason}")
    seconds = [
        each for sample in m.samples if sample.method == "exclusive" for each in (sample.baseline, sample.candidate)
    ]
    return work.flops / float(np.quantile(seconds, 0.25)) / 1e9
