"""PIE: JSON lines with a slow and a fast program each, and folders `problem_id/input.N.txt`, `output.N.txt`.

Field names of the releases differ; rows may lack the fast program and the list of tests.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from maxcode.bench.suites.making.files import LONGEST_STATEMENT, number_ranges, single_file
from maxcode.bench.suites.making.loading import load_pairs
from maxcode.bench.suites.making.problem import FilePair, LoadedSuite, Refused, SuiteProblem, Unread, by_tolerance
from maxcode.bench.suites.pie.suite import PieOptions
from maxcode.bench.suites.suite import LoadReporter
from maxcode.core import InputError, Language
from maxcode.task.model import Tests

SLOW = ("src_code", "input", "slow_code", "code_v0", "code_v0_no_empty_lines")
FAST = ("tgt_code", "target", "fast_code", "code_v1", "code_v1_no_empty_lines")
STATEMENT = ("problem_statement", "problem_description", "statement", "description")
SLOW_ID = ("src_id", "submission_id_v0")
TESTS_FOLDER = "merged_test_cases"
LANGUAGES = {"c++": Language.CPP, "cpp": Language.CPP, "c": Language.C, "python": Language.PYTHON}
DECIMAL = re.compile(rb"(?<![\w.])-?\d+\.\d+(?![\w.])")
PUBLISHED_TOLERANCE = 1e-3
"""PIE accepts numbers that differ by less; here only where the expected output has decimals, as integers are exact."""


class Data:
    """The file of rows and the folder of tests."""

    def __init__(self, path: Path, tests: Path | None = None) -> None:
        if not path.exists():
            raise InputError(f"--path {path}: no such file or folder. docs/suites.md says where to get the data.")
        self.rows = single_file(path, "*.jsonl") if path.is_dir() else path
        self.tests = tests or _tests_beside(self.rows)
        if not self.tests.is_dir():
            raise InputError(f"{self.tests}: no such folder. Give the folder of {TESTS_FOLDER} with --test-cases.")

    @property
    def sha256(self) -> str:
        with self.rows.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def _tests_beside(rows: Path) -> Path:
    """Releases keep the tests beside the rows, or one folder up."""
    places = [folder / TESTS_FOLDER for folder in (rows.absolute().parent, rows.absolute().parent.parent)]
    return next((place for place in places if place.is_dir()), places[0])


def load_pie(options: PieOptions, reporter: LoadReporter) -> LoadedSuite:
    data = Data(options.path, options.test_cases)
    loaded = load_pairs(read_pie(data, options.rows), options.pairs, reporter.progress)
    return loaded.model_copy(update={"digests": {data.rows.name: data.sha256}})


def read_pie(data: Data, rows: str | None = None) -> list[SuiteProblem | Unread]:
    """The chosen rows ('1-20', '3', '1-5,9'; all when None) as problems, or the reason why one cannot be read."""
    lines = [line for line in data.rows.read_bytes().splitlines() if line.strip()]
    if not lines:
        raise InputError(f"{data.rows}: has no rows.")
    return [_row(number, lines[number - 1], data.tests) for number in chosen_rows(rows, len(lines))]


def chosen_rows(spec: str | None, count: int) -> list[int]:
    if spec is None:
        return list(range(1, count + 1))
    ranges = number_ranges("--rows", spec)
    if any(not 1 <= first <= count for first, _ in ranges):
        raise InputError(f"--rows {spec}: there are rows 1 to {count}.")
    return sorted({row for first, last in ranges for row in range(first, min(last, count) + 1)})


def _row(number: int, line: bytes, tests: Path) -> SuiteProblem | Unread:
    where = f"row {number}"
    try:
        row = _object(line)
        where = f"row {number} ({row.get('problem_id', 'no problem_id')})"
        return _problem(row, number, where, tests)
    except Refused as reason:
        return Unread(where=where, reason=str(reason))


def _object(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:  # also for a wrong encoding
        raise Refused(f"not valid JSON: {error}") from None
    if not isinstance(row, dict):
        raise Refused(f"not a JSON object but {type(row).__name__}")
    return row


def _problem(row: dict[str, Any], number: int, where: str, tests: Path) -> SuiteProblem:
    problem_id = row.get("problem_id")
    if not isinstance(problem_id, str) or not re.fullmatch(r"\w[\w.-]*", problem_id):
        raise Refused("problem_id is missing or not a plain name")
    language = LANGUAGES.get(str(row.get("language") or "c++").lower())
    if language is None:
        raise Refused(f"language '{row['language']}' is not supported; there are {', '.join(LANGUAGES)}")
    slow = _program(row, SLOW)
    if slow is None:
        raise Refused(f"has no program to start from (one of {', '.join(SLOW)})")
    pairs, remarks = _pairs(tests / problem_id, row.get("tests"))
    program_id = next((f", program {row[key]}" for key in SLOW_ID if row.get(key)), "")
    return SuiteProblem(
        name=f"{problem_id}-{number}",
        where=where,
        language=language,
        program=slow,
        target=_program(row, FAST),
        description=_described(row, f"A program from a programming contest (problem {problem_id}{program_id})"),
        pairs=pairs,
        tests=_comparison(pairs),
        answers_trusted=False,
        remarks=remarks,
    )


def _described(row: dict[str, Any], title: str) -> str:
    """The title, with the statement of a row that has one."""
    said = next((row[name] for name in STATEMENT if isinstance(row.get(name), str) and row[name].strip()), None)
    words = f"{title}: reads standard input, writes standard output."
    return f"{words} Its statement:\n\n{str(said).strip()[:LONGEST_STATEMENT]}" if said else words


def _program(row: dict[str, Any], names: tuple[str, ...]) -> str | None:
    text = next((row[name] for name in names if isinstance(row.get(name), str) and row[name].strip()), None)
    if text is None:
        return None
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Refused("a program is not valid Unicode text") from None
    return str(text).replace("\r\n", "\n")


def _pairs(folder: Path, wanted: object) -> tuple[tuple[FilePair, ...], tuple[str, ...]]:
    """The tests that the row names, or all that are there."""
    if not folder.is_dir():
        raise Refused(f"its tests are missing: {folder} is not there")
    inputs = {path.name.split(".")[1]: path for path in folder.glob("input.*.txt")}
    if not inputs:
        raise Refused(f"its tests are missing: {folder} has no input.N.txt")
    names = [str(name) for name in wanted] if isinstance(wanted, list) and wanted else list(inputs)
    names.sort(key=lambda name: (len(name), name))
    there = [name for name in names if name in inputs and (folder / f"output.{name}.txt").is_file()]
    if not there:
        raise Refused(f"its tests are missing: none of its {len(names)} has an input and an output in {folder}")
    lost = len(names) - len(there)
    remarks = (f"{lost} of {len(names)} tests have no input or no output file",) if lost else ()
    pairs = [FilePair(name=f"input.{n}", input=inputs[n], answer=folder / f"output.{n}.txt") for n in there]
    return tuple(pairs), remarks


def _comparison(pairs: tuple[FilePair, ...]) -> Tests:
    if any(DECIMAL.search(_beginning(pair.answer)) for pair in pairs):
        return by_tolerance(PUBLISHED_TOLERANCE, 0.0)
    return Tests()


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(4096)
