"""Pairs from which the host stole CPU time are taken again, a few times at most."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from maxcode.evaluate.machine import stolen_seconds

STOLEN_SHARE = 0.03
MOST_DROPPED = 6

Taken = TypeVar("Taken")


class Undisturbed:
    """Takes timings on these CPUs, and again what the host disturbed."""

    def __init__(self, cpus: tuple[int, ...]) -> None:
        self._cpus = cpus
        self.dropped = 0

    def taken(self, take: Callable[[], Taken]) -> Taken:
        while True:
            stolen, started = stolen_seconds(self._cpus), time.monotonic()
            found = take()
            lost, took = stolen_seconds(self._cpus) - stolen, time.monotonic() - started
            if self.dropped >= MOST_DROPPED or lost <= STOLEN_SHARE * took:
                return found
            self.dropped += 1
