"""Bounds for the answers of endpoints: none may block, fill or crash a search, or exceed its budget."""

from __future__ import annotations

import math
from typing import Any

MOST_TOKENS = 100_000_000
"""Highest count of tokens that is believed: no request uses as many."""


class BadBody(ValueError):
    """Raised for an answer that is too long or compressed, and is not read to its end."""


def reason(error: Exception) -> str:
    """Reason of a failed request. The SDK wraps a BadBody in a connection error; this looks inside."""
    if isinstance(error, RecursionError):
        return "the answer's JSON is nested too deeply"
    return str(error.__cause__ if isinstance(error.__cause__, BadBody) else error)


def count(said: Any, estimate: int) -> int:
    """Tokens as the endpoint counts them, or our estimate where its count cannot be right.

    Budgets rely on these counts, so a count below 1 is not accepted.
    """
    if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said) or said < 1:
        return estimate
    return min(int(said), MOST_TOKENS)


def printable(text: str) -> str:
    """The text without halves of surrogate pairs, which no file or journal takes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def pause_of(header: str | None, longest: float) -> float | None:
    """Seconds that a Retry-After header asks for, at most `longest`; None where it is no positive number."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return min(seconds, longest) if seconds > 0 else None
