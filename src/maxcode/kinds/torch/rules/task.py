"""The `[rules]` table of a task, applied to the Python text of a torch candidate."""

from __future__ import annotations

import ast

from maxcode.kinds.torch.rules.names import BrokenRule, Names
from maxcode.task.model import Rules


def task_findings(tree: ast.Module, names: Names, rules: Rules) -> list[BrokenRule]:
    """Findings for `calls` (names of functions, plain as matmul or full as torch.matmul), `libraries` and `includes`
    (modules)."""
    found: list[BrokenRule] = []
    modules = (*rules.libraries, *rules.includes)
    for node in ast.walk(tree):
        for line, full in _imported(node):
            hit = next((module for module in modules if _is_below(full, module)), None)
            if hit:
                found.append(
                    BrokenRule(line, f"import {full}", f"imports {full}: '{hit}' is not allowed by this task's rules")
                )
        if isinstance(node, ast.Name | ast.Attribute):
            called = _called(node, names, rules.calls)
            if called:
                reason = f"uses {ast.unparse(node)}: '{called}' is not allowed by this task's rules"
                found.append(BrokenRule(node.lineno, f"call {called}", reason))
    return found


def _imported(node: ast.AST) -> list[tuple[int, str]]:
    if isinstance(node, ast.Import):
        return [(node.lineno, alias.name) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [(node.lineno, f"{node.module or ''}.{alias.name}") for alias in node.names]
    return []


def _is_below(full: str, module: str) -> bool:
    return full.lower() == module.lower() or full.lower().startswith(f"{module.lower()}.")


def _called(node: ast.Name | ast.Attribute, names: Names, calls: tuple[str, ...]) -> str | None:
    last = node.id if isinstance(node, ast.Name) else node.attr
    full = names.full(node) or last
    return next((call for call in calls if call in (last, full)), None)
