"""Operators and kernels of a call with their shares, as torch's profiler sees them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

MOST_EVENTS = 60


def traced(call: Callable[[], Any], device: str) -> dict[str, Any]:
    """Kernels on a GPU, operators on a CPU: name, number of calls and seconds, the longest first; and the seconds in
    all."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.no_grad():
        call()
        _synchronize(device)
        began = time.perf_counter()
        call()
        _synchronize(device)
        seconds = time.perf_counter() - began
        with torch.profiler.profile(activities=activities) as profiler:
            call()
            _synchronize(device)
    found = [_event(each, device) for each in profiler.key_averages()]
    kept = sorted((each for each in found if each and each["seconds"] > 0), key=lambda each: -each["seconds"])
    return {"events": kept[:MOST_EVENTS], "seconds": seconds}


def _synchronize(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _event(event: Any, device: str) -> dict[str, Any] | None:
    on_device = str(getattr(event, "device_type", "")).endswith("CUDA")
    if (device == "cuda") != on_device:
        return None
    micros = event.self_device_time_total if on_device else event.self_cpu_time_total
    return {"name": event.key, "count": event.count, "seconds": micros / 1e6}
