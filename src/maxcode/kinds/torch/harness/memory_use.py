"""Use of the GPU's memory by our own allocator."""

from __future__ import annotations

import torch


def give_back(device: str) -> None:
    """Returns memory that our allocator keeps for later, so that other processes can have it."""
    if device == "cuda":
        torch.cuda.empty_cache()


def allocated(device: str, *, most: bool = False) -> int:
    """Bytes allocated on the GPU: now, or with `most` the most since the last call of this function."""
    if device != "cuda":
        return 0
    found = torch.cuda.max_memory_allocated() if most else torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    return int(found)
