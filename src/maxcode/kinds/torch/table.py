"""The `[torch]` table: a PyTorch model in KernelBench's format, and what may take its place."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from maxcode.core import Frozen, Language
from maxcode.task.model import Task

Constants = dict[str, int | float]
"""Module-level constants of the problem file, by name."""


class Torch(Frozen):
    """Table of PyTorch models."""

    rule: Literal["anything-faster", "custom-kernel-required"] = "anything-faster"
    """custom-kernel-required: the candidate's own kernels (CUDA, Triton, NVRTC, C++ on a CPU) must do the work."""
    device: Literal["auto", "cuda", "cpu"] = "auto"
    """auto: CUDA where there is a GPU."""
    precision: Literal["strict", "kernelbench"] = "strict"
    """kernelbench: its tolerances (1e-4 for float32, 1e-2 for half). strict: also, the error against a float64
    reference may not be far above that of the original in the same precision."""
    tf32: bool = False
    """Whether float32 matrix products may use TF32, on both sides."""
    weights: Literal["derived-once", "every-call"] = "derived-once"
    """Whether what a candidate computes from weights (transposed, folded, split) may be kept from its first call on, as
    KernelBench's own timing allows, or must follow weights that change between calls."""
    trials: int = Field(default=3, ge=1, le=20)
    """Secret seeds to verify with, each for weights and inputs of their own."""
    constants: Constants = Field(default_factory=dict)
    """Module-level constants of the problem that get another value, to make it smaller or larger."""
    constants_cpu: Constants = Field(default_factory=dict)
    """The same where it runs on a CPU; where both name a constant, this value counts."""
    shapes: tuple[Constants, ...] = ()
    """Further values of constants with which a candidate must be right too."""
    distributions: bool = True
    """Whether to verify with other values of floating-point inputs too, where the original gives sense on them."""
    compiled: bool | None = None
    """Whether to time torch.compile of the original too; when absent: on a GPU."""


def with_defaults(data: dict[str, Any]) -> dict[str, Any]:
    """A problem is a Python file, and a process with torch in it needs more than a program."""
    limits = data.get("limits", {})
    if isinstance(limits, dict):
        limits = {"seconds": 60.0, "memory_mb": 8192, **limits}
    return {"torch": {}, "language": "python", **data, "limits": limits}


def check_settings(task: Task) -> None:
    if task.language is not Language.PYTHON:
        raise ValueError('kind = "torch" needs language = "python": the problem is a Python file')
    if len(task.files) != 1:
        raise ValueError("a torch problem is one file, with Model, get_inputs and get_init_inputs")
    if task.workloads:
        raise ValueError('kind = "torch" has no [[workloads]]; its inputs come from get_inputs')
    if task.objective.metric != "time":
        raise ValueError("objective.metric: a torch model is timed")
