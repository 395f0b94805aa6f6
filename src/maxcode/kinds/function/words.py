"""A function's task in words, for prompts."""

from __future__ import annotations

import ast

from maxcode.kinds.command.table import in_words
from maxcode.kinds.function.calls import recorded_calls
from maxcode.kinds.function.excerpt import found_in
from maxcode.kinds.function.files import package_of
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

MOST_SHOWN, LONGEST_CONTEXT = 12, 6000


def words(task: Task) -> dict[str, str]:
    settings = task.table(PackageFunction)
    calls = sorted(recorded_calls(task), key=lambda each: -each.weight)[:MOST_SHOWN]
    return {
        "function": settings.function,
        "module": settings.module,
        "seen_calls": "\n".join(f"- {settings.function}({each.seen}): {each.seconds * 1e6:.3g} us" for each in calls),
        "test_command": in_words(settings.test),
        "context": context(package_of(task).baseline_candidate.files[settings.file], settings.function),
    }


def context(module: str, function: str) -> str:
    """Definitions of the module that the function names, the shortest first, as far as there is room."""
    tree = ast.parse(module)
    node, classes = found_in(tree, function)
    named = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    segments = []
    for each in tree.body:
        names = {getattr(each, "name", None)} | {one.id for one in ast.walk(each) if isinstance(one, ast.Name)}
        defines = not isinstance(each, ast.Expr | ast.Import | ast.ImportFrom) and each not in [node, *classes]
        if defines and named & {name for name in names if name in _defined(each)}:
            segments.append(ast.get_source_segment(module, each) or "")
    room, chosen = LONGEST_CONTEXT, []
    for segment in sorted(segments, key=len):
        room -= len(segment)
        if room >= 0:
            chosen.append(segment)
    return "\n\n".join(chosen) or "nothing"


def _defined(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return set()
