"""Marks of tests say which run alone and which may be tried again; what a test uses holds it to them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
WHAT_THE_MACHINE_HAS = {"left_behind", "left_by_pools", "processes_of"}
CLOCKS = {"monotonic", "perf_counter"}


def names(tree: ast.AST) -> set[str]:
    found = [each for each in ast.walk(tree) if isinstance(each, ast.Name | ast.Attribute)]
    return {each.id if isinstance(each, ast.Name) else each.attr for each in found}


@cache
def marked() -> tuple[tuple[str, ast.FunctionDef, frozenset[str]], ...]:
    """Each test with the names of its marks, those of its whole file included."""
    paths = sorted(path for path in HERE.rglob("test_*.py") if "repositories" not in path.parts)
    return tuple(each for path in paths for each in _marked(path))


def _marked(path: Path) -> Iterator[tuple[str, ast.FunctionDef, frozenset[str]]]:
    tree = ast.parse(path.read_text())
    shared = [node.value for node in tree.body if isinstance(node, ast.Assign) and "pytestmark" in names(node)]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            marks = frozenset().union(*map(names, [*node.decorator_list, *shared]))
            yield f"{path.relative_to(HERE)}::{node.name}", node, marks


def test_who_counts_what_the_machine_has_runs_alone() -> None:
    counting = [test for test, node, marks in marked() if names(node) & WHAT_THE_MACHINE_HAS and "alone" not in marks]
    assert not counting, f"not marked alone: {' '.join(counting)}"


def test_who_asserts_on_the_wall_clock_may_be_tried_again() -> None:
    hurried = [test for test, node, marks in marked() if _by_clock(node) and "timing" not in marks]
    assert not hurried, f"not marked timing: {' '.join(hurried)}"


def _by_clock(node: ast.FunctionDef) -> bool:
    return any(names(each) & CLOCKS for each in ast.walk(node) if isinstance(each, ast.Assert))
