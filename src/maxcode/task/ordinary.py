"""Behaviour that most kinds of tasks share: files in the task's folder, candidates that are a file, plain results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from maxcode.core import Candidate, InputError
from maxcode.task.diff import make_patch, with_endings_of

if TYPE_CHECKING:
    from maxcode.task.kind import NewOptions
    from maxcode.task.model import Task

FILE_NAME = "task.toml"
SMALLEST_SIZE = 64


@dataclass(frozen=True)
class TaskVariant:
    """A task with something changed."""

    label: str
    changes: dict[str, Any]
    """Changes to its task.toml."""
    files: dict[str, str] = field(default_factory=dict)
    """Texts of files that are added to its folder or replaced there, by name."""

    @classmethod
    def at(cls, sizes: Sequence[Mapping[str, float]], changes: dict[str, Any]) -> TaskVariant:
        """The task at other sizes, which its label names."""
        words = "; ".join(", ".join(f"{name} = {value}" for name, value in each.items()) for each in sizes)
        return cls(f"at {words}", changes)


@dataclass(frozen=True)
class Carried:
    """The files of a task that another machine needs."""

    top: Path
    """Folder that all of them are in."""
    files: tuple[Path, ...]
    links: bool = False
    """True if symbolic links stay links."""


def scaled(value: float, factor: float) -> float:
    """The size, scaled if it is large enough: small ones often count something else, such as time steps."""
    return round(value * factor) if isinstance(value, int) and value >= SMALLEST_SIZE else value


def baseline_files(task: Task) -> tuple[str, ...]:
    return (task.baseline,) if isinstance(task.baseline, str) else task.baseline


def check_files(file: Path, task: Task) -> None:
    from maxcode.task.load import check_folder

    check_folder(file, task)


def content(task: Task) -> Iterator[bytes | str]:
    for path in sorted(task.material()):
        yield str(path.relative_to(task.folder))
        yield path.read_bytes()


def depends(source: Path, wanted: NewOptions) -> Iterator[bytes | str]:
    """A file, its inputs and tests, the files among its arguments, and how it is made a task."""
    yield source.read_bytes()
    words = (Path(word) for word in wanted.arguments)
    for path in [*wanted.inputs, *words, *(sorted(wanted.tests.glob("*")) if wanted.tests else [])]:
        if path.is_file():
            yield path.read_bytes()
    yield repr((wanted.generator, wanted.arguments, wanted.flags, wanted.link, wanted.standard, wanted.allowed))


def carried(task: Task) -> Carried:
    return Carried(task.folder, (task.folder / FILE_NAME, *sorted(task.material())))


def read_candidate(task: Task, path: Path) -> Candidate:
    try:
        return task.candidate(path.read_text(), origin=str(path))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as text ({error})") from None


def diff(task: Task, best: Candidate) -> str:
    """Diff from the original files, with their line endings: `git apply` takes it where they are."""
    return make_patch({name: _exact(task, name) for name in best.files}, _as_in_files(task, best))


def _exact(task: Task, name: str) -> str:
    return (task.root / name).read_bytes().decode()


def _as_in_files(task: Task, best: Candidate) -> dict[str, str]:
    """Files of a candidate, with the line endings of the original files."""
    return {name: with_endings_of(_exact(task, name), text) for name, text in best.files.items()}


def results(task: Task, best: Candidate, summary: str) -> Mapping[str, str]:
    """Files to write for a candidate: the program, the diff and the summary."""
    alone = len(best.files) == 1
    programs = {f"best{Path(name).suffix}" if alone else name: text for name, text in _as_in_files(task, best).items()}
    return {**programs, "best.diff": diff(task, best), "summary.md": summary}


def against(task: Task, winner: Candidate) -> TaskVariant:
    del task
    return TaskVariant("against the winner", {}, dict(winner.files))
