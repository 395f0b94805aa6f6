"""Leaderboards: the tables of benchmarks in the journal."""

from __future__ import annotations

from typing import Any

from maxcode.bench.cell import Cell
from maxcode.bench.report import speedup_summary, tables
from maxcode.bench.runner import is_bench
from maxcode.core import InputError
from maxcode.report.nodes import figure
from maxcode.store.journal import Store
from maxcode.view.overview import RunOverview


def board_of(store: Store, overview: RunOverview) -> dict[str, Any]:
    """What a benchmark found so far: its methods with intervals, best first, its searches and all its tables."""
    if not is_bench(overview.info):
        raise InputError(f"run {overview.info.id}: not a benchmark but a run on {overview.info.task}.")
    cells = [Cell.model_validate(event.payload) for event in store.read(overview.info.id, "cell.answered")]
    return {
        **overview.row(),
        "suite": overview.info.task.removeprefix("bench:"),
        "methods": _methods(cells),
        "tables": [table.model_dump() for table in tables(cells)],
        "cells": [_cell(cell) for cell in cells],
    }


def _methods(cells: list[Cell]) -> list[dict[str, Any]]:
    found = speedup_summary(cells)
    rows = [{"method": name, **_figures(figures)} for name, figures in found.items()]
    return sorted(rows, key=lambda row: -(row["geometric_mean"] or 0.0))


def _figures(figures: object) -> dict[str, Any]:
    assert isinstance(figures, dict)
    return {name: figure(value) for name, value in figures.items()}


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "task": cell.task,
        "method": cell.method,
        "seed": cell.seed,
        "run": cell.run,
        "speedup": figure(cell.speedup),
        "low": figure(cell.ci_low),
        "high": figure(cell.ci_high),
        "evals": cell.evals,
        "problem": cell.problem,
    }
