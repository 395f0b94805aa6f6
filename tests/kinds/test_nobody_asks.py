"""Outside of `kinds/` nobody asks which kind a task is of: what differs between kinds is asked of the record `Kind`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import maxcode
from maxcode.task import Task
from maxcode.task.kind import kind_named, kind_names

SOURCE = Path(maxcode.__file__).parent
NAMES = frozenset(kind_names())
TABLES = frozenset(table.__name__ for name in NAMES if (table := kind_named(name).table) is not None)
ASKED = SOURCE / "task" / "kind.py"
"""The record itself, which finds kinds and their tables by name."""
FOR_ONE_KIND = ("bench", "cli", "policy/rewrite")
"""Folders with code that is for tasks of one kind only: suites, their commands, the rewriter's family for models."""


def of_task(node: ast.AST, *names: str) -> bool:
    """Whether it is an attribute with one of the names of something that is called a task."""
    if not isinstance(node, ast.Attribute) or node.attr not in names:
        return False
    return getattr(node.value, "id", getattr(node.value, "attr", "")).lower() == "task"


def is_kinds_name(node: ast.AST) -> bool:
    """`task.kind.name`, or the name of anything else that is a kind."""
    return isinstance(node, ast.Attribute) and node.attr == "name" and is_kind(node.value)


def is_kind(node: ast.AST) -> bool:
    return of_task(node, "kind") or getattr(node, "attr", getattr(node, "id", "")) == "kind"


def names_a_kind(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Constant) and each.value in NAMES for each in ast.walk(node))


def compares(node: ast.Compare) -> bool:
    sides = (node.left, *node.comparators)
    if any(map(is_kinds_name, sides)) or any(of_task(side, "settings", *NAMES) for side in sides):
        return True
    if any(of_task(side, "kind") for side in sides):
        return not all(isinstance(each, ast.In | ast.NotIn) for each in node.ops) or names_a_kind(node)
    return any(map(is_kind, sides)) and any(map(names_a_kind, sides))


def matches(node: ast.Match) -> bool:
    patterns = [each for case in node.cases for each in ast.walk(case.pattern)]
    by_class = any(isinstance(each, ast.MatchClass) and name_of(each.cls) in TABLES for each in patterns)
    by_name = (is_kind(node.subject) or is_kinds_name(node.subject)) and any(map(names_a_kind, patterns))
    return by_class or by_name


def calls(node: ast.Call) -> bool:
    if name_of(node.func) not in ("isinstance", "issubclass", "type") or not node.args:
        return False
    classes = (each for argument in node.args[1:] for each in ast.walk(argument))
    return of_task(node.args[0], "settings") or any(name_of(each) in TABLES for each in classes)


def name_of(node: ast.AST) -> str:
    return str(getattr(node, "id", getattr(node, "attr", "")))


def is_question(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return compares(node)
    if isinstance(node, ast.Match):
        return matches(node)
    if isinstance(node, ast.Call):
        return calls(node)
    if isinstance(node, ast.Dict):  # an answer for each kind
        return sum(isinstance(key, ast.Constant) and key.value in NAMES for key in node.keys) > 1
    if isinstance(node, ast.Subscript):
        return is_kinds_name(node.slice)
    if isinstance(node, ast.Attribute):
        return of_task(node, *NAMES) or is_kinds_name(node.value)
    return False


def questions(text: str) -> Iterator[int]:
    """Lines that ask for a task's kind."""
    for node in ast.walk(ast.parse(text)):
        if is_question(node):
            yield node.lineno


def others() -> list[Path]:
    """Files outside of kinds/."""
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != ASKED and SOURCE / "kinds" not in path.parents]


def test_nobody_asks_which_kind_a_task_is_of() -> None:
    found = {str(path.relative_to(SOURCE)): sorted(set(questions(path.read_text()))) for path in others()}
    assert {file: lines for file, lines in found.items() if lines} == {}


def test_a_kind_is_imported_or_named_only_where_code_is_for_that_kind() -> None:
    place = re.compile(rf"\bmaxcode\.kinds(\.| import )({'|'.join(NAMES)})\b|\bkind_named\([\"']")
    found = [path.relative_to(SOURCE).as_posix() for path in others() if place.search(path.read_text())]
    assert [file for file in found if not file.startswith(FOR_ONE_KIND)] == []


@pytest.mark.parametrize(
    "text",
    [
        "if task.kind.name == 'kernel': pass",
        "if task.kind.name in ('kernel', 'torch'): pass",
        "if self.task.kind is KERNEL: pass",
        "if kind == 'program': pass",
        "words = {'program': 1, 'kernel': 2}[task.kind.name]",
        "words = table[task.kind.name]",
        "if task.torch: pass",
        "flops = observation.task.kernel.flops",
        "if task.settings is None: pass",
        "if isinstance(settings, Torch): pass",
        "if isinstance(task.settings, Frozen): pass",
        "match task.kind.name:\n    case 'torch': pass",
        "match settings:\n    case Kernel(function=name): pass",
        "if task.kind.name.startswith('to'): pass",
    ],
)
def test_a_question_is_noticed(text: str) -> None:
    assert list(questions(text))


@pytest.mark.parametrize(
    "text",
    [
        "words = task.kind.words(task)",
        "said = f'a {task.kind.name}'",
        "if task.kind not in judges: judges[task.kind] = task.kind.judge(given)",
        "if event.kind == 'opened': pass",
        "function = task.table(Kernel).function",
        "changes = {'kernel': {'reference': name}}",
    ],
)
def test_what_is_no_question_is_left_alone(text: str) -> None:
    assert not list(questions(text))


def test_tasks_have_no_field_for_a_kind() -> None:
    assert not [name for name in NAMES if hasattr(Task, name) or name in Task.model_fields]
