"""Numbers that a program writes down: literals, constants and macros, and sums and products of them."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache

from maxcode.policy.rewrite.source import SourceFile

_CONSTANT = re.compile(
    r"\b(?:const|constexpr)\s+(?:static\s+)?(?:unsigned\s+|signed\s+)?(?:int|long long|long|ll|size_t|short|unsigned)"
    r"(?:\s+int)?\s+(\w+)\s*=\s*([^;,{}]+);"
)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+([^\n/]+?)[ \t]*\r?$", re.MULTILINE)
_OPERATIONS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


@lru_cache(maxsize=64)
def _constants(source: SourceFile) -> dict[str, str]:
    found = _CONSTANT.findall(source.code) + _MACRO.findall(source.code)
    names = [name for name, _ in found]
    return {name: value for name, value in found if names.count(name) == 1}


def value_of(source: SourceFile, text: str, depth: int = 4) -> int | None:
    """What an expression comes to, where it is a whole number that the program's text gives."""
    if depth == 0 or len(text) > 100:
        return None
    plain = re.sub(r"\b(\d+)[uUlL]+\b", r"\1", text.replace("'", "").replace("/", "//"))
    for name in set(re.findall(r"(?<![\w.])[A-Za-z_]\w*", plain)):
        value = _constants(source).get(name)
        number = value_of(source, value, depth - 1) if value is not None else None
        if number is None:
            return None
        plain = re.sub(rf"(?<![\w.]){name}\b", f"({number})", plain)
    try:
        result = _evaluated(ast.parse(plain.strip(), mode="eval").body)
        return int(result) if result == int(result) and abs(result) < 2**53 else None
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None


def _evaluated(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_evaluated(node.left), _evaluated(node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
        return _evaluated(node.left) * 2.0 ** int(_evaluated(node.right))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_evaluated(node.operand)
    raise ValueError(ast.dump(node))
