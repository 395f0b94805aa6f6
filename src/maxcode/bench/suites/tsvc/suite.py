"""`maxcode bench tsvc`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from maxcode.bench.suites.suite import Suite
from maxcode.plugins import late


@dataclass(frozen=True)
class TsvcOptions:
    path: Path
    """The folder of TSVC_2."""


SUITE = Suite(
    name="tsvc",
    about="The loops of TSVC_2, the test suite for vectorising compilers.",
    options=TsvcOptions,
    load=late("maxcode.bench.suites.tsvc.loops:load_tsvc"),
)
