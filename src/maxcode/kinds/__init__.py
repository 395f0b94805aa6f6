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


@cache
def find(name: str) -> Kind | None:
    """The kind of a name; ours cannot be replaced."""
    found = _place(name)
    if found is None:
        return None
    kind: Kind = found.load()
    return kind


def names() -> tuple[str, ...]:
    """All that there are, ours first."""
    return (*OURS, *sorted(each.name for each in entry_points(group=GROUP) if each.name not in OURS))


def _place(name: str) -> EntryPoint | None:
    if name in OURS:
        return EntryPoint(name, f"maxcode.kinds.{name}.kind:KIND", GROUP)
    return next(iter(entry_points(group=GROUP, name=name)), None)
