"""A program's task in words, for prompts."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from maxcode.core import Language
from maxcode.task.model import Task, Workload

MOST_COUNTS = 6
"""Numbers in a first line that is taken for the counts of what follows."""
LONGEST_EXAMPLE = 400
"""Characters of a public test, input and output together, up to which it is shown."""


def words(task: Task) -> dict[str, str]:
    told = [_workload(task, each) for each in task.workloads]
    compiled = "" if task.language is Language.PYTHON else f", compiled with `{' '.join(task.build.flags)}`"
    workloads = f"on {'; '.join(told)}" if told else "on large inputs"
    return {"workloads": workloads, "example": _example(task), "compiled": compiled}


def _example(task: Task) -> str:
    """The longest of the public tests that are short enough: it says what an input looks like. Empty without any."""
    folder = task.folder / task.tests.public if task.tests.public else None
    inputs = sorted(folder.glob("input.*.txt")) if folder else []
    answers = [each.with_name(each.name.replace("input", "output", 1)) for each in inputs]
    tests = [(_read(each), _read(answer)) for each, answer in zip(inputs, answers, strict=True)]
    short = [test for test in tests if all(test) and sum(map(len, test)) <= LONGEST_EXAMPLE]
    if not short:
        return ""
    given, wanted = max(short, key=lambda test: len(test[0]))
    return f"A small test, its input and then its output:\n```\n{given}\n```\n```\n{wanted}\n```"


def _read(file: Path) -> str:
    """Text of a small file without the end of its last line; empty for others and where there is none."""
    if not file.is_file() or file.stat().st_size > LONGEST_EXAMPLE:
        return ""
    return file.read_bytes().decode(errors="replace").rstrip("\n")


def _workload(task: Task, workload: Workload) -> str:
    if workload.generator:
        arguments = f" with {' '.join(workload.arguments)}" if workload.arguments else ""
        return f"{workload.name} (made by {workload.generator}{arguments} from a secret seed)"
    assert workload.input is not None
    path = task.folder / workload.input
    return f"{workload.name} ({_size(path, path.stat().st_mtime_ns)})"


@lru_cache(maxsize=64)
def _size(path: Path, changed: int) -> str:
    """Size of an input in words: bytes, lines, and the counts in its first line. Nothing else of it is told."""
    del changed  # part of the key
    data = path.read_bytes()
    first, newline, rest = data.partition(b"\n")
    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    told = f"{len(data):,} bytes in {lines:,} lines"
    counts = first.split()
    if newline and rest.strip() and 0 < len(counts) <= MOST_COUNTS and all(re.fullmatch(rb"\d+", n) for n in counts):
        return f"{told}, the first of them: {' '.join(f'{int(n):,}' for n in counts)}"
    return told
