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
    """True if it took less than can be told from nothing. The seconds are an upper bound then."""
    alone: Timing | None = None
    """Seconds of a call made by itself instead of in a row; None where the two cannot differ or were not both timed."""
    alone_at_least: Timing | None = None
    """Seconds of `alone`, less what standing still before the call may have cost it; never less than in a row."""


Pair = tuple[Timing, Timing]


class Pairs(Protocol):
    """Source of pairs of timings. Failure when the candidate does not do its work in a timed run."""

    def exclusive(self, candidate_first: bool) -> Pair: ...
    def duet(self, candidate_first: bool) -> Pair: ...
    def again(self, number: int, candidate_first: bool) -> Pair:
        """Takes an exclusive pair on the inputs of an earlier one.

        `number`: how many pairs, duets included, were taken before that.
        """
        ...

    def close(self) -> None: ...


def add(a: Timing, b: Timing) -> Timing:
    return Timing(a.cpu + b.cpu, a.wall + b.wall, max(a.rss_mb, b.rss_mb), a.unresolved or b.unresolved)
