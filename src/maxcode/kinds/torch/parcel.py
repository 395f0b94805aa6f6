"""The inputs of one call, put where a process will find them: most of them at leisure, one piece at the last moment.

Nobody has all of them before that piece is there, and it comes without disturbing anybody: a transfer from memory of
the host leaves the GPU to the process that has it. All else takes the GPU away from it, and giving it back takes
longer than many a call (0.12 ms on an H200; so it does for transfers of a few KiB).
"""

from __future__ import annotations

import random
from typing import Any

import torch

from maxcode.kinds.torch.sharing import ALIGNMENT
from maxcode.kinds.torch.values import Layout

LEAST_BYTES, MOST_BYTES = 1 << 20, 16 << 20
"""Of the last piece. Inputs up to that come as a whole: they are those that it would pay to compute together."""
MANY = 4
"""So many pieces, and it cannot be told which of them is still missing."""


class Parcel:
    def __init__(self, layout: Layout, slot: int, inputs: list[Any]) -> None:
        self._layout, self._slot, self._inputs = layout, slot, inputs
        self._last: Any = None
        self._there: Any = None

    def put(self, memory: Any) -> None:
        """All but the last piece. May write to what follows the slot: later calls are put there later."""
        image = torch.zeros(max(self._layout.size, LEAST_BYTES), dtype=torch.uint8, device=memory.device)
        self._layout.write(image, 0, self._inputs)
        size = min(len(image), MOST_BYTES)
        start = ALIGNMENT * random.SystemRandom().randrange((len(image) - size) // ALIGNMENT + 1)
        piece = image[start : start + size]
        self._last = torch.empty(size, dtype=torch.uint8, pin_memory=memory.device.type == "cuda").copy_(piece)
        _disguise(image, start, size)
        place = self._slot * self._layout.size
        memory[place : place + len(image)].copy_(image)
        self._there = memory[place + start : place + start + size]

    def put_last(self) -> None:
        self._there.copy_(self._last, non_blocking=True)


def _disguise(image: Any, start: int, size: int) -> None:
    """In the place of a piece comes another one, so that nobody can tell which it is; zeros where there are few."""
    if len(image) < MANY * size:
        image[start : start + size] = 0
    else:
        half = len(image) // 2 // ALIGNMENT * ALIGNMENT
        other = start + half if start < half - size else max(start - half, 0)
        image[start : start + size] = image[other : other + size]
