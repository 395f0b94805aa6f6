"""KernelBench: problems as files of a checkout, as rows of the published data set, or one file alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from maxcode.bench.suites.making.files import number_ranges
from maxcode.bench.suites.making.problem import Refused, Unread
from maxcode.core import Frozen, InputError
from maxcode.kinds.torch.problem.problem import check_problem

DATA_SET = "ScalingIntelligence/KernelBench"
LEVELS = (1, 2, 3, 4)
GET_IT = f"clone {DATA_SET} from GitHub, and give its folder with --path"
_FILE = re.compile(r"(\d+)_\w.*\.py")
_LEVEL = re.compile(r"level_?(\d+)")


class KernelProblem(Frozen):
    """One problem file."""

    name: str
    """Name of the task."""
    where: str
    """Name of the problem in messages."""
    text: str
    level: int | None = None
    number: int | None = None


Found = KernelProblem | Unread


def read_kernelbench(path: Path | None, level: int | None = None, problems: str | None = None) -> list[Found]:
    """The chosen problems, by level and number; of the published data set when there is no path."""
    numbered = list(_all(path, level))
    there = sorted({number for number, _ in numbered if number is not None})
    wanted = chosen_numbers(problems, there)
    found = [each for number, each in numbered if wanted is None or number in wanted]
    if not found:
        raise InputError(f"{path or DATA_SET}: has no problems of level {level}.")
    return found


def chosen_numbers(spec: str | None, there: list[int]) -> set[int] | None:
    """'1-20,33' as numbers; None for all. InputError for a part that names no problem."""
    if spec is None:
        return None
    chosen: set[int] = set()
    for first, last in number_ranges("--problems", spec):
        some = {number for number in there if first <= number <= last}
        if not some:
            known = f"they go from {there[0]} to {there[-1]}" if there else "they have no numbers"
            part = str(first) if first == last else f"{first}-{last}"
            raise InputError(f"--problems {spec}: there is no problem {part}; {known}.")
        chosen |= some
    return chosen


Numbered = tuple[int | None, Found]


def _all(path: Path | None, level: int | None) -> Iterator[Numbered]:
    if path is None:
        return _of_rows(_published(level), DATA_SET, level)
    if not path.exists():
        raise InputError(f"--path {path}: no such file or folder. To get the problems, {GET_IT}.")
    if path.is_file():
        return iter([_of_file(path, None)]) if path.suffix == ".py" else _of_rows(_rows(path), path.name, level)
    folders = _level_folders(path)
    if folders:
        if level is not None and level not in folders:
            raise InputError(f"--level {level}: {path} has levels {', '.join(map(str, sorted(folders)))}.")
        chosen = {level: folders[level]} if level is not None else folders
        return (_of_file(file, number) for number in sorted(chosen) for file in _problem_files(chosen[number]))
    if files := _problem_files(path):
        return (_of_file(file, level) for file in files)
    return _of_data_files(path, level)


def _level_folders(path: Path) -> dict[int, Path]:
    """Folders by level. `path` is a checkout, its folder KernelBench, or the folder of one level."""
    if match := _LEVEL.fullmatch(path.resolve().name):
        return {int(match[1]): path}
    for place in (path / "KernelBench", path):
        below = [each for each in place.iterdir() if each.is_dir()] if place.is_dir() else []
        found = {int(match[1]): each for each in below if (match := _LEVEL.fullmatch(each.name))}
        if found:
            return found
    return {}


def _problem_files(folder: Path) -> list[Path]:
    files = [each for each in folder.iterdir() if _FILE.fullmatch(each.name) and each.is_file()]
    return sorted(files, key=lambda file: (int(file.name.split("_")[0]), file.name))


def _of_file(file: Path, level: int | None) -> Numbered:
    match = _FILE.fullmatch(file.name)
    number = int(match[1]) if match else None
    where = f"level {level}: {file.name}" if level is not None else file.name
    try:
        return number, _problem(file.read_text(), file.stem, where, level, number)
    except (OSError, UnicodeDecodeError) as error:
        return number, Unread(where=where, reason=f"cannot be read: {error}")


def _problem(text: str, stem: str, where: str, level: int | None, number: int | None) -> Found:
    try:
        check_problem(text, "its file")
    except InputError as error:
        return Unread(where=where, reason=str(error))
    plain = re.sub(r"[^\w.-]+", "-", stem)
    return KernelProblem(
        name=f"level{level}-{plain}" if level is not None else plain, where=where, text=text, level=level, number=number
    )


def _of_data_files(path: Path, level: int | None) -> Iterator[Numbered]:
    files = sorted([*path.rglob("*.jsonl"), *path.rglob("*.parquet")])
    if not files:
        raise InputError(
            f"{path}: has no levelN folders, no problem files (N_Name.py) and no data set (.jsonl, .parquet) in it. "
            f"To get the problems, {GET_IT}."
        )
    return (each for file in files for each in _of_rows(_rows(file), file.name, level))


def _of_rows(rows: Iterable[Any], source: str, level: int | None) -> Iterator[Numbered]:
    for place, row in enumerate(rows, 1):
        try:
            found = _of_row(row)
        except Refused as reason:
            yield None, Unread(where=f"{source}, row {place}", reason=str(reason))
            continue
        of_level = found.level if isinstance(found, KernelProblem) else row["level"]
        if level is None or of_level == level:
            yield row["problem_id"], found


def _of_row(row: Any) -> Found:
    if not isinstance(row, dict):
        raise Refused("not a JSON object" if row is not None else "not valid JSON")
    for name, kind in (("code", str), ("level", int), ("name", str), ("problem_id", int)):
        if not isinstance(row.get(name), kind):
            raise Refused(f"'{name}' is missing or of another type")
    number, level = row["problem_id"], row["level"]
    stem = row["name"] if row["name"].startswith(f"{number}_") else f"{number}_{row['name']}"
    return _problem(row["code"], stem, f"level {level}: {stem}", level, number)


def _rows(file: Path) -> Iterable[Any]:
    if file.suffix == ".parquet":
        return _parquet(file)
    if file.suffix not in (".jsonl", ".json"):
        raise InputError(f"--path {file}: is neither a problem (.py) nor a data set (.jsonl, .parquet).")
    return [_parsed(line) for line in file.read_bytes().splitlines() if line.strip()]


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _parquet(file: Path) -> Iterable[Any]:
    try:
        import pyarrow.parquet
    except ImportError:
        raise InputError(f"{file}: reading it needs pyarrow; install it, or {GET_IT}.") from None
    rows: list[Any] = pyarrow.parquet.read_table(file).to_pylist()
    return rows


def _published(level: int | None) -> Iterable[Any]:
    """Rows of the data set on Hugging Face."""
    try:
        import datasets
    except ImportError:
        raise InputError(f"{DATA_SET} is read with the package datasets; install it, or {GET_IT}.") from None
    for each in LEVELS if level is None else (level,):
        try:
            split = datasets.load_dataset(DATA_SET, split=f"level_{each}")
        except Exception as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"{DATA_SET}, level {each}: cannot be loaded ({reason}); or else {GET_IT}.") from None
        yield from (dict(row) for row in split)
