"""Arguments and results as structures around tensors, and their description in messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from maxcode.kinds.torch.harness.sharing import ALIGNMENT, MalformedTensor, Placed, placed, read_placed, view

MOST_PARTS = 1 << 20
"""Largest number of parts in the results of a round: tensors and lists of them."""
PLAIN = (bool, int, float, str, type(None))


class Unsupported(Exception):
    """A value that cannot be handed to another process."""


def tensors_in(value: Any) -> Iterator[Any]:
    """Tensors of a structure, in order; entries of dictionaries in the order of their keys."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from tensors_in(value[key])
    elif isinstance(value, list | tuple):
        for each in value:
            yield from tensors_in(each)


def only_tensors(value: Any) -> bool:
    if isinstance(value, dict):
        value = list(value.values())
    return all(only_tensors(each) for each in value) if isinstance(value, list | tuple) else torch.is_tensor(value)


def in_words(value: Any, of_tensor: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Description of a structure for a message; tensors are described by `of_tensor`. Unsupported for other values."""
    if isinstance(value, torch.Tensor):
        return {"tensor": of_tensor(value)}
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {"dict": {key: in_words(each, of_tensor) for key, each in value.items()}}
    if isinstance(value, list | tuple):
        return {kind_of(value): [in_words(each, of_tensor) for each in value]}
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, PLAIN):
        return {"plain": value}
    raise Unsupported(f"a value of type {type(value).__name__}")


def kind_of(value: Any) -> str:
    """Kind of a sequence, "tuple" or "list". Named tuples, as torch.max returns them, are tuples."""
    return "tuple" if isinstance(value, tuple) else "list"


def from_words(words: Any, tensor: Callable[[Any], Any]) -> Any:
    """Structure from its description; Malformed if it is not one."""
    if not isinstance(words, dict) or len(words) != 1:
        raise MalformedTensor("a value's description is not one")
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
    raise MalformedTensor(f"a value of kind {kind!r}")


def like_the_first(values: list[Any], of_tensor: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    """Description of the results of many calls: the first in full, others that are alike by their tensors' addresses.

    Describing each of them would take as long as a small kernel, and would count as the model's time.
    """
    first = in_words(values[0], of_tensor) if values else None
    places = [_places(each, values[0]) for each in values]
    if all(each is not None for each in places):
        return {"first": first, "places": places}
    return {"each": [in_words(each, of_tensor) for each in values]}


def _places(value: Any, like: Any) -> list[int] | None:
    """Addresses of the tensors of a structure; None if it is not like the other."""
    if type(value) is torch.Tensor and type(like) is torch.Tensor:
        same = value.dtype is like.dtype and value.shape == like.shape and value.stride() == like.stride()
        return [value.data_ptr()] if same and value.device == like.device and value.layout is like.layout else None
    if type(value) not in (list, tuple) or type(value) is not type(like) or len(value) != len(like):
        return None
    parts = [_places(a, b) for a, b in zip(value, like, strict=True)]
    return None if any(each is None for each in parts) else [place for each in parts if each for place in each]


def all_words(found: Any, calls: int) -> list[Any]:
    """Descriptions of the results of that many calls, each in full; Malformed if they are not that."""
    if not isinstance(found, dict) or not ({"each"} == found.keys() or {"first", "places"} == found.keys()):
        raise MalformedTensor("the results' description is not one")
    told = found["each"] if "each" in found else found["places"]
    if len(told) != calls:
        raise MalformedTensor(f"{len(told)} results for {calls} calls")
    if "each" in found:
        return list(told)
    if _parts(found["first"]) * calls > MOST_PARTS:
        raise MalformedTensor(f"results of more than {MOST_PARTS} parts")
    return [_elsewhere(found["first"], iter(each)) for each in told]


def _parts(words: Any) -> int:
    """Number of parts in a description.

    It is bounded, since a short one could stand for more results than fit into memory.
    """
    if not isinstance(words, dict):
        return 1
    return 1 + sum(_parts(each) for content in words.values() if isinstance(content, list) for each in content)


def _elsewhere(words: Any, places: Iterator[Any]) -> Any:
    """Description of a result like the first, with its tensors at other addresses."""
    if not isinstance(words, dict) or len(words) != 1:
        raise MalformedTensor("a value's description is not one")
    ((kind, content),) = words.items()
    if kind == "tensor":
        return {kind: {**content, "at": next(places, None)}}
    if kind in ("list", "tuple"):
        return {kind: [_elsewhere(each, places) for each in content]}
    raise MalformedTensor(f"a value of kind {kind!r} among tensors")


class Layout:
    """Positions of the tensors of some arguments within an arena, one slot after the other."""

    def __init__(self, example: Any) -> None:
        self._example = _without_memory(example)
        self.size = sum(_room(placed(each)) for each in tensors_in(example))

    def words(self, slot: int) -> dict[str, Any]:
        """Description of a slot's arguments, with tensors by their offset."""
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

    def write(self, memory: Any, slot: int, values: Any) -> None:
        for ours, there in zip(tensors_in(values), tensors_in(self.arguments(memory, slot)), strict=True):
            there.copy_(ours)


def _without_memory(value: Any) -> Any:
    """The structure with tensors that have a shape but no elements, since those may take gigabytes."""
    if isinstance(value, torch.Tensor):
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device="meta")
    if isinstance(value, dict):
        return {key: _without_memory(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_without_memory(each) for each in value)
    return value


def at(memory: Any, words: Any) -> Any:
    """Tensor at the offset in memory that a description gives."""
    found = read_placed(words)
    return view(memory, found.address, found)


def _room(of: Placed) -> int:
    return -(-max(of.extent, 1) // ALIGNMENT) * ALIGNMENT
