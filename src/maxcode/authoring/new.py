"""Parts of `maxcode new` that kinds of tasks have in common."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from maxcode.core import InputError, Language
from maxcode.task.kind import Scaffold, kind_named, kind_names
from maxcode.task.ordinary import FILE_NAME

SUFFIXES = {".c": Language.C, ".py": Language.PYTHON} | dict.fromkeys((".cc", ".cpp", ".cxx"), Language.CPP)


def scaffold_for(source: Path) -> Scaffold:
    """Scaffold that makes a task of a file. Kinds that accept few files are asked before those that accept any."""
    for name in reversed(kind_names()):
        with suppress(InputError):  # a broken package must not keep others from working
            scaffold = kind_named(name).scaffold
            if scaffold is not None and scaffold.recognises(source):
                return scaffold
    raise InputError(f"--from {source}: no kind of task is made of such a file.")


def check_arguments(folder: Path, source: Path, inputs: list[Path]) -> Language:
    if (folder / FILE_NAME).exists():
        raise InputError(f"{folder / FILE_NAME}: already there. Choose another folder, or remove it first.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is not an empty folder. Choose another.")
    if not source.is_file():
        raise InputError(f"--from {source}: no such file.")
    for path in inputs:
        if not path.is_file():
            raise InputError(f"--input {path}: no such file.")
    if len({path.name for path in inputs}) < len(inputs):
        raise InputError("--input: two of the files have the same name. Rename one.")
    if source.suffix not in SUFFIXES:
        raise InputError(
            f"--from {source}: the language of '{source.suffix}' is not known; use one of {', '.join(SUFFIXES)}."
        )
    return SUFFIXES[source.suffix]


def slug(text: str) -> str:
    """Name for a task that resembles some text."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-") or "task"
