"""Python: looking names, attributes and elements up once instead of each time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    BUILT_IN,
    COMPREHENSIONS,
    FUNCTIONS,
    LOOPS,
    alone,
    call_of,
    mentions,
    plain_arguments,
    scope_of,
    statement_of,
    used,
)
from maxcode.policy.rewrite.python.effects import bound, invariant
from maxcode.policy.rewrite.source import SourceFile, ancestors, enclosing, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

CHEAP = ("len", "min", "max", "sum", "abs", "int", "float", "str", "ord", "pow", "round")


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


def _hoist(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    seen = set()
    for call in source.find("call"):
        function = source.text(field(call, "function"))
        arguments = call_of(source, call, *CHEAP, function if function.startswith("math.") else "len")
        if not arguments or not plain_arguments(arguments) or not used(source, field(call, "arguments")):
            continue
        repeated = [each for each in _repeating(source, call) if invariant(source, call, each)]
        if not repeated or _conditional(call, repeated[-1]):
            continue
        outer, text = repeated[-1], source.text(call)
        at = statement_of(outer)
        in_condition = at is not None and at.type == "while_statement" and at != outer
        if at is None or in_condition or not alone(source, at) or (text, at.id) in seen or "\n" in text:
            continue
        seen.add((text, at.id))
        places = [each for each in source.find("call", within=outer) if source.text(each) == text]
        nested = [each for each in places if any(inside(each, p) and each != p for p in places)]
        local = source.fresh(_value_name(source, call, function))
        binding = source.before(at, f"{local} = {text}\n{source.indent(at)}")
        edits = tuple(source.replace(each, local) for each in places if each not in nested)
        heavy = function in ("min", "max", "sum") and len(arguments) == 1
        yield Rewrite(source.line(call), (binding, *edits), weight=3.0 if heavy else 0.5)


def _repeating(source: SourceFile, node: Node) -> list[Node]:
    """Loops and comprehensions that evaluate a node again and again, innermost first, as long as they follow on."""
    found = []
    for each in ancestors(node):
        if each.type in FUNCTIONS:
            break
        if each.type in COMPREHENSIONS:
            first = next(c for c in each.named_children if c.type == "for_in_clause")
            if not inside(node, field(first, "right")):
                found.append(each)
        elif each.type in LOOPS and _repeats(each, node) and alone(source, each):
            found.append(each)
    return found


def _conditional(node: Node, loop: Node) -> bool:
    """Whether a loop may go round without evaluating a node."""
    for each in ancestors(node):
        if each == loop:
            return False
        if each.type in ("block", "conditional_expression", "boolean_operator") and each.parent != loop:
            parent = each.parent
            if each.type != "block" or (parent is not None and parent.type not in LOOPS):
                return True
    return False


def _value_name(source: SourceFile, call: Node, function: str) -> str:
    inner = source.text(field(call, "arguments"))[1:-1]
    if re.fullmatch(r"\w+", inner):
        return {"len": f"{inner}_length", "max": f"{inner}_max", "min": f"{inner}_min", "sum": f"{inner}_total"}.get(
            function, f"{inner}_{function.rpartition('.')[2]}"
        )
    return "fixed"


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
    Transformation(
        name="hoist-built-in",
        family="python",
        summary="Evaluates once what a loop computes each time from the same values.",
        find=_hoist,
        example=RewriteExample(
            before="""
values = [3, 1, 4, 1, 5]
near = 0
for value in values:
    if value * 2 > max(values):
        near += 1
print(near)
""",
            after="""
values = [3, 1, 4, 1, 5]
near = 0
values_max = max(values)
for value in values:
    if value * 2 > values_max:
        near += 1
print(near)
""",
        ),
        languages=PYTHON,
        answers=("invariant-call",),
        refusals=(
            "a = [1]\nwhile len(a) < 5:\n    a.append(max(a) + 1)\nprint(a)\n",
            "a = [1]\nfor i in range(len(a)):\n    print(i)\n",
        ),
    ),
)
