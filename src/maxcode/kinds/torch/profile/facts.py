"""A candidate's profile in facts for the critic: kernels and their shares, what the device is used for, resources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from maxcode.core import Fact

MOST_KERNELS = 8
NAME_LENGTH = 100
LARGEST_FILE = 1 << 20


def facts(traced: dict[str, Any], builds: Path, device: str) -> tuple[Fact, ...]:
    """Facts from a profile. `traced` is partly the candidate's own word: good for advice, not for verdicts."""
    events = [each for each in traced["events"] if isinstance(each, dict)]
    total = sum(float(each.get("seconds", 0)) for each in events)
    found = [*_shares(events, total, device), *_idle(traced, events, total, device)]
    return (*found, *_use_of_device(traced, total), *_resources(builds))


def _shares(events: list[dict[str, Any]], total: float, device: str) -> list[Fact]:
    kind = "kernel" if device == "cuda" else "operator"
    found = []
    for each in events[:MOST_KERNELS]:
        share = float(each["seconds"]) / total if total else 0.0
        name = str(each["name"])[:NAME_LENGTH]
        text = f"{name}: {share:.0%} of the {kind} time, {int(each['count'])} calls"
        found.append(Fact(kind="hot_function", source="torch profiler", text=text, value=round(share, 4)))
    return found


def _idle(traced: dict[str, Any], events: list[dict[str, Any]], total: float, device: str) -> list[Fact]:
    """Share of a call in which the GPU computes; the rest is launching kernels and waiting for them."""
    seconds = float(traced.get("seconds", 0))
    if device != "cuda" or not seconds:
        return []
    busy, launched = min(total / seconds, 1.0), sum(int(each["count"]) for each in events)
    text = f"the GPU computes {busy:.0%} of the time of a call, in {launched} kernels and copies"
    return [Fact(kind="resource", source="torch profiler", text=text, value=round(busy, 4))]


def _use_of_device(traced: dict[str, Any], seconds: float) -> list[Fact]:
    if not seconds:
        return []
    peaks, found = traced["peaks"], []
    moved = float(traced["bytes"]) / seconds
    found.append(
        Fact(
            kind="resource",
            source="torch profiler",
            text=f"inputs, weights and outputs are {traced['bytes'] / 1e6:.1f} MB: {moved / 1e9:.1f} GB/s, "
            f"{moved / peaks['bytes']:.0%} of what this device copies",
            value=round(moved / peaks["bytes"], 4),
        )
    )
    if traced.get("flops"):
        rate = float(traced["flops"]) / seconds
        found.append(
            Fact(
                kind="resource",
                source="torch profiler",
                text=f"matrix products and convolutions: {rate / 1e9:.1f} GFLOP/s, {rate / peaks['flops']:.0%} of what "
                "a float32 product reaches here",
                value=round(rate / peaks["flops"], 4),
            )
        )
    return found


def _resources(builds: Path) -> list[Fact]:
    """Facts from ptxas about each kernel: registers, shared memory, spills."""
    found = []
    for file in sorted(builds.rglob("ptxas.json")):
        try:
            found += [_resource(each) for each in _kernels(file)]
        except (OSError, ValueError, TypeError, AttributeError):
            continue
    return found[:MOST_KERNELS]


def _kernels(file: Path) -> list[Any]:
    """Kernels in a file that the candidate's process could write too: it may be a link, endless, or malformed."""
    if file.is_symlink() or not file.is_file() or file.stat().st_size > LARGEST_FILE:
        return []
    return list(json.loads(file.read_text()))


def _resource(kernel: dict[str, Any]) -> Fact:
    parts = [f"{kernel.get('registers', '?')} registers", f"{kernel.get('shared', 0)} bytes of shared memory"]
    spilled = int(kernel.get("spill_stores", 0)) + int(kernel.get("spill_loads", 0))
    if spilled:
        parts.append(f"{spilled} bytes spilled to local memory")
    parts.append(f"compiled for {kernel.get('arch', 'an unknown device')}")
    name = str(kernel.get("kernel", "kernel"))[:NAME_LENGTH]
    return Fact(kind="resource", source="ptxas", text=f"{name}: {', '.join(parts)}")
