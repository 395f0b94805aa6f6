"""Parts of `maxcode new` that kinds of tasks have in common."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from maxcode.core import InputError, Language
from maxcode.task.kind import Scaffold, kind_named, kind_names
from maxcode.task.ordinary import FILE_NAME

SUFFIXES = {".c": Language.C, ".py": Language.PYTHON} | dict.fromkeys((".cc", ".cpp", ".cxx"), Language.CPP)

_STANDARD_INPUT = (
    r"\b(cin|scanf|getchar|gets|stdin|STDIN_FILENO)\b|\bread\s*\(\s*0\b",
    r"\binput\s*\(|\bstdin\b|\bfileinput\b|\bopen\s*\(\s*0\b",
)
"""Expressions that read standard input: in C and C++, and in Python."""


def scaffold_for(source: Path) -> Scaffold:
    """Scaffold that makes a task of a file. Kinds that accept few files are asked before those that accept any."""
    for name in reversed(kind_names()):
        with suppress(InputError):  # a broken package must not keep others from working
            scaffold = kind_named(name).scaffold
            if scaffold is not None and scaffold.recognises(source):
                return scaffold
    raise InputError(f"{source}: no kind of task is made of such a file.")


def check_arguments(folder: Path, source: Path, inputs: list[Path]) -> Language:
    if (folder / FILE_NAME).exists():
        raise InputError(f"{folder / FILE_NAME}: already there. Choose another folder, or remove it first.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: exists and is not an empty folder. Choose another.")
    if not source.is_file():
        raise InputError(f"{source}: no such file.")
    check_inputs(inputs)
    if source.suffix not in SUFFIXES:
        raise InputError(f"{source}: the language of '{source.suffix}' is not known; use one of {', '.join(SUFFIXES)}.")
    check_text(source)
    return SUFFIXES[source.suffix]


def check_text(source: Path) -> None:
    """Raises InputError for a file that is no program's text."""
    if not os.access(source, os.R_OK):
        raise InputError(f"{source}: cannot be read. Correct its rights (chmod +r).")
    data = source.read_bytes()
    if not data.strip():
        raise InputError(f"{source}: is empty. Name the file with the program.")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: is not UTF-8 text (byte {error.start}). Name the program's source.") from None
    if "\0" in text:
        raise InputError(f"{source}: is a binary file. Name the program's source.")


def check_inputs(inputs: list[Path]) -> None:
    """Raises InputError for files of `--input` that cannot be used."""
    for path in inputs:
        _check_input(path)
    if len({path.name for path in inputs}) < len(inputs):
        raise InputError("--input: two of the files have the same name. Rename one.")


def _check_input(path: Path) -> None:
    if path.is_dir():
        raise InputError(f"--input {path}: is a folder; name a file, or give tests with --tests {path}.")
    if not path.is_file():
        raise InputError(f"--input {path}: no such file.")
    if not os.access(path, os.R_OK):
        raise InputError(f"--input {path}: cannot be read. Correct its rights (chmod +r).")


def reads_standard_input(program: str, language: Language) -> bool:
    """Guess from a program's text whether it reads standard input."""
    return re.search(_STANDARD_INPUT[language is Language.PYTHON], program) is not None


def slug(text: str) -> str:
    """Name for a task that resembles some text."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-") or "task"
