"""Kattis problem packages: problem.yaml, data/sample and data/secret, submissions, output validators."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path

from maxcode.bench.suites.contest.validators import as_checker
from maxcode.bench.suites.making.files import checker_of, described, file_pairs, problems_of, programs_in
from maxcode.bench.suites.making.problem import Checker, FilePair, Refused, SuiteProblem, by_tolerance
from maxcode.task.model import Tests

ACCEPTED, SLOW = ("accepted",), ("time_limit_exceeded",)
STATEMENTS = tuple(
    f"{folder}/{name}{suffix}"
    for folder in ("problem_statement", "statement")
    for name in ("problem.en", "problem", "problem.*")
    for suffix in (".md", ".tex")
)
"""Where packages have their statements, English ones first."""
VALIDATOR_FOLDERS = ("output_validators", "output_validator")
_YAML_LINE = re.compile(r"^(\s*)([\w-]+)\s*:\s*(.*?)\s*$")


def is_kattis(folder: Path) -> bool:
    return (folder / "problem.yaml").is_file() and (folder / "data").is_dir()


def read_kattis(folder: Path) -> list[SuiteProblem]:
    """The accepted submissions, and those that are right but too slow, with an accepted one as their target."""
    settings = read_settings((folder / "problem.yaml").read_text())
    pairs = _pairs(folder)
    accepted, slow = (programs_in_all(folder, kinds) for kinds in (ACCEPTED, SLOW))
    if not accepted and not slow:
        raise Refused("has no C, C++ or Python program in submissions/accepted or submissions/time_limit_exceeded")
    flags = shlex.split(settings.get("validator_flags", ""))
    memory = settings.get("limits.memory")
    return problems_of(
        folder.name,
        [*accepted, *slow],
        pairs,
        target=accepted[0] if accepted else None,
        checker=_checker(folder, flags),
        tests=_comparison(flags),
        description=_described(settings, folder),
        memory_mb=int(memory) if memory and memory.isdigit() else None,
    )


def read_settings(text: str) -> dict[str, str]:
    """The plain `key: value` lines of a problem.yaml, nested ones as `outer.inner`. Lists and blocks are left out."""
    found: dict[str, str] = {}
    outer = ""
    for line in text.splitlines():
        match = _YAML_LINE.match(line.split(" #")[0])
        if not match:
            continue
        indent, key, value = match.groups()
        outer = "" if not indent else outer
        if not value and not indent:
            outer = f"{key}."
        elif value:
            found[outer + key] = value.strip("'\"")
    return found


def programs_in_all(folder: Path, kinds: tuple[str, ...]) -> list[Path]:
    return [path for kind in kinds for path in programs_in(folder / "submissions" / kind)]


def _pairs(folder: Path) -> list[FilePair]:
    data = folder / "data"
    sample = file_pairs(data, (data / "sample").rglob("*.in"), (".ans",), sample=True)
    secret = file_pairs(data, (data / "secret").rglob("*.in"), (".ans",))
    if not sample and not secret:
        raise Refused("has no tests: no NAME.in with a NAME.ans beside it in data/sample or data/secret")
    return [*sample, *secret]


def _checker(folder: Path, flags: list[str]) -> Checker | None:
    places = [folder / name for name in VALIDATOR_FOLDERS if (folder / name).is_dir()]
    sources = [path for place in places for path in (programs_in(place) or _nested(place))]
    if not sources:
        return None
    if len(sources) > 1:
        raise Refused(f"its output validator has several source files ({', '.join(p.name for p in sources)}); give one")
    return as_checker(checker_of(sources[0], []), flags)


def _nested(place: Path) -> list[Path]:
    """Files of a validator that is a folder of its own, with its headers."""
    return [path for folder in sorted(place.iterdir()) if folder.is_dir() for path in programs_in(folder)]


def _comparison(flags: list[str]) -> Tests:
    """Comparison that the standard validator makes: by words, or with a tolerance where the flags have one."""
    values = dict(pairwise(flags))
    both = values.get("float_tolerance")
    absolute = values.get("float_absolute_tolerance", both)
    relative = values.get("float_relative_tolerance", both)
    if absolute or relative:
        return by_tolerance(float(absolute or 0), float(relative or 0))
    return Tests(compare="exact") if "space_change_sensitive" in flags else Tests()


def _described(settings: dict[str, str], folder: Path) -> str:
    return described(settings.get("name", folder.name), folder, STATEMENTS)
