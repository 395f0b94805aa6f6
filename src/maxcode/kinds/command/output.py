"""Output of a repository's bench: the number that counts, and how two outputs differ.

Numbers that differ between runs of the original on the same seed are not results, whatever their unit. All others are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, zip_longest

from maxcode.core import Mismatch, Status, content_hash
from maxcode.evaluate.failure import Failure
from maxcode.kinds.command.patterns import LONGEST_LINE, groups_by_line
from maxcode.kinds.command.table import Command

_UNITS = {
    **dict.fromkeys((b"ns", b"nsec"), 1e-9),
    **dict.fromkeys((b"us", b"\xc2\xb5s", b"usec"), 1e-6),
    **dict.fromkeys((b"ms", b"msec"), 1e-3),
    **dict.fromkeys((b"s", b"sec", b"secs", b"second", b"seconds"), 1.0),
    **dict.fromkeys((b"minute", b"minutes"), 60.0),
}
_FIELD = re.compile(
    rb" {0,30}(?<![\d.])(?P<number>\d[\d.,]{0,30}(?:[eE][+-]?\d{1,4})?)"
    rb"(?:\s{0,9}(?P<unit>" + b"|".join(sorted(_UNITS, reverse=True)) + rb"|[\w/]{1,30}/s)(?!\w))?"
)
"""Pattern of a number with its unit, since a faster program may print another unit. All its parts are bounded: the
output is the candidate's, and may be megabytes of digits."""
_TAKEN = re.compile(rb"\b(took|takes|taken|elapsed|time|runtime|duration|wall|cpu|user|real|sys|in)\W{0,5}\Z", re.I)
"""Pattern of the words before a number of seconds that somebody has measured."""


@dataclass(frozen=True)
class BenchDifference:
    """Difference of two outputs: in one number, or in more than that."""

    line: int
    expected: bytes
    got: bytes
    field: str = ""
    """Name of the number; empty where the lines differ by more."""
    seconds: tuple[float, float] | None = None
    """Least seconds that both numbers may be rounded from, where they are said to be times that something took."""


def printed_number(output: bytes, command: Command) -> float | None:
    """The last number that the pattern finds; None when there is none, or none to divide by."""
    assert command.number is not None
    found = [each for line in groups_by_line("number", command.number, _words(output)) for each in line]
    try:
        number = float(found[-1].replace(",", "")) if found else 0.0
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None


def compared_lines(output: bytes, command: Command) -> list[bytes]:
    """Lines of the output, without those in which the pattern finds the number."""
    lines = output.splitlines()
    if command.number is None:
        return lines
    found = groups_by_line("number", command.number, _words(output))
    return [line for line, groups in zip(lines, found, strict=True) if not groups]


def differences(expected: list[bytes], got: list[bytes]) -> Iterator[BenchDifference]:
    """Differences in order, ending with the first that is more than a number."""
    for number, (want, have) in enumerate(zip_longest(expected, got), 1):
        if want == have:
            continue
        found = None if want is None or have is None else _numbers_that_differ(number, want, have)
        if found is None:
            yield BenchDifference(number, want or b"", have or b"")
            return
        yield from found


def _numbers_that_differ(number: int, want: bytes, have: bytes) -> list[BenchDifference] | None:
    """Numbers in which two lines differ; None where they differ by more."""
    if max(len(want), len(have)) > LONGEST_LINE:
        return None
    (form, wanted), (other, had) = _fields(want), _fields(have)
    if form != other:
        return None
    return [
        BenchDifference(number, want, have, _name(number, form, index), _taken(want, *pair))
        for index, pair in enumerate(zip(wanted, had, strict=True))
        if pair[0][0] != pair[1][0]
    ]


def _fields(line: bytes) -> tuple[list[bytes], list[re.Match[bytes]]]:
    """Text between the numbers of a line, and the numbers."""
    found = list(_FIELD.finditer(line))
    edges = [0, *(edge for each in found for edge in each.span()), len(line)]
    return [line[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)], found


def _name(number: int, form: list[bytes], index: int) -> str:
    return content_hash(str(number), *form, str(index))


def _taken(line: bytes, first: re.Match[bytes], second: re.Match[bytes]) -> tuple[float, float] | None:
    if not _TAKEN.search(line[: first.start("number")][-40:]):
        return None
    try:
        return _seconds(first), _seconds(second)
    except (KeyError, ValueError):
        return None


def _seconds(field: re.Match[bytes]) -> float:
    """Least time that is written like this: the number less one in its last digit."""
    number = field["number"].rstrip(b".,")
    mantissa, _, exponent = number.lower().partition(b"e")
    last = 10.0 ** (int(exponent or 0) - len(mantissa.partition(b".")[2]))
    return (float(number) - last) * _UNITS[field["unit"]]


def compares_something(lines: list[bytes], varying: frozenset[str]) -> bool:
    """True if the lines hold more than blanks and numbers that vary."""
    return any(_without(number, line, varying).strip() for number, line in enumerate(lines, 1))


def same(first: list[bytes], second: list[bytes], varying: frozenset[str]) -> bool:
    return all(each.field in varying or each.seconds for each in differences(first, second))


def _without(number: int, line: bytes, varying: frozenset[str]) -> bytes:
    if not varying or len(line) > LONGEST_LINE:
        return line
    form, _ = _fields(line)
    names = (_name(number, form, index) for index in count())
    return _FIELD.sub(lambda field: b"" if next(names) in varying else field[0], line)


def wrong_output(found: BenchDifference) -> Failure:
    words = [each.decode(errors="replace")[:100] for each in (found.expected, found.got)]
    return Failure(
        Status.WRONG,
        f"bench: prints something else than the original, line {found.line}: expected '{words[0]}', got '{words[1]}'",
        Mismatch(test="bench", hidden=False, where=f"line {found.line}", expected=words[0], got=words[1]),
    )


def _words(output: bytes) -> list[str]:
    return [line.decode(errors="replace") for line in output.splitlines()]
