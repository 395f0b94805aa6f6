"""What is special about a new input: a size, rows, values and their order."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class InputIdea:
    """Property that makes a new input special."""

    name: str
    size: int | None = None
    """Number of records in sections; None for `share` of the given ones."""
    share: float = 1.0
    rows: str = "some"
    """Rows to take: first, some, one (repeated), few (repeated) or pairs (each twice, one after the other)."""
    values: str = "keep"
    """Values of columns: keep, fresh, small, min, max, ends (min and max), one (value everywhere), ties (two values),
    few, dozens, near (values that differ least) or equal (columns of a row alike)."""
    column: int | None = None
    """The only column whose values are changed; None for all."""
    order: str = ""
    """Order of rows: up or down, where their order shows no pattern; empty to leave it."""
    by: int = 0
    """The column they are sorted by."""
    only: int | None = None
    """Index of the only type of lines that is used, of those told apart by their first word; None for all."""
    changed: float = 1.0
    """Share of the rows whose values are changed."""
    numbers: str = "keep"
    """Values of the numbers that count nothing: keep, some (of those seen, or smaller), scaled (with the size) or
    small."""
    empty: int | None = None
    """Index of the count that is zero; None for none."""
    varied: bool = False
    """True if counts differ from one another."""
    width: int | None = None
    """Width of grids and matrices, where it is not their height."""
    unlisted: bool = False
    """True if every second record has an empty list, where lists differ in length."""
    number: int | None = None
    """Value of the numbers that count nothing; None to follow `numbers`."""
