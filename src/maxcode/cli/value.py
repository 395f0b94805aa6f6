"""`maxcode collect` and `maxcode value`: the reward-to-go model, from data to report card."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.bench import Abreast, Config, Critic, Form, FormOption, Json, Only, Policy, Seeds, Shown, Wanted
from maxcode.cli.console import err, out, print_json, reporting_errors
from maxcode.cli.value_train import DataFile, train

if TYPE_CHECKING:
    from maxcode.bench.card import Graded
    from maxcode.bench.tables import Table
    from maxcode.store.journal import Store
    from maxcode.value.data import Row

value_app = typer.Typer(
    no_args_is_help=True,
    help="The reward-to-go model: which states are worth expanding. Data from journals, training, a report card.",
)
COLLECTED = ["paths+critique", "rollouts+critique"]


class By(StrEnum):
    TASK = "task"
    FAMILY = "family"


class Cuts(StrEnum):
    QUARTILES = "quartiles"
    PIE = "pie"
    KERNELBENCH_1 = "kernelbench-1"
    KERNELBENCH_2 = "kernelbench-2"


ModelNames = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="light (ships with MaxCode), a model's file or folder, or openai:MODEL; several are put side by side.",
        show_default="light",
    ),
]


def collect(
    folder: Annotated[Path, typer.Argument(help="A folder of task folders.", show_default=False)],
    method: Annotated[
        list[str] | None,
        typer.Option("--method", help="Strategies to collect with.", show_default=", ".join(COLLECTED)),
    ] = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 2,
    evals: Annotated[int, typer.Option(min=1, help="Programs per search.")] = 48,
    tasks: Only = None,
    abreast: Abreast = None,
    config: Config = None,
    note: Annotated[
        Path | None, typer.Option(help="File that gets the run's name at once, for `maxcode bench resume`.")
    ] = None,
    json: Json = False,
) -> None:
    """Make data for a value model: single paths, and siblings rolled out at equal budget, over many tasks."""
    from maxcode.bench.plan import example_tasks
    from maxcode.cli.bench import driven, new_bench

    with reporting_errors():
        wanted = Wanted(method or COLLECTED, policy, critic, seeds, evals, tasks)
        shown = Shown(abreast, config, Form.TEXT, json)
        with new_bench("collect", example_tasks(folder), wanted, shown, confirm=False) as bench:
            if note:
                note.write_text(bench.journal.run + "\n")
            cells = driven(bench, shown)
        run, programs = bench.journal.run, sum(len(cell.rewards) for cell in cells)
        problems = {cell.task: cell.problem for cell in cells if cell.problem}
        if json:
            print_json({"run": run, "searches": len(cells), "programs": programs, "problems": problems})
            return
        for task, problem in problems.items():
            err.print(f"left out {task}: {problem}", markup=False, highlight=False)
        words = (
            f"{len(cells)} searches, {programs} programs. `maxcode value data {run} -o data.jsonl` makes rows of it."
        )
        out.print(words, highlight=False, soft_wrap=True)


@value_app.command()
def family(
    folder: Annotated[Path, typer.Argument(help="Folder for the task folders.", show_default=False)],
    count: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 120,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other variants.")] = 0,
) -> None:
    """Write a family of small tasks to learn from: variants of loop nests and programs, costs in instructions."""
    from maxcode.value.family import write_family

    with reporting_errors():
        out.print(f"{len(write_family(folder, count, seed))} tasks in {folder}", highlight=False, soft_wrap=True)


@value_app.command()
def data(
    runs: Annotated[list[str], typer.Argument(help="Runs, or benchmarks with all their runs.", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--out", help="File for the rows (JSON lines).", show_default=False)],
    cuts: Annotated[Cuts, typer.Option(help="Between classes: quartiles of what was faster, or the paper's.")] = (
        Cuts.QUARTILES
    ),
    held_out: Annotated[float, typer.Option(min=0.0, max=0.9, help="Share of the tasks to hold out.")] = 0.2,
    split: Annotated[By, typer.Option(help="Hold out tasks, or whole families of variants.")] = By.TASK,
    text: Annotated[bool, typer.Option("--text/--no-text", help="With the states' text, for models that read.")] = True,
    json: Json = False,
) -> None:
    """Rows for training from journals: every state of every path, and every proposal before it ran."""
    from maxcode.store.journal import Store
    from maxcode.value.data import CUTS, labelled, without_duplicates
    from maxcode.value.files import write_rows

    with reporting_errors(), Store() as store, err.status("reading journals ..."):
        found = without_duplicates(row for run in _searches(store, runs) for row in _rows(store, run, text))
        rows = labelled(found, cuts=CUTS.get(cuts.value), held_out=held_out, by=split.value)
        write_rows(rows, output)
    _tell(rows, json)


def _searches(store: Store, runs: list[str]) -> Iterator[str]:
    from maxcode.bench.runner import is_bench, runs_of

    for run in runs:
        info = store.info(run)
        yield from runs_of(store, info).values() if is_bench(info) else [info.id]


def _rows(store: Store, run: str, text: bool) -> Iterator[Row]:
    from maxcode.observe.render import tokens as tokens_of
    from maxcode.optimize import strategy_of
    from maxcode.recorded import known, recorded_tree
    from maxcode.value.data import rows_of

    settings, _ = known(store, run)
    tree = recorded_tree(store, run)
    for row in rows_of(tree, strategy_of(settings), run=run, policy=settings.policy, text=text):
        yield row.model_copy(update={"tokens": tokens_of(row.text)}) if text else row


def _tell(rows: list[Row], as_json: bool) -> None:
    import numpy as np

    tokens = [row.tokens for row in rows] or [0]
    lengths = {f"p{q}": int(np.quantile(tokens, q / 100)) for q in (50, 95, 100)}
    counts = {
        "rows": len(rows),
        "masked": sum(row.masked for row in rows),
        "tasks": len({row.task for row in rows}),
        "held_out_tasks": len({row.task for row in rows if row.split == "held-out"}),
        "single_path": sum(row.source == "single-path" for row in rows),
        "classes": [sum(row.label == label for row in rows) for label in range(5)],
        "tokens": lengths,
    }
    if as_json:
        print_json(counts)
    else:
        for name, count in counts.items():
            out.print(f"{name.replace('_', ' ')}: {count}", highlight=False)


value_app.command()(train)


@value_app.command("eval")
def evaluate(
    data: DataFile,
    model: ModelNames = None,
    config: Config = None,
    html: Annotated[Path | None, typer.Option(help="Also write one page with plots.", show_default=False)] = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """The report card: does the model know, on tasks it has not seen, which states come to something?"""
    from maxcode.bench.card import card, graded
    from maxcode.config import load_config
    from maxcode.value.files import read_rows
    from maxcode.value.model import load_models

    with reporting_errors():
        settings = load_config(config)
        names = model or ["light"]
        models = {name if len(names) > 1 else "model": load_models(name, settings) for name in names}
        found = graded(read_rows(data), models)
        tables = card(found)
        if html:
            html.write_text(_page(tables, found))
        print_tables(tables, form, json)


def _page(tables: list[Table], found: list[Graded]) -> str:
    from maxcode.bench.card import judged
    from maxcode.bench.card_page import card_page

    drawn = {
        each.name if len(each.scores) == 1 else f"{each.name}, {who}": points
        for each in found
        for who, scores in each.scores.items()
        if (points := judged(each.rows, scores))
    }
    return card_page(tables, drawn)


@value_app.command()
def ablate(
    data: DataFile,
    seed: Annotated[int, typer.Option(min=0, help="Of the training.")] = 0,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """The light model with one thing changed at a time: the return, u, the target, the features, the data."""
    from maxcode.bench.ablation import ablation_tables
    from maxcode.value.files import read_rows

    with reporting_errors():
        print_tables(ablation_tables(read_rows(data), seed), form, json)


def print_tables(tables: list[Table], form: Form, as_json: bool) -> None:
    from maxcode.bench.tables import FORMS, rich

    for table in tables:
        if as_json:
            print_json(table.model_dump())
        elif form is Form.TEXT and out.is_terminal:
            out.print(rich(table))
        else:
            print(FORMS[form.value](table))
