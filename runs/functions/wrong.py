"""Wrong versions of a function: one small change of its text each, as a slip would make it."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv}
Change = tuple[str, ast.AST]
"""What was changed, and the changed copy of the definition."""


def wrong_versions(text: str, name: str, seed: int) -> list[tuple[str, str]]:
    """Changes in words with the changed excerpts, in an order that the seed decides, kinds of changes in turn."""
    tree = ast.parse(text)
    number = next(i for i, each in enumerate(tree.body) if getattr(each, "name", None) == name)
    kinds: dict[str, list[tuple[str, str]]] = {}
    for what, changed in _changes(tree.body[number]):
        whole = copy.copy(tree)
        whole.body = [*tree.body[:number], changed, *tree.body[number + 1 :]]
        kinds.setdefault(what.split(":")[0], []).append((what, ast.unparse(ast.fix_missing_locations(whole)) + "\n"))
    rng = random.Random(seed)
    rows = list(kinds.values())
    rng.shuffle(rows)
    for row in rows:
        rng.shuffle(row)
    return [row[depth] for depth in range(max(map(len, rows), default=0)) for row in rows if depth < len(row)]


def _changes(node: ast.stmt) -> Iterator[Change]:
    """The signature and the docstring stay."""
    count = len(_within(node))
    for number in range(count):
        for what, change in _slips(_within(node)[number]):
            made = copy.deepcopy(node)
            place = _within(made)[number]
            line = getattr(place, "lineno", 0)
            change(place)
            if ast.dump(made) != ast.dump(node):
                yield f"{what}: line {line}", made


def _within(node: ast.stmt) -> list[ast.AST]:
    """The function itself, for its statements, and all within its body."""
    body = node.body[int(ast.get_docstring(node) is not None) :]
    return [node, *(each for statement in body for each in ast.walk(statement))]


def _slips(place: ast.AST) -> Iterator[tuple[str, object]]:
    if isinstance(place, ast.Constant) and type(place.value) is int:
        yield "off by one", lambda it: setattr(it, "value", it.value + 1)
    if isinstance(place, ast.Constant) and type(place.value) is bool:
        yield "other truth", lambda it: setattr(it, "value", not it.value)
    if isinstance(place, ast.Constant) and type(place.value) is str and place.value:
        yield "other text", lambda it: setattr(it, "value", it.value[:-1])
    if isinstance(place, ast.Compare) and type(place.ops[0]) in COMPARED:
        yield "other comparison", lambda it: it.ops.__setitem__(0, COMPARED[type(it.ops[0])]())
    if isinstance(place, (ast.BinOp, ast.AugAssign)) and type(place.op) in COUNTED:
        yield "other operator", lambda it: setattr(it, "op", COUNTED[type(it.op)]())
    if isinstance(place, ast.BoolOp):
        yield "and for or", lambda it: setattr(it, "op", ast.Or() if isinstance(it.op, ast.And) else ast.And())
    if isinstance(place, (ast.If, ast.IfExp, ast.While)):
        yield "other way", lambda it: setattr(it, "test", ast.UnaryOp(ast.Not(), it.test))
    for field in ("body", "orelse"):
        inner = getattr(place, field, None)
        for at in range(len(inner) if isinstance(inner, list) else 0):
            if isinstance(inner[at], ast.Expr) and isinstance(inner[at].value, ast.Constant):
                continue  # a docstring
            if isinstance(inner[at], (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For, ast.Continue, ast.Break)):
                yield "dropped statement", lambda it, f=field, n=at: getattr(it, f).__setitem__(n, ast.Pass())
    if isinstance(place, ast.Call) and len(place.args) > 1:
        yield "other order", lambda it: it.args.reverse()
    if isinstance(place, ast.Return) and place.value is not None:
        yield "no result", lambda it: setattr(it, "value", ast.Constant(None))
