"""Settings that the worker sends to the harness. In a module of its own, since the worker does not import torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
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
