"""The records of our kinds: what they name is there, takes what it is given, and is imported only when needed."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from maxcode.kinds.known import OURS
from maxcode.task.kind import Kind, Scaffold, kind_named

EXAMPLES = Path(__file__).parents[2] / "examples"


def arguments(annotation: str) -> int | None:
    """How many a callable of this type takes; None where that is open."""
    parsed = ast.parse(annotation, mode="eval").body
    if not isinstance(parsed, ast.Subscript) or getattr(parsed.value, "id", "") != "Callable":
        return None
    taken = parsed.slice.elts[0] if isinstance(parsed.slice, ast.Tuple) else parsed.slice
    return len(taken.elts) if isinstance(taken, ast.List) else None


def functions(record: Kind | Scaffold) -> list[tuple[str, Any, int]]:
    """Name, function and number of arguments of each field that is one; those named `module:name`, imported."""
    found = []
    for field in fields(record):
        value, count = getattr(record, field.name), arguments(str(field.type))
        if count is not None:
            module, _, name = value.__qualname__.partition(":")
            found.append((field.name, getattr(import_module(module), name) if name else value, count))
    return found


@pytest.mark.parametrize("name", OURS)
def test_every_function_takes_what_it_is_given(name: str) -> None:
    kind = kind_named(name)
    found = functions(kind) + (functions(kind.scaffold) if kind.scaffold else [])
    assert len(found) >= 20
    for field, function, count in found:
        try:
            inspect.signature(function).bind(*range(count))
        except TypeError as error:
            pytest.fail(f"{field}: {error}")


@pytest.mark.parametrize("name", OURS)
def test_a_task_is_described_by_the_prompt_of_its_kind(name: str) -> None:
    kind = kind_named(name)
    assert kind.name == name
    assert (kind.prompts / f"{name}.md").is_file()


@pytest.mark.parametrize("folder", ["sort", "matmul", "torch/softmax", "repositories/python"])
def test_loading_a_task_imports_no_judge(folder: str) -> None:
    heavy = ("torch", "numpy", "maxcode.evaluate.stages", *(f"maxcode.kinds.{name}.judge" for name in OURS))
    program = (
        "import sys; from maxcode.task import load_task; load_task(sys.argv[1]).hash;"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program, EXAMPLES / folder], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_judging_a_program_imports_nothing_of_other_kinds() -> None:
    program = "import sys; import maxcode.kinds.program.judge; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    others = tuple(f"maxcode.kinds.{name}." for name in OURS if name != "program")
    assert [name for name in done.stdout.split() if name == "torch" or name.startswith(others)] == []
