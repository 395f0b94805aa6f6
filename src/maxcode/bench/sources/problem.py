"""Records that all sources of programs with tests are read into, before anything is run."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from maxcode.core import Frozen, Language
from maxcode.task.model import Tests, Tolerance

SUFFIX = {Language.C: ".c", Language.CPP: ".cpp", Language.PYTHON: ".py"}
PUBLISHED_FLAGS = ("-O3",)
"""What PIE and most judges compile with; no -march=native, so that figures can be compared."""

Metric = Literal["time", "instructions"]


class Refused(Exception):
    """A program that cannot be made into a task; says why in one line."""


class Pair(Frozen):
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


class Problem(Frozen):
    """One program and its tests."""

    name: str
    where: str
    """Name of the problem in messages, such as 'row 3 (p02889)'."""
    language: Language
    program: str
    target: str | None = None
    """A program that is known to be faster."""
    description: str = ""
    pairs: tuple[Pair, ...]
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


class Settings(Frozen):
    """How tasks are made of problems."""

    metric: Metric = "time"
    most_tests: int = 30
    """Tests per task; those of a problem that has more are thinned out by size."""
    most_workloads: int = 3


class Made(Frozen):
    """What became of a problem: a task, or the reason why there is none."""

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


def by_tolerance(absolute: float, relative: float) -> Tests:
    return Tests(compare="numbers", tolerance=Tolerance(absolute=absolute, relative=relative))
