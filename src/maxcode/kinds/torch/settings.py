"""What the worker tells the harness about a task. Apart, since the worker has no torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What the worker says about a task."""

    problems: tuple[tuple[str, str], ...]
    """Text and sizes in words; the first is the one that is timed."""
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
    """What a process may have; its results together are no larger."""
