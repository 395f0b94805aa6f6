"""Folders as Polygon makes them for Codeforces: tests/01 with tests/01.a, solutions/*.cpp, a checker on testlib."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from maxcode.bench.suites.making.files import checker_of, problems_of, programs_in
from maxcode.bench.suites.making.problem import Checker, FilePair, Refused, SuiteProblem, by_tolerance
from maxcode.task.model import Tests

WRONG = ("wrong-answer", "rejected", "failed", "presentation-error", "memory-limit-exceeded", "do-not-run")
CHECKERS = ("check.cpp", "checker.cpp", "files/check.cpp", "files/checker.cpp")
STANDARD = re.compile(r"(?:std::)?(?:(fcmp|hcmp|lcmp|ncmp|wcmp|icmp|yesno|nyesno|uncmp)|rcmp(\d)?)(?:\.cpp)?")
"""Checkers that come with testlib: comparisons of words, and rcmp4, rcmp6, rcmp9 of numbers."""


def is_polygon(folder: Path) -> bool:
    return (folder / "tests").is_dir() and any(_answered(folder / "tests"))


def read_polygon(folder: Path) -> list[SuiteProblem]:
    """The solutions that are not tagged as wrong; the one tagged `main` is the target of the others."""
    described = _described(folder / "problem.xml")
    programs = [path for path in programs_in(folder / "solutions") if _tag(described, path) not in WRONG]
    if not programs:
        raise Refused("has no C, C++ or Python program in solutions/ that is not tagged as wrong")
    main = next((path for path in programs if _tag(described, path) == "main"), None)
    checker, tests = _checker(folder, described)
    return problems_of(folder.name, programs, _answered(folder / "tests"), target=main, checker=checker, tests=tests)


def _answered(folder: Path) -> list[FilePair]:
    inputs = [path for path in sorted(folder.iterdir()) if path.is_file() and path.suffix != ".a"]
    found = [(path, path.with_name(path.name + ".a")) for path in inputs]
    return [FilePair(name=path.name, input=path, answer=answer) for path, answer in found if answer.is_file()]


def _described(path: Path) -> ElementTree.Element | None:
    if not path.is_file():
        return None
    text = path.read_text(errors="replace")
    if "<!ENTITY" in text:  # not needed here, and entities can expand without end
        raise Refused("problem.xml defines entities, which are not read")
    try:
        return ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise Refused(f"problem.xml cannot be read: {error}") from None


def _tag(described: ElementTree.Element | None, program: Path) -> str | None:
    """Tag that the author gave a solution."""
    for solution in described.iter("solution") if described is not None else ():
        source = solution.find("source")
        if source is not None and Path(source.get("path", "")).name == program.name:
            return solution.get("tag")
    return None


def _checker(folder: Path, described: ElementTree.Element | None) -> tuple[Checker | None, Tests]:
    """The folder's own checker; one of testlib's own is replaced by the comparison that it makes."""
    element = described.find(".//checker") if described is not None else None
    standard = STANDARD.fullmatch(element.get("name", "")) if element is not None else None
    if standard:
        return None, _standard(standard)
    path = next((folder / name for name in CHECKERS if (folder / name).is_file()), None)
    if path is None:
        return None, Tests()
    return checker_of(path, [folder / "files", folder, *folder.absolute().parents[:2]]), Tests()


def _standard(match: re.Match[str]) -> Tests:
    if match[1]:
        return Tests()
    tolerance = 10.0 ** -int(match[2]) if match[2] else 1.5e-6
    return by_tolerance(tolerance, tolerance)
