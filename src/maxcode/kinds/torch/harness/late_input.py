"""Inputs of one call, written to shared memory in two steps: most of them early, one piece at the last moment.

A process cannot work on inputs that lack a piece. The last piece is copied from memory of the host, which leaves the
GPU to the process that is using it. Anything else that we do on the GPU takes it away from that process, and the switch
back takes longer than many a call (0.12 ms on an H200). Transfers of a few KiB cause such a switch too.
"""

from __future__ import annotations

import random
from typing import Any

import torch

from maxcode.kinds.torch.harness.sharing import ALIGNMENT
from maxcode.kinds.torch.harness.values import Layout

LEAST_BYTES, MOST_BYTES = 1 << 20, 16 << 20
"""Smallest and largest size of the last piece in bytes. Inputs up to the largest are written whole at the last moment:
small calls are those that gain from being computed together."""
MANY = 4
"""Number of pieces from which on the gap is filled with another piece, so that it cannot be recognised."""


class LateInput:
    def __init__(self, layout: Layout, slot: int, inputs: list[Any]) -> None:
        self._layout, self._slot, self._inputs = layout, slot, inputs
        self._last: Any = None
        self._there: Any = None

    def put(self, memory: Any) -> None:
        """Writes everything but the last piece. May overwrite memory behind the slot, which belongs to later calls."""
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
    """Fills the gap with a copy of another piece, so that nobody can tell where it is; with zeros if there are few
    pieces."""
    if len(image) < MANY * size:
        image[start : start + size] = 0
    else:
        half = len(image) // 2 // ALIGNMENT * ALIGNMENT
        other = start + half if start < half - size else max(start - half, 0)
        image[start : start + size] = image[other : other + size]
