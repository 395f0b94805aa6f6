"""`maxcode bench SUITE`: a command for each suite, made from its record."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from maxcode.bench.suites.known import SUITES
from maxcode.bench.suites.suite import Comparison, ListedTask, LoadReporter, Suite, ToCompare
from maxcode.cli.bench import start
from maxcode.cli.console import err, out, print_json, reporting_errors, working
from maxcode.cli.engine import LOCAL, EngineOptions, pool_of
from maxcode.cli.groups import made_command
from maxcode.cli.options import Instead, with_signature
from maxcode.cli.searches import METHOD, METHODS, RunningOptions, SearchOptions, chosen_folders, new_bench, run_bench
from maxcode.cli.tables import TableOptions, print_tables
from maxcode.core import InputError
from maxcode.system.options import CommandOption, option_fields

if TYPE_CHECKING:
    from maxcode.bench.cell import Cell
    from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask

EVALS = SearchOptions().evals
BY_TARGET = CommandOption(least=1, panel=METHODS, help=f"Programs per search; {EVALS}, or 1 with --policy target.")


@dataclass(frozen=True)
class LoadOptions:
    """Choice of what to do with the tasks that are loaded."""

    sha256: Annotated[str | None, CommandOption(names=("--sha256",))] = None
    """Refuse other data than that of this digest (it is printed)."""
    only_load: Annotated[bool, CommandOption(names=("--only-load",))] = False
    """Make the tasks and list them, nothing more."""
    only_measure: Annotated[bool, CommandOption(names=("--only-measure",))] = False
    """Measure what results are compared with, and make no search."""


@dataclass(frozen=True)
class SuiteRequest:
    """A suite, and the options that its command was given."""

    suite: Suite
    own: Any
    loading: LoadOptions
    searches: SearchOptions
    running: RunningOptions
    engine: EngineOptions
    tables: TableOptions

    @property
    def title(self) -> str:
        return self.suite.title(self.own) if self.suite.title else self.suite.name


SHARED: dict[str, Any] = {
    "loading": LoadOptions(),
    "searches": SearchOptions(),
    "running": RunningOptions(),
    "engine": EngineOptions(),
    "tables": TableOptions(),
}
TARGET = "target"


def suite_command(name: str) -> Any:
    """The command of a suite; one that says why, where the suite of a package cannot be loaded."""
    try:
        return made_command(name, _running(SUITES[name]))
    except InputError as error:
        return made_command(name, _refusing(error), allow_extra_args=True, ignore_unknown_options=True)


def _refusing(error: InputError) -> Callable[..., None]:
    def command() -> None:
        with reporting_errors():
            raise error

    command.__doc__ = str(error)
    return command


def _running(suite: Suite) -> Callable[..., None]:
    def command(**given: Any) -> None:
        with reporting_errors():
            _run(SuiteRequest(suite=suite, **given))

    command.__doc__ = suite.about
    return with_signature(command, _parameters(suite), suite.name)


def _parameters(suite: Suite) -> Iterator[inspect.Parameter]:
    """The suite's own options, and those that all suites share, unless the suite has one of that name itself."""
    changes: dict[str, CommandOption | None] = {"evals": BY_TARGET} if suite.targets else {}
    changes |= {} if suite.fetched else {"sha256": None}
    words = f"{suite.compared_with.capitalize()}; no search."
    changes |= {"only_measure": CommandOption(names=("--only-measure",), help=words) if suite.compare else None}
    instead = Instead(**{**changes, **{each.name: None for each in option_fields(suite.options)}})
    keyword = partial(inspect.Parameter, kind=inspect.Parameter.KEYWORD_ONLY)
    yield keyword("own", annotation=suite.options)
    for name, record in SHARED.items():
        default = SearchOptions(evals=None) if suite.targets and name == "searches" else record
        yield keyword(name, annotation=Annotated[type(record), instead], default=default)


def _run(asked: SuiteRequest) -> None:
    loaded = _loaded(asked)
    if asked.loading.only_load:
        _list(asked, loaded)
    elif asked.suite.compare is None:
        searches = _settled(asked.searches)
        folders = _folders(loaded, searches)
        start(asked.title, folders, searches, asked.running, asked.engine.chosen(), asked.tables)
    else:
        cells = [] if asked.loading.only_measure else _cells(asked, loaded)
        _print_beside(cells, _compared(asked, loaded, cells), asked.tables)


def _loaded(asked: SuiteRequest) -> LoadedSuite:
    """Tells what needs a word, and which data this is; InputError where other data was wanted."""
    with working("loading ...") as tell:
        reporter = LoadReporter(_say, lambda done, total: tell(f"loading: {done} of {total}"))
        loaded = asked.suite.load(asked.own, reporter)
    if asked.suite.fetched:
        known = {**loaded.digests, "the data loaded": loaded.sha256}
        told = [f"sha256 of {what}: {digest}" for what, digest in known.items()]
        for line in (*loaded.messages, f"{len(loaded.tasks)} of {len(loaded.made)} loaded.", *told):
            _say(line)
        _check_digest(asked.loading.sha256, known)
    return loaded


def _check_digest(wanted: str | None, known: dict[str, str]) -> None:
    if wanted is not None and wanted.lower() not in known.values():
        told = ", ".join(f"{what} has {digest}" for what, digest in known.items())
        raise InputError(f"--sha256 {wanted}: the data is not the expected one: {told}.")


def _say(text: str) -> None:
    err.print(text, markup=False, soft_wrap=True)


def _list(asked: SuiteRequest, loaded: LoadedSuite) -> None:
    """Lists the tasks; in JSON also those that could not be made, unless the user named some."""
    only, listed = asked.searches.tasks, loaded.made
    if only is not None:
        chosen = chosen_folders(runnable(loaded), only)
        listed = tuple(each for each in listed if each.folder in chosen)
    describe = asked.suite.listed or _usual
    for each in listed:
        if asked.tables.json:
            print_json(describe(each).record)
        elif each.folder:
            out.print(describe(each).words, markup=False, highlight=False, soft_wrap=True)
    runnable(loaded)  # an error where there are none


def _usual(made: MadeTask) -> ListedTask:
    timed = ", ".join(f"{name} {seconds * 1000:.3g} ms" for name, seconds in made.workloads.items())
    words = f"{made.folder}: {made.tests} tests" + (f"; timed: {timed}" if timed else "")
    return ListedTask(words, made.model_dump(mode="json"))


def runnable(loaded: LoadedSuite, *, with_target: bool = False) -> tuple[str, ...]:
    """Task folders that a benchmark runs on. InputError when there are none."""
    chosen = tuple(each.folder for each in loaded.made if each.folder and (each.has_target or not with_target))
    if not chosen:
        wanted = "a faster program to go with it" if with_target else "a program and tests that work"
        raise InputError(f"none of the {len(loaded.made)} entries has {wanted}; the messages above say why.")
    return chosen


def _folders(loaded: LoadedSuite, searches: SearchOptions) -> tuple[str, ...]:
    folders = runnable(loaded, with_target=searches.policy == TARGET)
    if len(folders) < len(loaded.tasks):
        _say(f"{len(loaded.tasks) - len(folders)} have no faster program to go with them and are not run.")
    return folders


def _settled(searches: SearchOptions) -> SearchOptions:
    """Fills in what the user left open: a given program needs no search."""
    given = searches.policy == TARGET
    methods = searches.method or (["flat"] if given else [METHOD])
    return replace(searches, method=methods, evals=searches.evals or (1 if given else EVALS))


def _cells(asked: SuiteRequest, loaded: LoadedSuite) -> list[Cell]:
    searches = _settled(asked.searches)
    with new_bench(asked.title, _folders(loaded, searches), searches, asked.running.config) as bench:
        return run_bench(bench, asked.running, asked.engine.chosen())


def _compared(asked: SuiteRequest, loaded: LoadedSuite, cells: list[Cell]) -> Comparison:
    from maxcode.config import load_config

    assert asked.suite.compare is not None
    engine, config = asked.engine.chosen(), load_config(asked.running.config)
    pool = None if engine.name == LOCAL else partial(pool_of, engine, config)
    with working(f"measuring {asked.suite.compared_with} ...") as say:
        return asked.suite.compare(ToCompare(loaded, cells, pool, say))


def _print_beside(cells: list[Cell], beside: Comparison, options: TableOptions) -> None:
    from maxcode.bench.report import tables

    if options.json:
        for record in (*(cell.model_dump(mode="json") for cell in cells), *beside.records):
            print_json(record)
    else:
        print_tables((*tables(cells), *beside.tables), options)
