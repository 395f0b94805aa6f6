"""Single values, and series of them: other ones of the same kind and within the range seen."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from maxcode.format.compound import varied
from maxcode.format.make_words import related, respelled
from maxcode.format.model import Field, Piece, Slot

Bounds = tuple[int, int]
SEVERAL = {"one": 1, "ties": 2, "few": 6, "dozens": 24}
"""Number of different values in a column, by name."""
SHORT = 20
"""Number of digits of short numbers among long ones: as many as fit a machine word, and one more."""
LEAST = 9
"""Largest distance of small numbers from the smallest."""
MANY = 30
"""Number of words seen above which others are likely to be legal too, though these repeat."""


class NoSuchInput(Exception):
    """Failure to make an input: none keeps the relations at this size."""


def bounds_of(field: Field, values: Mapping[Slot, int]) -> Bounds | None:
    """Bounds of an index, given the counts of the new input."""
    if field.index is None:
        return None
    low = field.index.low
    return low, max(low, min(field.index.count.value(values) + field.index.plus, int(field.high)))


def drawn(field: Field, how: str, bounds: Bounds | None, rng: random.Random) -> str:
    """Draws a value: `fresh`, `small`, `min`, `max` or one of the `ends`. Kinds without an order are always fresh."""
    if how == "ends":
        how = rng.choice(("min", "max"))
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
    if field.pieces and how != "keep":
        return varied(field, rng.choice(field.pool), lambda piece: _part(piece, how, rng))
    return respelled(rng.choice(field.pool), rng) if field.unique else rng.choice(field.pool)


def series(field: Field, how: str, bounds: Bounds | None, rng: random.Random) -> Callable[[str], str]:
    """Function that replaces values: as `drawn`, or by only `one`, two (`ties`), a `few`, `dozens`, or `near` ones.

    Tokens of several parts keep the parts that are no numbers.
    """
    if field.pieces:
        return _tokens(field, how, rng)
    if how in (*SEVERAL, "near"):
        some = near(field, bounds, rng) if how == "near" else []
        some = some or [drawn(field, "fresh", bounds, rng) for _ in range(SEVERAL.get(how, 2))]
        return lambda _: rng.choice(some)
    if how in ("min", "max") and field.kind in ("int", "float", "digits"):
        end = drawn(field, how, bounds, rng)
        return lambda _: end
    return lambda _: drawn(field, how, bounds, rng)


def near(field: Field, bounds: Bounds | None, rng: random.Random) -> list[str]:
    """A few values that differ as little as they can; none where such are not known."""
    value = drawn(field, "fresh", bounds, rng)
    if field.kind == "word":
        return related(field.pool, rng) if not field.closed or len(field.pool) >= MANY else []
    if field.closed and field.kind in ("int", "float"):
        ordered = sorted(field.pool, key=float)
        at = ordered.index(value) if value in ordered else 0
        return ordered[max(0, at - 1) : at + 2]
    if field.kind == "int":
        low, high = bounds or (int(field.low), int(field.high))
        around = [int(value) + field.step * i for i in (-1, 0, 1)]
        return [written(field, v) for v in around if low <= v <= high and not (field.nonzero and v == 0)]
    if field.kind == "float":
        around_real = [float(value) + i / 10**field.decimals for i in (-1, 0, 1)]
        return [f"{v:.{field.decimals}f}" for v in around_real if field.low <= v <= field.high]
    if field.kind == "digits":
        longer = 10 ** len(value.lstrip("-"))  # one more digit, and carries on the way there
        around = [int(value) + i for i in (-1, 0, 1)] + [longer - 1, longer, longer + 1]
        longest = max(len(each) for each in field.pool)
        return [str(each) for each in around if len(str(each)) <= longest and (each >= 0 or value.startswith("-"))]
    return []


def _tokens(field: Field, how: str, rng: random.Random) -> Callable[[str], str]:
    """Function that replaces tokens of several parts: their numbers are drawn as the values of a column are."""
    if how in ("few", "dozens"):
        whole = rng.sample(field.pool, min(len(field.pool), SEVERAL[how]))
        return lambda _: rng.choice(whole)
    few = SEVERAL.get(how)
    some = {id(piece): [_part(piece, "fresh", rng) for _ in range(few or 0)] for piece in field.pieces}
    if how == "near":
        some = {id(piece): _near_part(piece, rng) for piece in field.pieces}

    def number(piece: Piece) -> int:
        return rng.choice(some[id(piece)]) if some[id(piece)] else _part(piece, how, rng)

    return lambda token: varied(field, token, number)


def _part(piece: Piece, how: str, rng: random.Random) -> int:
    if how == "ends":
        how = rng.choice(("min", "max"))
    high = min(piece.high, piece.low + LEAST) if how == "small" else piece.high
    return {"min": piece.low, "max": piece.high}.get(how, rng.randint(piece.low, high))


def _near_part(piece: Piece, rng: random.Random) -> list[int]:
    """A number, those next to it, and those with one digit more or less at the end."""
    base = rng.randint(piece.low, piece.high)
    return [v for v in (base, base + 1, base - 1, 10 * base, base // 10) if piece.low <= v <= piece.high]


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
    if how == "small":
        steps = min(steps, LEAST)
    elif field.named and rng.random() < 0.2:
        return min(high, max(low, rng.choice(field.named)))
    value = low + field.step * rng.randint(0, steps)
    if steps > 1000 and rng.random() < 0.2:  # small ones too, where the range spans orders of magnitude
        value = low + field.step * int(steps ** rng.random())
    return high if field.nonzero and value == 0 else value


def _real(field: Field, how: str, rng: random.Random) -> float:
    if how in ("min", "max"):
        return field.low if how == "min" else field.high
    high = min(field.high, field.low + LEAST / 10**field.decimals) if how == "small" else field.high
    return rng.uniform(field.low, high)


def _digits(field: Field, how: str, rng: random.Random) -> str:
    """Number of as many digits as one seen: any, or one next to where carries and borrows go all the way."""
    if how == "max":  # carries go all the way, at the greatest length
        return "9" * max(len(value.lstrip("-")) for value in field.pool)
    if how == "min":
        return min(field.pool, key=lambda value: (len(value), value))
    value = rng.choice(field.pool)
    sign, many = ("-", len(value) - 1) if value.startswith("-") else ("", len(value))
    least = min(len(value.lstrip("-")) for value in field.pool)
    if how == "small":
        if rng.random() < 0.15:
            return min(field.pool, key=lambda value: (len(value), value))
        many = rng.randint(least, max(least, min(many, SHORT)))
    elif rng.random() < 0.5:
        many = min(many, int(least * (many / least) ** rng.random() + 0.5))
    if many == 1:
        return value if len(value) == 1 else rng.choice("123456789")
    ends = ["9" * many, "1" + "0" * (many - 1)]
    if rng.random() < 0.2:
        return sign + rng.choice(ends)
    if rng.random() < 0.2:  # runs of nines and zeros: carries and borrows that go a part of the way
        runs = "".join(rng.choice("09") * rng.randint(1, max(1, many // 3)) for _ in range(many))
        return sign + rng.choice("19") + runs[: many - 1]
    return sign + rng.choice("123456789") + "".join(rng.choices("0123456789", k=many - 1))


def _word(field: Field, rng: random.Random) -> str:
    """New word: one seen with its letters in another order, or with some of another word."""
    one, two = rng.choice(field.pool), rng.choice(field.pool)
    if not (one.islower() or one.isupper()) or one.islower() != two.islower():
        return one
    cut = rng.randint(0, min(len(one), len(two)))
    return rng.choice([one[:cut] + two[cut:], one, "".join(rng.sample(one, len(one)))])
