"""Settings that the worker sends to the harness. In a module of its own, since the worker does not import torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HarnessSettings:
    """Settings of a task, as the harness needs them."""

    problems: tuple[tuple[str, str], ...]
    """Text of the problem at each size, with the sizes in words; the first one is timed."""
    where: str
    device: str
    threads: int
    tf32: bool
    strict: bool
    trials: int
    distributions: bool
    seconds: float
    allocator: str
    most_bytes: int
    """Memory limit of a process in bytes. Its results together may not be larger."""
    weights_change: bool = False
    """True if weights get other values between calls, and results must follow."""
    room: int | None = None
    """Bytes for the inputs of a round, and as many for its outputs; None: by the device's memory."""
