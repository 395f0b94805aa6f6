"""What a suite is: one record, from which `maxcode bench NAME` is made.

A suite is a folder of `maxcode.bench.suites`, or of somebody else's package that names it among its entry points:

    [project.entry-points."maxcode.suites"]
    NAME = "package.module:SUITE"

Modules behind a record are imported when they are needed: `maxcode.plugins.late("package.module:function")`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from maxcode.bench.cell import Cell
    from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask
    from maxcode.bench.tables import Table
    from maxcode.evaluate.pool import Pool

Say = Callable[[str], None]
Progress = Callable[[int, int], None]
Metric = Literal["time", "instructions"]


@dataclass(frozen=True)
class LoadReporter:
    """Tells the user about a suite while it is loaded."""

    say: Say
    """Takes a line that stays."""
    progress: Progress
    """Takes how many are done, of how many."""


@dataclass(frozen=True)
class ListedTask:
    """A task as `--only-load` lists it."""

    words: str
    record: dict[str, Any]
    """The same for `--json`."""


@dataclass(frozen=True)
class Comparison:
    """Baselines that the results of a suite are compared with."""

    tables: tuple[Table, ...]
    records: tuple[dict[str, Any], ...]
    """The same for `--json`."""


@dataclass(frozen=True)
class ToCompare:
    """Order to measure what searches are compared with."""

    loaded: LoadedSuite
    cells: list[Cell]
    """The searches; none where only measuring was asked for."""
    open_pool: Callable[[], AbstractAsyncContextManager[Pool]] | None
    """Other machines that judge; None where this one does."""
    say: Say


@dataclass(frozen=True)
class Suite:
    """A source of tasks. All suites share the options of searches, engines and tables, which are not named here."""

    name: str
    """Name of the command."""
    about: str
    """Help text; its first paragraph stands in the list of commands."""
    options: type[Any]
    """A record of the suite's own options: see maxcode.system.options. One named `tasks` replaces the shared one."""
    load: Callable[[Any, LoadReporter], LoadedSuite]
    """Makes the tasks, given the record of options. InputError where there is nothing to make them of."""
    title: Callable[[Any], str] | None = None
    """Name of the benchmark in the journal, by the options; the suite's name when absent."""
    targets: bool = False
    """Whether tasks can come with a faster program, for `--policy target`."""
    fetched: bool = True
    """Whether its data comes from elsewhere: what was loaded is told, and `--sha256` insists on it."""
    listed: Callable[[MadeTask], ListedTask] | None = None
    """The line of a task in `--only-load`, where the usual one does not say enough."""
    compare: Callable[[ToCompare], Comparison] | None = None
    """Measures what results are compared with, after the searches, or alone with `--only-measure`."""
    compared_with: str = ""
    """What `compare` measures, in words."""
