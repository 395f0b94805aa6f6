"""One finding of `maxcode check` about a task."""

from __future__ import annotations

from maxcode.core import Frozen


class Finding(Frozen):
    name: str
    ok: bool
    detail: str
    fix: str | None = None
    serious: bool = True
    """True if the task is unsound because of it; False if it is only less sharp."""
