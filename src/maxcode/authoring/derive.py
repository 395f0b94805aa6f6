"""New inputs from given ones: prefixes, permutations, changed values. The original program decides which it accepts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

SIZES = (1, 2, 3, 5, 8, 20, 100)
_INTEGER = re.compile(r"-?\d+")


def derived_inputs(text: str, rng: random.Random) -> Iterator[str]:
    """Candidates for tests, small ones first; duplicates and the input itself left out."""
    seen = {text}
    for made in _all(text, rng):
        if made not in seen:
            seen.add(made)
            yield made


def shortened(text: str, share: float) -> str | None:
    """The beginning of an input, where it is clear how to cut it: its first number counts what follows, or it has none.

    None where a number at its head could mean anything.
    """
    lines = text.splitlines()
    if _header_count(lines) is None and (not lines or re.match(r"\s*[-+.\d]", lines[0])):
        return None
    short = _token_share(lines, share) or _prefix(lines, int(share * len(lines)))
    return short if short and len(short) < len(text) else None


def _token_share(lines: list[str], share: float) -> str | None:
    """For inputs whose values are all on one long line, after a line with their number."""
    count = _header_count(lines)
    if count is None or len(lines) > 3 or len(lines) < 2 or count == _filled(lines[1:]):
        return None
    values = " ".join(lines[1:]).split()[: int(share * count)]
    return _join([re.sub(r"\d+", str(len(values)), lines[0], count=1), " ".join(values)]) if values else None


def _all(text: str, rng: random.Random) -> Iterator[str]:
    lines = text.splitlines()
    small = [_prefix(lines, size) for size in SIZES if size < len(lines)]
    tokens = _token_prefixes(lines)
    bases = [made for made in (*small, *tokens) if made] or [text]
    yield from bases
    for base in [*bases, text]:
        for _ in range(2):
            yield _permute_lines(base, rng)
            yield _permute_tokens(base, rng)
            yield _change_values(base, rng)
    yield _extreme_values(bases[0], 0)
    yield _extreme_values(bases[-1], 1)


def _header_count(lines: list[str]) -> int | None:
    """The first number of the first line, when it counts the lines or the values that follow."""
    match = re.match(r"\s*(\d+)", lines[0]) if lines else None
    if not match:
        return None
    count = int(match[1])
    return count if count in (_filled(lines[1:]), _values(lines[1:])) and count > 0 else None


def _filled(lines: list[str]) -> int:
    return sum(bool(line.strip()) for line in lines)


def _values(lines: list[str]) -> int:
    return sum(len(line.split()) for line in lines)


def _prefix(lines: list[str], size: int) -> str:
    """The first lines; a header that counts what follows is corrected. Empty when nothing would follow it."""
    count = _header_count(lines)
    if count is None:
        return _join(lines[:size])
    kept = lines[1 : size + 1]
    number = _filled(kept) if count == _filled(lines[1:]) else _values(kept)
    return _join([re.sub(r"\d+", str(number), lines[0], count=1), *kept]) if number else ""


def _token_prefixes(lines: list[str]) -> list[str]:
    """For inputs whose values are all on one long line."""
    count = _header_count(lines)
    if count is None or len(lines) > 3 or len(lines) < 2 or count == _filled(lines[1:]):
        return []
    values = " ".join(lines[1:]).split()
    header = lines[0]
    return [
        _join([re.sub(r"\d+", str(size), header, count=1), " ".join(values[:size])])
        for size in SIZES
        if size < len(values)
    ]


def _permute_lines(text: str, rng: random.Random) -> str:
    lines = text.splitlines()
    body = lines[1:] if _header_count(lines) is not None else lines
    head = lines[: len(lines) - len(body)]
    return _join([*head, *rng.sample(body, len(body))])


def _permute_tokens(text: str, rng: random.Random) -> str:
    """The words of each line in another order."""
    lines = text.splitlines()
    head = 1 if _header_count(lines) is not None else 0
    return _join([*lines[:head], *(" ".join(rng.sample(words := line.split(), len(words))) for line in lines[head:])])


def _change_values(text: str, rng: random.Random) -> str:
    """Numbers replaced by others of the same number of digits, so that stated bounds usually hold."""
    lines = text.splitlines()
    head = 1 if _header_count(lines) is not None else 0

    def other(match: re.Match[str]) -> str:
        digits = match[0].lstrip("-")
        low = 0 if len(digits) == 1 else 10 ** (len(digits) - 1)
        sign = "-" if match[0].startswith("-") else ""
        return sign + str(rng.randint(low, 10 ** len(digits) - 1)) if rng.random() < 0.5 else match[0]

    return _join([*lines[:head], *(_INTEGER.sub(other, line) for line in lines[head:])])


def _extreme_values(text: str, value: int) -> str:
    lines = text.splitlines()
    head = 1 if _header_count(lines) is not None else 0
    return _join([*lines[:head], *(_INTEGER.sub(str(value), line) for line in lines[head:])])


def _join(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)
