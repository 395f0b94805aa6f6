"""Results read from the memory of another process: copied into ours, then overwritten, so that they serve only once."""

from __future__ import annotations

import random
from bisect import bisect_right
from typing import Any

import torch

from maxcode.kinds.torch.harness.shared_flags import Place
from maxcode.kinds.torch.harness.sharing import (
    Arena,
    MalformedTensor,
    Placed,
    new_arena,
    peek,
    placed,
    poke,
    read_placed,
    view,
)
from maxcode.kinds.torch.harness.values import all_words, from_words, tensors_in

POISON = 0xFF
"""Byte that outputs are overwritten with: NaN in every floating-point type, -1 in signed integers."""

ALIGNED = 16
"""Alignment of copies in bytes: a multiple of the size of every element."""
PIECES, LEAST_PIECE = 8, 64 << 10
LARGEST_AT_ONCE = 256 << 20
"""Bytes of results up to which they are copied to pinned memory of the host; more would take too much of it."""

Memory = tuple[Arena, Arena | None]
"""The arena of inputs and, on a GPU, the arena of outputs."""


def new_memory(device: str, inputs: int, outputs: int) -> Memory:
    return new_arena(device, inputs), new_arena(device, outputs) if device == "cuda" else None


class Reader:
    def __init__(self, pid: int, device: str, memory: Memory, most_bytes: int) -> None:
        self._pid, self._device, self._most_bytes = pid, device, most_bytes
        self._inputs, self._outputs = memory
        self.bases = {"inputs": 0, "outputs": 0}
        """Addresses at which the other process says that it has mapped the arenas."""

    def snapshot(self, told: Any, calls: int, taken: ResultCopies | None = None) -> tuple[list[Any], bool]:
        """Copies of all outputs, and whether some lie in the memory of the inputs.

        All others are overwritten afterwards.
        """
        described: list[Placed] = []

        def keep(words: Any) -> _Number:
            described.append(read_placed(words))
            return _Number(len(described) - 1)

        structures = [from_words(each, keep) for each in all_words(told, calls)]
        self.refuse_too_much(described)
        found = taken.all(described) if taken else self.copies(described)
        wait_for(self._device)
        aliases = any(self._within("inputs", each) for each in described)
        for each in described:
            if not self._within("inputs", each):
                self._overwrite(each)
        wait_for(self._device)
        return [_filled(each, found) for each in structures], aliases

    def copy(self, tensor: Placed) -> Any:
        if self._device != "cuda":
            return peek(self._pid, tensor)
        return self._mapped(tensor).clone()

    def copies(self, tensors: list[Placed]) -> list[Any]:
        """Copies of the tensors, in their order. They are made in an order that nobody can foresee."""
        found: dict[int, Any] = {}
        for index in random.SystemRandom().sample(range(len(tensors)), len(tensors)):
            found[index] = self.copy(tensors[index])
        return [found[index] for index in range(len(tensors))]

    def copies_at_once(self, tensors: list[Placed]) -> list[Any]:
        """Copies of tensors of bytes; on a GPU they are made while the other process still has it.

        Pieces are copied in an order that nobody can foresee, so that a process has little time to compute one of them
        while others are copied.
        """
        if self._device != "cuda" or sum(each.extent for each in tensors) > LARGEST_AT_ONCE:
            return self.copies(tensors)
        theirs = [self._mapped(each) for each in tensors]
        ours = [torch.empty(each.extent, dtype=torch.uint8, pin_memory=True) for each in tensors]
        pieces = [piece for pair in zip(ours, theirs, strict=True) for piece in _pieces(*pair)]
        random.SystemRandom().shuffle(pieces)
        for to, there in pieces:
            to.copy_(there, non_blocking=True)
        return ours

    def refuse_too_much(self, described: list[Placed]) -> None:
        """Malformed if results on a CPU are larger than the process's memory limit.

        On a GPU a copy that does not fit fails.
        """
        if self._device == "cpu" and sum(each.extent for each in described) > self._most_bytes:
            raise MalformedTensor(f"results of more than the {self._most_bytes >> 20} MiB that its process may have")

    def _within(self, which: str, tensor: Placed) -> bool:
        arena = self._inputs if which == "inputs" else self._outputs
        base = self.bases[which]
        return arena is not None and bool(tensor.extent) and base <= tensor.address < base + arena.size

    def _mapped(self, tensor: Placed) -> Any:
        if not tensor.extent:
            return view(self._inputs.memory, 0, tensor)
        for which, arena in (("outputs", self._outputs), ("inputs", self._inputs)):
            if arena is not None and self._within(which, tensor):
                return view(arena.memory, tensor.address - self.bases[which], tensor)
        raise MalformedTensor("an output is not in the memory that is shared")

    def _overwrite(self, tensor: Placed) -> None:
        if self._device != "cuda":
            poke(self._pid, tensor, POISON)
        elif tensor.extent:
            assert self._outputs is not None
            start = tensor.address - self.bases["outputs"]
            self._outputs.memory[start : start + tensor.extent].fill_(POISON)


class ResultCopies:
    """Copies of results, taken when they were said to be done. Later descriptions must name the same places."""

    def __init__(self, reader: Reader, device: str) -> None:
        self._reader, self._device = reader, device
        self._told: list[Place] = []
        self._taken: list[Any] = []

    def take(self, places: list[Place], sizes: list[int] | None = None, *, at_once: bool = False) -> None:
        """Copies the results of the next call or round. `at_once`: while the other process still has the GPU."""
        if min((0, *(each for place in places for each in place))) < 0:
            raise MalformedTensor("a result is told by negative numbers")
        if sizes is not None and sorted(size for _, size in places) != sizes:
            raise MalformedTensor("a result is told to have other sizes than the original's")
        whole = [Placed(start, "uint8", (end - start,), (1,)) for start, end in _apart(places)]
        self._reader.refuse_too_much(whole)
        copies = self._reader.copies_at_once(whole) if at_once else self._reader.copies(whole)
        wait_for(self._device)
        self._told += places
        self._taken += [_part(place, whole, copies) for place in places]

    def all(self, described: list[Placed]) -> list[Any]:
        if [(each.address, each.extent) for each in described if each.extent] != self._told:
            raise MalformedTensor("results are not where they were said to be when they were done")
        taken = iter(self._taken)
        return [view(next(taken).to(self._device) if each.extent else self._nothing, 0, each) for each in described]

    @property
    def _nothing(self) -> Any:
        return torch.empty(0, dtype=torch.uint8, device=self._device)


def _apart(places: list[Place]) -> list[Place]:
    """Beginning and end of each stretch of memory that the places cover. Views of one tensor may overlap."""
    found: list[Place] = []
    for start, size in sorted(places):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], start + size)
        else:
            found.append((start - start % ALIGNED, start + size))
    return found


def _part(place: Place, whole: list[Placed], copies: list[Any]) -> Any:
    start, size = place
    at = bisect_right(whole, start, key=lambda each: each.address) - 1
    offset = start - whole[at].address
    return copies[at][offset : offset + size]


def sizes_of(result: Any) -> list[int]:
    """Sizes in bytes of the tensors of a result, in ascending order, without empty ones."""
    return sorted(extent for each in tensors_in(result) if (extent := placed(each).extent))


def _pieces(ours: Any, theirs: Any) -> list[tuple[Any, Any]]:
    step = max(len(ours) // PIECES + 1, LEAST_PIECE)
    return [(ours[at : at + step], theirs[at : at + step]) for at in range(0, len(ours), step)]


def wait_for(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _filled(structure: Any, copies: list[Any]) -> Any:
    if isinstance(structure, _Number):
        return copies[structure]
    if isinstance(structure, dict):
        return {key: _filled(each, copies) for key, each in structure.items()}
    if isinstance(structure, list | tuple):
        return type(structure)(_filled(each, copies) for each in structure)
    return structure


class _Number(int):
    """Index of a tensor in a list, of a type of its own to tell it from numbers that a model returned."""
