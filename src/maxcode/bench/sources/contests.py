"""Packages of contest problems: which format a folder has, and what is in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from maxcode.bench.sources.kattis import is_kattis, read_kattis
from maxcode.bench.sources.library_checker import is_library_checker, read_library_checker
from maxcode.bench.sources.loading import Unread
from maxcode.bench.sources.plain import is_plain, read_plain
from maxcode.bench.sources.polygon import is_polygon, read_polygon
from maxcode.bench.sources.problem import Problem
from maxcode.core import InputError


class Format(NamedTuple):
    fits: Callable[[Path], bool]
    read: Callable[[Path], list[Problem | Unread]]


FORMATS = {
    "kattis": Format(is_kattis, read_kattis),
    "library-checker": Format(is_library_checker, read_library_checker),
    "polygon": Format(is_polygon, read_polygon),
    "folder": Format(is_plain, read_plain),
}
"""Formats in the order in which they are tried."""
DEEPEST = 3


def read_contest(path: Path, as_format: str | None = None) -> list[Problem | Unread]:
    """The problem in a folder, or those in the folders below it."""
    if not path.is_dir():
        raise InputError(f"{path}: no such folder.")
    if as_format is not None:
        return FORMATS[as_format].read(path)
    found = _found(path, DEEPEST)
    if not found:
        formats = ", ".join(FORMATS)
        raise InputError(
            f"{path}: no problem of a known format ({formats}) in it. docs/suites.md shows what they need."
        )
    return [each for folder, name in found for each in FORMATS[name].read(folder)]


def _found(folder: Path, deeper: int) -> list[tuple[Path, str]]:
    name = next((name for name, each in FORMATS.items() if each.fits(folder)), None)
    if name:
        return [(folder, name)]
    below = sorted(each for each in folder.iterdir() if each.is_dir()) if deeper else []
    return [each for inner in below for each in _found(inner, deeper - 1)]
