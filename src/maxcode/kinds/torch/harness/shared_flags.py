"""Shared flags by which the harness and a candidate's process signal each other without messages.

Both sides poll the memory instead of sleeping. A process that slept finds its caches cold, and warming them takes
longer than many a call.
"""

from __future__ import annotations

import mmap
import os
from array import array
from enum import IntEnum
from itertools import chain

from maxcode.kinds.torch.harness.sharing import sealed_memory

MOST_TENSORS = 1 << 17
"""Largest number of tensors in the results of a round. Pages that are not used take no memory."""

Place = tuple[int, int]
"""Address of a tensor's first byte, and its size in bytes."""


class Say(IntEnum):
    """Flags, in the order in which they are set for a call: by the harness and by the process in turn.

    The value of a flag is the number of the latest call that it was set for.
    """

    SETTLE = 0
    """End the warm-up calls: inputs are about to be written."""
    SETTLED = 1
    BEGIN = 2
    DONE = 3
    TAKEN = 4
    """The result has been copied, and the process may overwrite it."""


_TENSORS, _FIRST = len(Say), len(Say) + 1
_SIZE = 8 * (_FIRST + 2 * MOST_TENSORS)


class SharedFlags:
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
        """Publishes the places of results, before DONE is said. ValueError for more than MOST_TENSORS."""
        if len(places) > MOST_TENSORS:
            raise ValueError(f"results of {len(places)} tensors; more than {MOST_TENSORS} are too many")
        told = array("q", chain.from_iterable(places))
        self._words[_FIRST : _FIRST + len(told)] = memoryview(told)
        self._words[_TENSORS] = len(told) // 2

    def places(self) -> list[Place]:
        """Places of the latest results, as the other process claims them."""
        count = min(max(self._words[_TENSORS], 0), MOST_TENSORS)
        told = self._words[_FIRST : _FIRST + 2 * count].tolist()
        return list(zip(told[::2], told[1::2], strict=True))

    def close(self) -> None:
        os.close(self.descriptor)
