"""What a person knows better about a format than its inference."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from maxcode.format.model import Format, Lines


def corrected(format: Format, *, keep: Collection[int] = (), ordered: bool = False, smallest: int = 0) -> Format:
    """The format with columns (from 1) that keep their values, lines that keep their order, sections not smaller."""
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
