"""Python: looking names, attributes and elements up once instead of each time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    BUILT_IN,
    FUNCTIONS,
    LOOPS,
    alone,
    mentions,
    scope_of,
    used,
)
from maxcode.policy.rewrite.python.effects import bound, invariant
from maxcode.policy.rewrite.source import SourceFile, ancestors, enclosing, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def loops_around(source: SourceFile, node: Node) -> list[Node]:
    """The loops of the same function that run a node again and again, innermost first."""
    found = []
    for each in ancestors(node):
        if each.type in FUNCTIONS:
            break
        if each.type in LOOPS and alone(source, each) and _repeats(each, node):
            found.append(each)
    return found


def _repeats(loop: Node, node: Node) -> bool:
    """Whether a loop evaluates a node in each turn; not what a `for` walks over, which is evaluated once."""
    right = loop.child_by_field_name("right")
    return right is None or not inside(node, right)


def _attribute(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`found.append` and `math.sqrt` in a loop."""
    del setting
    seen = set()
    for node in source.find("attribute"):
        text, above = source.text(node), node.parent
        called = above is not None and above.type == "call" and above.child_by_field_name("function") == node
        around = loops_around(source, node)
        name, _, method = text.rpartition(".")
        if not called or not around or not re.fullmatch(r"\w+(?:\.\w+)*", name):
            continue
        loop = _outermost(source, around, name.partition(".")[0])
        if loop is None or (text, loop.id) in seen:
            continue
        seen.add((text, loop.id))
        places = [each for each in source.find("attribute", within=loop) if source.text(each) == text]
        if any(enclosing(each, *FUNCTIONS) != enclosing(loop, *FUNCTIONS) for each in places):
            continue
        local = method if method not in BUILT_IN else f"{name.rpartition('.')[2]}_{method}"
        local = source.fresh(local) if mentions(source, local, source.root) else local
        binding = source.before(loop, f"{local} = {text}\n{source.indent(loop)}")
        edits = tuple(source.replace(each, local) for each in places)
        yield Rewrite(source.line(loop), (binding, *edits), weight=0.4 + 0.3 * len(around))


def _outermost(source: SourceFile, around: list[Node], name: str) -> Node | None:
    """The outermost loop during which a variable stays the same object."""
    steady = []
    for loop in around:
        if name in bound(source, loop):
            break
        steady.append(loop)
    return steady[-1] if steady else None


def _row(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`grid[i]` of `grid[i][j]` in a loop over j."""
    del setting
    seen = set()
    for node in source.find("subscript"):
        above = node.parent
        if above is None or above.type != "subscript" or field(above, "value") != node:
            continue
        around, text, array = loops_around(source, node), source.text(node), field(node, "value")
        if not around or (text, around[0].id) in seen or array.type not in ("identifier", "attribute"):
            continue
        loop = around[0]
        seen.add((text, loop.id))
        places = [
            each for each in source.find("subscript", within=field(loop, "body")) if source.text(each) == text
        ]  # fmt: skip
        index = node.children_by_field_name("subscript")
        if len(index) != 1 or index[0].type == "slice" or not _stays(source, array, index[0], loop):
            continue
        if any(scope_of(each) != scope_of(loop) for each in places):
            continue
        row = source.fresh(_row_name(source.text(array), source.text(index[0])))
        binding = source.before(loop, f"{row} = {text}\n{source.indent(loop)}")
        weight = 0.5 + len(places) + len(around) / 2
        yield Rewrite(source.line(loop), (binding, *(source.replace(each, row) for each in places)), weight=weight)


def _stays(source: SourceFile, array: Node, index: Node, loop: Node) -> bool:
    """Whether `array[index]` is the same object throughout a loop: no row is put in another's place."""
    names = bound(source, loop)
    if (used(source, array) | used(source, index)) & names or not invariant(source, index, loop):
        return False
    name = source.text(array)
    for each in source.find("subscript", within=loop):
        above = each.parent
        if source.text(field(each, "value")) == name and (above is None or above.type != "subscript"):
            return False
    loose = [m for m in mentions(source, name, loop) if m.parent is None or m.parent.type != "subscript"]
    return not loose and next(source.find("delete_statement", within=loop), None) is None


def _row_name(array: str, index: str) -> str:
    suffix = re.sub(r"\W+", "_", re.sub(r"\s*-\s*1$", "_before", re.sub(r"\s*\+\s*1$", "_after", index))).strip("_")
    return f"{array.replace('.', '_')}_{suffix}" if re.fullmatch(r"\w{1,12}", suffix) else f"{array}_row"


TRANSFORMATIONS = (
    Transformation(
        name="local-method",
        family="python",
        summary="Looks a method or a module's function up once before a loop.",
        find=_attribute,
        example=RewriteExample(
            before="""
import math


def roots(n):
    found = []
    for i in range(n):
        if i % 3:
            found.append(math.sqrt(i))
    return found


print(roots(5))
""",
            after="""
import math


def roots(n):
    found = []
    append = found.append
    for i in range(n):
        if i % 3:
            append(math.sqrt(i))
    return found


print(roots(5))
""",
        ),
        languages=PYTHON,
        answers=("attribute-lookup",),
        prior=0.3,
        refusals=(
            "a = []\nfor i in range(3):\n    a = []\n    a.append(i)\n",
            "a = []\na.append(1)\n",
        ),
    ),
    Transformation(
        name="local-row",
        family="python",
        summary="Looks a row of a table up once before the loop along it.",
        find=_row,
        example=RewriteExample(
            before="""
def fill(table, n):
    for i in range(1, n):
        for j in range(1, n):
            table[i][j] = table[i - 1][j] + table[i][j - 1]


table = [[1] * 4 for _ in range(4)]
fill(table, 4)
print(table)
""",
            after="""
def fill(table, n):
    for i in range(1, n):
        table_i = table[i]
        for j in range(1, n):
            table_i[j] = table[i - 1][j] + table_i[j - 1]


table = [[1] * 4 for _ in range(4)]
fill(table, 4)
print(table)
""",
        ),
        languages=PYTHON,
        answers=("row-lookup", "attribute-lookup"),
        prior=1.5,
        refusals=(
            "a = [[1], [2]]\nfor i in range(2):\n    for j in range(1):\n        a[i] = [j]\n        print(a[i][j])\n",
            "a = [[1], [2]]\nfor i in range(2):\n    print(a[i][0])\n",
        ),
    ),
)
