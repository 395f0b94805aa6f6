"""Library Checker problems: info.toml, in/*.in, out/*.out, checker.cpp (on testlib), sol/*.cpp."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from maxcode.bench.suites.making.files import checker_of, described, problems_of, programs_in
from maxcode.bench.suites.making.problem import Checker, FilePair, Refused, SuiteProblem


def is_library_checker(folder: Path) -> bool:
    return (folder / "info.toml").is_file()


def read_library_checker(folder: Path) -> list[SuiteProblem]:
    """The solutions that are not marked as wrong; sol/correct.cpp is the target of the others."""
    correct = folder / "sol" / "correct.cpp"
    info = _info(folder / "info.toml")
    return problems_of(
        folder.name,
        _programs(folder, info),
        _pairs(folder),
        target=correct if correct.is_file() else None,
        checker=_checker(folder, info),
        description=described(str(info.get("title", folder.name)), folder, ("task.md",)),
    )


def _info(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refused(f"info.toml cannot be read: {error}") from None


def _pairs(folder: Path) -> list[FilePair]:
    pairs = [
        FilePair(name=path.stem, input=path, answer=answer, sample=path.stem.startswith("example"))
        for path in sorted((folder / "in").glob("*.in"))
        if (answer := folder / "out" / f"{path.stem}.out").is_file()
    ]
    if not pairs:
        raise Refused("has no in/NAME.in with an out/NAME.out; make them with the project's own generator first")
    return pairs


def _programs(folder: Path, info: dict[str, Any]) -> list[Path]:
    wrong = {each.get("name") for each in info.get("solutions", []) if each.get("wrong")}
    programs = [path for path in programs_in(folder / "sol") if path.name not in wrong]
    if not programs:
        raise Refused("has no solution in sol/ that is not marked as wrong")
    return programs


def _checker(folder: Path, info: dict[str, Any]) -> Checker | None:
    path = folder / "checker.cpp"
    if not path.is_file():
        return None
    above = [place / part for place in folder.absolute().parents[:3] for part in ("", "common")]
    return checker_of(path, above, {"params.h": _params(info)})


def _params(info: dict[str, Any]) -> str:
    """The header that the project makes of info.toml's [params]."""
    values = {name: value for name, value in info.get("params", {}).items() if isinstance(value, int)}
    return "".join(f"static const long long {name} = {value}LL;\n" for name, value in values.items())
