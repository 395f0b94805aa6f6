"""What a shell offers when TAB is pressed: runs, tasks, strategies. Read directly, so that it comes at once."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from maxcode.system.home import home

if TYPE_CHECKING:
    from maxcode.plugins import Choice

T = TypeVar("T")
PROGRAMS = (".c", ".cc", ".cpp", ".cxx", ".py")
MOST = 50


def runs(incomplete: str) -> list[tuple[str, str]]:
    """`last` and the newest runs, by plain SQL: the journal's own reader takes longer to load than a person waits."""
    query = "select id, task from runs where substr(id, 1, ?) = ? order by started desc limit ?"
    found: list[tuple[str, str]] = []
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{home() / 'journal.db'}?mode=ro", uri=True)) as database,
    ):
        found = database.execute(query, (len(incomplete), incomplete, MOST)).fetchall()
    return [("last", "the newest run")] * "last".startswith(incomplete) + found


def tasks(incomplete: str) -> list[str]:
    """Folders with a task.toml, and folders on the way to one; those of `examples` from the beginning."""
    return sorted(set(_tasks(incomplete)))


def targets(incomplete: str) -> list[str]:
    """Tasks, and programs to make one from."""
    programs = (each for each in _beginning_with(incomplete) if each.endswith(PROGRAMS))
    return sorted({*_tasks(incomplete), *programs})


def _tasks(incomplete: str) -> Iterator[str]:
    for folder in _beginning_with(incomplete):
        if not Path(folder).is_dir():
            continue
        is_task = (Path(folder) / "task.toml").is_file()
        yield folder if is_task else f"{folder}/"
    if not incomplete:
        yield from (each for each in _beginning_with("examples/") if (Path(each) / "task.toml").is_file())


def _beginning_with(incomplete: str) -> Iterator[str]:
    """Entries of a folder as they would be typed; hidden ones only when asked for."""
    folder, _, start = incomplete.rpartition("/")
    prefix = incomplete[: len(incomplete) - len(start)]
    with suppress(OSError):
        for entry in os.scandir(folder or ("/" if prefix else ".")):
            if entry.name.startswith(start) and (start or not entry.name.startswith(".")):
                yield prefix + entry.name


def strategies(incomplete: str) -> list[str]:
    """Methods; after a `+`, what can be added to them."""
    from maxcode.core import InputError
    from maxcode.search.strategies import DEFAULT, STRATEGIES, additions

    begun, plus, _ = incomplete.rpartition("+")
    if plus:
        with suppress(InputError):
            return [f"{begun}+{each}" for each in additions(begun) if each not in begun.split("+")]
    return [DEFAULT, *STRATEGIES, *(f"{name}+maxcode" for name in STRATEGIES)]


def blocks(incomplete: str) -> list[str]:
    """Blocks of observations, one after the other."""
    from maxcode.search.observe.observation import BLOCKS

    before = incomplete.rpartition(",")[0]
    if before:
        return [f"{before},{each}" for each in BLOCKS if each not in before.split(",")]
    return [*BLOCKS, "none"]


def policies() -> list[str]:
    from maxcode.policy.table import POLICIES

    return [*_begun(POLICIES), "replay:", "record:"]


def critics() -> list[str]:
    from maxcode.critic.choose import CRITICS

    return _begun(CRITICS)


def _begun(choices: Mapping[str, Choice[T]]) -> list[str]:
    """Names, with the colon where an argument follows."""
    from maxcode.plugins import forms

    return [name + colon for name, colon, _ in (form.partition(":") for form in forms(choices))]


def engines() -> list[str]:
    from maxcode.evaluate.engine import ENGINES

    return list(ENGINES)


def values() -> list[str]:
    return ["light", "none", "random"]
