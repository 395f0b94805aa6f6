"""Calls one at a time, without a message for each: a page that two processes see. One asks there, the other answers.

Both watch it instead of sleeping: whoever has slept finds its caches cold, which takes longer than many a call.
"""

from __future__ import annotations

import mmap
import os
from enum import IntEnum

from maxcode.evaluate.pytorch.sharing import sealed_memory

MOST_TENSORS = 250
"""Of one result: there is no room for more."""

Place = tuple[int, int]
"""Where a tensor begins, and how many bytes it has."""


class Say(IntEnum):
    """What is said of a call, by its number: by turns the harness and the process."""

    SETTLE = 0
    """Stop what keeps you warm; the last of the inputs is about to come."""
    SETTLED = 1
    BEGIN = 2
    DONE = 3
    TAKEN = 4
    """The result is copied; it may be overwritten now."""


_TENSORS, _FIRST = len(Say), len(Say) + 1


class Bell:
    def __init__(self, descriptor: int | None = None) -> None:
        self.descriptor = sealed_memory(mmap.PAGESIZE) if descriptor is None else descriptor
        self._words = memoryview(mmap.mmap(self.descriptor, mmap.PAGESIZE)).cast("q")

    def reset(self) -> None:
        for each in (*Say, _TENSORS):
            self._words[each] = 0

    def say(self, what: Say, number: int) -> None:
        self._words[what] = number

    def is_said(self, what: Say, number: int) -> bool:
        return bool(self._words[what] >= number)

    def wait_for(self, what: Say, number: int) -> None:
        words = self._words
        while words[what] < number:
            os.sched_yield()  # the other may have no other core to run on

    def place(self, places: list[Place]) -> None:
        """Where the result is that will be said to be done."""
        told = [each for place in places[:MOST_TENSORS] for each in place]
        self._words[_TENSORS] = len(told) // 2
        for at, each in enumerate(told, _FIRST):
            self._words[at] = each

    def places(self) -> list[Place]:
        """Of the latest result, as the other process says."""
        count = min(max(self._words[_TENSORS], 0), MOST_TENSORS)
        told = self._words[_FIRST : _FIRST + 2 * count].tolist()
        return list(zip(told[::2], told[1::2], strict=True))

    def close(self) -> None:
        os.close(self.descriptor)
