"""Python: remembering what a function has answered."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    BUILT_IN,
    COMPREHENSIONS,
    LOOPS,
    alone,
    call_of,
    looks_like_list,
    mentions,
    statements,
    variables,
)
from maxcode.policy.rewrite.python.effects import ASKING, READING, bound, changed, values_of
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.source import SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _cache(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for function in source.find("function_definition"):
        name, body = source.text(field(function, "name")), field(function, "body")
        again = [call for call in source.find("call", within=body) if source.text(field(call, "function")) == name]
        parameters = statements(field(function, "parameters"))
        if (
            not (again or _called_in_loop(source, function, name))
            or not parameters
            or any(each.type not in ("identifier", "typed_parameter") for each in parameters)
        ):
            continue
        decorated = function.parent is not None and function.parent.type == "decorated_definition"
        in_class = enclosing(function, "class_definition") is not None
        if decorated or in_class or not alone(source, function) or not _is_function_of_its_arguments(source, function):
            continue
        line = f"@lru_cache(maxsize=None)\n{source.indent(function)}"
        edits = with_imports(source, (source.before(function, line),), "from functools import lru_cache")
        if edits is not None:
            yield Rewrite(source.line(function), edits, weight=2.0 if len(again) > 1 else 0.5)


def _called_in_loop(source: SourceFile, function: Node, name: str) -> bool:
    """Whether a function without recursion works itself, and is asked again and again."""
    works = next(source.find(*LOOPS, *COMPREHENSIONS, "call", within=field(function, "body")), None) is not None
    calls = [call for call in source.find("call") if source.text(field(call, "function")) == name]
    return works and any(enclosing(call, *LOOPS, *COMPREHENSIONS) is not None for call in calls)


def _is_function_of_its_arguments(source: SourceFile, function: Node) -> bool:
    body, name = field(function, "body"), source.text(field(function, "name"))
    parameters = {
        source.text(next(source.find("identifier", within=e))) for e in statements(field(function, "parameters"))
    }
    if next(source.find("global_statement", "nonlocal_statement", "yield", "function_definition", within=body), None):
        return False
    returns = list(source.find("return_statement", within=body))
    if not returns or not all(each.named_children for each in returns):
        return False
    local = bound(source, body)
    if changed(source, body) - local - parameters - {name} or not all(
        _answers(source, c, name, local) for c in source.find("call", within=body)
    ):
        return False
    if any(_may_change(source, e) for each in returns for e in each.named_children):
        return False
    return _hashable(source, function, parameters) and not _free_and_changing(source, function, local | parameters)


def _may_change(source: SourceFile, value: Node) -> bool:
    """Whether a returned value is a container, which callers could change."""
    if value.type == "identifier" and (known := values_of(source, source.text(value), value)):
        return any(_may_change(source, each) for each in known if each.type != "identifier")
    made = call_of(source, value, "list", "dict", "set", "sorted", "map", "filter", "zip", "iter", "reversed", "open")
    container = value.type in ("list", "dictionary", "set", *COMPREHENSIONS)
    return (
        container or made is not None or bool(re.search(r"\.(?:split|splitlines|copy)\([^()]*\)$", source.text(value)))
    )


def _answers(source: SourceFile, call: Node, name: str, local: set[str]) -> bool:
    """Whether a call inside a function only asks, or works on what the function made itself."""
    function = field(call, "function")
    text = source.text(function)
    if function.type == "attribute":
        owner, _, method = text.rpartition(".")
        return method in ASKING or owner == "math" or owner in local
    from_math = re.search(rf"^from math import .*\b{re.escape(text)}\b", source.code, re.MULTILINE)
    return text == name or (text in READING and text != "print") or text in ("Fraction", "Decimal") or bool(from_math)


def _hashable(source: SourceFile, function: Node, parameters: set[str]) -> bool:
    """Whether nothing shows that a list is given as an argument, to be read or changed in place."""
    body, name = field(function, "body"), source.text(field(function, "name"))
    iterated = [
        each.child_by_field_name("right") for each in source.find("for_statement", "for_in_clause", within=body)
    ]
    if any(each is not None and source.text(each) in parameters for each in iterated):
        return False
    for each in source.find("subscript", "call", within=body):
        measured = call_of(source, each, "len")
        inner = measured[0] if measured else each.child_by_field_name("value")
        if inner is not None and source.text(inner) in parameters:
            return False
    for call in source.find("call"):
        for argument in call_of(source, call, name) or []:
            text = source.text(argument)
            if looks_like_list(text) or argument.type in ("list_splat", "dictionary", "list_comprehension"):
                return False
            if argument.type == "identifier" and _is_list(source, text):
                return False
    return True


def _is_list(source: SourceFile, name: str) -> bool:
    return bool(
        re.search(rf"^\s*{re.escape(name)}\s*=\s*(?:\[|list\(|sorted\(|\{{|set\(|dict\()", source.code, re.MULTILINE)
    )


def _free_and_changing(source: SourceFile, function: Node, local: set[str]) -> bool:
    """Whether what a function reads from outside has other values later."""
    free = {source.text(each) for each in variables(source, field(function, "body"))} - local - BUILT_IN
    name = source.text(field(function, "name"))
    calling = [loop for loop in source.find(*LOOPS) if not inside(loop, function) and mentions(source, name, loop)]
    return any(free & (changed(source, loop) - {name}) for loop in calling)


TRANSFORMATIONS = (
    Transformation(
        name="cache-function",
        family="python",
        summary="Remembers the results of a function that depends on its arguments alone and is asked often.",
        find=_cache,
        example=RewriteExample(
            before="""
def ways(n):
    if n < 2:
        return 1
    return ways(n - 1) + ways(n - 2)


print(ways(20))
""",
            after="""
from functools import lru_cache


@lru_cache(maxsize=None)
def ways(n):
    if n < 2:
        return 1
    return ways(n - 1) + ways(n - 2)


print(ways(20))
""",
        ),
        languages=PYTHON,
        answers=("recursion",),
        prior=2.0,
        refusals=(
            "def show(n):\n    print(n)\n    return show(n - 1) if n else 0\n\n\nshow(3)\n",
            "def f(a):\n    return a[0] + f(a[1:]) if a else 0\n\n\nprint(f([1, 2]))\n",
            "def f(n):\n    out = [n]\n    return out\n\n\nfor i in range(3):\n    f(len(str(i)))\n",
            "def f(xs):\n    return sum(x for x in xs)\n\n\nfor i in range(3):\n    f(range(i))\n",
            "seen = []\n\n\ndef f(n):\n    seen.append(n)\n    return f(n - 1) if n else 0\n\n\nf(3)\n",
        ),
    ),
)
