"""What an endpoint says, held to bounds: nothing of it may hang, fill or crash a search, or escape its budget."""

from __future__ import annotations

import math
from typing import Any

MOST_TOKENS = 100_000_000
"""More than any request uses; a count above it is one of the endpoint's mistakes."""


class BadBody(ValueError):
    """An answer that is not read to its end."""


def reason(error: Exception) -> str:
    """Why a request failed; the SDK calls everything that happens on the way a connection error."""
    if isinstance(error, RecursionError):
        return "the answer's JSON is nested too deeply"
    return str(error.__cause__ if isinstance(error.__cause__, BadBody) else error)


def count(said: Any, estimate: int) -> int:
    """Tokens as the endpoint counts them; as we estimate them where it says nothing that can be.

    Budgets hold by these counts, so one below 1 is no count.
    """
    if isinstance(said, bool) or not isinstance(said, int | float) or not math.isfinite(said) or said < 1:
        return estimate
    return min(int(said), MOST_TOKENS)


def printable(text: str) -> str:
    """The text without halves of surrogate pairs, which no file or journal takes."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def pause_of(header: str | None, longest: float) -> float | None:
    """Seconds that an endpoint asks us to wait, if it says so in a number that can be waited for."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return min(seconds, longest) if seconds > 0 else None
