"""Benchmark of a function that a package may keep: a file for pytest-benchmark, with recorded calls in it."""

from __future__ import annotations

import ast

from maxcode.kinds.function.calls import recorded_calls
from maxcode.kinds.function.excerpt import found_in
from maxcode.kinds.function.files import package_of
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

MOST_CALLS, LARGEST_CALL = 20, 4000
WRAPPED = {"staticmethod": ".__func__", "classmethod": ".__func__", "property": ".fget"}
OURS = b"maxcode_values"
"""Module that copies functions without a name, which a package does not have."""
TEXT = '''"""Benchmark of {module}:{function}, for pytest-benchmark.

Its calls were recorded from `{command}`.
Each round makes one of them on fresh copies of its arguments, which are pickles: trust whom you have such files from.
"""

import base64
import itertools
import pickle
from collections.abc import Iterator

import pytest

from {module} import {first}

FUNCTION = {expression}
CALLS = [
{calls}
]


def made(*args, **kwargs):
    """The call with its result read, where that is lazy."""
    result = FUNCTION(*args, **kwargs)
    return list(itertools.islice(result, 100_000)) if isinstance(result, Iterator) else result


@pytest.mark.parametrize("call", [data for _, data in CALLS], ids=[seen for seen, _ in CALLS])
def test_{last}(benchmark, call):
    benchmark.pedantic(made, setup=lambda: pickle.loads(base64.b64decode(call)), rounds=200, warmup_rounds=5)
'''


def benchmark_of(task: Task) -> str | None:
    """Text of the file, with the calls that were seen most; None where no call can be written down."""
    settings = task.table(PackageFunction)
    calls = [each for each in recorded_calls(task) if len(each.call) <= LARGEST_CALL and OURS not in each.data]
    chosen = sorted(calls, key=lambda each: -each.weight)[:MOST_CALLS]
    if not chosen:
        return None
    return TEXT.format(
        module=settings.module,
        function=settings.function,
        command=settings.command.replace("\\", "\\\\").replace('"', "'"),
        first=settings.function.partition(".")[0],
        last=settings.function.rpartition(".")[2].strip("_"),
        expression=_expression(task, settings),
        calls="\n".join(f"    ({each.seen!r}, {each.call!r})," for each in chosen),
    )


def _expression(task: Task, settings: PackageFunction) -> str:
    """The plain function, behind whatever holds it in its class."""
    tree = ast.parse(package_of(task).baseline_candidate.files[settings.file])
    node, classes = found_in(tree, settings.function)
    named = {getattr(each, "id", "") for each in node.decorator_list}
    inner = next((WRAPPED[each] for each in sorted(named & set(WRAPPED))), None)
    holder = ".".join(each.name for each in classes)
    return f"vars({holder})[{node.name!r}]{inner}" if classes and inner else settings.function
