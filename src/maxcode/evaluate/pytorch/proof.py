"""Did the candidate's own kernels do the work? Names from its text, times from a profile of one call."""

from __future__ import annotations

import re
from typing import Any

_KERNEL = re.compile(r"__global__[^;{(]*?\b(\w+)\s*\(")
_TRITON = re.compile(r"@(?:triton\.)?jit\b[^\n]*(?:\n\s*@[^\n]*)*\n\s*def\s+(\w+)")

ALLOCATING = tuple(f"aten::{name}" for name in ("empty", "empty_like", "empty_strided", "empty_permuted", "resize_"))
"""Own kernels need memory too, and filling it with a pattern, which is ours, may take as long as what they do."""


def kernel_names(text: str) -> tuple[str, ...]:
    """Of CUDA kernels, in whatever strings they are, and of Triton's."""
    without_bounds = re.sub(r"__launch_bounds__\s*\([^)]*\)", "", text)
    return tuple(dict.fromkeys(_KERNEL.findall(without_bounds) + _TRITON.findall(text)))


def own_share(profile: dict[str, Any], own: tuple[str, ...], device: str) -> float | None:
    """Share of a call's time that is the candidate's; None where the profile does not tell."""
    events = profile.get("events", [])
    total = sum(float(each["seconds"]) for each in events)
    if device == "cuda":
        if not total:
            return None
        return sum(float(each["seconds"]) for each in events if _is_own(str(each["name"]), own)) / total
    operators = {str(each["name"]): float(each["seconds"]) for each in events if str(each["name"]).startswith("aten::")}
    allocating = sum(operators.get(name, 0.0) for name in ALLOCATING)
    seconds = float(profile.get("seconds", 0.0)) - allocating
    return max(0.0, 1 - (sum(operators.values()) - allocating) / seconds) if seconds > 0 else None


def _is_own(name: str, own: tuple[str, ...]) -> bool:
    return any(re.search(rf"(?<![A-Za-z]){re.escape(each)}(?![A-Za-z])", name) for each in own)
