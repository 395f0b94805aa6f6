"""`maxcode value`: the reward-to-go model, from data to report card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.arguments import DataFile, PromptsConfig
from maxcode.cli.console import out, reporting_errors
from maxcode.cli.groups import CommandTable, command_table
from maxcode.cli.tables import TableOptions, print_tables
from maxcode.cli.value_data import data
from maxcode.cli.value_refine import refine
from maxcode.cli.value_train import train

if TYPE_CHECKING:
    from maxcode.bench.card.card import Graded
    from maxcode.bench.tables import Table

ModelNames = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="light (ships with MaxCode), a model's file or folder, or openai:MODEL; several are put side by side.",
        show_default="light",
    ),
]


def family(
    folder: Annotated[Path, typer.Argument(help="Folder for the task folders.", show_default=False)],
    count: Annotated[int, typer.Option(min=1, help="How many tasks.")] = 120,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other variants.")] = 0,
) -> None:
    """Write a family of small tasks to learn from: variants of loop nests and programs, costs in instructions."""
    from maxcode.value.family import write_family

    with reporting_errors():
        out.print(f"{len(write_family(folder, count, seed))} tasks in {folder}", highlight=False, soft_wrap=True)


def evaluate(
    data: DataFile,
    model: ModelNames = None,
    config: PromptsConfig = None,
    html: Annotated[Path | None, typer.Option(help="Also write one page with plots.", show_default=False)] = None,
    *,
    tables: TableOptions,
) -> None:
    """The report card: does the model know, on tasks it has not seen, which states come to something?"""
    from maxcode.bench.card.card import card, graded
    from maxcode.config import load_config
    from maxcode.value.files import read_rows
    from maxcode.value.model import load_models

    with reporting_errors():
        settings = load_config(config)
        names = model or ["light"]
        models = {name if len(names) > 1 else "model": load_models(name, settings) for name in names}
        found = graded(read_rows(data), models)
        cards = card(found)
        if html:
            html.write_text(_page(cards, found))
        print_tables(cards, tables)


def _page(tables: list[Table], found: list[Graded]) -> str:
    from maxcode.bench.card.card import judged
    from maxcode.bench.card.page import card_page

    drawn = {
        each.name if len(each.scores) == 1 else f"{each.name}, {who}": points
        for each in found
        for who, scores in each.scores.items()
        if (points := judged(each.rows, scores))
    }
    return card_page(tables, drawn)


def ablate(
    data: DataFile,
    seed: Annotated[int, typer.Option(min=0, help="Of the training.")] = 0,
    *,
    tables: TableOptions,
) -> None:
    """The light model with one thing changed at a time: the return, u, the target, the features, the data."""
    from maxcode.bench.card.ablation import ablation_tables
    from maxcode.value.files import read_rows

    with reporting_errors():
        print_tables(ablation_tables(read_rows(data), seed), tables)


def commands() -> CommandTable:
    return command_table(
        {"family": family, "data": data, "train": train, "refine": refine, "eval": evaluate, "ablate": ablate}
    )
