"""`maxcode collect`: searches whose journals become data for a value model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from maxcode.cli.arguments import TablesJson
from maxcode.cli.console import err, out, print_json, reporting_errors
from maxcode.cli.options import Instead
from maxcode.cli.searches import RunningOptions, SearchOptions, new_bench, run_bench
from maxcode.system.options import CommandOption

COLLECTED = ["paths+critique", "rollouts+critique"]
METHOD = CommandOption(help="Strategies to collect with.", default=", ".join(COLLECTED))
EVALS = CommandOption(least=1)
DEFAULTS = SearchOptions(seeds=2, evals=48)


def collect(
    folder: Annotated[Path, typer.Argument(help="A folder of task folders.", show_default=False)],
    searches: Annotated[SearchOptions, Instead(method=METHOD, evals=EVALS)] = DEFAULTS,
    *,
    running: RunningOptions,
    note: Annotated[
        Path | None, typer.Option(help="File that gets the run's name at once, for `maxcode bench resume`.")
    ] = None,
    json: TablesJson = False,
) -> None:
    """Make data for a value model: single paths, and siblings rolled out at equal budget, over many tasks."""
    from maxcode.bench.plan import example_tasks

    with reporting_errors():
        searches = replace(searches, method=searches.method or COLLECTED)
        with new_bench("collect", example_tasks(folder), searches, running.config, confirm=False) as bench:
            if note:
                note.write_text(bench.journal.run + "\n")
            cells = run_bench(bench, running)
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
