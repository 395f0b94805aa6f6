"""Behaviour of the repository as it is, with which candidates are compared."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Frozen, content_hash
from maxcode.evaluate.toolchain import toolchain
from maxcode.kinds.command.ends import Ends
from maxcode.kinds.command.environment import environment_id
from maxcode.system.home import cache_folder
from maxcode.task.model import Task


class Original(Frozen):
    """Behaviour of the repository as it is, found out once."""

    passed: int | None
    names: frozenset[str]
    """Tests that pass each time, where the test program names them."""
    compared: bool
    """True if the bench prints the same each time for the same seed, numbers that vary aside."""
    varying: frozenset[str]
    """Names of the numbers in its output that are not the same each time, such as times."""
    prints: bool
    """True if the bench prints anything besides such numbers."""
    varies: bool | None
    """True if another seed or input changes what the bench prints; None where the command has neither."""
    recorded: bool
    """True if its commands work while their ends are noted; tests under AddressSanitizer do not."""
    plantable: bool
    """True if its tests fail when the values they expect are changed."""
    test_ends: Ends
    bench_ends: Ends


class Planted(Frozen):
    """Results of the original's tests when some of them are made to fail."""

    exit_code: int
    passed: int | None
    names: frozenset[str]


def known_original(task: Task) -> Original | None:
    """Behaviour of the repository as it is; None before anything was evaluated."""
    file = judged_folder(task) / "original.json"
    return Original.model_validate_json(file.read_bytes()) if file.exists() else None


def judged_folder(task: Task) -> Path:
    return folder_of(task, "judged, with numbers that vary")


def folder_of(task: Task, *what: str) -> Path:
    """Folder in which something about the repository as it is is kept."""
    return cache_folder("repositories") / content_hash(task.hash, toolchain().id, environment_id(task), *what)
