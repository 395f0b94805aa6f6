"""Runs a program over its own tests in the sandbox, so that only tests which it passes become part of a task."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from maxcode.bench.suites.making.problem import FilePair, Refused
from maxcode.core import InputError
from maxcode.evaluate import rules
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Case, Programs
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.kinds.program.pairs import check_output
from maxcode.task.model import Task

SECONDS_PER_TEST = 5.0
MEMORY_MB = 1024
MOST_HANGING = 3
"""Number of tests that may hang; after them, the remaining (larger) tests are not tried."""

Fault = Literal["hangs", "crashes", "answers otherwise", "not tried"]


@dataclass(frozen=True)
class TrialResult:
    pair: FilePair
    fault: Fault | None = None
    seconds: float = 0.0
    memory_mb: float = 0.0


def build(task: Task, programs: Programs) -> Built:
    """The program as the evaluator would accept it."""
    broken = rules.check_text(task, task.baseline_candidate)
    if broken:
        raise Refused(f"the program breaks a rule: {_line(broken)}")
    built = programs.builder.build(task, task.baseline_candidate)
    if built.program is None:
        reason = f"the program does not compile: {_line(built.error or '')}"
        raise InputError(reason) if "ran past its" in (built.error or "") else Refused(reason)
    broken = rules.check_symbols(task, built.program.read_bytes()) if task.language != "python" else None
    if broken:
        raise Refused(f"the program breaks a rule: {_line(broken)}")
    return built


def try_all(task: Task, built: Built, pairs: list[FilePair], programs: Programs) -> list[TrialResult]:
    """Runs the program on each test, small inputs first. Once MOST_HANGING tests hang, the rest is not tried."""
    found: list[TrialResult] = []
    for pair in sorted(pairs, key=lambda pair: pair.input.stat().st_size):
        if sum(each.fault == "hangs" for each in found) >= MOST_HANGING:
            found.append(TrialResult(pair, "not tried"))
        else:
            found.append(try_one(task, built, pair, programs))
    return found


def try_one(task: Task, built: Built, pair: FilePair, programs: Programs) -> TrialResult:
    ended = programs.run(task, built, pair.input)
    if failure_of(ended, task.limits, pair.name, hidden=True):
        return TrialResult(pair, "hangs" if ended.timed_out else "crashes")
    try:
        check_output(task, programs, Case(pair.name, True, pair.input, pair.answer), ended.stdout)
    except Failure:
        return TrialResult(pair, "answers otherwise")
    return TrialResult(pair, None, ended.cpu, ended.rss_mb)


def faults_in_words(tried: list[TrialResult], seconds: float) -> str | None:
    """Such as '3 of 104 tests dropped: the program hangs on 2, crashes on 1'."""
    counts = Counter(each.fault for each in tried if each.fault)
    if not counts:
        return None
    words = {
        "hangs": f"hangs on {counts['hangs']} (more than {seconds:g} s)",
        "crashes": f"crashes on {counts['crashes']}",
        "answers otherwise": f"does not give the expected output on {counts['answers otherwise']}",
        "not tried": f"was not tried on {counts['not tried']} larger ones after that",
    }
    told = ", ".join(text for fault, text in words.items() if counts[fault])  # type: ignore[index]
    return f"{sum(counts.values())} of {len(tried)} tests dropped: the program {told}"


def _line(text: str) -> str:
    """The line of a log that says most, short enough for one line of ours."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "no reason given")
    return telling[:200]


def readable(folder: Path) -> None:
    """Makes a folder readable for all users: programs in the sandbox run as other users, and checkers read tests."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
