"""The `[function]` table: one function of a Python package, its recorded calls, and how the package is tested."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from maxcode.core import Frozen
from maxcode.kinds.command.table import Names, Words
from maxcode.task.model import Task

EXCERPT = "function.py"


class PackageFunction(Frozen):
    """For a function of a Python package: where it is, and the calls it is judged on."""

    repository: str
    """Folder of the package's repository, relative to the task's folder."""
    file: str
    """File of the function's module, relative to the repository."""
    module: str
    """Name by which the module is imported."""
    function: str
    """Name of the function in the module; `Class.method` for a method."""
    path: Names = (".",)
    """Folders of the repository that imports start from."""
    test: Words
    """The package's own tests. Exit code 0 means that the candidate works."""
    calls: str = "calls.jsonl"
    """File of the task's folder with the recorded calls."""
    held_out: str = "held-out.jsonl"
    """The same for calls that are never shown to a policy."""
    globals: Names = ()
    """Variables of the module that the function names. They must be the same after the calls as with the original."""
    python: str | None = None
    """Virtual environment of the package; MaxCode's own when absent."""
    command: str = ""
    """Command whose calls were recorded."""
    share: float | None = Field(default=None, ge=0, le=1)
    """Share of that command's time that the function took."""
    cache: bool = False
    """Whether a candidate may keep results from one call to the next by functools.cache and its like."""
    test_seconds: float = Field(default=300.0, gt=0, le=3600)
    """Time limit of the tests."""
    copy_mb: int = Field(default=1024, ge=16)
    """Size of a throw-away copy of the repository."""


def with_defaults(data: dict[str, Any]) -> dict[str, Any]:
    for name in ("editable", "workloads", "tests", "kernel"):
        if name in data:
            raise ValueError(f"kind = \"function\" has no '{name}'; its calls and tests are in [function]")
    return {"language": "python", "baseline": EXCERPT, **data}


def check_settings(task: Task) -> None:
    if task.settings is None:
        raise ValueError('kind = "function" needs a [function] table with repository, file, module, function and test')
    if task.objective.metric != "time":
        raise ValueError("objective.metric: calls of a function are timed")
