"""`maxcode collect` and `maxcode value`: the reward-to-go model, from data to report card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.bench import Abreast, Config, Critic, Form, FormOption, Json, Only, Policy, Seeds, Shown, Wanted
from maxcode.cli.console import err, out, print_json, reporting_errors
from maxcode.cli.value_data import data
from maxcode.cli.value_refine import refine
from maxcode.cli.value_tables import print_tables
from maxcode.cli.value_train import DataFile, train

if TYPE_CHECKING:
    from maxcode.bench.card import Graded
    from maxcode.bench.tables import Table

value_app = typer.Typer(
    no_args_is_help=True,
    help="The reward-to-go model: which states are worth expanding. Data from journals, training, a report card.",
)
COLLECTED = ["paths+critique", "rollouts+critique"]


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


value_app.command()(data)
value_app.command()(train)
value_app.command()(refine)


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
