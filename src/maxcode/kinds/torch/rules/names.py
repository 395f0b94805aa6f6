"""Meaning of the names in a Python file, as far as its text says: imports, plain aliases, literals."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass

MOST_TEXT = 1 << 20
"""Number of characters above which folded literals are not followed."""


@dataclass(frozen=True)
class BrokenRule:
    """A rule that a text breaks."""

    line: int
    """Line number from 1 on; 0 for the file as a whole."""
    construct: str
    """Key of the construct, equal in other files: what the problem has, a candidate may have."""
    reason: str


class Names:
    """Full names of what a file imports: with `import torch.nn.functional as F`, `F.relu` is torch.nn.functional.relu.

    Scopes are not told apart: a name that stands for a module anywhere does so everywhere.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._full: dict[str, str] = {}
        self.own = _defined(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    first = alias.name.split(".")[0]
                    self._full[alias.asname or first] = alias.name if alias.asname else first
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self._full[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
        self._follow_aliases(tree)

    def full(self, node: ast.AST) -> str | None:
        """The full name behind an expression such as `F.relu`; None for what the file itself defines or computes."""
        if isinstance(node, ast.Name):
            if node.id in self._full:
                return self._full[node.id]
            is_builtin = hasattr(builtins, node.id) and node.id not in self.own
            return f"builtins.{node.id}" if is_builtin else None
        if isinstance(node, ast.Attribute):
            owner = self.full(node.value)
            return f"{owner}.{node.attr}" if owner else None
        if isinstance(node, ast.Call) and len(node.args) >= 2 and self.full(node.func) == "builtins.getattr":
            owner, attribute = self.full(node.args[0]), literal(node.args[1])
            return f"{owner}.{attribute}" if owner and attribute else None
        return None

    def _follow_aliases(self, tree: ast.Module) -> None:
        """Follows aliases such as `cuda = torch.cuda`; twice, for aliases of aliases."""
        plain = [
            (node.targets[0].id, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        ]
        for _ in range(2):
            for name, value in plain:
                full = self.full(value)
                if full and name not in self._full:
                    self._full[name] = full


def literal(node: ast.AST | None) -> str | None:
    """The text that an expression of literals stands for; what is filled in later (f-strings, %, format) reads as 0."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or "0" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = literal(node.left), literal(node.right)
        whole = left + right if left is not None and right is not None else None
        return whole if whole is None or len(whole) <= MOST_TEXT else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return literal(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("format", "replace"):
        return literal(node.func.value)
    return None


def _defined(tree: ast.Module) -> frozenset[str]:
    """Names that the file gives a meaning of its own, other than by importing."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
    return frozenset(found)
