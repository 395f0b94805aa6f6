"""What a call spends its time on: operators and kernels with their shares, as torch's profiler sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

MOST_EVENTS = 60
TRIES = {"cpu": 5, "cuda": 1}
"""Of which the least counts: a processor is often taken away, and calls may be short."""


def traced(call: Callable[[], Any], device: str) -> dict[str, Any]:
    """Kernels on a GPU, operators on a CPU: name, number of calls, seconds, most expensive first; and all seconds."""
    with torch.no_grad():
        call()
        _synchronize(device)
        found = [(_seconds(call, device), _events(call, device)) for _ in range(TRIES[device])]
    least = min((events for _, events in found), key=lambda events: sum(each["seconds"] for each in events))
    return {"events": least[:MOST_EVENTS], "seconds": min(seconds for seconds, _ in found)}


def _seconds(call: Callable[[], Any], device: str) -> float:
    began = time.perf_counter()
    call()
    _synchronize(device)
    return time.perf_counter() - began


def _events(call: Callable[[], Any], device: str) -> list[dict[str, Any]]:
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.profiler.profile(activities=activities) as profiler:
        call()
        _synchronize(device)
    found = [_event(each, device) for each in profiler.key_averages()]
    return sorted((each for each in found if each and each["seconds"] > 0), key=lambda each: -each["seconds"])


def _synchronize(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _event(event: Any, device: str) -> dict[str, Any] | None:
    on_device = str(getattr(event, "device_type", "")).endswith("CUDA")
    if (device == "cuda") != on_device:
        return None
    micros = event.self_device_time_total if on_device else event.self_cpu_time_total
    return {"name": event.key, "count": event.count, "seconds": micros / 1e6}
