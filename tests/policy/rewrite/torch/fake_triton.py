"""Enough of Triton's language, on tensors of the CPU, to run the kernels that the rewriter writes."""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import torch


class Pointer:
    """The beginning of a tensor, with offsets into it."""

    def __init__(self, data: Any, offsets: Any = 0) -> None:
        self.data, self.offsets = data, offsets

    def __add__(self, offsets: Any) -> Pointer:
        return Pointer(self.data, self.offsets + offsets)


def load(pointer: Pointer, mask: Any) -> Any:
    inside = torch.where(mask, pointer.offsets, 0)
    return torch.where(mask, pointer.data.reshape(-1)[inside], torch.nan)


def store(pointer: Pointer, value: Any, mask: Any) -> None:
    pointer.data.view(-1)[pointer.offsets[mask]] = value[mask]


def where(condition: Any, one: Any, other: Any) -> Any:
    return torch.where(condition, torch.as_tensor(one), torch.as_tensor(other)).float()


def jit(function: Any) -> Any:
    class Launcher:
        def __getitem__(self, grid: tuple[int]) -> Any:
            return lambda *given, **options: run(function, grid[0], given, options)

    return Launcher()


program: list[int] = [0]


def run(function: Any, count: int, given: tuple[Any, ...], options: dict[str, Any]) -> None:
    pointers = [Pointer(each) if isinstance(each, torch.Tensor) else each for each in given]
    for program[0] in range(count):
        function(*pointers, **options)


@contextlib.contextmanager
def installed() -> Iterator[None]:
    """As `triton`, until the end of the block."""
    triton, language = types.ModuleType("triton"), types.ModuleType("triton.language")
    extra, libdevice = types.ModuleType("triton.language.extra"), types.ModuleType("libdevice")
    triton.jit, triton.cdiv, triton.language = jit, lambda a, b: -(-a // b), language
    language.constexpr, language.int64, language.load, language.store = int, torch.int64, load, store
    language.program_id = lambda axis: torch.tensor(program[0] + 0 * axis)
    language.where, language.arange, language.extra = where, torch.arange, extra
    language.PropagateNan = types.SimpleNamespace(ALL=None)
    language.maximum = lambda a, b, **_: torch.maximum(torch.as_tensor(a), torch.as_tensor(b))
    language.minimum = lambda a, b, **_: torch.minimum(torch.as_tensor(a), torch.as_tensor(b))
    for name in ("exp", "log", "sqrt", "rsqrt", "abs", "erf", "sin", "cos", "floor", "ceil"):
        setattr(language, name, getattr(torch, name))
    libdevice.tanh, libdevice.log1p, libdevice.expm1 = torch.tanh, torch.log1p, torch.expm1
    extra.libdevice = libdevice
    names = {"triton": triton, "triton.language": language, "triton.language.extra": extra}
    before = {name: sys.modules.get(name) for name in names}
    sys.modules.update(names)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module
