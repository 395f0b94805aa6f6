"""A task from whatever people name: its folder, a bare program, or a function of a package."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from maxcode.authoring.new import check_inputs, scaffold_for, slug
from maxcode.core import InputError, content_hash
from maxcode.system.home import home
from maxcode.task.kind import NewOptions
from maxcode.task.load import load_task
from maxcode.task.model import Task

OPTIONS = {
    "inputs": "--input",
    "generator": "--generator",
    "tests": "--tests",
    "arguments": "--args",
    "flags": "--flags",
    "link": "--link",
    "standard": "--std",
    "allowed": "--allow",
    "python": "--python",
    "command": "--inputs",
}
REMARKS = "remarks.txt"
"""File of a task made from a bare program: what its tests are worth."""


@dataclass(frozen=True)
class OpenedTask:
    task: Task
    remarks: tuple[str, ...] = ()
    """Remarks of the task's making, for the user."""


def open_task(target: Path, bare: NewOptions, making: Callable[[str], AbstractContextManager[object]]) -> OpenedTask:
    """The task in a folder, or one made of a bare program or a function; what was made before is used again.

    `making` is entered with words on what is being made, while it is.
    """
    if target.is_dir() or target.name == "task.toml":
        for name, value in vars(bare).items():
            if value:
                raise InputError(
                    f"{OPTIONS.get(name, name)}: only for a bare program or a function; a task has its own."
                )
        return OpenedTask(load_task(target))
    scaffold = scaffold_for(target)
    if scaffold.from_file and not target.is_file():
        raise InputError(f"{target}: no such task or program.")
    check_inputs(list(bare.inputs))  # also where a task was made of the program before
    name = slug(target.stem if scaffold.from_file else target.name)
    folder = home() / "tasks" / f"{name}-{content_hash(*scaffold.depends(target, bare))[:12]}"
    remarks = folder / REMARKS
    if not (folder / "task.toml").exists():
        with making(f"making a task from {target.name}: {scaffold.doing}"):
            made = scaffold.make(folder, target, replace(bare, name=name))
        remarks.write_text("".join(f"{words}\n" for words in made.remarks))
    return OpenedTask(load_task(folder), tuple(remarks.read_text().splitlines() if remarks.is_file() else ()))
