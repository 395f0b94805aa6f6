"""Shares of the time that counters of a program speak for."""

from __future__ import annotations

import re

from maxcode.core import Outcome

MISS = 60.0
"""Instructions that a processor could do while it waits for one miss of the last-level cache."""


def waiting_for_memory(outcome: Outcome) -> float | None:
    """Share of the time that goes into misses of the last-level cache, roughly; None where it was not counted."""
    instructions, misses = _counted(outcome, r"instructions,"), _counted(outcome, r"cache misses")
    if instructions is None or misses is None:
        return None
    return MISS * misses / (instructions + MISS * misses) if misses else 0.0


def _counted(outcome: Outcome, pattern: str) -> float | None:
    counts = (fact for fact in outcome.facts if fact.kind == "count" and re.search(pattern, fact.text))
    return next((fact.value for fact in counts), None)
