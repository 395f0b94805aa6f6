"""`maxcode bench contest`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from maxcode.bench.suites.pairs import PairOptions
from maxcode.bench.suites.suite import Suite
from maxcode.plugins import late
from maxcode.system.options import CommandOption


@dataclass(frozen=True)
class ContestOptions:
    path: Annotated[Path, CommandOption(argument=True)]
    """A problem's folder, or a folder of such."""
    package: Annotated[
        Literal["kattis", "library-checker", "polygon", "folder"] | None, CommandOption(names=("--as",))
    ] = None
    """The format; recognised when absent."""
    pairs: PairOptions = field(default_factory=PairOptions)


SUITE = Suite(
    name="contest",
    about="Contest problems with solutions: Kattis, Library Checker, Polygon, or files NAME.in and NAME.out.",
    options=ContestOptions,
    load=late("maxcode.bench.suites.contest.packages:load_contest"),
    title=lambda options: options.path.resolve().name,
    targets=True,
)
