"""Number of evaluations that a method needs to reach the final result of another one."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from maxcode.bench.cell import Cell
from maxcode.bench.tables import Table

ALIKE = 0.99
"""Share of a reward that counts as having reached it."""


def evaluations_to(rewards: Sequence[float], level: float) -> int | None:
    """Number of evaluations until a reward is within 1% of `level`; None where none is."""
    return next((i for i, reward in enumerate(rewards, 1) if reward >= level * ALIKE), None)


def savings_tables(cells: dict[str, list[Cell]]) -> list[Table]:
    """Table of every method against the first, search by search; an empty list if the first found nothing faster."""
    first, *others = cells
    goals = [(i, max(cell.rewards, default=0.0)) for i, cell in enumerate(cells[first])]
    goals = [(i, level) for i, level in goals if level > 1.0]
    if not goals or not others:
        return []
    rows = []
    for method in others:
        needed = [
            (evaluations_to(cells[first][i].rewards, level), evaluations_to(cells[method][i].rewards, level))
            for i, level in goals
        ]
        reached = [(a, b) for a, b in needed if a is not None and b is not None]
        saved = f"{1 - median(b / a for a, b in reached):.0%}" if reached else "-"
        figures = (median(a for a, _ in reached), median(b for _, b in reached)) if reached else ("-", "-")
        rows.append((method, f"{len(reached)} of {len(goals)}", *(str(each) for each in figures), saved))
    columns = ("method", "got as far", f"evaluations of {first}", "its own", "saved")
    note = (
        f"Searches in which {first} found something faster; medians over those in which the method got as far, within "
        "1%, by estimates as the search sees them. Programs that screening left out were not evaluated."
    )
    return [Table(title=f"Evaluations to get as far as {first}", columns=columns, rows=tuple(rows), note=note)]
