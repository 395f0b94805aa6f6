"""`maxcode bench pie`, `contest`, `polybench`, `tsvc`: programs with tests in the formats of others."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.bench import (
    METHODS,
    Abreast,
    Config,
    Critic,
    Form,
    FormOption,
    Json,
    Methods,
    Only,
    Policy,
    Seeds,
    Shown,
    Wanted,
    chosen_folders,
    start,
)
from maxcode.cli.console import err, out, print_json, reporting_errors, working
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption
from maxcode.evaluate.engine import Engine

if TYPE_CHECKING:
    from maxcode.bench.sources.loading import Suite, Unread
    from maxcode.bench.sources.problem import Problem


class Metric(StrEnum):
    TIME = "time"
    INSTRUCTIONS = "instructions"


MetricOption = Annotated[
    Metric, typer.Option(help="time: side by side; instructions: counted under valgrind, for inputs too short to time.")
]
MostTests = Annotated[int, typer.Option(min=2, help="Tests per task; more are thinned out by size.")]
Sha256 = Annotated[
    str | None, typer.Option("--sha256", help="Refuse other data than that of this digest (it is printed).")
]
OnlyLoad = Annotated[bool, typer.Option("--only-load", help="Make the tasks and list them, nothing more.")]
MaybeEvals = Annotated[
    int | None,
    typer.Option(min=1, help="Programs per search; 32, or 1 with --policy target.", rich_help_panel=METHODS),
]


def add_suites(app: typer.Typer) -> None:
    from maxcode.cli.hpc import hpc

    app.command()(hpc)
    app.command()(pie)
    app.command()(contest)
    app.command()(polybench)
    app.command()(tsvc)


def pie(
    path: Annotated[Path, typer.Option(help="The file of rows (JSON lines), or its folder.", show_default=False)],
    rows: Annotated[str | None, typer.Option(help="Only these rows, such as 1-20 or 1-5,9.")] = None,
    test_cases: Annotated[
        Path | None, typer.Option(help="Folder of the tests; merged_test_cases beside the rows when absent.")
    ] = None,
    metric: MetricOption = Metric.TIME,
    tests: MostTests = 30,
    sha256: Sha256 = None,
    only_load: OnlyLoad = False,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: MaybeEvals = None,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Pairs of a slow and a fast program, in the format of PIE."""
    from maxcode.bench.sources.pie import Data, read_pie

    with reporting_errors():
        data = Data(path, test_cases)
        suite = _load(read_pie(data, rows), metric, tests, {data.rows.name: data.sha256}, sha256)
        if only_load:
            list_tasks(suite, tasks, json)
            return
        wanted = searches(method, policy, critic, seeds, evals, tasks)
        run_suite("pie", suite, wanted, Shown(abreast, config, form, json, Engine(name=engine, address=address)))


class Package(StrEnum):
    KATTIS = "kattis"
    LIBRARY_CHECKER = "library-checker"
    POLYGON = "polygon"
    FOLDER = "folder"


def contest(
    path: Annotated[Path, typer.Argument(help="A problem's folder, or a folder of such.", show_default=False)],
    package: Annotated[
        Package | None, typer.Option("--as", help="The format; recognised when absent.", show_default=False)
    ] = None,
    metric: MetricOption = Metric.TIME,
    tests: MostTests = 30,
    sha256: Sha256 = None,
    only_load: OnlyLoad = False,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: MaybeEvals = None,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Contest problems with solutions: Kattis, Library Checker, Polygon, or files NAME.in and NAME.out."""
    from maxcode.bench.sources.contests import read_contest

    with reporting_errors():
        suite = _load(read_contest(path, package), metric, tests, {}, sha256)
        if only_load:
            list_tasks(suite, tasks, json)
            return
        wanted = searches(method, policy, critic, seeds, evals, tasks)
        run_suite(
            path.resolve().name, suite, wanted, Shown(abreast, config, form, json, Engine(name=engine, address=address))
        )


class Size(StrEnum):
    MINI = "mini"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    EXTRALARGE = "extralarge"


def polybench(
    path: Annotated[Path, typer.Option(help="The folder of PolyBench/C.", show_default=False)],
    size: Annotated[Size, typer.Option(help="Which of its dataset sizes.")] = Size.MEDIUM,
    sha256: Sha256 = None,
    only_load: OnlyLoad = False,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: MaybeEvals = None,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """The kernels of PolyBench/C."""
    from maxcode.bench.sources.loading import made_side_by_side
    from maxcode.bench.sources.polybench import make_polybench, read_polybench

    with reporting_errors():
        found = read_polybench(path)
        with working("loading ..."):
            suite = made_side_by_side(found, lambda each, programs: make_polybench(each, size.value, programs))
        report_loading(suite, {}, sha256)
        if only_load:
            list_tasks(suite, tasks, json)
            return
        wanted = searches(method, policy, critic, seeds, evals, tasks)
        run_suite(
            f"polybench-{size.value}",
            suite,
            wanted,
            Shown(abreast, config, form, json, Engine(name=engine, address=address)),
        )


def tsvc(
    path: Annotated[Path, typer.Option(help="The folder of TSVC_2.", show_default=False)],
    sha256: Sha256 = None,
    only_load: OnlyLoad = False,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: MaybeEvals = None,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """The loops of TSVC_2, the test suite for vectorising compilers."""
    from maxcode.bench.sources.loading import made_side_by_side
    from maxcode.bench.sources.tsvc import make_tsvc, read_tsvc

    with reporting_errors():
        found = read_tsvc(path)
        with working("loading ..."):
            suite = made_side_by_side(found, make_tsvc)
        report_loading(suite, {}, sha256)
        if only_load:
            list_tasks(suite, tasks, json)
            return
        wanted = searches(method, policy, critic, seeds, evals, tasks)
        run_suite("tsvc", suite, wanted, Shown(abreast, config, form, json, Engine(name=engine, address=address)))


def _load(
    found: Sequence[Problem | Unread], metric: Metric, most_tests: int, digests: dict[str, str], wanted: str | None
) -> Suite:
    from maxcode.bench.sources.loading import load
    from maxcode.bench.sources.problem import Settings

    settings = Settings(metric=metric.value, most_tests=most_tests)
    with working("loading ...") as tell:
        suite = load(found, settings, lambda done, total: tell(f"loading: {done} of {total}"))
    report_loading(suite, digests, wanted)
    return suite


def report_loading(suite: Suite, digests: dict[str, str], wanted: str | None) -> None:
    """What needs a word, and which data this is; InputError where other data was wanted."""
    from maxcode.bench.sources.loading import check_digest

    known = {**digests, "the data loaded": suite.sha256}
    for message in suite.messages:
        say(message)
    say(f"{len(suite.tasks)} of {len(suite.made)} loaded.")
    for what, digest in known.items():
        say(f"sha256 of {what}: {digest}")
    check_digest(wanted, known)


def say(text: str) -> None:
    err.print(text, markup=False, soft_wrap=True)


def list_tasks(suite: Suite, only: str | None, as_json: bool) -> None:
    """With those that could not be made, in JSON, where none were named."""
    from maxcode.bench.sources.loading import task_folders

    listed = suite.made
    if only is not None:
        chosen = chosen_folders(task_folders(suite, with_target=False), only)
        listed = tuple(each for each in listed if each.folder in chosen)
    for each in listed:
        if as_json:
            print_json(each.model_dump(mode="json"))
        elif each.folder:
            timed = ", ".join(f"{name} {seconds * 1000:.3g} ms" for name, seconds in each.workloads.items())
            words = f"{each.folder}: {each.tests} tests" + (f"; timed: {timed}" if timed else "")
            out.print(words, markup=False, soft_wrap=True)
    task_folders(suite, with_target=False)  # an error where there are none


def run_suite(name: str, suite: Suite, wanted: Wanted, shown: Shown) -> None:
    from maxcode.bench.sources.loading import task_folders

    with_target = wanted.policy == "target"
    folders = task_folders(suite, with_target=with_target)
    if len(folders) < len(suite.tasks):
        say(f"{len(suite.tasks) - len(folders)} have no faster program to go with them and are not run.")
    start(name, folders, wanted, shown)


def searches(
    methods: list[str] | None, policy: str, critic: str, seeds: int, evals: int | None, only: str | None
) -> Wanted:
    """Searches as asked for; a program that is given needs no search."""
    given = policy == "target"
    chosen = methods or (["flat"] if given else ["cuda-llm+maxcode"])
    return Wanted(chosen, policy, critic, seeds, evals or (1 if given else 32), only)
