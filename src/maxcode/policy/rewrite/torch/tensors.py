"""What operators make of shapes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from maxcode.policy.rewrite.torch.operations import ALIASES, UNARY

Kind = Literal["float", "int", "bool"]
KEEPING = UNARY | frozenset(
    "gelu softplus leaky_relu elu hardtanh clamp softmax log_softmax cumsum masked_fill dropout clone contiguous "
    "detach float cuda cpu triu tril normalize softmin layer_norm rms_norm batch_norm group_norm flip".split()
)
BROADCASTING = frozenset("add sub mul div pow maximum minimum compare lerp addcmul atan2".split())
REDUCTIONS = frozenset("sum mean amax amin var std logsumexp norm prod argmax argmin".split())


@dataclass(frozen=True)
class Tensor:
    shape: tuple[int, ...]
    kind: Kind = "float"


def made(name: str, values: list[Any], given: dict[str, Any]) -> Tensor | None:
    """A new tensor: torch.rand(3, 4), torch.zeros((3, 4)), torch.randint(0, 5, (3,))."""
    if name in ("rand", "randn", "zeros", "ones", "empty"):
        if "dtype" in given:
            return None
        sizes = values[0] if len(values) == 1 and isinstance(values[0], tuple | list) else values
        return Tensor(tuple(_size(each) for each in sizes))
    if name == "randint":
        sizes = values[-1] if isinstance(values[-1], tuple | list) else given["size"]
        return Tensor(tuple(_size(each) for each in sizes), "int")
    if name in ("rand_like", "randn_like", "zeros_like", "ones_like", "empty_like") and isinstance(values[0], Tensor):
        return values[0] if not given else None
    return None


def _size(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("a size that is no number")
    return value


def applied(name: str, values: list[Any], given: dict[str, Any]) -> Any:
    """The result of an operator; None where it is not known."""
    name = ALIASES.get(name, name)
    first = values[0]
    if name in BROADCASTING:
        return _broadcast(name, values)
    if not isinstance(first, Tensor):
        return _joined(name, values, given) if name in ("cat", "stack") else None
    if name in KEEPING:
        return first if name != "float" else Tensor(first.shape)
    if name in ("max", "min"):
        return _extreme(values, given)
    if name in REDUCTIONS:
        return _reduced(name, first, values[1:], given)
    if name in ("matmul", "mm", "bmm", "linear"):
        return _product(name, first, values[1])
    return _reshaped(name, first, values[1:], given)


def _broadcast(name: str, values: list[Any]) -> Tensor | None:
    if any(not isinstance(each, Tensor | int | float) for each in values):
        return None
    shapes = [each.shape for each in values if isinstance(each, Tensor)]
    kinds = {each.kind for each in values if isinstance(each, Tensor)}
    kind: Kind = "bool" if name == "compare" else "float"
    if kind == "float" and kinds != {"float"}:
        return None
    return Tensor(broadcast(*shapes), kind)


def broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(map(len, shapes))
    sizes = []
    for at in range(rank):
        here = {shape[at - rank] for shape in shapes if len(shape) >= rank - at} - {1}
        if len(here) > 1:
            raise ValueError("shapes do not fit")
        sizes.append(here.pop() if here else 1)
    return tuple(sizes)


def _extreme(values: list[Any], given: dict[str, Any]) -> Any:
    if len(values) == 2 and isinstance(values[1], Tensor):
        return _broadcast("maximum", values)
    found = _reduced("max", values[0], values[1:], given)
    has_dim = len(values) > 1 or "dim" in given
    return (found, Tensor(found.shape, "int")) if has_dim and found else found


def _reduced(name: str, tensor: Tensor, rest: list[Any], given: dict[str, Any]) -> Tensor | None:
    if name == "norm":
        rest = rest[1:]
    dim = given.get("dim", rest[0] if rest else None)
    keepdim = given.get(
        "keepdim", rest[-1] if rest and isinstance(rest[-1], bool) and name not in ("var", "std") else False
    )
    if len(rest) > 1 and name in ("var", "std") and "keepdim" not in given:
        return None
    rank = len(tensor.shape)
    dims = (
        {each % rank for each in (dim if isinstance(dim, tuple | list) else [dim])}
        if dim is not None
        else set(range(rank))
    )
    kept = [1 if at in dims else size for at, size in enumerate(tensor.shape) if keepdim or at not in dims]
    return Tensor(tuple(kept), "int" if name.startswith("arg") else tensor.kind)


def _product(name: str, one: Tensor, other: Any) -> Tensor | None:
    if not isinstance(other, Tensor):
        return None
    if name == "linear":
        return Tensor((*one.shape[:-1], other.shape[0])) if len(other.shape) == 2 else None
    if len(one.shape) < 2 or len(other.shape) < 2:
        return Tensor(one.shape[:-1]) if len(other.shape) == 1 else None
    return Tensor((*broadcast(one.shape[:-2], other.shape[:-2]), one.shape[-2], other.shape[-1]))


def _joined(name: str, values: list[Any], given: dict[str, Any]) -> Tensor | None:
    parts = values[0]
    if not isinstance(parts, tuple | list) or not all(isinstance(each, Tensor) for each in parts):
        return None
    dim, shape = given.get("dim", values[1] if len(values) > 1 else 0), list(parts[0].shape)
    if name == "stack":
        shape.insert(dim % (len(shape) + 1), len(parts))
    else:
        shape[dim] = sum(each.shape[dim] for each in parts)
    return Tensor(tuple(shape), parts[0].kind)


def _reshaped(name: str, tensor: Tensor, rest: list[Any], given: dict[str, Any]) -> Any:
    shape, rank = list(tensor.shape), len(tensor.shape)
    sizes = list(rest[0]) if len(rest) == 1 and isinstance(rest[0], tuple | list) else rest
    if name == "size":
        return tensor.shape[rest[0]] if rest else tensor.shape
    if name == "dim":
        return rank
    if name in ("t", "T", "mT") and rank >= 2 and (rank == 2 or name == "mT"):
        return Tensor((*shape[:-2], shape[-1], shape[-2]), tensor.kind)
    if name == "transpose":
        shape[rest[0]], shape[rest[1]] = shape[rest[1]], shape[rest[0]]
        return Tensor(tuple(shape), tensor.kind)
    if name == "permute":
        return Tensor(tuple(shape[each] for each in sizes), tensor.kind)
    if name in ("view", "reshape"):
        return Tensor(_completed(tensor.shape, [_size(each) for each in sizes]), tensor.kind)
    if name == "unsqueeze":
        dim = given["dim"] if "dim" in given else rest[0]
        shape.insert(dim % (rank + 1), 1)
        return Tensor(tuple(shape), tensor.kind)
    if name == "squeeze" and (rest or given):
        dim = given["dim"] if "dim" in given else rest[0]
        return Tensor(tuple(size for at, size in enumerate(shape) if at != dim % rank or size != 1), tensor.kind)
    if name == "flatten":
        start = given.get("start_dim", rest[0] if rest else 0)
        end = given.get("end_dim", rest[1] if len(rest) > 1 else -1) % rank
        return Tensor((*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]), tensor.kind)
    return None


def _completed(shape: tuple[int, ...], sizes: list[int]) -> tuple[int, ...]:
    known = math.prod(each for each in sizes if each != -1)
    return tuple(math.prod(shape) // known if each == -1 else each for each in sizes)
