"""`maxcode bench`: many tasks, methods and seeds, with statistics."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli import completion
from maxcode.cli.console import INTERRUPTED, err, out, print_json, reporting_errors, working
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption, pool_of
from maxcode.evaluate.engine import ON_THIS_MACHINE, Engine

if TYPE_CHECKING:
    from maxcode.bench.cell import Cell
    from maxcode.bench.runner import Bench, Standing

bench_app = typer.Typer(no_args_is_help=True, help="Many tasks, methods and seeds, with statistics.")


METHODS = "Methods and searches"


class Form(StrEnum):
    TEXT = "text"
    MARKDOWN = "markdown"
    CSV = "csv"
    LATEX = "latex"
    HTML = "html"


Methods = Annotated[
    list[str] | None,
    typer.Option(
        "--method",
        metavar="METHOD",
        help="A strategy, or NAME=STRATEGY with any of policy=, critic=, screen=, hedge=, value= and evals= after "
        "commas; several are compared with the first.",
        show_default="cuda-llm+maxcode",
        autocompletion=completion.strategies,
        rich_help_panel=METHODS,
    ),
]
Policy = Annotated[
    str,
    typer.Option(
        metavar="POLICY",
        help="Policy of the methods that do not name their own.",
        autocompletion=completion.policies,
        rich_help_panel=METHODS,
    ),
]
Critic = Annotated[
    str,
    typer.Option(
        metavar="CRITIC",
        help="Critic of the methods that do not name their own.",
        autocompletion=completion.critics,
        rich_help_panel=METHODS,
    ),
]
Seeds = Annotated[int, typer.Option(min=1, help="Searches per task and method.", rich_help_panel=METHODS)]
Evals = Annotated[int, typer.Option(min=1, help="Programs per search.", rich_help_panel=METHODS)]
Only = Annotated[
    str | None,
    typer.Option("--tasks", metavar="NAMES", help="Only these tasks, as a,b,c.", rich_help_panel=METHODS),
]
Abreast = Annotated[
    int | None, typer.Option(min=1, help="Searches side by side; one per slot when absent (timings never overlap).")
]
Config = Annotated[Path | None, typer.Option(help="Settings of models and prompts.", exists=True, dir_okay=False)]
FormOption = Annotated[Form, typer.Option("--format", help="How to print the tables.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines: one object per cell, then a summary.")]
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


@bench_app.command()
def demo(
    quick: Annotated[bool, typer.Option(help=f"Six tasks ({QUICK_TASKS}), one seed, 12 programs per search.")] = False,
    path: Annotated[
        Path | None, typer.Option(help="Folder of the example tasks; those of this checkout when absent.")
    ] = None,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 3,
    evals: Evals = 32,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """The example tasks."""
    from maxcode.bench.plan import example_tasks

    with reporting_errors():
        folders = example_tasks(path or _examples())
        if quick:
            tasks, seeds, evals = tasks or QUICK_TASKS, 1, 12
        wanted = Wanted(method or DEMO_METHODS, policy, critic, seeds, evals, tasks)
        start("demo", folders, wanted, Shown(abreast, config, form, json, Engine(name=engine, address=address)))


@bench_app.command("tasks")
def any_tasks(
    folder: Annotated[Path, typer.Argument(help="A folder of task folders.", show_default=False)],
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: Evals = 32,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Tasks of your own."""
    from maxcode.bench.plan import example_tasks

    with reporting_errors():
        folders, name = example_tasks(folder), folder.resolve().name
        wanted = Wanted(method or ["cuda-llm+maxcode"], policy, critic, seeds, evals, tasks)
        start(name, folders, wanted, Shown(abreast, config, form, json, Engine(name=engine, address=address)))


@bench_app.command()
def resume(
    bench: BenchId,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Go on with a benchmark that was stopped; nothing that is done is done again."""
    from maxcode.bench.runner import reopen
    from maxcode.config import load_config
    from maxcode.store.journal import Store

    with reporting_errors(), Store() as store:
        _drive(
            reopen(bench, store, load_config(config)),
            Shown(abreast, config, form, json, Engine(name=engine, address=address)),
        )


@bench_app.command()
def show(bench: BenchId, form: FormOption = Form.TEXT, json: Json = False) -> None:
    """The tables of a benchmark, as far as it got."""
    with reporting_errors():
        _print(_recorded(bench), form, json)


@bench_app.command()
def compare(first: BenchId, second: BenchId, form: FormOption = Form.TEXT, json: Json = False) -> None:
    """Two benchmarks as one: methods are named after where they come from, tasks and seeds that both have count."""
    with reporting_errors():
        cells = [
            cell.model_copy(update={"method": f"{name}: {cell.method}"})
            for name in (first, second)
            for cell in _recorded(name)
        ]
        _print(cells, form, json)


def _examples() -> Path:
    from maxcode.core import InputError

    folder = Path(__file__).resolve().parents[3] / "examples"
    if not folder.is_dir():
        raise InputError("bench demo: the examples are part of a checkout; give their folder with --path.")
    return folder


@dataclass(frozen=True)
class Wanted:
    """Which searches to make."""

    methods: list[str]
    policy: str
    critic: str
    seeds: int
    evals: int
    only: str | None


@dataclass(frozen=True)
class Shown:
    """How to run them and what to print."""

    abreast: int | None
    config: Path | None
    form: Form
    as_json: bool
    engine: Engine = ON_THIS_MACHINE


def start(suite: str, folders: tuple[str, ...], wanted: Wanted, shown: Shown) -> None:
    """Runs a new benchmark over task folders and prints its tables."""
    with new_bench(suite, folders, wanted, shown) as bench:
        _drive(bench, shown)


@contextmanager
def new_bench(
    suite: str, folders: tuple[str, ...], wanted: Wanted, shown: Shown, *, confirm: bool = True
) -> Iterator[Bench]:
    """A benchmark over task folders, ready to run."""
    from maxcode.bench.plan import Plan, methods_of
    from maxcode.bench.runner import start as start_bench
    from maxcode.config import load_config
    from maxcode.search.budget import Budget
    from maxcode.store.journal import Store

    plan = Plan(
        suite=suite,
        tasks=chosen_folders(folders, wanted.only),
        methods=methods_of(wanted.methods, wanted.policy, wanted.critic),
        seeds=tuple(range(wanted.seeds)),
        budget=Budget(evals=wanted.evals),
        confirm=confirm,
    )
    with Store() as store:
        yield start_bench(plan, store, load_config(shown.config))


def chosen_folders(folders: tuple[str, ...], only: str | None) -> tuple[str, ...]:
    """By the names of tasks; InputError where one is not there."""
    from maxcode.core import InputError

    if only is None:
        return folders
    by_name = {Path(folder).name: folder for folder in folders}
    names = [name.strip() for name in only.split(",") if name.strip()]
    unknown = [name for name in names if name not in by_name]
    if unknown or not names:
        raise InputError(f"--tasks {only}: '{', '.join(unknown)}' is not there; there are: {', '.join(by_name)}.")
    return tuple(by_name[name] for name in names)


def _drive(bench: Bench, shown: Shown) -> None:
    _print(driven(bench, shown), shown.form, shown.as_json)
    if not shown.as_json:
        err.print(f"bench {bench.journal.run}; `maxcode bench show {bench.journal.run}` prints it again.")


def driven(bench: Bench, shown: Shown) -> list[Cell]:
    """All cells of a benchmark, run with a display until done or interrupted."""
    from maxcode.bench.runner import run
    from maxcode.cli.stopping import run_until_interrupted
    from maxcode.processes import session, this_process

    config = None if shown.config is None else str(shown.config.resolve())
    told = session(this_process(), engine=shown.engine.model_dump(mode="json"), config=config)

    async def drive() -> list[Cell]:
        async with pool_of(shown.engine, bench.config) as pool:
            with working(f"bench {bench.journal.run}: starting ...") as say:

                def progress(standing: Standing) -> None:
                    say(f"bench {bench.journal.run}: {_in_words(standing)}")

                return await run(bench, pool, abreast=shown.abreast or pool.slots, progress=progress)

    try:
        with bench.journal.session(told):
            return run_until_interrupted(drive())
    except KeyboardInterrupt:
        words = f"Stopped; everything so far is kept. `maxcode bench resume {bench.journal.run}` goes on."
        err.print(words, soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None


def _in_words(standing: Standing) -> str:
    words = f"{len(standing.done)} of {standing.cells} searches, {sum(standing.programs.values())} programs judged"
    if not standing.done:
        return words
    last = standing.done[-1]
    return f"{words}; last: {last.task}, {last.method}, " + ("left out" if last.problem else f"{last.speedup:.3g}x")


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


def _print(cells: list[Cell], form: Form, as_json: bool) -> None:
    from maxcode.bench.report import speedup_summary, tables
    from maxcode.bench.tables import FORMS, rich

    if as_json:
        for cell in cells:
            print_json(cell.model_dump(mode="json"))
        print_json({"summary": speedup_summary(cells)})
        return
    found = tables(cells)
    if not found:
        out.print(f"No task is finished by every method yet; {len(cells)} searches are done.")
    for table in found:
        if form is Form.TEXT and sys.stdout.isatty():
            out.print(rich(table))
        else:
            print(FORMS[form.value](table))
