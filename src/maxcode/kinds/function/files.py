"""The package behind a function: its repository as a task of its own, whose command is the package's tests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from maxcode.core import Candidate, InputError
from maxcode.kinds.command import files as repositories
from maxcode.kinds.command.environment import environment_id
from maxcode.kinds.command.kind import KIND as COMMAND
from maxcode.kinds.function.excerpt import Misfit, excerpt_of, spliced
from maxcode.kinds.function.table import PackageFunction
from maxcode.task import ordinary
from maxcode.task.model import Task


@lru_cache(maxsize=8)
def package(folder: Path, settings: PackageFunction, limits: str) -> Task:
    """The repository as a task: the function's module is what may change, and the tests are its judge."""
    command: dict[str, Any] = {
        "repository": str((folder / settings.repository).resolve()),
        "editable": (settings.file,),
        "test": settings.test,
        "bench": ("python", "-c", "pass"),
        "python": str((folder / settings.python).absolute()) if settings.python else None,
        "test_seconds": settings.test_seconds,
        "copy_mb": settings.copy_mb,
    }
    memory = {"memory_mb": int(limits)}
    return Task.model_validate(
        {"name": "package", "kind": COMMAND, "folder": folder, "command": command, "limits": memory, "changes": {}}
    )


def package_of(task: Task) -> Task:
    return package(task.folder, task.table(PackageFunction), str(task.limits.memory_mb))


def module_text(task: Task, candidate: Candidate) -> str:
    """Text of the module with a candidate in place. Misfit where it cannot be put there."""
    settings, inner = task.table(PackageFunction), package_of(task)
    before, after = (each.files[task.main_file] for each in (task.baseline_candidate, candidate))
    return spliced(inner.baseline_candidate.files[settings.file], settings.function, before, after)


def in_package(task: Task, candidate: Candidate) -> Candidate:
    """The same candidate as one of the package."""
    text = module_text(task, candidate)
    return Candidate(files={task.table(PackageFunction).file: text}, origin=candidate.origin)


def check_files(file: Path, task: Task) -> None:
    """Raises InputError where files are missing, or where the function is not what it was when its calls were
    recorded."""
    ordinary.check_files(file, task)
    inner, settings = package_of(task), task.table(PackageFunction)
    COMMAND.check_files(file, inner)
    now = excerpt_of(inner.baseline_candidate.files[settings.file], settings.function)
    if now != task.baseline_candidate.files[task.main_file]:
        raise InputError(
            f"{file}: {settings.file} has another {settings.function} than when its calls were recorded. "
            f"Make the task anew from {inner.root / settings.file}::{settings.function}."
        )


def content(task: Task) -> Iterator[bytes | str]:
    yield from ordinary.content(task)
    yield from COMMAND.content(package_of(task))


def environment(task: Task) -> str:
    return environment_id(package_of(task))


def carried(task: Task) -> ordinary.Carried:
    raise InputError(
        f"{task.folder}: a function is judged with the packages of this machine, which are not sent to others. "
        "Use --engine local."
    )


def broken_rule(task: Task, candidate: Candidate) -> str | None:
    """Reason why a candidate cannot be put into its module; None if it can."""
    try:
        module_text(task, candidate)
    except Misfit as misfit:
        return f"{task.main_file}: {misfit}"
    return None


def source_files(root: Path) -> tuple[str, ...]:
    return repositories.repository_files(root)
