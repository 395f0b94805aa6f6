"""Tests that are given instead of derived: a folder of them, or a program that makes inputs."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from maxcode.core import InputError
from maxcode.kinds.program.derive import DerivedTest
from maxcode.kinds.program.oracle import Oracle
from maxcode.kinds.program.setup import PATIENCE

SHARES = (1.0, 0.1, 0.01)
"""Factors for the sizes of generated tests: numbers among the generator's arguments are scaled by these."""
COUNT = 4
SEED = 20_000


@dataclass(frozen=True)
class Generator:
    """A program that prints an input, given a seed and arguments."""

    file: Path
    arguments: tuple[str, ...]
    count: int
    seconds: float
    """Seconds of the original on what it made."""

    def lines(self) -> list[str]:
        quoted = ", ".join(json.dumps(argument) for argument in self.arguments)
        return [f"generator = {json.dumps(self.file.name)}", f"arguments = [{quoted}]"]


def generators(oracle: Oracle, command: str) -> list[Generator]:
    """The generator at several sizes, the given one first. Sizes at which it or the original fails are left out."""
    name, *arguments = shlex.split(command)
    file = Path(name)
    if not file.is_file():
        raise InputError(f"--generator {name}: no such file.")
    found: list[Generator] = []
    for share in SHARES:
        scaled = tuple(_scaled(argument, share) for argument in arguments)
        if scaled in {each.arguments for each in found}:
            continue
        try:
            data = oracle.generated(file, [str(SEED), *scaled])
        except InputError:
            if share == 1:
                raise
            continue
        (answered,) = oracle.judged([data], "quick")
        if answered.refused is None:
            found.append(Generator(file, scaled, COUNT if share < 1 else 2, answered.seconds))
        elif share == 1:
            raise InputError(f"--generator {command}: refused: {answered.refused}.")
    return found


def _scaled(argument: str, share: float) -> str:
    return str(max(1, round(int(argument) * share))) if argument.isdigit() else argument


def given_tests(oracle: Oracle, folder: Path) -> list[DerivedTest]:
    """Inputs of a folder: input.N.txt with or without output.N.txt, or any files; the original answers them."""
    if not folder.is_dir():
        raise InputError(f"--tests {folder}: no such folder.")
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith((".", "output.")))
    if not files:
        raise InputError(f"--tests {folder}: no files. Put inputs there, such as input.0.txt.")
    found = []
    for path in files:
        ended = oracle.must_answer(path)
        if ended is None:
            raise InputError(f"--tests {path}: the program takes more than {PATIENCE:g} s on it. Leave it out.")
        answer = ended.stdout
        expected = path.with_name(re.sub(r"^input\.", "output.", path.name))
        if expected != path and expected.is_file() and expected.read_bytes().split() != answer.split():
            raise InputError(f"--tests {expected}: the program prints something else for {path.name}.")
        found.append(DerivedTest(path.read_bytes(), answer))
    return sorted(found, key=lambda test: len(test.data))
