"""Infers what the columns of a section hold: kinds, ranges, order, uniqueness."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from maxcode.format.compound import pieces_of
from maxcode.format.model import Field
from maxcode.format.tokens import kind_of

POOL = 400
ENOUGH = 6
"""Number of consecutive values that must be in order before the order counts."""
SEEN = 20
"""Number of different numbers that must be seen before the least of them says where their range begins."""
_STAMP = re.compile(r"\d+(\D\d+)+")
"""Pattern of dates, times and addresses. Many are possible, so that none repeats shows little."""
_FIRST = re.compile(r"[A-Za-z]+[-_#]?0*[01]")
_NUMBERED = re.compile(r"(.*?)(\d{1,9})")


def field_of(columns: Sequence[Sequence[str]], *, key: bool = False) -> Field:
    """Field for a column, given its values in each section. `key`: it is the first column of several."""
    values = [value for column in columns for value in column]
    distinct = list(dict.fromkeys(values))
    made = _kind(distinct)
    pool = tuple(distinct if len(distinct) <= POOL else distinct[:: len(distinct) // POOL + 1])
    if made.kind == "digits":
        pool = tuple(dict.fromkeys((*_ends(distinct), *pool)))
    made = replace(made, pool=pool, closed=_is_closed(made, distinct, len(values)))
    if made.kind == "token" and not (len(distinct) <= 40 and len(values) >= 8 * len(distinct)):
        pieces = pieces_of(distinct)
        made = replace(made, pieces=pieces, closed=not pieces)
    made = replace(made, rising=_rising(made, columns), sequence=_sequence(columns))
    made = replace(made, unique=_is_unique(made, columns, key))
    return made if made.closed else replace(made, low=likely_least(made.low, made.high, len(distinct), made.kind))


def likely_least(low: float, high: float, many: int, kind: str) -> float:
    """Likely beginning of a range of whole numbers of which so many different ones were seen: 1, if that is likely."""
    gap = (high - low) / max(1, many)
    return 1 if kind == "int" and many >= SEEN and 1 < low <= 1 + 3 * gap else low


def _ends(distinct: Sequence[str]) -> tuple[str, str]:
    """The shortest and the longest of long numbers."""
    return min(distinct, key=lambda value: (len(value), value)), max(distinct, key=len)


def number(field: Field, value: str) -> float:
    """The value as a number to compare by."""
    return float(value) if field.kind == "float" else int(value)


def _kind(distinct: Sequence[str]) -> Field:
    kinds = {kind_of(value) for value in distinct}
    if kinds == {"i"}:
        return _integers(distinct)
    if kinds <= {"i", "f"} and len({_decimals(value) for value in distinct}) == 1:
        numbers = [float(value) for value in distinct]
        return Field("float", (), min(numbers), max(numbers), decimals=_decimals(distinct[0]))
    if kinds <= {"i", "d"} and kinds:
        return Field("digits", ())
    words = all(value.isalpha() for value in distinct)
    return Field("word" if words and distinct else "token", ())


def _integers(distinct: Sequence[str]) -> Field:
    numbers = [int(value) for value in distinct]
    low, high = min(numbers), max(numbers)
    step = math.gcd(*(value - low for value in numbers)) if len(numbers) >= ENOUGH else 1
    padded = any(value.lstrip("+-").startswith("0") and len(value.lstrip("+-")) > 1 for value in distinct)
    return Field(
        "int",
        (),
        low,
        high,
        step=max(1, step),
        width=max(len(value.lstrip("+-")) for value in distinct) if padded else 0,
        signed=any(value.startswith("+") for value in distinct),
        nonzero=low < 0 < high and 0 not in set(numbers),
    )


def _decimals(value: str) -> int:
    return len(value.partition(".")[2])


def _is_closed(made: Field, distinct: Sequence[str], total: int) -> bool:
    """True if values repeat so often that they look like all there are."""
    if made.kind in ("int", "float", "digits"):
        whole = made.kind == "int" and len(distinct) == made.high - made.low + 1
        return not whole and len(distinct) <= 40 and total >= 8 * len(distinct)
    return made.kind == "token" or total >= 3 * len(distinct) or len(distinct) < ENOUGH


def _rising(made: Field, columns: Sequence[Sequence[str]]) -> str | None:
    longest = max(map(len, columns), default=0)
    if longest < ENOUGH or len(made.pool) < 2:
        return None
    sortable = made.kind in ("int", "float")
    keyed = [[number(made, v) for v in column] if sortable else list(column) for column in columns]
    orders: dict[str, Callable[[Any, Any], Any]] = {
        "strictly up": operator.lt,
        "up": operator.le,
        "strictly down": operator.gt,
        "down": operator.ge,
    }
    for name, fits in orders.items():
        if all(fits(a, b) for column in keyed for a, b in pairwise(column)):
            return name
    return None


def _sequence(columns: Sequence[Sequence[str]]) -> tuple[str, int, int] | None:
    """Prefix, first number and digits of a number that rises by one from line to line; None if there is none.

    It must begin with the same number in every section. Two lines are enough where it has a prefix, as in `lp0` and
    `lp1`.
    """
    longest = max(columns, key=len, default=())
    if len(longest) < (2 if longest and _FIRST.fullmatch(longest[0]) else 3):
        return None
    found: tuple[str, int, int] | None = None
    for column in columns:
        for place, value in enumerate(column):
            match = _NUMBERED.fullmatch(value)
            if not match:
                return None
            start = int(match[2]) - place
            prefix = match[1]
            digits = len(match[2]) if match[2].startswith("0") and len(match[2]) > 1 else 0
            if found is None:
                found = (prefix, start, digits)
            if start != found[1] or (prefix != found[0] and found[0] is not None):
                return None
            found = (found[0], start, max(found[2], digits))
    return found


def _is_unique(made: Field, columns: Sequence[Sequence[str]], key: bool) -> bool:
    longest = max(columns, key=len, default=())
    named = key and made.kind in ("word", "token")
    if len(longest) < (2 if named else 3) or any(len(set(column)) < len(column) for column in columns):
        return False
    if made.kind == "digits":
        return False
    if made.kind in ("int", "float") and not key:
        span = (made.high - made.low) * 10**made.decimals + 1
        return bool(len(longest) ** 2 > 6 * span)
    return key or made.kind != "token" or not all(_STAMP.fullmatch(value) for value in made.pool)
