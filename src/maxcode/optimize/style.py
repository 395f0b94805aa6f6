"""Changed lines in the style of the project: by its clang-format or ruff, where it has a configuration for one."""

from __future__ import annotations

import difflib
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from maxcode.core import Candidate, Language
from maxcode.task.model import Task

SECONDS = 10.0
CLANG, RUFF = ".clang-format", ("ruff.toml", ".ruff.toml", "pyproject.toml")


def styled(task: Task, candidate: Candidate) -> Candidate:
    """The candidate with its changed lines formatted; itself where the project has no formatter that is installed."""
    change = _formatter(task)
    if change is None:
        return candidate
    before = task.baseline_candidate.files
    files = {name: _formatted(name, before.get(name, ""), text, change) for name, text in candidate.files.items()}
    return candidate.model_copy(update={"files": files}) if files != candidate.files else candidate


def _formatter(task: Task) -> Callable[[str, int, int], list[str]] | None:
    """Command that formats the lines from the one to the other of a file that comes by standard input."""
    if task.language is Language.PYTHON:
        file = _configured(task, RUFF)
        if file is None or shutil.which("ruff") is None:
            return None
        return lambda name, first, last: [
            *("ruff", "format", "--quiet", "--config", str(file), f"--range={first}-{last + 1}"),
            *("--stdin-filename", name, "-"),
        ]
    file = _configured(task, (CLANG,))
    if file is None or shutil.which("clang-format") is None:
        return None
    return lambda name, first, last: [
        *("clang-format", f"--style=file:{file}", f"--lines={first}:{last}", f"--assume-filename={name}"),
    ]


def _configured(task: Task, names: tuple[str, ...]) -> Path | None:
    for name in names:
        file = task.root / name
        if file.is_file() and (name != "pyproject.toml" or "[tool.ruff" in file.read_text(errors="replace")):
            return file
    return None


def _formatted(name: str, before: str, after: str, command: Callable[[str, int, int], list[str]]) -> str:
    """The text with each changed block formatted, the last one first, so that line numbers stay."""
    old, new = before.splitlines(), after.splitlines()
    blocks = [
        (j1 + 1, j2)
        for kind, _, _, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if kind != "equal" and j2 > j1
    ]
    text = after
    for first, last in reversed(blocks):
        done = subprocess.run(
            command(name, first, last), input=text, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        text = done.stdout if done.returncode == 0 and done.stdout else text
    return text
