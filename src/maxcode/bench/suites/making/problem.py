"""Records that all sources of programs with tests are read into, before anything is run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from pydantic import Field

from maxcode.bench.suites.suite import Metric
from maxcode.core import Frozen, Language
from maxcode.task.model import Tests, Tolerance

SUFFIX = {Language.C: ".c", Language.CPP: ".cpp", Language.PYTHON: ".py"}
PUBLISHED_FLAGS = ("-O3",)
"""What PIE and most judges compile with; no -march=native, so that figures can be compared."""


class Refused(Exception):
    """A program that cannot be made into a task; says why in one line."""


class FilePair(Frozen):
    """An input file and the file with its expected output."""

    name: str
    input: Path
    answer: Path
    sample: bool = False
    """Whether the pair is published with the problem, so that a policy may see it."""


class Checker(Frozen):
    """A program that judges outputs, in our own interface (see docs/tasks.md)."""

    suffix: str
    text: str


class SuiteProblem(Frozen):
    """One program and its tests."""

    name: str
    where: str
    """Name of the problem in messages, such as 'row 3 (p02889)'."""
    language: Language
    program: str
    target: str | None = None
    """A program that is known to be faster."""
    description: str = ""
    pairs: tuple[FilePair, ...]
    tests: Tests = Tests()
    checker: Checker | None = None
    answers_trusted: bool = True
    """Whether a wrong answer speaks against the program. PIE's expected outputs are not always right."""
    seconds: float | None = None
    memory_mb: int | None = None
    remarks: tuple[str, ...] = ()

    @property
    def main_file(self) -> str:
        return f"baseline{SUFFIX[self.language]}"

    @property
    def target_file(self) -> str:
        return f"target{SUFFIX[self.language]}"


class Unread(Frozen):
    """A row or folder that could not be read as a problem, with the reason."""

    where: str
    reason: str


class SuiteSettings(Frozen):
    """Settings by which tasks are made of problems."""

    metric: Metric = "time"
    most_tests: int = 30
    """Tests per task; those of a problem that has more are thinned out by size."""
    most_workloads: int = 3


class MadeTask(Frozen):
    """Task made of a problem, or the reason why there is none."""

    name: str
    where: str
    folder: str | None = None
    problem: str | None = None
    """Why it was left out."""
    remarks: tuple[str, ...] = ()
    tests: int = 0
    workloads: dict[str, float] = Field(default_factory=dict)
    """Seconds of the program on what will be timed."""
    has_target: bool = False
    sha256: str = ""

    def in_words(self) -> list[str]:
        if self.problem:
            return [f"{self.where}: left out: {self.problem}"]
        return [f"{self.where}: {remark}" for remark in self.remarks]


class LoadedSuite(Frozen):
    """Problems and tasks of a suite, in the order of the source."""

    made: tuple[MadeTask, ...]
    digests: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of files that were read, by name."""

    @property
    def sha256(self) -> str:
        """SHA-256 of the programs and tests that were read, in this order."""
        return hashlib.sha256("\n".join(each.sha256 for each in self.made).encode()).hexdigest()

    @property
    def tasks(self) -> list[MadeTask]:
        return [each for each in self.made if each.folder]

    @property
    def messages(self) -> list[str]:
        return [line for each in self.made for line in each.in_words()]


def of_folders(folders: Iterable[Path]) -> LoadedSuite:
    """A suite of task folders that are there already."""
    return LoadedSuite(made=tuple(MadeTask(name=each.name, where=each.name, folder=str(each)) for each in folders))


def by_tolerance(absolute: float, relative: float) -> Tests:
    return Tests(compare="numbers", tolerance=Tolerance(absolute=absolute, relative=relative))
