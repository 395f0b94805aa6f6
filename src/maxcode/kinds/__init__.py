"""Kinds of tasks, one folder each: all that is special about it. Other packages add theirs as entry points."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maxcode.task.kind import Kind

GROUP = "maxcode.kinds"
OURS = ("program", "kernel", "torch", "command")
"""Each is a folder here, with its record in `kind.py`."""


def find(name: str) -> Kind | None:
    """The kind of a name; ours cannot be replaced."""
    try:
        return _loaded(name)
    except LookupError:
        return None


def names() -> tuple[str, ...]:
    """All that there are, ours first."""
    return (*OURS, *sorted({each.name for each in entry_points(group=GROUP)}.difference(OURS)))


@cache
def _loaded(name: str) -> Kind:
    kind: Kind = _place(name).load()
    return kind


def _place(name: str) -> EntryPoint:
    if name in OURS:
        return EntryPoint(name, f"{GROUP}.{name}.kind:KIND", GROUP)
    return entry_points(group=GROUP)[name]
