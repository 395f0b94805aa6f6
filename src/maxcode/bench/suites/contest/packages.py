"""Packages of contest problems: which format a folder has, and what is in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from maxcode.bench.suites.contest.kattis import is_kattis, read_kattis
from maxcode.bench.suites.contest.library_checker import is_library_checker, read_library_checker
from maxcode.bench.suites.contest.plain import is_plain, read_plain
from maxcode.bench.suites.contest.polygon import is_polygon, read_polygon
from maxcode.bench.suites.contest.suite import ContestOptions
from maxcode.bench.suites.making.loading import load_pairs
from maxcode.bench.suites.making.problem import LoadedSuite, Refused, SuiteProblem, Unread
from maxcode.bench.suites.suite import LoadReporter
from maxcode.core import InputError


class PackageFormat(NamedTuple):
    fits: Callable[[Path], bool]
    read: Callable[[Path], list[SuiteProblem]]
    """Raises Refused for a folder that cannot be read."""


FORMATS = {
    "kattis": PackageFormat(is_kattis, read_kattis),
    "library-checker": PackageFormat(is_library_checker, read_library_checker),
    "polygon": PackageFormat(is_polygon, read_polygon),
    "folder": PackageFormat(is_plain, read_plain),
}
"""Formats in the order in which they are tried."""
DEEPEST = 3


def load_contest(options: ContestOptions, reporter: LoadReporter) -> LoadedSuite:
    return load_pairs(read_contest(options.path, options.package), options.pairs, reporter.progress)


def read_contest(path: Path, as_format: str | None = None) -> list[SuiteProblem | Unread]:
    """The problem in a folder, or those in the folders below it."""
    if not path.is_dir():
        raise InputError(f"{path}: no such folder.")
    if as_format is not None:
        return _read(path, as_format)
    found = _found(path, DEEPEST)
    if not found:
        formats = ", ".join(FORMATS)
        raise InputError(
            f"{path}: no problem of a known format ({formats}) in it. docs/suites.md shows what they need."
        )
    return [each for folder, name in found for each in _read(folder, name)]


def _read(folder: Path, name: str) -> list[SuiteProblem | Unread]:
    try:
        return list(FORMATS[name].read(folder))
    except Refused as reason:
        return [Unread(where=folder.name, reason=str(reason))]


def _found(folder: Path, deeper: int) -> list[tuple[Path, str]]:
    name = next((name for name, each in FORMATS.items() if each.fits(folder)), None)
    if name:
        return [(folder, name)]
    below = sorted(each for each in folder.iterdir() if each.is_dir()) if deeper else []
    return [each for inner in below for each in _found(inner, deeper - 1)]
