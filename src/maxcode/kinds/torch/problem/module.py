"""A Python module read without running it: its constants, what follows from them, and where they are used."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from maxcode.core import InputError

Number = int | float
_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"int": int, "float": float, "min": min, "max": max, "len": len}
_LARGEST_POWER = 64


@dataclass(frozen=True)
class Module:
    text: str
    where: str = "the problem"
    """Name of the file in messages."""

    @cached_property
    def tree(self) -> ast.Module:
        """Syntax tree of the text; InputError if it is not Python."""
        try:
            return ast.parse(self.text)
        except SyntaxError as error:
            raise InputError(f"{self.where}: line {error.lineno}: {error.msg}. Correct the Python.") from None
        except ValueError as error:  # a NUL byte
            raise InputError(f"{self.where}: {error}.") from None

    @cached_property
    def defined(self) -> set[str]:
        """Every name at module level that stands for something."""
        made = {each.name for each in self.tree.body if isinstance(each, ast.FunctionDef | ast.ClassDef)}
        return made | {name for each in self.tree.body for name in _stored(each)}

    @cached_property
    def assigned(self) -> dict[str, ast.expr]:
        """Expressions that names stand for, where a name is assigned once and plainly."""
        pairs = [pair for each in self.tree.body for pair in assignments(each)]
        written = [name for each in self.tree.body for name in _stored(each)]
        return {name: value for name, value in pairs if written.count(name) == 1}

    @cached_property
    def numbers(self) -> dict[str, Number]:
        """Names that are numbers by themselves, `2 * 1024` included, and not by way of other names."""
        values = {name: value_of(node, {}) for name, node in self.assigned.items()}
        return {name: value for name, value in values.items() if is_number(value)}

    def values(self, changed: Mapping[str, Number]) -> dict[str, Any]:
        """Values of all names that are plain arithmetic, when some constants are changed."""
        known: dict[str, Any] = {}
        for name, node in self.assigned.items():
            value = changed[name] if name in changed else value_of(node, known)
            if value is not None:
                known[name] = value
        return known

    def sources(self, *nodes: ast.AST) -> set[str]:
        """The constants that pieces of code depend on, directly or by way of others."""
        waiting = [name for node in nodes for name in names_in(node)]
        seen: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name not in seen and name in self.assigned:
                seen.add(name)
                waiting += names_in(self.assigned[name])
        return seen & set(self.numbers)

    def function(self, name: str) -> ast.FunctionDef | None:
        return next((each for each in self.tree.body if isinstance(each, ast.FunctionDef) and each.name == name), None)

    def replaced(self, values: Mapping[str, Number]) -> str:
        """The text with other values of constants; everything else stays byte for byte."""
        lines = self.text.encode().splitlines(keepends=True)
        nodes = [(self.assigned[name], value) for name, value in values.items()]
        for node, value in sorted(nodes, key=lambda each: (each[0].lineno, each[0].col_offset), reverse=True):
            _replace(lines, node, repr(value).encode())
        return b"".join(lines).decode()


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def assignments(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Names and what they are set to: `a = 1`, `a: int = 1`, `a, b = 1, 2`."""
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        yield statement.target.id, statement.value
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        yield from ((t.id, v) for t, v in zip(target.elts, value.elts, strict=True) if isinstance(t, ast.Name))


def names_in(node: ast.AST) -> list[str]:
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]


def value_of(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """The value of arithmetic over known names, of tuples and lists of such; None for anything else."""
    try:
        return _value(node, known)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return None


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.Name(id=name):
            return known[name]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return tuple(each for item in items for each in _items(item, known))
        case ast.UnaryOp(op=op, operand=operand):
            return _OPERATORS[type(op)](_value(operand, known))
        case ast.BinOp(left=left, op=op, right=right):
            return _binary(op, _value(left, known), _value(right, known))
        case ast.Subscript(value=whole, slice=place):
            return _value(whole, known)[_value(place, known)]
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _FUNCTIONS[name](*(_value(each, known) for each in arguments))
    raise LookupError


def _binary(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(op, ast.Pow | ast.LShift):  # bounded, so that no file can make us compute for ever
        if abs(right) > _LARGEST_POWER:
            raise ValueError
        return left**right if isinstance(op, ast.Pow) else left << right
    return _OPERATORS[type(op)](left, right)


def _items(node: ast.expr, known: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(_value(node.value, known)) if isinstance(node, ast.Starred) else (_value(node, known),)


def _stored(statement: ast.stmt) -> list[str]:
    """Names that a statement at module level sets, nested blocks included, those that only run in a script excluded."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or _is_script_start(statement):
        return []
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return [(each.asname or each.name).split(".")[0] for each in statement.names]
    return [each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]


def _is_script_start(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in names_in(statement.test)


def _replace(lines: list[bytes], node: ast.expr, new: bytes) -> None:
    """Replaces the text of a node. Positions in syntax trees count bytes, so lines are bytes."""
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
    lines[first : last + 1] = [before + new + after]
