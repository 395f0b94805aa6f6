"""Inputs of a kernel from secret seeds, laid out in shared memory between canaries, and the check of what came back."""

from __future__ import annotations

import fcntl
import mmap
import os
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from maxcode.evaluate.sandbox.sealed import scrub
from maxcode.kinds.kernel.driver import HEADER_WORDS
from maxcode.kinds.kernel.table import Argument, Fill, Kernel
from maxcode.task.expression import Sizes, evaluate
from maxcode.task.model import Tolerance

Array = NDArray[Any]
ALIGNMENT = 64
GUARD_BYTES = 256
POISON_BYTE = 0xA5
_FIXED_SIZE = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


@dataclass(frozen=True)
class Dataset:
    """The inputs of one call, and what its outputs must be once the reference has answered."""

    sizes: Sizes
    inputs: dict[str, Array]
    expected: dict[str, Array]


def make_inputs(kernel: Kernel, sizes: Sizes, rng: np.random.Generator) -> dict[str, Array]:
    return {
        a.name: _fill(a, a.fill, int(evaluate(a.shape, sizes)), sizes, rng)
        for a in kernel.arguments
        if a.shape is not None and a.role in ("in", "inout")
    }


def _fill(argument: Argument, fill: Fill, count: int, sizes: Sizes, rng: np.random.Generator) -> Array:
    dtype = np.dtype(argument.dtype)
    if fill.kind == "constant":
        return np.full(count, fill.value, dtype)
    if fill.kind == "permutation":
        return rng.permutation(count).astype(dtype)
    if fill.kind == "normal":
        return rng.normal(fill.mean, fill.deviation, count).astype(dtype)
    low, high = evaluate(fill.low, sizes), evaluate(fill.high, sizes)
    if fill.kind == "integers":
        native = dtype if dtype.kind in "iu" else np.dtype("i8")
        return rng.integers(int(low), max(int(high), int(low) + 1), count, dtype=native).astype(dtype, copy=False)
    if dtype == np.float32:
        values: Array = rng.random(count, dtype=np.float32) * np.float32(high - low) + np.float32(low)
    else:
        values = (rng.random(count) * (high - low) + low).astype(dtype)
    return np.sort(values) if fill.kind == "sorted" else values


class SharedMemory:
    """Slots of arguments in one memory file, which a kernel's process maps. We keep our own copies of all inputs."""

    def __init__(self, kernel: Kernel, slots: list[Sizes], rng: np.random.Generator) -> None:
        self._kernel = kernel
        self._slots = slots
        self._rng = rng
        width = len(kernel.arguments)
        at = _aligned((HEADER_WORDS + 2 * len(slots) * width) * 8) + GUARD_BYTES
        self._places: list[dict[str, tuple[int, int, np.dtype[Any]]]] = []
        for sizes in slots:
            place = {}
            for argument in kernel.arguments:
                if argument.shape is not None:
                    count, dtype = int(evaluate(argument.shape, sizes)), np.dtype(argument.dtype)
                    place[argument.name] = (at, count, dtype)
                    at = _aligned(at + count * dtype.itemsize) + GUARD_BYTES
            self._places.append(place)
        self.descriptor = os.memfd_create("kernel", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, at)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _FIXED_SIZE)  # a shrunk file would crash us, its reader
        self._map = mmap.mmap(self.descriptor, at)
        self._bytes = np.frombuffer(self._map, np.uint8)
        self.wipe()

    @property
    def megabytes(self) -> int:
        return (len(self._map) >> 20) + 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        del self._bytes
        self._map.close()
        os.close(self.descriptor)

    def wipe(self) -> None:
        """Makes the memory as new for another process: no trace of earlier inputs and outputs, new canaries."""
        scrub(self.descriptor, 0o600)
        self._bytes[:] = POISON_BYTE
        self._words(0)[:] = (len(self._slots), len(self._kernel.arguments))
        self._guards = self._rng.integers(0, 256, GUARD_BYTES, dtype=np.uint8)
        for place in self._places:
            for span in self._guard_spans(place):
                self._bytes[span] = self._guards[: span.stop - span.start]

    def load(self, slot: int, inputs: dict[str, Array]) -> None:
        """Puts a call's sizes and inputs in place and poisons its outputs."""
        self._write_places(slot)
        for argument in self._kernel.arguments:
            if argument.is_buffer:
                view = self.array(slot, argument.name)
                if argument.role == "out":
                    view.view(np.uint8)[:] = POISON_BYTE
                    if view.dtype.kind == "f":
                        view[:] = np.nan
                else:
                    view[:] = inputs[argument.name]

    def array(self, slot: int, name: str) -> Array:
        at, count, dtype = self._places[slot][name]
        return self._bytes[at : at + count * dtype.itemsize].view(dtype)

    def outputs(self, slot: int) -> dict[str, Array]:
        return {a.name: self.array(slot, a.name).copy() for a in self._kernel.arguments if a.role in ("out", "inout")}

    def tampering(self, slot: int, inputs: dict[str, Array]) -> str | None:
        """Description of what a call changed that it must not, an input or bytes outside the buffers; None if
        nothing."""
        for argument in self._kernel.arguments:
            if argument.role == "in" and not _same(self.array(slot, argument.name), inputs[argument.name]):
                return f"the input '{argument.name}' was changed by the call; it is const"
        for name, span in zip(self._places[slot], self._guard_spans_by_buffer(self._places[slot]), strict=True):
            for part in span:
                if not np.array_equal(self._bytes[part], self._guards[: part.stop - part.start]):
                    return f"wrote outside the bounds of buffer '{name}'"
        return None

    def _guard_spans_by_buffer(self, place: dict[str, tuple[int, int, np.dtype[Any]]]) -> list[tuple[slice, slice]]:
        spans = []
        for at, count, dtype in place.values():
            end = at + count * dtype.itemsize
            spans.append((slice(at - GUARD_BYTES // 2, at), slice(end, _aligned(end) + GUARD_BYTES // 2)))
        return spans

    def _guard_spans(self, place: dict[str, tuple[int, int, np.dtype[Any]]]) -> list[slice]:
        return [part for pair in self._guard_spans_by_buffer(place) for part in pair]

    def _write_places(self, slot: int) -> None:
        """Writes a slot's row of the table that the driver reads.

        Not before the slot's call: sizes may be hidden too.
        """
        width = len(self._kernel.arguments)
        places = self._words(HEADER_WORDS + slot * width)
        lengths = self._words(HEADER_WORDS + (len(self._slots) + slot) * width)
        for i, argument in enumerate(self._kernel.arguments):
            if argument.is_buffer:
                at, count, dtype = self._places[slot][argument.name]
                places[i], lengths[i] = at, count * dtype.itemsize
            else:
                scalar = np.zeros(1, np.int64)
                scalar.view(np.dtype(argument.dtype))[0] = self._slots[slot][argument.name]
                places[i], lengths[i] = scalar[0], 0

    def _words(self, first: int) -> Array:
        """View of a row of the table, or of its head, as 64-bit words."""
        count = len(self._kernel.arguments) if first else HEADER_WORDS
        return self._bytes[first * 8 : (first + count) * 8].view(np.int64)


def first_difference(
    expected: dict[str, Array], got: dict[str, Array], tolerance: Tolerance, *, hidden: bool
) -> str | None:
    """First difference of a call's outputs that is more than allowed; None when they agree. Hidden values are not
    shown."""
    for name, want in expected.items():
        have = got[name]
        if _same(want, have):
            continue
        if want.dtype.kind != "f":
            wrong = np.flatnonzero(want != have)
            worst = ""
        else:
            wrong, worst = _float_differences(want, have, tolerance)
        if wrong.size:
            i = int(wrong[0])
            poison = " (never written)" if _is_poison(have[i]) and not _is_poison(want[i]) else ""
            share = f"{wrong.size} of {want.size} elements are wrong"
            values = "wrong" if hidden else f"expected {want[i]!s}, got {have[i]!s}"
            return f"{name}[{i}]: {values}{poison}; {share}{'' if hidden else worst}"
    return None


def _float_differences(want: Array, have: Array, tolerance: Tolerance) -> tuple[Array, str]:
    with np.errstate(all="ignore"):
        scale = float(np.sqrt(np.mean(np.square(want[np.isfinite(want)], dtype=np.float64)))) if want.size else 0.0
        scale = scale if np.isfinite(scale) else 0.0
        error = np.abs(have.astype(np.float64) - want)
        bound = tolerance.absolute + tolerance.relative * np.maximum(np.abs(want), scale)
        same = (want == have) | (np.isnan(want) & np.isnan(have))
        near = np.isfinite(want) & np.isfinite(have) & (error <= bound)
        wrong = np.flatnonzero(~same & ~near)
        if not wrong.size:
            return wrong, ""
        excess = float(np.nanmax(error[wrong])) if np.isfinite(error[wrong]).any() else float("nan")
    return wrong, f", largest error {excess:.3g}, allowed about {tolerance.absolute + tolerance.relative * scale:.3g}"


def _is_poison(value: Any) -> bool:
    if isinstance(value, np.floating):
        return bool(np.isnan(value))
    return all(byte == POISON_BYTE for byte in np.asarray(value).tobytes())


def _same(a: Array, b: Array) -> bool:
    return bool(np.array_equal(a.view(np.uint8), b.view(np.uint8)))


def _aligned(at: int) -> int:
    return -(-at // ALIGNMENT) * ALIGNMENT
