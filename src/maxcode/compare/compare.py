"""A comparison from its settings to its result: of commands, or of two commits."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.compare.benches import BenchSides
from maxcode.compare.commands import CommandSides, TimedCommands
from maxcode.compare.comparison import Results
from maxcode.compare.running import Surroundings, TrustedRuns
from maxcode.compare.sampling import ComparePlan, Comparing
from maxcode.compare.trees import commit_trees, repository_of
from maxcode.core import InputError


@dataclass(frozen=True)
class CompareSettings:
    """What commands run with, and how long."""

    plan: ComparePlan
    cwd: Path
    environment: dict[str, str]
    names: tuple[str, ...] = ()
    input: Path | None = None
    setup: str | None = None
    prepare: str | None = None
    warmup: int = 1
    run_seconds: float = 600.0
    check: bool = False
    ignore_failure: bool = False
    results: str | None = None
    """Pattern of the files in which a bench leaves its results."""

    def surroundings(self, folder: Path) -> Surroundings:
        given = self.cwd / self.input if self.input else None
        if given and not given.is_file():
            raise InputError(f"--input {self.input}: no such file.")
        return Surroundings(folder, self.cwd, self.environment, given, self.run_seconds, self.ignore_failure)


def compare_commands(commands: tuple[str, ...], settings: CompareSettings) -> Results:
    """Results so far, the last of which stands. The first command is the baseline."""
    if len(commands) < 2:
        raise InputError("two commands or more are compared; quote each: maxcode compare './old 5' './new 5'.")
    names = _names(settings.names, commands)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maxcode-compare-")))
        runs, surroundings = stack.enter_context(TrustedRuns()), settings.surroundings(folder)
        _set_up(runs, settings, surroundings)
        timed = TimedCommands(commands, names, surroundings, settings.prepare, settings.check)
        sides = CommandSides(timed, runs, warmup=settings.warmup)
        yield from Comparing(sides.run, list(names), settings.plan, notes=sides.notes).results()


def compare_commits(base: str, head: str, build: str, bench: str, settings: CompareSettings) -> Results:
    """Results so far of a bench in two commits of the repository around `settings.cwd`."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maxcode-compare-")))
        runs, surroundings = stack.enter_context(TrustedRuns()), settings.surroundings(folder)
        within = settings.cwd.resolve().relative_to(repository_of(settings.cwd).resolve())
        trees = stack.enter_context(commit_trees(settings.cwd, (base, head)))
        places = [replace(surroundings, cwd=tree.folder / within) for tree in trees]
        for tree, place in zip(trees, places, strict=True):
            if not place.cwd.is_dir():
                raise InputError(f"--git {tree.revision}: has no folder {within}.")
        sides = BenchSides(bench, places, runs, settings.results)
        for place in places:
            _set_up(runs, settings, place)
        if build:
            sides.build(build)
        sides.warm_up(settings.warmup)
        names = _names(settings.names, (base, head))
        yield from Comparing(sides.run, list(names), settings.plan, notes=sides.notes).results()


def _set_up(runs: TrustedRuns, settings: CompareSettings, surroundings: Surroundings) -> None:
    if settings.setup:
        runs.run(settings.setup, surroundings, "setup", timed=False)


def _names(given: tuple[str, ...], compared: tuple[str, ...]) -> tuple[str, ...]:
    names = given or compared
    if len(names) != len(compared):
        raise InputError(f"--names: {len(names)} names for {len(compared)} sides; give one each, with commas.")
    return names
