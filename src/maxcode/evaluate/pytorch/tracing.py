"""What a call spends its time on: operators and kernels with their shares, as torch's profiler sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

MOST_EVENTS = 60


def traced(call: Callable[[], Any], device: str) -> list[dict[str, Any]]:
    """Kernels on a GPU, operators on a CPU: name, number of calls, seconds, most expensive first."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    if device == "cuda":
        activities.append(torch.profiler.ProfilerActivity.CUDA)
    with torch.no_grad():
        call()
        if device == "cuda":
            torch.cuda.synchronize()
        with torch.profiler.profile(activities=activities) as profiler:
            call()
            if device == "cuda":
                torch.cuda.synchronize()
    found = [_event(each, device) for each in profiler.key_averages()]
    kept = sorted((each for each in found if each and each["seconds"] > 0), key=lambda each: -each["seconds"])
    return kept[:MOST_EVENTS]


def _event(event: Any, device: str) -> dict[str, Any] | None:
    on_device = str(getattr(event, "device_type", "")).endswith("CUDA")
    if (device == "cuda") != on_device:
        return None
    micros = event.self_device_time_total if on_device else event.self_cpu_time_total
    return {"name": event.key, "count": event.count, "seconds": micros / 1e6}
