"""The `[command]` table: a whole repository, judged by its own build, test and bench commands."""

from __future__ import annotations

import re
import shlex
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from maxcode.core import Frozen, Language
from maxcode.task.model import Task

SHELL = ("/bin/sh", "-c")
SEED, INPUT = "{seed}", "{input}"
"""Placeholders that a bench command may contain."""
SUFFIXES = {
    ".c": Language.C,
    ".h": Language.CPP,
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".ipp"), Language.CPP),
    ".py": Language.PYTHON,
}
JUDGES = re.compile(
    r"(^|/)(tests?|benchmarks?|bench)/|(^|/)(test_[^/]*|[^/]*_test\.[^/]*|conftest\.py|CMakeLists\.txt|Makefile"
    r"|meson\.build|pyproject\.toml|setup\.(py|cfg)|tox\.ini)$|\.(cmake|mk)$"
)
"""Names of files that build, test or time a candidate, rather than being it."""


def _words(value: Any) -> Any:
    """A shell string as the words that run it."""
    if isinstance(value, str):
        if not value.strip():
            raise ValueError('is empty; give a shell string such as "make" or a list of words such as ["make"]')
        return (*SHELL, value)
    if isinstance(value, list | tuple) and value and all(isinstance(word, str) and word for word in value):
        return tuple(value)
    raise ValueError('give a shell string such as "make -j2" or a list of words such as ["make", "-j2"]')


Words = Annotated[tuple[str, ...], BeforeValidator(_words)]
Names = Annotated[tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)]


def in_words(command: tuple[str, ...]) -> str:
    """A command as one would type it."""
    return command[2] if command[:2] == SHELL and len(command) == 3 else shlex.join(command)


class Command(Frozen):
    """Table of repositories: which files may change, and how they are built, tested and timed."""

    repository: str = "."
    """Folder of the repository, relative to the task's folder; the task's own folder when absent."""
    editable: Names = Field(min_length=1)
    """Files or globs (`src/*.cpp`, `lib/**/*.py`) that a candidate consists of. Everything else stays as it is."""
    exclude: Names = ()
    """Files or globs that are not copied, besides what git ignores."""
    build: Words | None = None
    """Run once in a copy, before tests and bench; nothing when absent."""
    test: Words
    """Exit code 0 means that the candidate works."""
    bench: Words
    """What is timed. `{seed}` in it is a number, another one in each pair of runs; `{input}` one of `inputs`."""
    inputs: Names = ()
    """What `{input}` stands for, one after the other: names of files, sizes, or whatever the bench takes."""
    number: str | None = None
    """A regular expression whose group is the number in the bench's output that counts, instead of its time."""
    better: Literal["lower", "higher"] = "lower"
    """Whether lower or higher numbers are better."""
    passed: str | None = None
    """A regular expression whose group is how many tests passed, for test commands that are not recognised."""
    output: Literal["same", "any"] = "same"
    """Whether the bench must print what the baseline's prints, the number and what varies by itself aside."""
    python: str | None = None
    """A virtual environment that the commands find first in their PATH; MaxCode's own when absent."""
    incremental: bool | None = None
    """Whether candidates are built on top of the baseline's build. When absent: where the build tool tracks what
    depends on what (CMake, ninja, make with .d files, cargo). A confirmation always builds from nothing."""
    test_seconds: float = Field(default=300.0, gt=0, le=3600)
    """Time limit of the test command."""
    copy_mb: int = Field(default=1024, ge=16)
    """Size of the throw-away copy, built files included."""

    @model_validator(mode="after")
    def _patterns_are_patterns(self) -> Self:
        for field, pattern in (("number", self.number), ("passed", self.passed)):
            if pattern is None:
                continue
            try:
                groups = re.compile(pattern).groups
            except re.error as error:
                raise ValueError(f"{field} is not a regular expression: {error}") from None
            if groups != 1:
                raise ValueError(f"{field} needs exactly one group (...) around the number; it has {groups}")
        if self.better == "higher" and self.number is None:
            raise ValueError('better = "higher" needs number, the regular expression that finds it; times are lower')
        return self

    @model_validator(mode="after")
    def _inputs_are_used(self) -> Self:
        used = any(INPUT in word for word in self.bench)
        if used and not self.inputs:
            raise ValueError('bench has {input}, so inputs is needed: inputs = ["small.txt", "large.txt"]')
        if self.inputs and not used:
            raise ValueError("inputs are given, but bench has no {input} that would stand for one")
        return self

    @property
    def seeded(self) -> bool:
        """Whether the bench can be asked for work that nobody has seen before."""
        return any(SEED in word for word in self.bench)

    @property
    def varied(self) -> bool:
        """Whether the bench has more than one answer."""
        return self.seeded or len(self.inputs) > 1

    def bench_with(self, seed: int) -> tuple[str, ...]:
        """The words of the bench on one seed, which also chooses the input."""
        chosen = self.inputs[seed % len(self.inputs)] if self.inputs else INPUT
        return tuple(word.replace(SEED, str(seed)).replace(INPUT, chosen) for word in self.bench)


def language_by_suffix(name: str) -> Language:
    return SUFFIXES.get(PurePosixPath(name).suffix, Language.OTHER)


def main_language(names: tuple[str, ...] | list[Any]) -> Language:
    """The language that most of the names are in."""
    found = [language_by_suffix(str(name)) for name in names]
    known = [each for each in found if each is not Language.OTHER]
    return max(known, key=known.count) if known else Language.OTHER


def with_defaults(data: dict[str, Any]) -> dict[str, Any]:
    """A repository's files are its editable ones; its language, unless given, is what most of them are in."""
    for name in ("baseline", "editable", "workloads", "tests", "kernel"):
        if name in data:
            raise ValueError(f"kind = \"command\" has no '{name}'; its files and commands are in [command]")
    table = data.get("command")
    editable = table.get("editable") if isinstance(table, dict) else None
    names = [editable] if isinstance(editable, str) else editable if isinstance(editable, list | tuple) else []
    build = data.get("build", {})
    if isinstance(build, dict):  # which flags its compilers get is the repository's affair
        build = {"flags": (), **build}
    return {"language": main_language(names), **data, "baseline": (), "build": build}


def check_settings(task: Task) -> None:
    if task.settings is None:
        raise ValueError('kind = "command" needs a [command] table with editable, test and bench')
    if task.objective.metric != "time":
        raise ValueError("objective.metric: a repository is timed; to count something else, use command.number")
