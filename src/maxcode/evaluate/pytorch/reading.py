"""Results where another process left them: copied into memory of ours, then overwritten: they serve only once."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import torch

from maxcode.evaluate.pytorch.bell import Place
from maxcode.evaluate.pytorch.sharing import Arena, Malformed, Placed, new_arena, peek, poke, read_placed, view
from maxcode.evaluate.pytorch.values import all_words, from_words

POISON = 0xFF
"""As a byte: NaN in every floating-point type, -1 in integers."""

PIECES, LEAST_PIECE = 8, 64 << 10
LARGEST_AT_ONCE = 256 << 20
"""So much memory of the host is little enough to keep pinned."""

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

    def snapshot(self, told: Any, read: Callable[[Placed], Any] | None = None) -> tuple[list[Any], bool]:
        """Copies of all outputs, taken in an order that nobody could foresee; then they are overwritten.

        And whether some lie in the memory of the inputs.
        """
        described: list[Placed] = []

        def keep(words: Any) -> _Number:
            described.append(read_placed(words))
            return _Number(len(described) - 1)

        structures = [from_words(each, keep) for each in all_words(told)]
        self.refuse_too_much(described)
        copies: dict[int, Any] = {}
        for index in random.SystemRandom().sample(range(len(described)), len(described)):
            copies[index] = (read or self.copy)(described[index])
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

    def copy_at_once(self, tensor: Placed) -> Any:
        """Of bytes, on a GPU while the other process has it.

        In pieces whose order nobody could foresee: no part can be made while others are copied.
        """
        if self._device != "cuda" or tensor.extent > LARGEST_AT_ONCE:
            return self.copy(tensor)
        there = self._mapped(tensor)
        found = torch.empty(tensor.extent, dtype=torch.uint8, pin_memory=True)
        step = max(tensor.extent // PIECES + 1, LEAST_PIECE)
        starts = range(0, tensor.extent, step)
        for start in random.SystemRandom().sample(starts, len(starts)):
            found[start : start + step].copy_(there[start : start + step], non_blocking=True)
        return found

    def refuse_too_much(self, described: list[Placed]) -> None:
        """On a CPU, where all that is described is copied; on a GPU it lies in memory whose size is known."""
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
    """Of results, by where they were when they were made."""

    def __init__(self, reader: Reader, device: str) -> None:
        self._reader, self._device = reader, device
        self._known: dict[int, Any] = {}

    def take(self, places: list[Place]) -> None:
        for address, size in places:
            if address < 0 or size < 0:
                raise Malformed("a result is told by negative numbers")
            tensor = Placed(address, "uint8", (size,), (1,))
            self._reader.refuse_too_much([tensor])
            self._known[address] = self._reader.copy_at_once(tensor)
        wait_for(self._device)

    def read(self, tensor: Placed) -> Any:
        """As `Reader.copy`, of what was there then."""
        if not tensor.extent:
            return self._reader.copy(tensor)
        if tensor.address not in self._known:
            raise Malformed("a result is not where it was said to be when its call was done")
        return view(self._known[tensor.address].to(self._device), 0, tensor)


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
