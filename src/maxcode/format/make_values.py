"""Single values: other ones of the same kind and within the range seen."""

from __future__ import annotations

import random
from collections.abc import Mapping

from maxcode.format.model import Field, Slot

Bounds = tuple[int, int]


class Impossible(Exception):
    """No input keeps the relations at this size."""


def bounds_of(field: Field, values: Mapping[Slot, int]) -> Bounds | None:
    """The numbers that an index may be, given the counts of the new input."""
    if field.index is None:
        return None
    low = field.index.low
    return low, max(low, min(field.index.count.value(values) + field.index.plus, int(field.high)))


def drawn(field: Field, how: str, bounds: Bounds | None, rng: random.Random) -> str:
    """A value: `fresh` or `min` or `max`; what has no order is fresh in any case."""
    if field.kind == "int":
        low, high = bounds or (int(field.low), int(field.high))
        if field.closed and not bounds:
            return _of_pool(field, how, rng)
        return written(field, _integer(field, low, high, how, rng))
    if field.kind == "float":
        if field.closed:
            return _of_pool(field, how, rng)
        return f"{_real(field, how, rng):.{field.decimals}f}"
    if field.kind == "digits":
        return _digits(field, how, rng)
    if field.kind == "word" and not field.closed and rng.random() < 0.5:
        return _word(field, rng)
    return rng.choice(field.pool)


def written(field: Field, value: int) -> str:
    text = str(abs(value)).zfill(field.width)
    return ("-" if value < 0 else "+" if field.signed else "") + text


def _of_pool(field: Field, how: str, rng: random.Random) -> str:
    if how in ("min", "max"):
        return (min if how == "min" else max)(field.pool, key=float)
    return rng.choice(field.pool)


def _integer(field: Field, low: int, high: int, how: str, rng: random.Random) -> int:
    if how in ("min", "max"):
        return low if how == "min" else high
    steps = (high - low) // field.step
    value = low + field.step * rng.randint(0, steps)
    if steps > 1000 and rng.random() < 0.2:  # small ones too, where the range spans orders of magnitude
        value = low + field.step * int(steps ** rng.random())
    return high if field.nonzero and value == 0 else value


def _real(field: Field, how: str, rng: random.Random) -> float:
    if how in ("min", "max"):
        return field.low if how == "min" else field.high
    return rng.uniform(field.low, field.high)


def _digits(field: Field, how: str, rng: random.Random) -> str:
    """A number of as many digits as one seen: any, or one next to where carries and borrows go all the way."""
    if how in ("min", "max"):
        return (min if how == "min" else max)(field.pool, key=lambda value: (len(value), value))
    value = rng.choice(field.pool)
    sign, many = ("-", len(value) - 1) if value.startswith("-") else ("", len(value))
    if many == 1:
        return value
    ends = ["9" * many, "1" + "0" * (many - 1)]
    if rng.random() < 0.2:
        return sign + rng.choice(ends)
    return sign + rng.choice("123456789") + "".join(rng.choices("0123456789", k=many - 1))


def _word(field: Field, rng: random.Random) -> str:
    """A word seen with its letters in another order, or with some of another word."""
    one, two = rng.choice(field.pool), rng.choice(field.pool)
    if not (one.islower() or one.isupper()) or one.islower() != two.islower():
        return one
    cut = rng.randint(0, min(len(one), len(two)))
    return rng.choice([one[:cut] + two[cut:], one, "".join(rng.sample(one, len(one)))])
