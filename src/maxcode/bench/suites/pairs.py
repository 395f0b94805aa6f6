"""Options of suites whose problems are programs with pairs of an input and an expected output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from maxcode.bench.suites.suite import Metric
from maxcode.system.options import CommandOption


@dataclass(frozen=True)
class PairOptions:
    """How tasks are made of programs with tests."""

    metric: Metric = "time"
    """time: side by side; instructions: counted under valgrind, for inputs too short to time."""
    tests: Annotated[int, CommandOption(least=2)] = 30
    """Tests per task; more are thinned out by size."""
