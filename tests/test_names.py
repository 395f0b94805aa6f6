"""Names and sizes in the package: no two public classes share a name, and no function, list of parameters or file is
longer than a person takes in at once.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import maxcode

SOURCE = Path(maxcode.__file__).parent
LONGEST_FUNCTION, MOST_PARAMETERS, LONGEST_FILE = 80, 12, 500
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def files() -> dict[str, str]:
    return {str(file.relative_to(SOURCE)): file.read_text() for file in sorted(SOURCE.rglob("*.py"))}


@cache
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(text) for name, text in files().items()}


def functions() -> Iterator[tuple[str, Function]]:
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, Function):
                yield f"{file}: {node.name}", node


def parameters(function: Function) -> int:
    given = function.args
    return len(given.posonlyargs + given.args + given.kwonlyargs)


def test_no_two_public_classes_share_a_name() -> None:
    places = defaultdict(list)
    for file, tree in trees().items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(file)
    assert len(places) > 300
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_functions_are_short() -> None:
    lengths = {name: (node.end_lineno or 0) - node.lineno + 1 for name, node in functions()}
    assert len(lengths) > 3000
    assert {name: length for name, length in lengths.items() if length > LONGEST_FUNCTION} == {}


def test_functions_take_few_parameters() -> None:
    """`self` counts. What needs more is a record."""
    assert {name for name, node in functions() if parameters(node) > MOST_PARAMETERS} == set()


def test_files_are_read_in_one_sitting() -> None:
    lengths = {name: text.count("\n") for name, text in files().items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}
