"""One thing that `maxcode check` found out about a task."""

from __future__ import annotations

from maxcode.core import Frozen


class Finding(Frozen):
    name: str
    ok: bool
    detail: str
    fix: str | None = None
    serious: bool = True
    """Whether the task is unsound because of it, or only less sharp."""
