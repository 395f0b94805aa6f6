"""Share of the work done by a candidate's own kernels: names from its text, times from a profile of one call."""

from __future__ import annotations

import re
from typing import Any

_KERNEL = re.compile(r"__global__[^;{(]*?\b(\w+)\s*\(")
_ATTRIBUTE = re.compile(r"__(?!global__)\w+__\s*\((?:[^()]|\([^()]*\))*\)")
"""Attributes such as __launch_bounds__(256, 2) and __cluster_dims__(2, 1, 1), between `__global__` and the name."""
_JIT = re.compile(r"@(?:\w+\.)*jit\b(?!\.)[^\n]*(?:\n\s*@[^\n]*)*\n\s*def\s+(\w+)")
_OF_CUPY = re.compile(r"\b(?:ElementwiseKernel|ReductionKernel)\(((?:[^()]|\([^()]*\))*)\)")
_OF_CUPY_BY_DEFAULT = ("kernel", "reduce_kernel")
_WORD = re.compile(r"""["'](\w+)["']""")
_LIBRARIES = ("at::", "c10::", "torch::", "cub::", "thrust::", "cutlass::", "cudnn::", "cublasLt::")

ALLOCATING = tuple(f"aten::{name}" for name in ("empty", "empty_like", "empty_strided", "empty_permuted", "resize_"))
"""Operators that allocate, which are not held against a candidate. Its kernels need memory, and filling that with our
pattern may take as long as the kernels do."""


def kernel_names(text: str) -> tuple[str, ...]:
    """Names of the kernels in a text: of CUDA in any string, of Triton and Numba, and of those that CuPy writes."""
    named = _KERNEL.findall(_ATTRIBUTE.sub("", text)) + _JIT.findall(text)
    written = [word for arguments in _OF_CUPY.findall(text) for word in _WORD.findall(arguments)]
    if _OF_CUPY.search(text):
        written += _OF_CUPY_BY_DEFAULT
    return tuple(dict.fromkeys(named + written))


def own_share(profile: dict[str, Any], own: tuple[str, ...], device: str) -> float | None:
    """Share of a call's time that the candidate's own kernels take; None where the profile does not tell."""
    events = profile.get("events", [])
    total = sum(float(each["seconds"]) for each in events)
    if device == "cuda":
        if not total:
            return None
        return sum(float(each["seconds"]) for each in events if _is_own(str(each["name"]), own)) / total
    operators = {str(each["name"]): float(each["seconds"]) for each in events if str(each["name"]).startswith("aten::")}
    allocating = sum(operators.get(name, 0.0) for name in ALLOCATING)
    seconds = float(profile.get("seconds", 0.0)) - allocating
    return max(0.0, 1 - (sum(operators.values()) - allocating) / seconds) if seconds > 0 else None


def _is_own(name: str, own: tuple[str, ...]) -> bool:
    """True if a kernel's whole name, without its types, is one of `own`. Triton may have appended a number."""
    if name.startswith("_Z"):
        return any(f"{len(each)}{each}" in name for each in own)
    qualified = re.split(r"[<(\[]", name.replace("(anonymous namespace)::", ""), maxsplit=1)[0].split()[-1:]
    if not qualified or qualified[0].startswith(_LIBRARIES):
        return False
    last = qualified[0].rpartition("::")[2]
    return any(re.fullmatch(rf"{re.escape(each)}(?:_\d\w*)?", last) for each in own)
