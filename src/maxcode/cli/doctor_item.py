"""One line of `maxcode doctor`."""

from __future__ import annotations

import shutil
from typing import Any, Literal

from maxcode.core import Frozen


class Item(Frozen):
    """What is asked for, and what there is. Where it is not ok, `detail` reads `what there is: what that costs`."""

    name: str
    ok: bool
    detail: str
    fix: str | None = None
    """The command that mends it, or what to do."""

    @property
    def state(self) -> Literal["ok", "limited", "missing"]:
        if self.ok:
            return "ok"
        return "missing" if self.detail.startswith(("not ", "none")) else "limited"

    @property
    def found(self) -> str:
        return self.detail if self.ok else self.detail.partition(": ")[0]

    @property
    def costs(self) -> str | None:
        return None if self.ok else self.detail.partition(": ")[2] or None

    def summary(self) -> dict[str, Any]:
        return {**self.model_dump(), "state": self.state, "costs": self.costs}


def program_item(name: str, lost: str, fix: str) -> Item:
    """Item for a program on the PATH; `lost` says what does not work without it."""
    return found_item(name, shutil.which(name), lost, fix)


def found_item(name: str, path: object, lost: str, fix: str) -> Item:
    return Item(name=name, ok=path is not None, detail=str(path or f"not found: {lost}"), fix=fix)
