"""`maxcode bench hpc`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from maxcode.bench.suites.suite import Suite
from maxcode.plugins import late
from maxcode.system.options import CommandOption


@dataclass(frozen=True)
class HpcOptions:
    tasks: str | None = None
    """Only these, as a,b,c: kernels (dgemm) or tasks (dgemm-256)."""
    shapes: Literal["all", "training", "held-out"] = "all"
    """Shapes to train on, those kept back, or all."""
    cpus: Annotated[int, CommandOption(least=1)] = 1
    """Cores of each task; more than one allows threads."""


SUITE = Suite(
    name="hpc",
    about="Numerical kernels: GFLOPS, share of this machine's roofline, and the libraries' speed beside it.",
    options=HpcOptions,
    load=late("maxcode.bench.suites.hpc.loading:load_kernels"),
    fetched=False,
    listed=late("maxcode.bench.suites.hpc.loading:listed"),
    compare=late("maxcode.bench.suites.hpc.yardsticks:compare"),
    compared_with="baselines, roofs and libraries",
)
