"""Compares outputs, by KernelBench's tolerances and, more strictly, by their error against float64."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from typing import Any

import torch
from torch.linalg import vector_norm

from maxcode.evaluate.failure import shortened
from maxcode.kinds.torch.harness.values import kind_of, tensors_in

LONGEST_STRUCTURE = 1000
TOLERANCE = {torch.float16: 1e-2, torch.bfloat16: 1e-2}
FLOAT_TOLERANCE = 1e-4
SMALL_SHARE = 0.01
"""Largest absolute tolerance, as a share of the output's root mean square: zeros must not pass for small values."""
FLOOR = {torch.float64: 2.0**-40, torch.float32: 2.0**-15, torch.float16: 2.0**-9, torch.bfloat16: 2.0**-6}
"""Relative error, by root mean square, that any honest computation in this precision may have."""
WORSE_THAN_EAGER = 16.0
PART = 1 << 26
"""Number of elements that are compared at a time: outputs of gigabytes leave no room for several copies in float64."""


@dataclass(frozen=True)
class Expected:
    """Expected result of a call, as the original computes it."""

    result: Any
    exact: Any | None
    """Result in float64; None where the original does not run in it."""
    hands_on: bool = False
    """True if the original's output is memory of its inputs."""

    @property
    def golden(self) -> Any:
        return self.result if self.exact is None else self.exact


Errors = tuple[tuple[float, float], ...]
"""Errors of each output of the original against float64: the largest, and the root mean square relative to the
output's."""


def errors_of(expected: Expected) -> Errors | None:
    """Errors of the original; None where the exact result is not known."""
    if expected.exact is None:
        return None
    pairs = zip(_numbers_in(expected.result), _numbers_in(expected.exact), strict=True)
    return tuple(_errors(eager, golden) for eager, golden in pairs)


def _numbers_in(value: Any) -> Iterator[Any]:
    """The tensors of a structure; complex ones as pairs of real numbers."""
    for each in tensors_in(value):
        yield torch.view_as_real(each.resolve_conj()) if each.is_complex() else each


def _errors(eager: Any, golden: Any) -> tuple[float, float]:
    largest = off = size = 0.0
    for _, (a, g) in _parts(eager, golden):
        error = (a.double() - g.double()).abs().nan_to_num(0.0, 0.0, 0.0)
        largest = max(largest, float(error.max()))
        off += _squares(error)
        size += _squares(g.double().nan_to_num(0.0, 0.0, 0.0))
    return largest, _relative(off, size)


def _parts(*tensors: Any) -> Iterator[tuple[tuple[int, int], tuple[Any, ...]]]:
    """Views of tensors of one shape, split along their longest dimension, each with that dimension and where it
    starts."""
    shape = tensors[0].shape
    if not shape:
        yield (0, 0), tensors
        return
    if 0 in shape:
        return
    dimension = max(range(len(shape)), key=lambda i: shape[i])
    step = max(1, PART * shape[dimension] // tensors[0].numel())
    for start in range(0, shape[dimension], step):
        length = min(step, shape[dimension] - start)
        yield (dimension, start), tuple(each.narrow(dimension, start, length) for each in tensors)


def _squares(tensor: Any) -> float:
    return float(tensor.square().sum(dtype=torch.float64))


def _relative(squares: float, of: float) -> float:
    """Ratio of two root mean squares, from the sums of squares."""
    return sqrt(squares) / max(sqrt(of), 1e-300)


def structure(value: Any) -> Any:
    """Types, shapes, dtypes and strides, to be equal on both sides."""
    if isinstance(value, torch.Tensor):
        return ("tensor", str(value.dtype), tuple(value.shape), _strides(value))
    if isinstance(value, dict):
        return {key: structure(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [kind_of(value), *(structure(each) for each in value)]
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
    return f"the result is {shortened(str(found), LONGEST_STRUCTURE)}, not {shortened(str(wanted), LONGEST_STRUCTURE)}"


def value_difference(got: Any, expected: Expected, errors: Errors | None, *, strict: bool) -> str | None:
    """Description of where the values are too far off; None if they are right."""
    goldens = list(_numbers_in(expected.golden))
    known = errors or ((0.0, 0.0),) * len(goldens)
    for i, (a, eager, golden) in enumerate(zip(_numbers_in(got), _numbers_in(expected.result), goldens, strict=True)):
        said = _tensor_difference(a, eager, golden, known[i], strict=strict)
        if said:
            return f"output {i}: {said}" if len(goldens) > 1 else said
    return _plain_difference(got, expected.result)


def _tensor_difference(got: Any, eager: Any, golden: Any, known: tuple[float, float], *, strict: bool) -> str | None:
    if not eager.numel():
        return None
    if golden is eager and eager.is_floating_point() and _surely_right(got, eager, known, strict=strict):
        return None
    if not eager.is_floating_point():
        return _first("not equal", ((at, a.ne(e), a, e) for at, (a, e) in _parts(got, eager)))
    if all(bool(each.isfinite().all()) for _, pair in _parts(got, eager) for each in pair):
        return _distance(got, eager, golden, known, _wide, strict=strict)
    odd = "not finite, or not where the original's is"
    said = _first(odd, ((at, _odd(a, e), a, e) for at, (a, e) in _parts(got, eager)))
    return said or _distance(got, eager, golden, known, _finite, strict=strict)


def _surely_right(got: Any, eager: Any, known: tuple[float, float], *, strict: bool) -> bool:
    """True if norms alone show that all elements are right. That is a tenth of the work of looking at each.

    Most of the time of a timed call on a GPU went into looking at each element. False where something is not finite, or
    where an error is so large that only the tolerance for large elements could allow it.
    """
    largest = off = squares = 0.0
    for _, (a, e) in _parts(got, eager):
        want = _wide(e)
        apart = _wide(a) - want
        norms = (vector_norm(apart, inf), vector_norm(apart), vector_norm(want))
        far, root, size = torch.stack(norms).tolist()
        if not isfinite(far + root + size):
            return False
        largest, off, squares = max(largest, far), off + root**2, squares + size**2
    allowed = _absolute(eager, squares, strict=strict) + WORSE_THAN_EAGER / 2 * known[0]
    return largest <= allowed and not (strict and _too_coarse(eager, _relative(off, squares), known[1]))


def _absolute(eager: Any, squares: float, *, strict: bool) -> float:
    tolerance = TOLERANCE.get(eager.dtype, FLOAT_TOLERANCE)
    return min(tolerance, SMALL_SHARE * sqrt(squares / eager.numel())) if strict else tolerance


def _too_coarse(eager: Any, relative: float, known: float) -> bool:
    return relative > max(FLOOR.get(eager.dtype, 2.0**-15), WORSE_THAN_EAGER * known)


def _distance(
    got: Any,
    eager: Any,
    golden: Any,
    known: tuple[float, float],
    number: Callable[[Any], Any],
    *,
    strict: bool,
) -> str | None:
    """Description of the first element that is too far off, or of too large an error in all; None if right.

    `number` converts elements to numbers that can be compared.
    """
    squares = sum(_squares(number(g)) for _, (g,) in _parts(golden))
    tolerance = TOLERANCE.get(eager.dtype, FLOAT_TOLERANCE)
    absolute = _absolute(eager, squares, strict=strict)
    off = 0.0

    def wrong() -> Iterator[_Looked]:
        nonlocal off
        for at, (a, e, g) in _parts(got, eager, golden):
            a, g = number(a), number(g)
            error = (a - g).abs()
            off += _squares(error)
            yield at, error > absolute + tolerance * g.abs() + WORSE_THAN_EAGER / 2 * known[0], a, e

    said = _first(f"off by more than {tolerance:g}", wrong())
    relative = _relative(off, squares)
    if not said and strict and _too_coarse(eager, relative, known[1]):
        said = (
            f"less precise than {str(eager.dtype).removeprefix('torch.')} should be: relative error {relative:.1e}; "
            f"the original's is {known[1]:.1e} against float64"
        )
    return said


def _odd(got: Any, eager: Any) -> Any:
    unlike = ~((got.isnan() & eager.isnan()) | (got == eager))
    return (~eager.isfinite() | ~got.isfinite()) & unlike


def _wide(tensor: Any) -> Any:
    """The tensor in single precision; unchanged if it is in single or double."""
    return tensor if tensor.dtype in (torch.float32, torch.float64) else tensor.float()


def _finite(tensor: Any) -> Any:
    """The tensor with zeros for what is not finite, which has been compared before."""
    return _wide(tensor).nan_to_num(0.0, 0.0, 0.0)


_Looked = tuple[tuple[int, int], Any, Any, Any]
"""A part of an output: dimension and start, which elements are wrong, their values and the expected ones."""


def _first(what: str, parts: Iterator[_Looked]) -> str | None:
    """Description of the first wrong element and of the share of wrong ones; None if there are none."""
    said, count, total = "", 0, 0
    for (dimension, start), wrong, got, want in parts:
        found, total = int(wrong.sum()), total + wrong.numel()
        if found and not said:
            inside = tuple(int(each) for each in wrong.nonzero()[0])
            index = [each + start if i == dimension else each for i, each in enumerate(inside)]
            said = f"{what} at {index}: {got[inside].item():.6g} where {want[inside].item():.6g} is expected"
        count += found
    return f"{said}; {count / total:.1%} of the elements are wrong" if count else None


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
