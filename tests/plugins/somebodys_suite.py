"""A suite that MaxCode does not have: task folders that lie about, a few at a time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from maxcode.bench.suites.making.problem import LoadedSuite, of_folders
from maxcode.bench.suites.suite import LoadReporter, Suite
from maxcode.core import InputError
from maxcode.system.options import CommandOption


@dataclass(frozen=True)
class ShelfOptions:
    path: Annotated[Path, CommandOption(argument=True)]
    """A folder with task folders at any depth."""
    most: Annotated[int, CommandOption(least=1)] = 10
    """At most so many tasks."""


def load(options: ShelfOptions, reporter: LoadReporter) -> LoadedSuite:
    found = sorted(file.parent.resolve() for file in options.path.rglob("task.toml"))
    if not found:
        raise InputError(f"{options.path}: has no task.toml in it.")
    reporter.say(f"{len(found)} on the shelf.")
    return of_folders(found[: options.most])


SUITE = Suite("shelf", "Tasks from a shelf.", ShelfOptions, load, title=lambda options: f"shelf-{options.most}")
