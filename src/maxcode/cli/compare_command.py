"""`maxcode compare` as the command line takes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from maxcode.cli.console import reporting_errors
from maxcode.system.options import CommandOption

EACH, STOP, COMMITS = "Each run", "When to stop", "Two commits"
Form = Literal["text", "json", "markdown", "csv"]


@dataclass(frozen=True)
class RunOptions:
    """What each run of a command has around it."""

    input: Annotated[Path | None, CommandOption(metavar="FILE", panel=EACH)] = None
    """Standard input of every run; empty when absent."""
    setup: Annotated[str | None, CommandOption(metavar="CMD", panel=EACH)] = None
    """Command to run once before everything."""
    prepare: Annotated[str | None, CommandOption(metavar="CMD", panel=EACH)] = None
    """Command to run before each run; it is not timed."""
    cwd: Annotated[Path | None, CommandOption(metavar="DIR", panel=EACH, exists=True, folder=True)] = None
    """Folder to run in; this one when absent."""
    env: Annotated[list[str] | None, CommandOption(metavar="K=V", panel=EACH)] = None
    """Variable of the environment."""
    warmup: Annotated[int, CommandOption(least=1, panel=EACH)] = 1
    """Runs of each command that are not timed."""
    timeout: Annotated[float, CommandOption(least=0.1, panel=EACH)] = 600.0
    """Seconds after which a run is killed, with all that it started."""
    check: Annotated[bool, CommandOption(names=("--check",), panel=EACH)] = False
    """Outputs must agree in every run; of commands, not of benches."""
    ignore_failure: Annotated[bool, CommandOption(names=("--ignore-failure",), panel=EACH)] = False
    """Time commands whose exit code is not 0 too."""


@dataclass(frozen=True)
class StopOptions:
    """What to tell apart, and how long to try."""

    metric: Annotated[Literal["wall", "cpu"], CommandOption(panel=STOP)] = "wall"
    """Clock that counts: the wall clock, or CPU time of all processes, which is steadier on a busy machine."""
    min_effect: Annotated[str, CommandOption(metavar="SHARE", panel=STOP)] = "1%"
    """Difference up to which two are a tie."""
    max_seconds: Annotated[float, CommandOption(least=0.0, panel=STOP)] = 60.0
    """Seconds of sampling, three pairs at least."""
    fail_on: Annotated[str | None, CommandOption(metavar="POLICY", panel=STOP)] = None
    """slower or slower:3%: exit code 1 if something is certainly slower, by that much or more in the estimate."""


@dataclass(frozen=True)
class CommitOptions:
    """Two commits instead of commands."""

    git: Annotated[tuple[str, str] | None, CommandOption(metavar="BASE HEAD", panel=COMMITS)] = None
    """Compare two commits of this repository: `--git BASE HEAD -- 'BUILD' 'BENCH'`."""
    results: Annotated[str | None, CommandOption(metavar="FILE", panel=COMMITS)] = None
    """File in which the bench leaves results, in the work tree, or a pattern; when absent, what it prints."""


@dataclass(frozen=True)
class FormOptions:
    """How to print the result."""

    json: Annotated[bool, CommandOption(names=("--json",))] = False
    """Print JSON for machines: one object with all samples."""
    markdown: Annotated[bool, CommandOption(names=("--markdown",))] = False
    """Print a table for a comment or a page."""
    csv: Annotated[bool, CommandOption(names=("--csv",))] = False
    """Print comma-separated values."""

    @property
    def form(self) -> Form:
        return "json" if self.json else "markdown" if self.markdown else "csv" if self.csv else "text"


def compare(
    commands: Annotated[
        list[str],
        typer.Argument(
            metavar="CMD...",
            help="Commands, each in quotes; the first is the baseline. With --git: build and bench.",
            show_default=False,
        ),
    ],
    around: RunOptions,
    until: StopOptions,
    commits: CommitOptions,
    names: Annotated[
        str | None, typer.Option(metavar="A,B", help="Names to show instead of the commands, with commas between.")
    ] = None,
    *,
    forms: FormOptions,
) -> None:
    """Is B faster than A? Any commands, or two commits, in interleaved pairs with a verdict and an interval."""
    from maxcode.cli import compare as command

    with reporting_errors():
        command.run(tuple(commands), around, until, commits, names, forms.form)
