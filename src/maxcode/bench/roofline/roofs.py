"""Roofline of a machine, measured by kernels of our own.

Two roofs: floating-point operations a second in registers (with vectors and without), and bytes read a second, for
calls of two sizes, because small ones find their data in a cache. No program of a task can be faster than the lower of
the peak and of operations per byte times bandwidth, where the bytes are those of its arguments, moved once each. Data
that stays in a nearer cache than the measured one can exceed the bandwidth roof. Roofs are kept for a day.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from maxcode.bench.roofline.local import seconds_per_call
from maxcode.core import Candidate, EvaluatorError, Frozen, InputError, Mode, Outcome, Status, content_hash
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.pool import Evaluator
from maxcode.system.home import cache_folder, write_atomically
from maxcode.task.expression import Sizes
from maxcode.task.load import load_task
from maxcode.task.model import Task

VERSION = "1"
ROOFS_LAST = 24 * 3600.0
CALL_BYTES = (1 << 20, 1 << 24)
"""Bytes of one call. Those of a round of small calls, each on data of its own, lie in a cache; large ones do not."""
MORE_LOOKS = 4
_TASKS = Path(__file__).parent / "tasks"


class MachineRoofs(Frozen):
    """Roofs of one class of machines, on `cpus` of their cores."""

    machine: str
    cpus: int
    gflops: float
    gflops_scalar: float
    """GFLOPS without vector registers."""
    bandwidth: dict[int, float]
    """GB/s by the bytes of a call."""

    def bandwidth_at(self, call_bytes: float) -> float:
        """Bandwidth of the largest measured call that is not larger than this one."""
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
    """Operations and bytes of one pass over a task's timed shapes."""

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
    """Operations and bytes of a task; None for tasks that do not state their operations."""
    entry = task.kind.entry(task)
    if entry is None or entry.operations is None:
        return None
    return Work(flops=entry.operations, bytes=entry.moved, calls=len(entry.sizes))


def local_roofs(cpus: int = 1) -> MachineRoofs:
    """The roofs of this machine, measured now or less than a day ago.

    A roof is never lowered by measuring it again: what a kind of machine once did, it can do.
    """
    file = _file(machine_class(), cpus)
    known, age = _kept(file)
    if known and age < ROOFS_LAST:
        return known
    return _keep(file, _roofs(cpus, machine_class(), *(_local_rates(task) for task in _roof_tasks(cpus))), known)


async def roofs_of(evaluate: Evaluator, cpus: int = 1, *, machine: str) -> MachineRoofs:
    """Roofs of a class of machines, measured by an evaluator that uses them; locally if this machine is one of them."""
    if machine == machine_class():
        return local_roofs(cpus)
    file = _file(machine, cpus)
    known, age = _kept(file)
    if known and age < ROOFS_LAST:
        return known
    found = [await remote_rates(evaluate, task) for task in _roof_tasks(cpus)]
    return _keep(file, _roofs(cpus, machine, *found), known)


def _file(machine: str, cpus: int) -> Path:
    return cache_folder("roofs") / f"{content_hash(VERSION, machine, str(cpus))}.json"


def _kept(file: Path) -> tuple[MachineRoofs | None, float]:
    try:
        return MachineRoofs.model_validate_json(file.read_bytes()), time.time() - file.stat().st_mtime
    except (OSError, ValidationError):
        return None, 0.0


def _keep(file: Path, found: MachineRoofs, known: MachineRoofs | None) -> MachineRoofs:
    higher = _higher(found, known) if known else found
    write_atomically(file, higher.model_dump_json().encode())
    return higher


def _higher(a: MachineRoofs, b: MachineRoofs) -> MachineRoofs:
    return a.model_copy(
        update={
            "gflops": max(a.gflops, b.gflops),
            "gflops_scalar": max(a.gflops_scalar, b.gflops_scalar),
            "bandwidth": {size: max(rate, b.bandwidth.get(size, 0.0)) for size, rate in a.bandwidth.items()},
        }
    )


Rates = tuple[float, float]
"""Rates of a task's baseline and of its `fastest.c`, in 10^9 operations (or bytes) a second."""


def _roof_tasks(cpus: int) -> list[Task]:
    return [peak_task(cpus), *(memory_task(cpus, size) for size in CALL_BYTES)]


def _roofs(cpus: int, machine: str, peak: Rates, *memory: Rates) -> MachineRoofs:
    bandwidth = {size: fastest for size, (_, fastest) in zip(CALL_BYTES, memory, strict=True)}
    return MachineRoofs(machine=machine, cpus=cpus, gflops=peak[1], gflops_scalar=peak[0], bandwidth=bandwidth)


def peak_task(cpus: int) -> Task:
    """Task that measures peak operations. Its baseline uses no vector registers; its `fastest.c` does."""
    return _task("peak", cpus, {"threads": cpus, "steps": 250_000})


def memory_task(cpus: int, call_bytes: int) -> Task:
    """Task that measures bandwidth. Its operations are counted in bytes, so its GFLOPS are GB/s."""
    return _task("memory", cpus, {"threads": cpus, "n": call_bytes // 8 // cpus // 64 * 64})


def _task(name: str, cpus: int, sizes: Sizes) -> Task:
    changes: dict[str, Any] = {"kernel": {"shapes": {"timed": [sizes]}}, "limits": {"cpus": cpus}}
    if cpus > 1:
        flags = load_task(_TASKS / name).build.flags
        changes["build"] = {"flags": [*flags, "-fopenmp"]}
    return load_task(_TASKS / name, changes)


def _local_rates(task: Task) -> Rates:
    return local_rate(task), local_rate(task, "fastest.c")


async def remote_rates(evaluate: Evaluator, task: Task) -> Rates:
    """Rates by an evaluator, which times `fastest.c` against the baseline: equal speeds would take the most pairs."""
    outcome = await judged(evaluate, task, task.candidate(task.read("fastest.c"), origin="roofline"))
    return best_rate(task, outcome, baseline=True), best_rate(task, outcome)


async def baseline_rate(evaluate: Evaluator, task: Task) -> tuple[float, str]:
    """GFLOPS of a task's baseline, and the class of the machine that ran it. InputError where it does not pass."""
    outcome = await judged(evaluate, task, task.baseline_candidate)
    if outcome.status is not Status.OK or outcome.measurement is None:
        raise InputError(f"{task.folder}: the baseline does not pass: {outcome.reason}")
    machine = outcome.measurement.machine
    return local_rate(task) if machine == machine_class() else best_rate(task, outcome), machine


def local_rate(task: Task, source: str | None = None) -> float:
    work = work_of(task)
    assert work is not None
    return work.flops / work.calls / seconds_per_call(task, source) / 1e9


async def judged(evaluate: Evaluator, task: Task, ours: Candidate) -> Outcome:
    """Outcome of a trusted program. A rejection is retried: on a loaded machine, its clocks can look forged."""
    (outcome,) = await evaluate(task, [ours])
    for _ in range(MORE_LOOKS):
        if outcome.status is not Status.REJECTED:
            break
        (outcome,) = await evaluate(task, [ours], mode=Mode.CONFIRM)
    return outcome


def best_rate(task: Task, outcome: Outcome, *, baseline: bool = False) -> float:
    """Rate in 10^9 a second at the first quartile of the seconds: the fastest sample may be an error of the clock."""
    work, m = work_of(task), outcome.measurement
    if outcome.status is not Status.OK or m is None or work is None:
        raise EvaluatorError(f"{task.name}: its rate cannot be measured: {outcome.reason}")
    exclusive = [sample for sample in m.samples if sample.method == "exclusive"]
    seconds = [sample.baseline if baseline else sample.candidate for sample in exclusive]
    return work.flops / float(np.quantile(seconds, 0.25)) / 1e9
