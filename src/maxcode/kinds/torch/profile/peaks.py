"""Peak bandwidth and arithmetic of this device, measured once, and the operations of a model."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import torch


@cache
def measured(device: str) -> dict[str, float]:
    """Bytes and floating-point operations per second, the best of several: in float32 and, on a GPU, in bfloat16."""
    if device != "cuda":
        return {"bytes": 2 * _bandwidth(device, 16 << 20), "flops": _rate(device, 512, torch.float32)}
    return {
        "bytes": 2 * _bandwidth(device, 1 << 30),
        "flops": _rate(device, 4096, torch.float32),
        "half_flops": _rate(device, 8192, torch.bfloat16),
    }


def count_flops(model: Any, inputs: list[Any]) -> int | None:
    """Floating-point operations of the matrix products and convolutions in one call; None where torch cannot tell."""
    from torch.utils.flop_counter import FlopCounterMode

    try:
        with FlopCounterMode(display=False) as counter, torch.no_grad():
            model(*inputs)
    except Exception:
        return None
    return int(counter.get_total_flops())


def _bandwidth(device: str, size: int) -> float:
    source = torch.ones(size, dtype=torch.uint8, device=device)
    target = torch.empty_like(source)
    return size / _best(lambda: target.copy_(source), device)


def _rate(device: str, n: int, dtype: Any) -> float:
    a, b = (torch.randn(n, n, device=device).to(dtype) for _ in range(2))
    return 2 * n**3 / _best(lambda: a @ b, device)


def _best(call: Any, device: str, repeats: int = 10) -> float:
    times = []
    for _ in range(repeats):
        if device == "cuda":
            torch.cuda.synchronize()
        began = time.perf_counter()
        call()
        if device == "cuda":
            torch.cuda.synchronize()
        times.append(time.perf_counter() - began)
    return min(times)
