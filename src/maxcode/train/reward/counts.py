"""Counters of a reward service: answers by tier, speed, and how busy the benchmark cores are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from maxcode.core import Frozen


class Throughput(Frozen):
    """Values of the counters at one moment."""

    answers: int
    """Number of answers that were asked about."""
    evaluated: int
    """Number of programs built and run; other answers were known, or had no program to run."""
    cached: int
    dropped: int
    """Number of answers without a reward: past their deadline, or the machine failed."""
    tiers: dict[str, int]
    queue: int
    """Number of programs that wait for a core now."""
    running: int
    slots: int
    """Number of benchmark cores."""
    seconds: float
    """Seconds since the first answer came."""
    per_second: float | None
    """Programs evaluated per second since the first answer."""
    per_core_second: float | None
    """Programs evaluated per second of a busy core: what one core can do."""
    busy_share: float | None
    idle_share: float | None


class RewardCounts:
    """Counters of one event loop; no locks."""

    def __init__(self, slots: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.slots, self._clock = slots, clock
        self._since: float | None = None
        self._busy = 0.0
        self._begun: dict[int, float] = {}
        self._number = 0
        self.queue = self.answers = self.evaluated = self.cached = self.dropped = 0
        self.tiers: Counter[str] = Counter()

    def asked(self) -> None:
        self.answers += 1
        if self._since is None:
            self._since = self._clock()

    @contextmanager
    def working(self) -> Iterator[None]:
        """Counts a core as busy while the context is open."""
        self._number += 1
        number, self._begun[self._number] = self._number, self._clock()
        try:
            yield
        finally:
            self._busy += self._clock() - self._begun.pop(number)

    def now(self) -> Throughput:
        seconds = 0.0 if self._since is None else self._clock() - self._since
        busy = self._busy + sum(self._clock() - begun for begun in self._begun.values())
        share = min(busy / (self.slots * seconds), 1.0) if seconds > 0 else None
        return Throughput(
            answers=self.answers,
            evaluated=self.evaluated,
            cached=self.cached,
            dropped=self.dropped,
            tiers=dict(self.tiers),
            queue=self.queue,
            running=len(self._begun),
            slots=self.slots,
            seconds=seconds,
            per_second=self.evaluated / seconds if seconds > 0 else None,
            per_core_second=self.evaluated / self._busy if self._busy > 0 else None,
            busy_share=share,
            idle_share=None if share is None else 1.0 - share,
        )
