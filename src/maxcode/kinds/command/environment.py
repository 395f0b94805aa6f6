"""Environment of a repository's commands: system, compilers, and Python with a virtual environment's packages."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from maxcode.core import content_hash
from maxcode.evaluate.sandbox.view import View
from maxcode.evaluate.toolchain import toolchain, tools_view
from maxcode.kinds.command.table import Command
from maxcode.task.model import Task


def commands_view(task: Task) -> View:
    view, home = tools_view(toolchain()), python_home(task)
    extra = [path for path in (home, _base_of(home)) if path is not None and not path.is_relative_to("/usr")]
    return replace(view, read={**view.read, **{str(path): path for path in extra}})


def commands_environment(task: Task) -> dict[str, str]:
    """Environment variables of commands: a fixed hash seed, and no byte code written beside what is timed."""
    folders = [python_home(task) / "bin", toolchain().python.parent, "/usr/local/bin", "/usr/bin", "/bin"]
    return {
        "PATH": ":".join(dict.fromkeys(map(str, folders))),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "CTEST_OUTPUT_ON_FAILURE": "1",
    }


def environment_id(task: Task) -> str:
    """Identity of the Python packages that the commands find; part of every key."""
    home = python_home(task)
    packages = sorted(path.name for path in home.glob("lib/python3*/site-packages/*.dist-info"))
    return content_hash(str(home), *packages)


def python_home(task: Task) -> Path:
    """Virtual environment whose programs come first."""
    named = task.table(Command).python
    return (task.folder / named).resolve() if named else Path(sys.prefix)


def _base_of(home: Path) -> Path | None:
    """Folder of the interpreter behind a virtual environment."""
    python = (home / "bin" / "python").resolve()
    return python.parent.parent if python.is_file() else None
