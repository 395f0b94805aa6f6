"""What a call spends its time on: operators and kernels with their shares, as torch's profiler sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

MOST_EVENTS = 60
REPEATS = 3
"""On a CPU, where memory that is new to the process makes a call take half as long again."""
ENOUGH_SECONDS = 1.0


def traced(call: Callable[[], Any], device: str) -> dict[str, Any]:
    """Kernels on a GPU, operators on a CPU: name, number of calls, seconds, most expensive first; and all seconds.

    On a CPU both are of the same call, the fastest of some; on a GPU all seconds are those of a call without profile.
    """
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.no_grad():
        call()
        _synchronize(device)
        if device == "cuda":
            seconds = _timed(call, device)
            _, found = _profiled(call, device, activities)
        else:
            until = time.perf_counter() + ENOUGH_SECONDS
            calls: list[tuple[float, list[dict[str, Any]]]] = []
            while len(calls) < REPEATS and (not calls or time.perf_counter() < until):
                calls.append(_profiled(call, device, activities))
            seconds, found = min(calls, key=lambda each: each[0])
    kept = sorted((each for each in found if each["seconds"] > 0), key=lambda each: -each["seconds"])
    return {"events": kept[:MOST_EVENTS], "seconds": seconds}


def _timed(call: Callable[[], Any], device: str) -> float:
    began = time.perf_counter()
    call()
    _synchronize(device)
    return time.perf_counter() - began


def _profiled(call: Callable[[], Any], device: str, activities: list[Any]) -> tuple[float, list[dict[str, Any]]]:
    with torch.profiler.profile(activities=activities) as profiler:
        seconds = _timed(call, device)
    return seconds, [event for each in profiler.key_averages() if (event := _event(each, device))]


def _synchronize(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _event(event: Any, device: str) -> dict[str, Any] | None:
    on_device = str(getattr(event, "device_type", "")).endswith("CUDA")
    if (device == "cuda") != on_device:
        return None
    micros = event.self_device_time_total if on_device else event.self_cpu_time_total
    return {"name": event.key, "count": event.count, "seconds": micros / 1e6}
