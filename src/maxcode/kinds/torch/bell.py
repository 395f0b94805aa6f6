"""Calls without messages: memory that two processes see. One asks there, the other answers.

Both watch it instead of sleeping: whoever has slept finds its caches cold, which takes longer than many a call.
"""

from __future__ import annotations

import mmap
import os
from array import array
from enum import IntEnum
from itertools import chain

from maxcode.kinds.torch.sharing import sealed_memory

MOST_TENSORS = 1 << 17
"""Of the results of a round; memory that is not used is not taken."""

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
_SIZE = 8 * (_FIRST + 2 * MOST_TENSORS)


class Bell:
    def __init__(self, descriptor: int | None = None) -> None:
        self.descriptor = sealed_memory(_SIZE) if descriptor is None else descriptor
        self._words = memoryview(mmap.mmap(self.descriptor, _SIZE)).cast("q")

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
        """Where the results are that will be said to be done."""
        if len(places) > MOST_TENSORS:
            raise ValueError(f"results of {len(places)} tensors; more than {MOST_TENSORS} are too many")
        told = array("q", chain.from_iterable(places))
        self._words[_FIRST : _FIRST + len(told)] = memoryview(told)
        self._words[_TENSORS] = len(told) // 2

    def places(self) -> list[Place]:
        """Of the latest results, as the other process says."""
        count = min(max(self._words[_TENSORS], 0), MOST_TENSORS)
        told = self._words[_FIRST : _FIRST + 2 * count].tolist()
        return list(zip(told[::2], told[1::2], strict=True))

    def close(self) -> None:
        os.close(self.descriptor)
