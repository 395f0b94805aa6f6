"""Is this output right? KernelBench's tolerances, and a stricter look at the error against float64."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from maxcode.evaluate.pytorch.values import tensors_in

TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 1e-2}
FLOAT_TOLERANCE = 1e-4
SMALL_SHARE = 0.01
"""Of the output's own size: an absolute tolerance is never more, or zeros could pass for small values."""
FLOOR = {torch.float64: 2.0**-40, torch.float32: 2.0**-15, torch.float16: 2.0**-9, torch.bfloat16: 2.0**-6}
"""Error relative to the output's size that any honest computation in this precision may have."""
WORSE_THAN_EAGER = 16.0


@dataclass(frozen=True)
class Expected:
    """What a call must give, as the original computes it."""

    result: Any
    exact: Any | None
    """In float64; None where the original does not run in it."""
    hands_on: bool = False
    """Whether the original's output is memory of its inputs."""

    @property
    def golden(self) -> Any:
        return self.result if self.exact is None else self.exact


Errors = tuple[tuple[float, float], ...]
"""Of each output of the original against float64: the largest, and the root mean square relative to the output's."""


def errors_of(expected: Expected) -> Errors | None:
    """None where the exact result is not known."""
    if expected.exact is None:
        return None
    found = []
    for eager, golden in zip(tensors_in(expected.result), tensors_in(expected.exact), strict=True):
        error = (eager.double() - golden.double()).abs().nan_to_num(0.0, 0.0, 0.0)
        size = _size(golden.double().nan_to_num(0.0, 0.0, 0.0))
        found.append((float(error.max()) if error.numel() else 0.0, _relative(error, size)))
    return tuple(found)


def _size(tensor: Any) -> float:
    """Root mean square."""
    return float(tensor.square().mean(dtype=torch.float64).sqrt()) if tensor.numel() else 0.0


def structure(value: Any) -> Any:
    """Types, shapes, dtypes and strides, to be equal on both sides."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype), tuple(value.shape), _strides(value))
    if isinstance(value, dict):
        return {key: structure(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [type(value).__name__, *(structure(each) for each in value)]
    return type(value).__name__


def _strides(tensor: Any) -> tuple[int, ...]:
    """Strides of dimensions that have more than one element; those of others mean nothing."""
    return tuple(stride for n, stride in zip(tensor.shape, tensor.stride(), strict=True) if n > 1)


def structure_difference(got: Any, want: Any) -> str | None:
    found, wanted = structure(got), structure(want)
    if found == wanted:
        return None
    tensors = list(zip(tensors_in(got), tensors_in(want), strict=False))
    for i, (a, b) in enumerate(tensors):
        where = f"output {i}: " if len(tensors) > 1 else ""
        for what, x, y in (
            ("shape", tuple(a.shape), tuple(b.shape)),
            ("dtype", a.dtype, b.dtype),
            ("strides", a.stride(), b.stride()),
        ):
            if x != y and (what != "strides" or _strides(a) != _strides(b)):
                return f"{where}{what} is {x}, not {y}"
    return f"the result is {found}, not {wanted}"


def value_difference(got: Any, expected: Expected, errors: Errors | None, *, strict: bool) -> str | None:
    """Where the values are too far off, in words; None when they are right."""
    goldens = list(tensors_in(expected.golden))
    known = errors or ((0.0, 0.0),) * len(goldens)
    for i, (a, eager, golden) in enumerate(zip(tensors_in(got), tensors_in(expected.result), goldens, strict=True)):
        said = _tensor_difference(a, eager, golden, known[i], strict=strict)
        if said:
            return f"output {i}: {said}" if len(goldens) > 1 else said
    return _plain_difference(got, expected.result)


def _tensor_difference(got: Any, eager: Any, golden: Any, known: tuple[float, float], *, strict: bool) -> str | None:
    if not eager.numel() or (golden is eager and torch.equal(got, eager)):
        return None
    if not eager.is_floating_point():
        wrong = got.ne(eager)
        return _first(wrong, got, eager, "not equal") if bool(wrong.any()) else None
    if not (bool(eager.isfinite().all()) and bool(got.isfinite().all())):
        odd = (~eager.isfinite() | ~got.isfinite()) & _unlike(got, eager)
        if bool(odd.any()):
            return _first(odd, got, eager, "not finite, or not where the original's is")
        got, golden = (each.nan_to_num(0.0, 0.0, 0.0) for each in (got, golden))
    wide = golden.dtype if golden.dtype in (torch.float32, torch.float64) else torch.float32  # exact ones are float64
    a, g = got.to(wide), golden.to(wide)
    size, error = _size(g), (a - g).abs()
    tolerance = TOLERANCE.get(eager.dtype, FLOAT_TOLERANCE)
    absolute = min(tolerance, SMALL_SHARE * size) if strict else tolerance
    wrong = error > absolute + tolerance * g.abs() + WORSE_THAN_EAGER / 2 * known[0]
    if bool(wrong.any()):
        return _first(wrong, got, eager, f"off by more than {tolerance:g}")
    off = _relative(error, size)
    if strict and off > max(FLOOR.get(eager.dtype, 2.0**-15), WORSE_THAN_EAGER * known[1]):
        return (
            f"less precise than {str(eager.dtype).removeprefix('torch.')} should be: relative error {off:.1e}; "
            f"the original's is {known[1]:.1e} against float64"
        )
    return None


def _unlike(a: Any, b: Any) -> Any:
    return ~((a.isnan() & b.isnan()) | (a == b))


def _relative(error: Any, size: float) -> float:
    return _size(error) / max(size, 1e-300)


def _first(wrong: Any, got: Any, want: Any, what: str) -> str:
    share = float(wrong.double().mean())
    index = tuple(int(each) for each in wrong.nonzero()[0])
    values = f"{got[index].item():.6g} where {want[index].item():.6g} is expected"
    return f"{what} at {list(index)}: {values}; {share:.1%} of the elements are wrong"


def _plain_difference(got: Any, want: Any) -> str | None:
    if isinstance(want, dict):
        return next(filter(None, (_plain_difference(got[k], want[k]) for k in want)), None)
    if isinstance(want, list | tuple):
        return next(filter(None, (_plain_difference(a, b) for a, b in zip(got, want, strict=True))), None)
    if isinstance(want, torch.Tensor) or got == want:
        return None
    if isinstance(want, float) and isinstance(got, float) and abs(got - want) <= FLOAT_TOLERANCE * (1 + abs(want)):
        return None
    return f"{got!r} where {want!r} is expected"
