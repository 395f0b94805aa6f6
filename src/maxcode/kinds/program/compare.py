"""Compares an output with the expected one, and says where it first differs in words that fit a prompt."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from maxcode.task.model import Tests, Tolerance

SNIPPET = 60


@dataclass(frozen=True)
class OutputDifference:
    where: str
    expected: str
    got: str


def first_difference(expected: bytes, got: bytes, tests: Tests) -> OutputDifference | None:
    if expected == got:
        return None
    if tests.compare == "exact":
        return _by_byte(expected, got)
    tolerance = tests.tolerance if tests.compare == "numbers" else None
    return _by_token(expected, got, tolerance)


def _by_byte(expected: bytes, got: bytes) -> OutputDifference:
    at = _common(expected, got)
    line = expected.count(b"\n", 0, at) + 1
    column = at - (expected.rfind(b"\n", 0, at) + 1) + 1
    return OutputDifference(f"line {line}, column {column}", _snippet(expected[at:]), _snippet(got[at:]))


def _common(expected: bytes, got: bytes) -> int:
    """Number of bytes that are the same from the beginning."""
    same, other = 0, min(len(expected), len(got)) + 1
    while other - same > 1:
        middle = (same + other) // 2
        same, other = (middle, other) if expected[same:middle] == got[same:middle] else (same, middle)
    return same


def _by_token(expected: bytes, got: bytes, tolerance: Tolerance | None) -> OutputDifference | None:
    want = expected.split()
    have = got.split(None, len(want))  # one more at most, with all that is left over: its size is the program's choice
    for i, (a, b) in enumerate(zip(want, have, strict=False)):
        if a != b and not _close(a, b, tolerance):
            return OutputDifference(_place(expected, i), _snippet(a), _snippet(b))
    if len(want) == len(have):
        return None
    where = f"after {min(len(want), len(have))} of {len(want)} tokens"
    missing = _snippet(want[len(have)]) if len(have) < len(want) else "end of output"
    extra = _snippet(have[len(want)].split(None, 1)[0]) if len(have) > len(want) else "end of output"
    return OutputDifference(where, missing, extra)


def _place(expected: bytes, token: int) -> str:
    """The line of a token, and its number there."""
    before = 0
    for number, line in enumerate(expected.splitlines(), 1):
        here = len(line.split())
        if token < before + here:
            return f"line {number}, token {token - before + 1}"
        before += here
    raise IndexError(token)


def _close(a: bytes, b: bytes, tolerance: Tolerance | None) -> bool:
    if tolerance is None or b"_" in a + b:  # Python would read 1_0 as ten
        return False
    try:
        want, have = float(a), float(b)
    except ValueError:
        return False
    if not (isfinite(want) and isfinite(have)):
        return want == have
    return abs(want - have) <= tolerance.absolute + tolerance.relative * abs(want)


def _snippet(data: bytes) -> str:
    line = data[: 4 * SNIPPET].split(b"\n", 1)[0]
    text = line[:SNIPPET].decode(errors="replace")
    return (text + "..." if len(line) > SNIPPET else text) or "end of line"
