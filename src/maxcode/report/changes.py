"""What the winner changes: why, at what risk, and the code of each transformation that made it."""

from __future__ import annotations

import inspect
from inspect import isfunction
from textwrap import dedent
from typing import Any

from maxcode.optimize.changes import Change
from maxcode.policy.rewrite.actions import BY_NAME


def change_data(change: Change) -> dict[str, Any]:
    place, code = code_of(change.name) or (None, None)
    return {**change.model_dump(), "place": place, "code": code}


def code_of(name: str) -> tuple[str, str] | None:
    """Module and line of a transformation, and its text; None of programs that something else made."""
    known = BY_NAME.get(name)
    if known is None:
        return None
    written = _inner(known.find)
    lines, first = inspect.getsourcelines(written)
    return f"{written.__module__}, line {first}", dedent("".join(lines))


def _inner(find: Any) -> Any:
    """The function that a wrapper calls, or the function itself."""
    wrapped = [each.cell_contents for each in find.__closure__ or () if isfunction(each.cell_contents)]
    return _inner(wrapped[0]) if wrapped else find
