"""Integer expressions of C, worked out where their value is plain."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

_BINARY: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: lambda a, b: a << min(b, 64),
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_COMPARED: dict[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_SIZES = {"char": 1, "short": 2, "int": 4, "float": 4, "double": 8, "long": 8, "size_t": 8}
_CAST = re.compile(r"\(\s*(?:unsigned|signed|const|int|long|short|size_t|ptrdiff_t|u?int\d+_t|std::size_t|\s)+\s*\)")
LONGEST = 400
"""Characters of an expression that is worked out; longer ones are not plain."""


def integer(text: str, names: Mapping[str, int]) -> int | None:
    """The value of an expression over known names; None where it is not plain."""
    if len(text) > LONGEST:
        return None
    try:
        return _value(ast.parse(_as_python(text), mode="eval").body, names)
    except (SyntaxError, ValueError, ArithmeticError, LookupError, RecursionError, MemoryError):
        return None


def _as_python(text: str) -> str:
    text = _CAST.sub(" ", text)
    text = re.sub(r"\bsizeof\s*\(\s*(\w+)\s*\)", lambda m: str(_SIZES[m[1]]), text)
    text = re.sub(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlLzZ]+\b", r"\1", text.replace("'", ""))
    text = re.sub(r"\b0+(?=\d+\b)", "0o", text)
    text = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    return re.sub(r"!(?!=)", " not ", text).strip()


def _value(node: ast.expr, names: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=bool() | int() as number):
            return int(number)
        case ast.Name(id="true" | "false" as word):
            return int(word == "true")
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=operand):
            inner = _value(operand, names)
            return int(not inner) if isinstance(op, ast.Not) else -inner if isinstance(op, ast.USub) else inner
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_value(left, names), _value(right, names))
        case ast.BoolOp(op=op, values=values):
            found = [bool(_value(each, names)) for each in values]
            return int(all(found) if isinstance(op, ast.And) else any(found))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return int(_COMPARED[type(op)](_value(left, names), _value(right, names)))
    raise ValueError("not plain arithmetic")
