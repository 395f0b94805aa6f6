"""`maxcode value data`: rows for training from journals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maxcode.cli.arguments import TablesJson
from maxcode.cli.console import err, out, print_json, reporting_errors
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.store.journal import Store
    from maxcode.value.data import StateRow


@dataclass(frozen=True)
class DivisionOptions:
    """How rows are divided: into classes, and into those to train on and those held out."""

    cuts: Literal["quartiles", "pie", "kernelbench-1", "kernelbench-2"] = "quartiles"
    """Between classes: quartiles of what was faster, or the paper's."""
    held_out: Annotated[float, CommandOption(least=0.0, most=0.9)] = 0.2
    """Share of the tasks to hold out."""
    split: Literal["task", "family"] = "task"
    """Hold out tasks, or whole families of variants."""


def data(
    runs: Annotated[list[str], typer.Argument(help="Runs, or benchmarks with all their runs.", show_default=False)],
    output: Annotated[Path, typer.Option("-o", "--out", help="File for the rows (JSON lines).", show_default=False)],
    division: DivisionOptions,
    text: Annotated[bool, typer.Option("--text/--no-text", help="With the states' text, for models that read.")] = True,
    json: TablesJson = False,
) -> None:
    """Rows for training from journals: every state of every path, and every proposal before it ran."""
    from maxcode.store.journal import Store
    from maxcode.value.data import with_repeats_marked
    from maxcode.value.files import write_rows

    with reporting_errors(), Store() as store, err.status("reading journals ..."):
        found = with_repeats_marked(rows_of_runs(store, runs, text))
        rows = divided(found, division)
        write_rows(rows, output)
    _tell(rows, json)


def divided(rows: list[StateRow], division: DivisionOptions) -> list[StateRow]:
    """The rows with their classes, some of them held out."""
    from maxcode.value.data import CUTS, labelled

    return labelled(rows, cuts=CUTS.get(division.cuts), held_out=division.held_out, by=division.split)


def rows_of_runs(store: Store, runs: Iterable[str], text: bool) -> Iterator[StateRow]:
    """Rows of searches, or of all searches of benchmarks."""
    for run in _searches(store, runs):
        yield from _rows(store, run, text)


def _searches(store: Store, runs: Iterable[str]) -> Iterator[str]:
    from maxcode.bench.runner import is_bench, runs_of

    for run in runs:
        info = store.info(run)
        yield from runs_of(store, info).values() if is_bench(info) else [info.id]


def _rows(store: Store, run: str, text: bool) -> Iterator[StateRow]:
    from maxcode.optimize.recorded import recorded_tree, settings_and_task
    from maxcode.optimize.run import strategy_of
    from maxcode.search.observe.fitting import tokens as tokens_of
    from maxcode.value.data import rows_of

    settings, _ = settings_and_task(store, run)
    tree = recorded_tree(store, run)
    for row in rows_of(tree, strategy_of(settings), run=run, policy=settings.policy, text=text):
        yield row.model_copy(update={"tokens": tokens_of(row.text)}) if text else row


def _tell(rows: list[StateRow], as_json: bool) -> None:
    import numpy as np

    tokens = [row.tokens for row in rows] or [0]
    lengths = {f"p{q}": int(np.quantile(tokens, q / 100)) for q in (50, 95, 100)}
    counts = {
        "rows": len(rows),
        "repeated": sum(row.repeated for row in rows),
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
