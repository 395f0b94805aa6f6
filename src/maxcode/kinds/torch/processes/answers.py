"""Reads answers of a candidate's process, which may hold anything."""

from __future__ import annotations

from math import isfinite
from typing import Any

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.harness.sharing import MalformedTensor

BUILD_ERRORS = ("SyntaxError", "IndentationError", "TabError", "NameError", "ImportError", "ModuleNotFoundError")
NO_DRIVER = "0 active drivers"
"""Message of Triton on a machine without a GPU."""
MALFORMED = (MalformedTensor, KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError)
"""Exceptions that reading a malformed answer may raise."""
Profile = dict[str, Any]
"""Profile of a call: `events`, each with `name`, `count` and `seconds`, and the `seconds` of the call."""


def read_profile(answer: dict[str, Any]) -> Profile:
    try:
        return {"events": [_event(each) for each in answer["events"]], "seconds": number(answer["seconds"])}
    except MALFORMED as error:
        raise malformed(error) from None


def number(value: Any) -> float:
    found = float(value)
    if not isfinite(found) or found < 0:
        raise MalformedTensor(f"{found} where a number is due")
    return found


def _event(words: Any) -> dict[str, Any]:
    return {"name": str(words["name"]), "count": int(words["count"]), "seconds": number(words["seconds"])}


def malformed(error: Exception) -> Failure:
    said = (str(error) or type(error).__name__).splitlines()[0]
    return Failure(Status.REJECTED, f"its process gave a malformed answer: {said}")


def failure_told(kind: str, told: str) -> Failure:
    """Failure for an exception that the process reports."""
    if kind in BUILD_ERRORS:
        return Failure(Status.BUILD_ERROR, told)
    if NO_DRIVER in told:
        return Failure(Status.BUILD_ERROR, f"Triton finds no GPU here; see `maxcode doctor`: {told}")
    if kind == "Unsupported":
        return Failure(Status.WRONG, f"the result has {told}")
    if kind in ("OutOfMemoryError", "MemoryError") or "out of memory" in told:
        return Failure(Status.CRASHED, f"out of memory: {told[-800:]}")
    return Failure(Status.CRASHED, told)
