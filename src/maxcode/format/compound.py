"""Tokens of several parts, such as `w673:1`, `12:30` or `id#7`: which parts are numbers, and other values for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from maxcode.format.model import Field, Piece

FEWEST = 6
"""Number of different tokens that must be seen before their parts are told apart."""
_PIECE = re.compile(r"\d+|[A-Za-z]+|[^\dA-Za-z]")
_SHORTEST_MONTH = 28


def pieces_of(distinct: Sequence[str]) -> tuple[Piece, ...]:
    """The parts that all tokens have in common; none where they differ or no number varies."""
    if len(distinct) < FEWEST:
        return ()
    split = [_PIECE.findall(token) for token in distinct]
    if len({len(parts) for parts in split}) != 1 or _are_spans(split):
        return ()
    found = []
    for column in zip(*split, strict=True):
        piece = _piece(column)
        if piece is None:
            return ()
        found.append(piece)
    found = _within_months(found)
    return tuple(found) if any(piece.low < piece.high for piece in found) else ()


def with_names_kept(field: Field, lists: Sequence[Sequence[str]]) -> Field:
    """The field of a list, with parts that never repeat within a list marked to stay with their tokens."""
    split = [[_PIECE.findall(token) for token in tokens] for tokens in lists if len(tokens) > 1]
    pieces = [
        replace(piece, kept=all(len({parts[place] for parts in row}) == len(row) for row in split))
        for place, piece in enumerate(field.pieces)
    ]
    return replace(field, pieces=tuple(pieces))


def varied(field: Field, token: str, number: Callable[[Piece], int]) -> str:
    """The token with other numbers in its parts."""
    parts = _PIECE.findall(token)
    for place, piece in enumerate(field.pieces):
        if piece.kind == "number" and not piece.kept:
            parts[place] = str(number(piece)).zfill(piece.width)
    return "".join(parts)


def _are_spans(split: Sequence[Sequence[str]]) -> bool:
    """True if tokens are two values of one kind of which the second is never less, such as `09:30-10:15`."""
    half = len(split[0]) // 2
    if len(split[0]) % 2 == 0 or half == 0:
        return False
    ends = [[[p.zfill(18) if p.isdigit() else p for p in side] for side in (t[:half], t[half + 1 :])] for t in split]
    return all(left <= right for left, right in ends)


def _piece(column: Sequence[str]) -> Piece | None:
    """Description of one part of all tokens; None where it is not of the same kind in all."""
    if not all(part.isdigit() for part in column):
        same = len(set(column)) == 1 or all(part.isalpha() for part in column)
        return Piece("text") if same else None
    if max(map(len, column)) > 18:
        return None
    sizes = {len(part) for part in column}
    padded = any(part[0] == "0" and len(part) > 1 for part in column)
    if padded and len(sizes) > 1:
        return None
    numbers = [int(part) for part in column]
    return Piece("number", min(numbers), max(numbers), min(sizes) if len(sizes) == 1 else 0)


def _within_months(pieces: Sequence[Piece]) -> list[Piece]:
    """The parts, with days limited to those that every month has, where a part of four digits says that tokens are
    dates."""
    if not any(piece.width == 4 and 1000 <= piece.low <= piece.high < 3000 for piece in pieces):
        return list(pieces)
    return [
        replace(piece, high=_SHORTEST_MONTH, low=min(piece.low, _SHORTEST_MONTH))
        if _SHORTEST_MONTH < piece.high <= 31
        else piece
        for piece in pieces
    ]
