"""Python: loops in a form that the interpreter runs faster."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    FUNCTIONS,
    alone,
    assignment,
    body_of,
    call_of,
    mentions,
    plain_arguments,
    singular,
    statements,
)
from maxcode.policy.rewrite.python.effects import bound, changed, dead_after
from maxcode.policy.rewrite.python.sweep import Sweep, in_place_of, start_of, sweeps, tight
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _comprehension(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        collected = _collects(source, found)
        if collected is None:
            continue
        name, method, value = collected
        text = f"{tight(source, value)}{found.clauses}"
        takes_all = found.plain is not None and source.text(value) == source.text(field(loop, "left"))
        start = start_of(source, name, loop) if name.isidentifier() else None
        empty = source.text(start[1]) if start is not None else None
        if method == "append" and empty in ("[]", "list()"):
            new = f"{name} = " + (f"list({found.plain})" if takes_all else f"[{text}]")
        elif method == "add" and empty == "set()":
            new = f"{name} = " + (f"set({found.plain})" if takes_all else f"{{{text}}}")
        else:
            start = None
            many = "extend" if method == "append" else "update"
            new = f"{name}.{many}({found.plain if takes_all else f'[{text}]'})"
        first = start[0] if start is not None else None
        yield Rewrite(source.line(loop), in_place_of(source, first, loop, new), weight=1.0 if first else 0.6)


def _collects(source: SourceFile, found: Sweep) -> tuple[str, str, Node] | None:
    """`name.append(value)` where neither the name nor the loops around depend on each other."""
    call = found.last.named_children[0] if found.last.named_children else found.last
    function = call.child_by_field_name("function") if call.type == "call" else None
    if function is None or function.type != "attribute":
        return None
    name, _, method = source.text(function).rpartition(".")
    arguments = call_of(source, call, f"{name}.{method}")
    if method not in ("append", "add") or not arguments or len(arguments) != 1 or not plain_arguments(arguments):
        return None
    apart = name not in changed(source, arguments[0]) and not re.search(
        rf"\b{re.escape(name)}(?!\w)", f"{found.clauses} {source.text(arguments[0])}"
    )
    fixed = not any(re.search(rf"\b{each}\b", name) for each in found.variables)
    return (name, method, arguments[0]) if apart and fixed and "(" not in name else None


def _direct(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in source.find("for_statement"):
        left, body = field(loop, "left"), field(loop, "body")
        arguments = call_of(source, field(loop, "right"), "range")
        length = call_of(source, arguments[0], "len") if arguments and len(arguments) == 1 else None
        if left.type != "identifier" or not length or len(length) != 1 or length[0].type != "identifier":
            continue
        variable, items = source.text(left), source.text(length[0])
        elements = [
            each
            for each in source.find("subscript", within=body)
            if re.sub(r"\s", "", source.text(each)) == f"{items}[{variable}]"
        ]
        nested = any(enclosing(each, *FUNCTIONS) != enclosing(loop, *FUNCTIONS) for each in elements)
        if not elements or nested or {variable, items} & changed(source, body):
            continue
        indices = [m for m in mentions(source, variable, body) if not any(inside(m, each) for each in elements)]
        keeps = bool(indices) or not dead_after(source, variable, loop)
        yield Rewrite(source.line(loop), _over_elements(source, loop, items, elements, keeps))


def _over_elements(source: SourceFile, loop: Node, items: str, elements: list[Node], keeps: bool) -> tuple[Edit, ...]:
    """Edits that loop over elements. If the first line already names the element, the header takes that name over."""
    first, *rest = body_of(loop)
    named = assignment(source, first)
    variable, item, gone = source.text(field(loop, "left")), singular(source, items), []
    takes_over = named is not None and named[1] == elements[0] and bool(rest) and alone(source, first)
    if named is not None and takes_over and not any(named[0] in bound(source, each) for each in rest):
        item, elements, gone = named[0], elements[1:], [source.remove_line(first)]
    header = f"{variable}, {item} in enumerate({items})" if keeps else f"{item} in {items}"
    whole = Edit(field(loop, "left").start_byte, field(loop, "right").end_byte, header)
    return (whole, *gone, *(source.replace(each, item) for each in elements))


def _map_lambda(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for call in source.find("call"):
        outer = call_of(source, call, "list")
        for name in ("map", "filter") if outer and len(outer) == 1 else ():
            arguments = call_of(source, outer[0] if outer else None, name)
            if not arguments or len(arguments) != 2 or arguments[0].type != "lambda" or not plain_arguments(arguments):
                continue
            parameters = arguments[0].child_by_field_name("parameters")
            if parameters is None or [each.type for each in statements(parameters)] != ["identifier"]:
                continue
            variable, value = source.text(parameters), tight(source, field(arguments[0], "body"))
            clause = f"for {variable} in {tight(source, arguments[1])}"
            text = f"{value} {clause}" if name == "map" else f"{variable} {clause} if {value}"
            yield Rewrite(source.line(call), (source.replace(call, f"[{text}]"),))


TRANSFORMATIONS = (
    Transformation(
        name="comprehension-for-append",
        family="python",
        summary="Builds a list or set in one expression instead of element by element.",
        find=_comprehension,
        example=RewriteExample(
            before="""
numbers = range(10)
squares = []
for number in numbers:
    if number % 2 == 0:
        squares.append(number * number)
print(squares)
""",
            after="""
numbers = range(10)
squares = [number * number for number in numbers if number % 2 == 0]
print(squares)
""",
        ),
        languages=PYTHON,
        answers=("append-loop", "attribute-lookup"),
        prior=1.2,
        refusals=(
            "a = [1]\nfor x in a:\n    a.append(x)\n    break\n",
            "a = []\nfor x in range(3):\n    a.append(len(a))\nprint(a)\n",
            "a = []\nfor x in range(3):\n    a.append(x)\nprint(a, x)\n",
        ),
    ),
    Transformation(
        name="elements-for-indices",
        family="python",
        summary="Walks the elements of a list instead of its indices, with enumerate where the index is needed.",
        find=_direct,
        example=RewriteExample(
            before="""
words = ["one", "two"]
for i in range(len(words)):
    print(words[i], len(words[i]))
""",
            after="""
words = ["one", "two"]
for word in words:
    print(word, len(word))
""",
        ),
        languages=PYTHON,
        answers=("index-loop",),
        prior=1.2,
        refusals=(
            "a = [1, 2]\nfor i in range(len(a)):\n    a[i] = a[i] + 1\nprint(a)\n",
            "a = [1, 2]\nfor i in range(len(a) - 1):\n    print(a[i])\n",
        ),
    ),
    Transformation(
        name="comprehension-for-lambda",
        family="python",
        summary="Evaluates an expression in place instead of calling a lambda for each element.",
        find=_map_lambda,
        example=RewriteExample(
            before="print(list(map(lambda x: x * 2, range(5))))\n",
            after="print([x * 2 for x in range(5)])\n",
        ),
        languages=PYTHON,
        answers=("lambda-call",),
        prior=1.5,
        refusals=("print(list(map(int, '123')))\n", "print(list(map(lambda x, y: x + y, [1], [2])))\n"),
    ),
)
