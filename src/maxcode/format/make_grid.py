"""Grids of characters: cut from the given one, its cells in other places."""

from __future__ import annotations

import random
from collections.abc import Sequence

from maxcode.format.idea import InputIdea
from maxcode.format.make_values import NoSuchInput
from maxcode.format.model import GridModel


def new_grid(
    grid: GridModel, given: Sequence[str], height: int, width: int, idea: InputIdea, rng: random.Random
) -> list[str]:
    if height == 0 or width == 0 or not given:
        if grid.once or grid.border:
            raise NoSuchInput
        return [""] * height
    cells = _cut(given, height, width, rng)
    common = [c for c in "".join(given[:200]) if c not in grid.once] or list(grid.alphabet)
    if idea.values in ("ties", "near", "ends") and len(grid.alphabet) > 1:
        common = rng.sample(grid.alphabet, 2)
    if idea.values in ("fresh", "ties", "near", "ends"):
        cells = [rng.choices(common, k=width) for _ in range(height)]
    elif idea.values in ("one", "min", "max"):
        pick = {"one": rng.choice(grid.alphabet), "min": grid.alphabet[0], "max": grid.alphabet[-1]}[idea.values]
        cells = [[pick] * width for _ in range(height)]
    for row in cells:
        row[:] = [rng.choice(common) if c in grid.once else c for c in row]
    if grid.border:
        _enclose(cells, grid.border)
    _mark(cells, grid, rng)
    return ["".join(row) for row in cells]


def _cut(given: Sequence[str], height: int, width: int, rng: random.Random) -> list[list[str]]:
    top = rng.randint(0, max(0, len(given) - height))
    left = rng.randint(0, max(0, len(given[0]) - width))
    rows = [given[(top + i) % len(given)] for i in range(height)]
    return [[row[(left + j) % len(row)] for j in range(width)] for row in rows]


def _enclose(cells: list[list[str]], border: str) -> None:
    cells[0] = [border] * len(cells[0])
    cells[-1] = [border] * len(cells[0])
    for row in cells:
        row[0] = row[-1] = border


def _mark(cells: list[list[str]], grid: GridModel, rng: random.Random) -> None:
    """Places the characters that occur exactly once."""
    edge = 1 if grid.border else 0
    places = [(i, j) for i in range(edge, len(cells) - edge) for j in range(edge, len(cells[0]) - edge)]
    if len(places) < len(grid.once):
        raise NoSuchInput
    for mark, (i, j) in zip(grid.once, rng.sample(places, len(grid.once)), strict=True):
        cells[i][j] = mark
