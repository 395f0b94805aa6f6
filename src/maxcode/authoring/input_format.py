"""The format of a task's input files, inferred and corrected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from maxcode.format import InputModel, corrected, infer, with_named
from maxcode.task.model import InputFormat

_NAMED = re.compile(r"(?<![\w.])([1-9]\d{0,17})(?![\w.])")
"""Whole numbers in a program's text."""


def format_of(paths: Sequence[Path], known: InputFormat | None = None, program: str = "") -> InputModel:
    """Format inferred from files, corrected by what is known, with the numbers that the program names."""
    known = known or InputFormat()
    texts = []
    for path in paths:
        try:
            texts.append(path.read_bytes().decode())
        except UnicodeDecodeError:
            return InputModel((), {}, (), note="the input is not text")
    format = corrected(infer(texts), keep=known.keep, ordered=known.ordered, smallest=known.smallest)
    return with_named(format, {int(digits) for digits in _NAMED.findall(program)})
