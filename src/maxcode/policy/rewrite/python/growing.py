"""Python: tables by key beside lists that only grow."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from maxcode.policy.rewrite.python.equal_keys import Scan, scans_of
from maxcode.policy.rewrite.python.imports import defining
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.program import COMPREHENSIONS, Variable
from maxcode.policy.rewrite.python.tree.shapes import (
    bound_names,
    conjuncts,
    method,
    same,
)
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_LOOKUP = """NAME_tables, NAME_sizes, NAME_rows = {}, {}, {}


def NAME(items, wanted):
    table = NAME_tables.setdefault(id(items), {})
    size = NAME_sizes.get(id(items), 0)
    if size < len(items):
        for TARGET in items[size:]:
            table.setdefault(KEY, []).append(ELEMENT)
        NAME_sizes[id(items)] = len(items)
        NAME_rows[id(items)] = items
    return table.get(wanted, ())
"""


def _growing(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A scan in a function that is called again and again, over a list that only grows."""
    del setting
    code = code_of(source)
    for node in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if isinstance(code.program.function(node), ast.FunctionDef):
            if isinstance(node, ast.For) and len(node.body) == 1 and isinstance(node.body[0], ast.If):
                branch = node.body[0]
                scans = _of_parts(code, node.target, node.iter, conjuncts(branch.test)) if not branch.orelse else []
                last = branch.body[-1]
                if scans and (isinstance(last, (ast.Return, ast.Break)) or code.pure(*branch.body)):
                    yield from _looked_up(code, scans[0])
            elif isinstance(node, COMPREHENSIONS) and len(node.generators) == 1 and node.generators[0].ifs:
                clause = node.generators[0]
                if not isinstance(node, ast.GeneratorExp) or isinstance(code.program.above[node], ast.Call):
                    tests = [part for each in clause.ifs for part in conjuncts(each)]
                    for scan in _of_parts(code, clause.target, clause.iter, tests)[:1]:
                        yield from _looked_up(code, scan)


def _of_parts(code: Code, target: ast.expr, over: ast.expr, tests: list[ast.expr]) -> list[Scan]:
    variables = bound_names(code.program, target)
    found = list(scans_of(code, target, over, tests, variables)) if variables else []
    return [
        each for each in found
        if code.kinds.only(over, "list") and _keys_stay(code, each, variables or []) and _only_grows(code, over)
    ]  # fmt: skip


def _looked_up(code: Code, scan: Scan) -> Iterator[Rewrite]:
    program = code.program
    name, target = program.source.fresh("with_key"), program.text(scan.target)
    element = f"({target})" if isinstance(scan.target, ast.Tuple) and not target.startswith("(") else target
    given = {"NAME": name, "TARGET": target, "KEY": scan.key, "ELEMENT": element}
    helper = re.sub("|".join(given), lambda found: given[found[0]], _LOOKUP)
    call = program.replace(scan.over, f"{name}({program.text(scan.over)}, {scan.value})")
    yield Rewrite(scan.over.lineno, (defining(program.source, helper), call), weight=2.0)


def _only_grows(code: Code, over: ast.expr) -> bool:
    """Whether a list is only ever appended to."""
    changers = code.changers(code.contents(code.kinds.of(over))[0])
    return changers is not None and all(method(each, "append", "extend") for each in changers)


def _keys_stay(code: Code, scan: Scan, variables: list[Variable]) -> bool:
    """Whether the key of an element never changes: its attributes are set at birth, its entries once."""
    asked = code.effects(*scan.fixed[:-1])
    if asked.reads - set(variables):
        return False
    for name in asked.asks:
        for each in ast.walk(code.program.tree):
            if isinstance(each, ast.Attribute) and each.attr == name and not isinstance(each.ctx, ast.Load):
                born = getattr(code.program.function(each), "name", "") == "__init__"
                if not born or not isinstance(each.value, ast.Name):
                    return False
    for part in (part for key in scan.fixed[:-1] for part in ast.walk(key)):
        if isinstance(part, ast.Subscript) and not code.kinds.only(part.value, "tuple", "str"):
            changers = code.changers(code.contents(code.kinds.of(part.value))[-1])
            if changers is None or not all(_elsewhere(each, part) for each in changers):
                return False
    return True


def _elsewhere(change: ast.AST, part: ast.Subscript) -> bool:
    """Whether an assignment to an entry is to another one than that of a key."""
    constant = isinstance(change, ast.Subscript) and isinstance(change.slice, ast.Constant)
    fixed = isinstance(part.slice, ast.Constant) and isinstance(change, ast.Subscript)
    return constant and fixed and isinstance(change, ast.Subscript) and not same(part.slice, change.slice)


TRANSFORMATIONS = (
    Transformation(
        name="lookup-for-scan",
        family="python",
        summary="Keeps a table by key beside a list that only grows, for a function that looks through it often.",
        find=_growing,
        example=RewriteExample(
            before="""
class Shop:
    def __init__(self):
        self.stock = []

    def price(self, name):
        for item in self.stock:
            if item[0] == name:
                return item[1]
        return 0


shop = Shop()
for i in range(5):
    shop.stock.append(("item", i))
    print(shop.price("item"))
""",
            after="""
with_key_tables, with_key_sizes, with_key_rows = {}, {}, {}


def with_key(items, wanted):
    table = with_key_tables.setdefault(id(items), {})
    size = with_key_sizes.get(id(items), 0)
    if size < len(items):
        for item in items[size:]:
            table.setdefault(item[0], []).append(item)
        with_key_sizes[id(items)] = len(items)
        with_key_rows[id(items)] = items
    return table.get(wanted, ())


class Shop:
    def __init__(self):
        self.stock = []

    def price(self, name):
        for item in with_key(self.stock, name):
            if item[0] == name:
                return item[1]
        return 0


shop = Shop()
for i in range(5):
    shop.stock.append(("item", i))
    print(shop.price("item"))
""",
        ),
        languages=PYTHON,
        answers=("nested-scan", "membership-in-list"),
        prior=3.0,
        refusals=(
            """
class Shop:
    def __init__(self):
        self.stock = []

    def price(self, name):
        for item in self.stock:
            if item[0] == name:
                return item[1]
        return 0


shop = Shop()
for i in range(5):
    shop.stock.append(("item", i))
    print(shop.price("item"))
    shop.stock.pop(0)
""",
            """
def price(rows, name):
    for row in rows:
        if row["name"] == name:
            return row["price"]
    return 0


rows = []
for i in range(3):
    rows.append({"name": "a", "price": i})
    rows[0]["name"] = "b"
    print(price(rows, "a"))
""",
        ),
    ),
)
