"""How far a kernel is from what memory lets it do: operations per byte, and the rates before and after.

The bytes are those of its arguments, moved once: no program needs fewer, so the intensity is the highest possible and
the bandwidth shown is the least that was reached.
"""

from __future__ import annotations

from typing import Any

from maxcode.core import Frozen, Measurement
from maxcode.report.nodes import figure
from maxcode.task.model import Task


class Roofs(Frozen):
    """Rates that a machine reaches: in numpy's matrix product of doubles, and in copying."""

    gflops: float
    bandwidth: float
    """Bandwidth in GB/s, bytes read and written together."""
    cpus: int


def roofline(task: Task, m: Measurement | None, roofs: Roofs | None) -> dict[str, Any] | None:
    """Roofline of a measurement; None for tasks that do not state their operations, or without a measured rate."""
    entry = task.kind.entry(task)
    if entry is None or entry.operations is None or m is None or m.gflops is None:
        return None
    intensity = entry.operations / entry.moved
    return {
        "intensity": figure(intensity),
        "before": figure(m.gflops / m.speedup),
        "after": figure(m.gflops),
        "bandwidth_before": figure(m.gflops / m.speedup / intensity),
        "bandwidth_after": figure(m.gflops / intensity),
        "roofs": roofs.model_dump() if roofs else None,
    }
