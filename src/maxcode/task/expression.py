"""Sizes written as arithmetic over a kernel's scalar arguments, such as `n*(n+1)//2`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

Number = int | float
Sizes = dict[str, Number]
"""Values of scalar arguments, by name."""
_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_CALLS: dict[str, Callable[..., Number]] = {"min": min, "max": max}


def evaluate(text: str | Number, names: Mapping[str, Number]) -> Number:
    """Value of the expression; ValueError with a readable message when it is not plain arithmetic over `names`."""
    if not isinstance(text, str):
        return text
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError:
        raise ValueError(f"'{text}' is not an arithmetic expression") from None
    return _value(tree.body, text, names)


def _value(node: ast.expr, text: str, names: Mapping[str, Number]) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.Name(id=name):
            if name not in names:
                raise ValueError(f"'{text}' uses '{name}'; known names are: {', '.join(names) or 'none'}")
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, text, names)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            try:
                return _BINARY[type(op)](_value(left, text, names), _value(right, text, names))
            except ZeroDivisionError:
                raise ValueError(f"'{text}' divides by zero") from None
        case ast.Call(func=ast.Name(id=function), args=args, keywords=[]) if function in _CALLS and len(args) > 1:
            return _CALLS[function](*(_value(arg, text, names) for arg in args))
    raise ValueError(f"'{text}' may only use + - * / // % min max, numbers and size arguments")
