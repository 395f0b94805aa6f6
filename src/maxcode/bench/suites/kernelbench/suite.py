"""`maxcode bench kernelbench`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from maxcode.bench.suites.suite import Suite
from maxcode.plugins import late
from maxcode.system.options import CommandOption


@dataclass(frozen=True)
class KernelbenchOptions:
    path: Annotated[Path | None, CommandOption(default="the data set ScalingIntelligence/KernelBench")] = None
    """A checkout, one of its level folders, a problem file, or rows (.jsonl, .parquet)."""
    level: Annotated[int | None, CommandOption(least=1, default="all")] = None
    """Only this level."""
    problems: str | None = None
    """Only these numbers, such as 1-20 or 1-5,33."""
    scale: Annotated[
        float | None, CommandOption(least=1e-9, default="1 on CUDA, about a million elements on a CPU")
    ] = None
    """Make inputs have so many times as many elements."""
    rule: Literal["anything-faster", "custom-kernel-required"] = "anything-faster"
    """Whether candidates must do the work with kernels of their own."""
    precision: Literal["strict", "kernelbench"] = "strict"
    """kernelbench: its tolerances; strict: no less exact than the original, too."""
    vary_shapes: Annotated[bool, CommandOption(names=("--vary-shapes",))] = False
    """Candidates must be right at other batch sizes and lengths too."""


SUITE = Suite(
    name="kernelbench",
    about="PyTorch models in KernelBench's format.",
    options=KernelbenchOptions,
    load=late("maxcode.bench.suites.kernelbench.tasks:load_kernelbench"),
    title=lambda options: "kernelbench" if options.level is None else f"kernelbench-{options.level}",
)
