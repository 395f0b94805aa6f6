"""Weights in pieces, as they are read from another process: all of them may be larger than the shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from maxcode.kinds.torch.harness.sharing import Placed

WEIGHTS_AT_ONCE = 128 << 20
"""Bytes of weights that are read at a time."""

Part = tuple[str, int, int]
"""Piece of a weight: its name, its first element and the number of elements."""


def contiguous(tensor: Placed) -> Placed:
    """The tensor as a copy of it is laid out: an expanded one is larger than its memory."""
    return Placed(0, tensor.dtype, (prod(tensor.shape),), (1,))


def batches(state: dict[str, Any]) -> Iterator[list[Part]]:
    """Pieces of all tensors, in groups of up to WEIGHTS_AT_ONCE bytes."""
    batch: list[Part] = []
    room = WEIGHTS_AT_ONCE
    for name, each in state.items():
        first = 0
        while first < each.numel():
            if room < each.itemsize:
                yield batch
                batch, room = [], WEIGHTS_AT_ONCE
            count = min(each.numel() - first, room // each.itemsize)
            batch.append((name, first, count))
            first, room = first + count, room - count * each.itemsize
    if batch:
        yield batch
