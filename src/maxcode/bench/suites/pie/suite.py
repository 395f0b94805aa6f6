"""`maxcode bench pie`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from maxcode.bench.suites.pairs import PairOptions
from maxcode.bench.suites.suite import Suite
from maxcode.plugins import late


@dataclass(frozen=True)
class PieOptions:
    path: Path
    """The file of rows (JSON lines), or its folder."""
    rows: str | None = None
    """Only these rows, such as 1-20 or 1-5,9."""
    test_cases: Path | None = None
    """Folder of the tests; merged_test_cases beside the rows when absent."""
    pairs: PairOptions = field(default_factory=PairOptions)


SUITE = Suite(
    name="pie",
    about="Pairs of a slow and a fast program, in the format of PIE.",
    options=PieOptions,
    load=late("maxcode.bench.suites.pie.rows:load_pie"),
    targets=True,
)
