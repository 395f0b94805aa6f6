"""Tasks of kind `generated`: a program, and a generator that makes its tests and what is timed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from maxcode.core import Frozen
from maxcode.task.kind import kind_named
from maxcode.task.model import Task

SMALL = 100


class Generated(Frozen):
    """For programs whose inputs are all made by one generator."""

    generator: str
    """A program that prints an input, given a seed and a size."""
    small: int = SMALL
    """Size of the inputs that are verified."""
    large: int
    """Size of the input that is timed."""


def with_inputs(data: dict[str, Any]) -> dict[str, Any]:
    """As task.toml has it; what is wrong with the table is said when it is validated."""
    table = data.get("generated", {})
    made_by = {"generator": table.get("generator", "")}
    tests = {**made_by, "arguments": [str(table.get("small", SMALL))], "count": 2}
    timed = {**made_by, "name": "large", "arguments": [str(table.get("large"))]}
    return {**data, "tests": {"generated": [tests]}, "workloads": [timed]}


def words(task: Task) -> dict[str, str]:
    return {"generator": task.table(Generated).generator}


KIND = replace(
    kind_named("program"),
    name="generated",
    table=Generated,
    absent=(),
    defaults=with_inputs,
    prompts=Path(__file__).parent / "prompts",
    words=words,
    scaffold=None,
)
