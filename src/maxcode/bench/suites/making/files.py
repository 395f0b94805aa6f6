"""Reading what suites consist of: programs, pairs of files, checkers with their headers, chosen numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from maxcode.bench.suites.making.problem import Checker, FilePair, Refused, SuiteProblem
from maxcode.core import InputError, Language

LANGUAGES = {".c": Language.C, ".py": Language.PYTHON} | dict.fromkeys((".cc", ".cpp", ".cxx"), Language.CPP)
LONGEST_STATEMENT = 12_000
"""Characters of a statement that a task's description takes over."""
_LOCAL_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"[ \t]*$', re.MULTILINE)


def programs_in(folder: Path) -> list[Path]:
    """The C, C++ and Python files of a folder, in order of name."""
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if path.suffix in LANGUAGES and path.is_file()]


def read_text(path: Path) -> str:
    try:
        return path.read_text().replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Refused(f"{path.name} is not UTF-8 text") from None


def described(title: str, folder: Path, patterns: Iterable[str]) -> str:
    """A problem's title and its statement: the first file that matches a pattern and is text."""
    for path in (path for pattern in patterns for path in sorted(folder.glob(pattern))):
        try:
            text = read_text(path).strip()
        except Refused:
            continue
        return f"{title}: reads standard input, writes standard output. Its statement:\n\n{_clipped(text)}"
    return f"{title}: reads standard input, writes standard output."


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_STATEMENT else f"{text[:LONGEST_STATEMENT]} [...]"


def file_pairs(root: Path, inputs: Iterable[Path], answers: tuple[str, ...], *, sample: bool = False) -> list[FilePair]:
    """Each input with the file of the same stem and one of the given suffixes; inputs without one are left out."""
    pairs = []
    for path in sorted(inputs):
        answer = next((a for a in (path.with_suffix(suffix) for suffix in answers) if a.is_file()), None)
        if answer:
            name = str(path.relative_to(root).with_suffix(""))
            pairs.append(FilePair(name=name, input=path, answer=answer, sample=sample))
    return pairs


def checker_of(path: Path, places: list[Path], made: dict[str, str] | None = None) -> Checker:
    """A checker as one file, with the headers that it includes by name put in. `made` has headers that are no files."""
    if path.suffix == ".py":
        return Checker(suffix=".py", text=read_text(path))
    return Checker(suffix=".cpp", text=with_includes(path, [path.parent, *places], made or {}))


def with_includes(path: Path, places: list[Path], made: dict[str, str]) -> str:
    seen: set[str] = set()

    def expand(text: str) -> str:
        return _LOCAL_INCLUDE.sub(lambda match: included(match[1]), text)

    def included(name: str) -> str:
        if name in seen:
            return ""
        seen.add(name)
        header = next((place / name for place in places if (place / name).is_file()), None)
        if header is None and name not in made:
            raise Refused(f'its checker {path.name} needs "{name}", which is not there; put it beside {path}')
        return expand(read_text(header) if header else made[name])

    return expand(read_text(path))


def task_name(*parts: str) -> str:
    return re.sub(r"[^\w.-]+", "-", "-".join(parts)).strip("-") or "task"


def problems_of(
    title: str, programs: list[Path], pairs: list[FilePair], *, target: Path | None = None, **fields: object
) -> list[SuiteProblem]:
    """One problem per program. The target goes with all programs but itself."""
    return [
        SuiteProblem.model_validate(
            {
                "name": task_name(title, path.stem),
                "where": f"{title}, {path.name}",
                "language": LANGUAGES[path.suffix],
                "program": read_text(path),
                "target": read_text(target) if target and target != path and target.suffix == path.suffix else None,
                "pairs": tuple(pairs),
                **fields,
            }
        )
        for path in programs
    ]


def number_ranges(option: str, text: str) -> list[tuple[int, int]]:
    """First and last of each part of '1-20,33'. InputError names the option and the part that is wrong."""
    found = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if not match:
            raise InputError(f"{option} {text}: '{part.strip()}' is no number or range; use such as 1-20 or 1-5,9.")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise InputError(f"{option} {text}: {part.strip()} ends before it begins; use {last}-{first}.")
        found.append((first, last))
    return found


def single_file(folder: Path, pattern: str) -> Path:
    """The only file of a folder that fits."""
    found = sorted(folder.glob(pattern))
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"{folder}: has no {pattern} in it.")
    raise InputError(f"{folder}: has several ({', '.join(path.name for path in found)}); give one of them.")


def closing(text: str, start: int, brackets: str) -> int:
    """Position at which the bracket that opens at `start` closes."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == brackets[0]) - (text[at] == brackets[1])
        if depth == 0:
            return at
    raise Refused(f"a '{brackets[0]}' is never closed")
