"""Runs side by side: what each method reached, how sure that is, and what it cost."""

from __future__ import annotations

from typing import Any

from maxcode.bench.cell import Cell, cell_of
from maxcode.bench.report import Results, comparison_table, methods_table, tasks_table
from maxcode.bench.tables import Table
from maxcode.core import InputError
from maxcode.evaluate.measure.words import interval_in_words, times
from maxcode.optimize.recorded import Recorded
from maxcode.report.curve import curve, rounds_of
from maxcode.report.nodes import figure


def cells_of(runs: list[Recorded]) -> list[Cell]:
    """The figures of each run, under the name of its method."""
    return [_cell(run, method) for run, method in zip(runs, _methods(runs), strict=True)]


def compare_tables(runs: list[Recorded]) -> list[Table]:
    """One row per run; where every method did the same tasks and seeds, the statistics of benchmarks too."""
    if len(runs) < 2:
        raise InputError("--compare: needs two runs or more. `maxcode runs` lists them.")
    cells = cells_of(runs)
    results = Results(cells)
    paired = len(results.methods) > 1 and len(results.tasks) * len(results.seeds) * len(results.methods) == len(cells)
    found = [runs_table(runs, cells)]
    if paired and len(cells) > len(results.methods):
        found += [methods_table(results), tasks_table(results), comparison_table(results)]
    return found


def runs_table(runs: list[Recorded], cells: list[Cell]) -> Table:
    rows = tuple(_figures(run, cell) for run, cell in zip(runs, cells, strict=True))
    columns = ("run", "task", "method", "seed", "speedup", "interval", "programs", "tokens", "USD", "seconds")
    note = "Speedups of finalists, measured afresh; `-` where nothing is claimed."
    return Table(title="Runs", columns=columns, rows=rows, note=note)


def _figures(run: Recorded, cell: Cell) -> tuple[str, ...]:
    usd = f"{cell.usd:.4g}" if cell.usd is not None else "-"
    cost = (str(cell.evals), str(cell.tokens), usd, f"{cell.seconds:.0f}")
    return (cell.run, cell.task, cell.method, str(cell.seed), *_claim(run), *cost)


def compare_data(runs: list[Recorded]) -> dict[str, Any]:
    cells = cells_of(runs)
    return {
        "tables": [table.model_dump() for table in compare_tables(runs)],
        "runs": [_series(run, cell) for run, cell in zip(runs, cells, strict=True)],
    }


def _claim(run: Recorded) -> tuple[str, str]:
    m = run.result.confirmed.measurement if run.result and run.result.confirmed else None
    if m is None or not run.result or not run.result.improved:
        return ("-", "-")
    return (times(m.speedup), interval_in_words(m.ci_low, m.ci_high))


def _series(run: Recorded, cell: Cell) -> dict[str, Any]:
    m = run.result.confirmed.measurement if run.result and run.result.confirmed else None
    fresh = [figure(m.speedup), figure(m.ci_low), figure(m.ci_high)] if m else None
    return {
        "run": cell.run,
        "task": cell.task,
        "method": cell.method,
        "seed": cell.seed,
        "rounds": curve(run),
        "fresh": fresh,
    }


def _methods(runs: list[Recorded]) -> list[str]:
    """Method name of each run: its strategy, with the settings that tell the runs apart."""
    settings = [run.settings for run in runs]
    told = ["strategy", *(n for n in ("policy", "critic", "observe") if len({getattr(s, n) for s in settings}) > 1)]
    return [", ".join(str(getattr(each, name) or "default") for name in told) for each in settings]


def _cell(run: Recorded, method: str) -> Cell:
    confirmed = run.result.confirmed if run.result else None
    seed, rounds = run.settings.seed, rounds_of(run)
    return cell_of(run.tree, run.spent, rounds, method=method, seed=seed, run=run.info.id, confirmed=confirmed)
