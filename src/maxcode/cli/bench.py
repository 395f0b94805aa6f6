"""`maxcode bench`: many tasks, methods and seeds, with statistics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli import completion
from maxcode.cli.console import err, out, print_json, reporting_errors
from maxcode.cli.engine import EngineOptions
from maxcode.cli.groups import CommandTable, command_table
from maxcode.cli.late import LateCommand
from maxcode.cli.options import Instead
from maxcode.cli.searches import METHODS, RunningOptions, SearchOptions, new_bench, run_bench
from maxcode.cli.tables import TableOptions, print_tables
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.bench.cell import Cell
    from maxcode.bench.runner import Bench
    from maxcode.evaluate.engine import Engine

BenchId = Annotated[
    str,
    typer.Argument(
        metavar="BENCH",
        help="A benchmark's run, the beginning of its name, or `last`.",
        show_default=False,
        autocompletion=completion.runs,
    ),
]
QUICK_TASKS = "matmul,histogram,nbody,hashmap,sort,strings"
DEMO_METHODS = ["flat", "cuda-llm", "cuda-llm+maxcode", "mcts+maxcode"]
DEMO = SearchOptions(seeds=3)
DEMO_METHOD = CommandOption(
    metavar="METHOD", default=", ".join(DEMO_METHODS), complete=completion.strategies, panel=METHODS
)


def demo(
    quick: Annotated[bool, typer.Option(help=f"Six tasks ({QUICK_TASKS}), one seed, 12 programs per search.")] = False,
    path: Annotated[
        Path | None, typer.Option(help="Folder of the example tasks; those that come with MaxCode when absent.")
    ] = None,
    *,
    searches: Annotated[SearchOptions, Instead(method=DEMO_METHOD)] = DEMO,
    running: RunningOptions,
    engine: EngineOptions,
    tables: TableOptions,
) -> None:
    """The example tasks."""
    from maxcode.bench.plan import example_tasks

    with reporting_errors():
        folders = example_tasks(path or _examples())
        searches = replace(searches, method=searches.method or DEMO_METHODS)
        if quick:
            searches = replace(searches, tasks=searches.tasks or QUICK_TASKS, seeds=1, evals=12)
        start("demo", folders, searches, running, engine.chosen(), tables)


def any_tasks(
    folder: Annotated[Path, typer.Argument(help="A folder of task folders.", show_default=False)],
    searches: SearchOptions,
    running: RunningOptions,
    engine: EngineOptions,
    tables: TableOptions,
) -> None:
    """Tasks of your own."""
    from maxcode.bench.plan import example_tasks

    with reporting_errors():
        start(folder.resolve().name, example_tasks(folder), searches, running, engine.chosen(), tables)


def resume(bench: BenchId, running: RunningOptions, engine: EngineOptions, tables: TableOptions) -> None:
    """Go on with a benchmark that was stopped; nothing that is done is done again."""
    from maxcode.bench.runner import reopen
    from maxcode.config import load_config
    from maxcode.store.journal import Store

    with reporting_errors(), Store() as store:
        _drive(reopen(bench, store, load_config(running.config)), running, engine.chosen(), tables)


def show(bench: BenchId, tables: TableOptions) -> None:
    """The tables of a benchmark, as far as it got."""
    with reporting_errors():
        _print(_recorded(bench), tables)


def compare(first: BenchId, second: BenchId, tables: TableOptions) -> None:
    """Two benchmarks as one: methods are named after where they come from, tasks and seeds that both have count."""
    with reporting_errors():
        cells = [
            cell.model_copy(update={"method": f"{name}: {cell.method}"})
            for name in (first, second)
            for cell in _recorded(name)
        ]
        _print(cells, tables)


def _examples() -> Path:
    """Folder of the examples: of a checkout, or of an installed package, which has a copy."""
    from maxcode.core import InputError

    package = Path(__file__).resolve().parents[1]
    for folder in (package.parents[1] / "examples", package / "bench" / "examples"):
        if (folder / "matmul" / "task.toml").is_file():
            return folder
    raise InputError("bench demo: the examples are neither in a checkout nor in the package; give --path.")


def start(
    suite: str,
    folders: tuple[str, ...],
    searches: SearchOptions,
    running: RunningOptions,
    engine: Engine,
    tables: TableOptions,
) -> None:
    """Runs a new benchmark over task folders and prints its tables."""
    with new_bench(suite, folders, searches, running.config) as bench:
        _drive(bench, running, engine, tables)


def _drive(bench: Bench, running: RunningOptions, engine: Engine, tables: TableOptions) -> None:
    _print(run_bench(bench, running, engine), tables)
    if not tables.json:
        err.print(f"bench {bench.journal.run}; `maxcode bench show {bench.journal.run}` prints it again.")


def _recorded(run_id: str) -> list[Cell]:
    from maxcode.bench.cell import Cell
    from maxcode.bench.runner import bench_info
    from maxcode.core import InputError
    from maxcode.store.journal import Store

    with Store() as store:
        info = bench_info(store, run_id)
        cells = [Cell.model_validate(e.payload) for e in store.read(info.id, "cell.answered")]
    if not cells:
        raise InputError(f"run {info.id}: none of its searches is finished yet.")
    return cells


def _print(cells: list[Cell], options: TableOptions) -> None:
    from maxcode.bench.report import speedup_summary, tables

    if options.json:
        for cell in cells:
            print_json(cell.model_dump(mode="json"))
        print_json({"summary": speedup_summary(cells)})
        return
    found = tables(cells)
    if not found:
        out.print(f"No task is finished by every method yet; {len(cells)} searches are done.")
    print_tables(found, options)


def commands() -> CommandTable:
    """Commands of benchmarks, and one for each suite; the package of a suite is imported when that is looked up."""
    from maxcode.bench.suites.known import SUITES
    from maxcode.cli.suites import suite_command

    own = command_table({"demo": demo, "tasks": any_tasks, "resume": resume, "show": show, "compare": compare})
    return {**own, **{name: LateCommand(partial(suite_command, name)) for name in SUITES if name not in own}}
