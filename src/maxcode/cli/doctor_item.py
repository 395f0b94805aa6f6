"""One line of `maxcode doctor`."""

from __future__ import annotations

from maxcode.core import Frozen


class Item(Frozen):
    name: str
    ok: bool
    detail: str
    fix: str | None = None
