"""Arguments and results as plain structures around tensors: what goes over a channel, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from maxcode.evaluate.pytorch.sharing import ALIGNMENT, Malformed, Placed, placed, read_placed, view

PLAIN = (bool, int, float, str, type(None))


class Unsupported(Exception):
    """A value that cannot be handed to another process."""


def tensors_in(value: Any) -> Iterator[Any]:
    """The tensors of a structure, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from tensors_in(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from tensors_in(each)


def in_words(value: Any, of_tensor: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """A structure for a message; tensors are described by `of_tensor`."""
    if isinstance(value, torch.Tensor):
        return {"tensor": of_tensor(value)}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: in_words(each, of_tensor) for key, each in value.items()}}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [in_words(each, of_tensor) for each in value]}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, PLAIN):
        return {"plain": value}
    raise Unsupported(f"a value of type {type(value).__name__}")


def from_words(words: Any, tensor: Callable[[Any], Any]) -> Any:
    """The structure again; Malformed where it is none."""
    if not isinstance(words, dict) or len(words) != 1:
        raise Malformed("a value's description is not one")
    ((kind, content),) = words.items()
    if kind == "tensor":
        return tensor(content)
    if kind == "dict":
        return {str(key): from_words(each, tensor) for key, each in content.items()}
    if kind in ("list", "tuple"):
        items = [from_words(each, tensor) for each in content]
        return tuple(items) if kind == "tuple" else items
    if kind == "dtype":
        return getattr(torch, content)
    if kind == "plain":
        return content
    raise Malformed(f"a value of kind {kind!r}")


class Layout:
    """Where the tensors of some arguments lie within an arena: one slot after the other."""

    def __init__(self, example: Any) -> None:
        self._example = example
        self.size = sum(_room(placed(each)) for each in tensors_in(example))

    def words(self, slot: int) -> dict[str, Any]:
        """A slot's arguments; tensors by their offset."""
        place = slot * self.size

        def of_tensor(tensor: Any) -> dict[str, Any]:
            nonlocal place
            here = placed(tensor)
            found = Placed(place, here.dtype, here.shape, here.strides).in_words()
            place += _room(here)
            return found

        return in_words(self._example, of_tensor)

    def arguments(self, memory: Any, slot: int) -> Any:
        return from_words(self.words(slot), lambda words: at(memory, words))


def at(memory: Any, words: Any) -> Any:
    """The tensor that a description places by its offset in memory."""
    found = read_placed(words)
    return view(memory, found.address, found)


def _room(of: Placed) -> int:
    return -(-max(of.extent, 1) // ALIGNMENT) * ALIGNMENT
