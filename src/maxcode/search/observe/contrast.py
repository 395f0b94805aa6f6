"""A program beside the one it was made from: what was changed, and what got better or worse."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from maxcode.core import Fact, Outcome
from maxcode.evaluate.measure.words import times
from maxcode.search.observe.feedback import FAILED
from maxcode.search.observe.observation import Attempt

MOST_LINES = 60
"""Lines of a change that are shown."""
SMALL_PART = 0.5
"""Share of a program up to which a change of it is shown; a larger one is better read in the program."""
ALIKE = 0.02
"""Relative change of a figure that is not worth a word."""


def contrast(before: Attempt, now: Attempt, *, with_change: bool = True) -> str:
    """Words on what an attempt changed in the program before it, and what came of it."""
    if not now.files or not before.files:
        return ""
    lines = list(changed(before.files, now.files))
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    size = f"lines added: {added}, removed: {removed}" if lines else "nothing was changed"
    parts = [size] if before.node == 0 and now.correct else [size, _became(before.outcome, now.outcome)]
    told = [f"Compared with #{before.node}, from which it was made: {'; '.join(parts)}."]
    told += _figures(before.outcome.facts, now.outcome.facts)
    whole = sum(map(len, now.files.values()))
    if with_change and 0 < len(lines) <= MOST_LINES and sum(map(len, lines)) < SMALL_PART * whole:
        told.append("\n".join(["```diff", *lines, "```"]))
    return "\n".join(told)


def changed(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """Lines that only one of two programs has."""
    for name, text in after.items():
        lines = difflib.unified_diff(before.get(name, "").splitlines(), text.splitlines(), n=0, lineterm="")
        yield from (line for line in lines if not line.startswith(("---", "+++", "@@")))


def _became(before: Outcome, now: Outcome) -> str:
    if now.status in FAILED:
        return "now it fails" if before.status not in FAILED else "it still fails"
    if before.status in FAILED:
        return "now it is correct"
    a, b = before.measurement, now.measurement
    if a is None or b is None:
        return "it is correct as before"
    ratio = b.speedup / a.speedup if a.speedup else 1.0
    overlap = a.ci_low <= b.ci_high and b.ci_low <= a.ci_high
    word = "not clearly different" if overlap else "faster" if ratio > 1 else "slower"
    return f"about {times(ratio)} its speed: {word}"


def _figures(before: tuple[Fact, ...], now: tuple[Fact, ...]) -> list[str]:
    """Counted figures that differ, such as instructions and allocations."""
    then = {_subject(fact): fact for fact in before if fact.kind == "count"}
    told = []
    for fact in now:
        old = then.get(_subject(fact)) if fact.kind == "count" else None
        if old is None or old.value is None or fact.value is None:
            continue
        if abs(fact.value - old.value) > ALIKE * max(abs(old.value), 1.0):
            told.append(f"- {_subject(fact)}: {old.value:,.0f} before, {fact.value:,.0f} now")
    return told


def _subject(fact: Fact) -> str:
    """Subject of a fact: its text without figures."""
    return re.sub(r"[\d,.]+%?( MB in all)?", "", fact.text.split(", ")[0]).strip()
