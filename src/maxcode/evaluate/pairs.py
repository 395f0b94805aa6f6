"""Baseline and candidate run as pairs: one after the other (exclusive) or together on one core (duet).

Each kind of task has pairs of its own. Every timed output is checked. All times are taken by our runner, outside the
candidate's process.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Timing:
    """Seconds of one run, or of one call."""

    cpu: float
    wall: float
    rss_mb: float = 0.0
    unresolved: bool = False
    """Whether it took less than could be told from nothing: what stands here is a bound from above."""
    alone: Timing | None = None
    """Of a call, when it is made by itself instead of in a row, where the two may differ and both were timed."""
    alone_at_least: Timing | None = None
    """That, without what the standstill before such a call may have cost it; never less than in a row."""


Pair = tuple[Timing, Timing]


class Pairs(Protocol):
    """Where pairs of timings come from. Failure when the candidate does not do its work in a timed run."""

    def exclusive(self, candidate_first: bool) -> Pair: ...
    def duet(self) -> Pair: ...
    def again(self, number: int, candidate_first: bool) -> Pair:
        """An exclusive pair on the inputs of that before which so many were taken, duets too."""
        ...

    def close(self) -> None: ...


def add(a: Timing, b: Timing) -> Timing:
    return Timing(a.cpu + b.cpu, a.wall + b.wall, max(a.rss_mb, b.rss_mb), a.unresolved or b.unresolved)
