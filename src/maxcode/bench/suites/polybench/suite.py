"""`maxcode bench polybench`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from maxcode.bench.suites.suite import Suite
from maxcode.plugins import late


@dataclass(frozen=True)
class PolybenchOptions:
    path: Path
    """The folder of PolyBench/C."""
    size: Literal["mini", "small", "medium", "large", "extralarge"] = "medium"
    """Dataset size of PolyBench."""


SUITE = Suite(
    name="polybench",
    about="The kernels of PolyBench/C.",
    options=PolybenchOptions,
    load=late("maxcode.bench.suites.polybench.kernels:load_polybench"),
    title=lambda options: f"polybench-{options.size}",
)
