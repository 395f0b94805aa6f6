"""The HPC kernels by the libraries that people would use: NumPy with its OpenBLAS, and SciPy where it is installed.

Each entry prepares a call on given arrays, so that only the work itself is timed.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maxcode.task.expression import Sizes

Arrays = dict[str, NDArray[Any]]
Prepare = Callable[[Sizes, Arrays], Callable[[], object]]


def library_of(kernel: str) -> tuple[str, Prepare] | None:
    """The library's name, and how to call it; None where there is none, or it is not installed."""
    found = _CALLS.get(kernel)
    if found is None or (found[0].startswith("SciPy") and find_spec("scipy") is None):
        return None
    return found


def _dgemm(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    m, n, k = (int(sizes[name]) for name in ("m", "n", "k"))
    a, b, c = arrays["a"].reshape(m, k), arrays["b"].reshape(k, n), arrays["c"].reshape(m, n)
    return lambda: np.matmul(a, b, out=c)


def _gemv(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    a = arrays["a"].reshape(int(sizes["m"]), int(sizes["n"]))
    return lambda: np.matmul(a, arrays["x"], out=arrays["y"])


def _fft(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    shape = int(sizes["batch"]), int(sizes["n"])
    rows, result = (arrays[name].view(np.complex128).reshape(shape) for name in ("in", "out"))
    return lambda: np.fft.fft(rows, axis=1, out=result)


def _reduction(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:  # noqa: ARG001 - the array knows its length
    x, result = arrays["x"], arrays["result"]

    def call() -> None:
        result[:] = x.sum(), x @ x, np.abs(x).max()

    return call


def _transpose(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    rows, cols = int(sizes["rows"]), int(sizes["cols"])
    a, b = arrays["a"].reshape(rows, cols), arrays["b"].reshape(cols, rows)
    return lambda: np.multiply(a.T, 3.0, out=b)


def _attention(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    n, d = int(sizes["n"]), int(sizes["d"])
    q, k, v, result = (arrays[name].reshape(n, d) for name in ("q", "k", "v", "out"))

    def call() -> None:
        weights = q @ k.T / np.sqrt(d)
        np.exp(weights - weights.max(axis=1, keepdims=True), out=weights)
        np.matmul(weights / weights.sum(axis=1, keepdims=True), v, out=result)

    return call


def _trsm(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    """Rows here are the columns of BLAS: it solves the transposed equation."""
    dtrsm = import_module("scipy.linalg.blas").dtrsm
    n, m = int(sizes["n"]), int(sizes["m"])
    upper, right, result = arrays["l"].reshape(n, n).T, arrays["b"].reshape(n, m).T, arrays["x"].reshape(n, m)

    def call() -> None:
        result[:] = dtrsm(1.0, upper, right, side=1, lower=0, diag=1).T

    return call


def _spmv(sizes: Sizes, arrays: Arrays) -> Callable[[], object]:
    csr_matrix = import_module("scipy.sparse").csr_matrix
    rows, cols, entries = (int(sizes[name]) for name in ("rows", "cols", "entries"))
    starts = np.arange(0, rows * entries + 1, entries)
    matrix = csr_matrix((arrays["values"], arrays["columns"], starts), shape=(rows, cols))

    def call() -> None:
        arrays["y"][:] = matrix @ arrays["x"]

    return call


_CALLS: dict[str, tuple[str, Prepare]] = {
    "dgemm": ("NumPy (BLAS)", _dgemm),
    "gemv": ("NumPy (BLAS)", _gemv),
    "fft": ("NumPy", _fft),
    "reduction": ("NumPy", _reduction),
    "transpose": ("NumPy", _transpose),
    "attention": ("NumPy (BLAS)", _attention),
    "trsm": ("SciPy (BLAS)", _trsm),
    "spmv": ("SciPy", _spmv),
}
