"""Corrections of an inferred format by what a person knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from maxcode.format.model import Field, InputModel, Lines


def with_named(format: InputModel, numbers: Iterable[int]) -> InputModel:
    """The format with numbers that the program's text names: values and sizes at which it may do something else."""
    around = sorted({number + i for number in numbers for i in (-1, 0, 1)})
    lines = {id: _with_named(model, around) for id, model in format.lines.items()}
    return replace(format, lines=lines, named=tuple(around))


def _with_named(model: Lines, numbers: Sequence[int]) -> Lines:
    def named(field: Field) -> Field:
        within = tuple(n for n in numbers if field.low <= n <= field.high and (n - int(field.low)) % field.step == 0)
        return replace(field, named=within) if field.kind == "int" else field

    records = {
        key: replace(record, fields=tuple(map(named, record.fields)), tail=named(record.tail) if record.tail else None)
        for key, record in model.records.items()
    }
    return replace(model, records=records)


def corrected(
    format: InputModel, *, keep: Collection[int] = (), ordered: bool = False, smallest: int = 0
) -> InputModel:
    """The format with columns (from 1) that keep their values, lines that keep their order, and a least size of
    sections."""
    lines = {id: _lines(model, keep, ordered) for id, model in format.lines.items()}
    return replace(format, lines=lines, smallest=smallest)


def _lines(model: Lines, keep: Collection[int], ordered: bool) -> Lines:
    records = {
        key: replace(
            record,
            fields=tuple(replace(f, kept=f.kept or place + 1 in keep) for place, f in enumerate(record.fields)),
        )
        for key, record in model.records.items()
    }
    if ordered:
        return replace(model, records=records, order="kept", why="the task says so")
    return replace(model, records=records)
