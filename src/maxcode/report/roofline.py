"""How far a kernel is from what memory lets it do: operations per byte, and the rates before and after.

The bytes are those of its arguments, moved once: no program needs fewer, so the intensity is the highest possible and
the bandwidth shown is the least that was reached.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from maxcode.core import Frozen, Measurement
from maxcode.report.nodes import figure
from maxcode.task.expression import evaluate
from maxcode.task.model import Kernel, Sizes, Task


class Roofs(Frozen):
    """What a machine reaches: in numpy's matrix product of doubles, and in copying."""

    gflops: float
    bandwidth: float
    """GB/s, read and written."""
    cpus: int


def roofline(task: Task, m: Measurement | None, roofs: Roofs | None) -> dict[str, Any] | None:
    """None for tasks that do not state their operations, and where no rate was measured."""
    kernel = task.kernel
    if kernel is None or kernel.flops is None or m is None or m.gflops is None:
        return None
    operations = sum(float(evaluate(kernel.flops, sizes)) for sizes in kernel.shapes.timed)
    moved = sum(bytes_moved(kernel, sizes) for sizes in kernel.shapes.timed)
    intensity = operations / moved
    return {
        "intensity": figure(intensity),
        "before": figure(m.gflops / m.speedup),
        "after": figure(m.gflops),
        "bandwidth_before": figure(m.gflops / m.speedup / intensity),
        "bandwidth_after": figure(m.gflops / intensity),
        "roofs": roofs.model_dump() if roofs else None,
    }


def bytes_moved(kernel: Kernel, sizes: Sizes) -> float:
    """In once, out once; what is both counts twice."""
    moved = 0.0
    for argument in kernel.arguments:
        if argument.shape is not None:
            times = 2 if argument.role == "inout" else 1
            moved += float(evaluate(argument.shape, sizes)) * np.dtype(argument.dtype).itemsize * times
    return moved
