"""Lines and tokens of a text: how a line is split, and what kind of thing a token is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

INTEGER = re.compile(r"[+-]?\d{1,18}")
DIGITS = re.compile(r"-?\d{19,}")
FLOAT = re.compile(r"[+-]?\d*\.\d+")
NUMBER = re.compile(r"(?:^|(?<=[\s=]))\d{1,18}(?=$|\s)")
"""Pattern of numbers of a line that could be counts: in a header such as `5 3`, `n=5` or `grid 3 x 4`."""
HEADER_TOKENS = 12
DELIMITERS = (",", ";", "\t", "|")
BRACKETS = frozenset("()[]{}")


def kind_of(token: str) -> str:
    """Kind of a token: i(nteger), d(igits of a long one), f(loat) or w(ord)."""
    if INTEGER.fullmatch(token):
        return "i"
    if FLOAT.fullmatch(token):
        return "f"
    return "d" if DIGITS.fullmatch(token) else "w"


def shape_of(line: str) -> tuple[object, ...]:
    """Shape of a line, which lines of one kind share: the number of tokens and the kinds of the first of them."""
    tokens = line.replace(",", " , ").split() if "," in line else line.split()
    return (min(len(tokens), 40), *map(kind_of, tokens[:6]))


def numbers_of(line: str) -> list[int]:
    return [int(match[0]) for match in NUMBER.finditer(line)]


def header_numbers(line: str) -> list[int]:
    """Numbers of a line; none where it is too long to announce something."""
    return numbers_of(line) if len(line) < 400 and len(line.split()) <= HEADER_TOKENS else []


def with_numbers(line: str, values: Sequence[int]) -> str:
    """The line with its numbers replaced, in order."""
    left = iter(values)
    return NUMBER.sub(lambda match: str(next(left)).zfill(len(match[0]) if match[0][0] == "0" else 0), line)


@dataclass(frozen=True)
class Splitter:
    """Splits lines of one kind into tokens, and joins them again."""

    delimiter: str | None = " "
    """Text between tokens; None where each character of the line is a token."""
    before: str = ""
    after: str = ""

    def split(self, line: str) -> list[str]:
        inner = line[len(self.before) : len(line) - len(self.after)] if self.before or self.after else line
        if self.delimiter is None:
            return list(inner)
        if self.delimiter != " " and '"' in inner:
            return _quoted(inner, self.delimiter)
        return inner.split(self.delimiter) if inner else []

    def join(self, tokens: Sequence[str]) -> str:
        return self.before + (self.delimiter or "").join(tokens) + self.after


def splitter_of(lines: Sequence[str]) -> Splitter | None:
    """Splitter for all of these lines that loses nothing; None where there is none."""
    filled = [line for line in lines if line]
    if not filled:
        return Splitter()
    for delimiter in DELIMITERS:
        if all(delimiter in line for line in filled[:50]):
            spaced = f"{delimiter} "
            wide = all(line.count(delimiter) == line.count(spaced) for line in filled)
            found = Splitter(spaced if wide else delimiter)
            if len({len(found.split(line)) for line in filled}) == 1:
                return found
    before, after = (_edge(filled, end) for end in (False, True))
    found = Splitter(" ", before, after)
    fits = all(line.startswith(before) and line.endswith(after) and "" not in found.split(line) for line in filled)
    return found if fits and not any("\t" in line for line in filled) else None


def _edge(lines: Sequence[str], end: bool) -> str:
    """White space that is before, or after, every line."""
    line = lines[0]
    return line[len(line.rstrip()) :] if end else line[: len(line) - len(line.lstrip())]


def _quoted(line: str, delimiter: str) -> list[str]:
    """Fields as written, quotes included; a delimiter within quotes is part of its field."""
    parts = line.split('"')
    parts[1::2] = [part.replace(delimiter, "\0") for part in parts[1::2]]
    return [field.replace("\0", delimiter) for field in '"'.join(parts).split(delimiter)]
