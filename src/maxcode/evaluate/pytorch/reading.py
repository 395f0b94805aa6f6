"""Results where another process left them: copied into memory of ours, then overwritten: they serve only once."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import torch

from maxcode.evaluate.pytorch.bell import Place
from maxcode.evaluate.pytorch.sharing import Arena, Malformed, Placed, new_arena, peek, placed, poke, read_placed, view
from maxcode.evaluate.pytorch.values import all_words, from_words, tensors_in

POISON = 0xFF
"""As a byte: NaN in every floating-point type, -1 in integers."""

PIECES, LEAST_PIECE = 8, 64 << 10
LARGEST_AT_ONCE = 256 << 20
"""Results of a call that take more than that would take too much pinned memory of the host."""

Memory = tuple[Arena, Arena | None]
"""Where inputs are, and on a GPU where outputs are."""


def new_memory(device: str, inputs: int, outputs: int) -> Memory:
    return new_arena(device, inputs), new_arena(device, outputs) if device == "cuda" else None


class Reader:
    def __init__(self, pid: int, device: str, memory: Memory, most_bytes: int) -> None:
        self._pid, self._device, self._most_bytes = pid, device, most_bytes
        self._inputs, self._outputs = memory
        self.bases = {"inputs": 0, "outputs": 0}
        """Where the other process has mapped them, as it says."""

    def snapshot(self, told: Any, read: Callable[[Placed, int], Any] | None = None) -> tuple[list[Any], bool]:
        """Copies of all outputs, taken in an order that nobody could foresee; then they are overwritten.

        And whether some lie in the memory of the inputs.
        """
        described: list[Placed] = []
        calls: list[int] = []
        structures: list[Any] = []

        def keep(words: Any) -> _Number:
            described.append(read_placed(words))
            calls.append(len(structures))
            return _Number(len(described) - 1)

        for each in all_words(told):
            structures.append(from_words(each, keep))
        self.refuse_too_much(described)
        copies: dict[int, Any] = {}
        for index in random.SystemRandom().sample(range(len(described)), len(described)):
            copies[index] = read(described[index], calls[index]) if read else self.copy(described[index])
        wait_for(self._device)
        aliases = any(self._within("inputs", each) for each in described)
        for each in described:
            if not self._within("inputs", each):
                self._overwrite(each)
        wait_for(self._device)
        return [_filled(each, copies) for each in structures], aliases

    def copy(self, tensor: Placed) -> Any:
        if self._device != "cuda":
            return peek(self._pid, tensor)
        return self._mapped(tensor).clone()

    def copies_at_once(self, tensors: list[Placed]) -> list[Any]:
        """Of bytes, on a GPU while the other process has it.

        In pieces whose order nobody could foresee, so that little can still be made while others are copied.
        """
        if self._device != "cuda" or sum(each.extent for each in tensors) > LARGEST_AT_ONCE:
            return [self.copy(each) for each in tensors]
        theirs = [self._mapped(each) for each in tensors]
        ours = [torch.empty(each.extent, dtype=torch.uint8, pin_memory=True) for each in tensors]
        pieces = [piece for pair in zip(ours, theirs, strict=True) for piece in _pieces(*pair)]
        random.SystemRandom().shuffle(pieces)
        for to, there in pieces:
            to.copy_(there, non_blocking=True)
        return ours

    def refuse_too_much(self, described: list[Placed]) -> None:
        """On a CPU. On a GPU they are copied there, and what does not fit fails by itself."""
        if self._device == "cpu" and sum(each.extent for each in described) > self._most_bytes:
            raise Malformed(f"results of more than the {self._most_bytes >> 20} MiB that its process may have")

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
        raise Malformed("an output is not in the memory that is shared")

    def _overwrite(self, tensor: Placed) -> None:
        if self._device != "cuda":
            poke(self._pid, tensor, POISON)
        elif tensor.extent:
            assert self._outputs is not None
            start = tensor.address - self.bases["outputs"]
            self._outputs.memory[start : start + tensor.extent].fill_(POISON)


class Copies:
    """Of results, by their call and where they were when it was done. Where no sizes are due, some may be late."""

    def __init__(self, reader: Reader, device: str, sizes: list[list[int]] | None) -> None:
        self._reader, self._device, self._sizes = reader, device, sizes
        self._known: list[dict[int, Any]] = []

    def take(self, places: list[Place]) -> None:
        """Of the next call."""
        if min((0, *(each for place in places for each in place))) < 0:
            raise Malformed("a result is told by negative numbers")
        if self._sizes is not None and sorted(size for _, size in places) != self._sizes[len(self._known)]:
            raise Malformed("a result is told to have other sizes than the original's")
        tensors = [Placed(address, "uint8", (size,), (1,)) for address, size in sorted(places)]
        self._reader.refuse_too_much(tensors)
        copies = self._reader.copies_at_once(tensors)
        wait_for(self._device)
        # They are sorted: of views that begin at one place, the longest is kept.
        self._known.append({each.address: copy for each, copy in zip(tensors, copies, strict=True)})

    def read(self, tensor: Placed, call: int) -> Any:
        """As `Reader.copy`, of what was there then."""
        known = self._known[call] if call < len(self._known) else {}
        if tensor.address in known:
            return view(known[tensor.address].to(self._device), 0, tensor)
        if tensor.extent and self._sizes is not None:
            raise Malformed("a result is not where it was said to be when its call was done")
        return self._reader.copy(tensor)


def sizes_of(result: Any) -> list[int]:
    """Of the tensors of a result, as they are told by the bell."""
    return sorted(extent for each in tensors_in(result) if (extent := placed(each).extent))


def _pieces(ours: Any, theirs: Any) -> list[tuple[Any, Any]]:
    step = max(len(ours) // PIECES + 1, LEAST_PIECE)
    return [(ours[at : at + step], theirs[at : at + step]) for at in range(0, len(ours), step)]


def wait_for(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def _filled(structure: Any, copies: dict[int, Any]) -> Any:
    if isinstance(structure, _Number):
        return copies[structure]
    if isinstance(structure, dict):
        return {key: _filled(each, copies) for key, each in structure.items()}
    if isinstance(structure, list | tuple):
        return type(structure)(_filled(each, copies) for each in structure)
    return structure


class _Number(int):
    """The place of a tensor in a list; not to be taken for a number that a model returned."""
