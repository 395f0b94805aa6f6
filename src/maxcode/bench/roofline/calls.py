"""Calls of trusted kernels in this process: baselines and roofs, never a candidate."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Callable
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxcode.core import EvaluatorError
from maxcode.evaluate.toolchain import toolchain
from maxcode.kinds.kernel.data import make_inputs
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.expression import Sizes, evaluate
from maxcode.task.model import Task

MOST_CALLS = 48
ROUND_BYTES = 1 << 26
Arrays = dict[str, NDArray[Any]]
Call = Callable[[], object]
Clock = Callable[[], float]
_SCALARS = {"i4": ctypes.c_int32, "i8": ctypes.c_int64}


def compile_trusted(task: Task, source: str, library: Path) -> None:
    """Compiles a file of the task's folder to a shared library, with the task's flags."""
    flags = [f"-std={task.standard}", *task.build.flags, "-shared", "-fPIC"]
    command = [str(toolchain().compiler(task.language)), *flags, "-o", str(library), str(task.folder / source)]
    done = subprocess.run([*command, *task.build.link], capture_output=True, text=True, check=False)
    if done.returncode:
        raise EvaluatorError(f"{task.name}: {source} does not build: {done.stderr.strip()[-500:]}")


def datasets(kernel: Kernel, sizes: Sizes, rng: np.random.Generator, most_bytes: int = ROUND_BYTES) -> list[Arrays]:
    """Input data for each call of a round, so that no call finds its data cached by the one before. At least two."""
    first = arrays(kernel, sizes, rng)
    size = sum(array.nbytes for array in first.values())
    count = int(max(2, min(MOST_CALLS, most_bytes // size)))
    return [first, *(arrays(kernel, sizes, rng) for _ in range(count - 1))]


def arrays(kernel: Kernel, sizes: Sizes, rng: np.random.Generator) -> Arrays:
    made = make_inputs(kernel, sizes, rng)
    for a in kernel.arguments:
        if a.shape is not None and a.role == "out":
            made[a.name] = np.zeros(int(evaluate(a.shape, sizes)), a.dtype)
    return made


def trusted_call(kernel: Kernel, library: Path, sizes: Sizes, data: Arrays) -> Call:
    function = getattr(ctypes.CDLL(str(library)), kernel.function)
    arguments = [
        ctypes.c_void_p(data[a.name].ctypes.data) if a.is_buffer else _SCALARS[a.dtype](int(sizes[a.name]))
        for a in kernel.arguments
    ]
    return lambda: function(*arguments)


def enough(calls: list[Call], clock: Clock, seconds: float) -> list[Call]:
    """The first calls that together take about `seconds`; at least one, at most all."""
    once = max(round_seconds(calls[:1], clock), 1e-7)
    return calls[: max(1, min(len(calls), ceil(seconds / once)))]


def round_seconds(calls: list[Call], clock: Clock) -> float:
    """Seconds per call, after one to warm up."""
    calls[-1]()
    start = clock()
    for call in calls:
        call()
    return (clock() - start) / len(calls)
