"""Python: what a piece of code binds, changes and reads, and who reads it later."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import BUILT_IN, COMPREHENSIONS, FUNCTIONS, LOOPS, mentions, scope_of, used
from maxcode.policy.rewrite.source import SourceFile, enclosing, inside

READING = frozenset(
    "len int str float abs min max sum ord chr sorted range enumerate zip map filter list tuple set dict frozenset any "
    "all bool divmod pow round reversed isinstance repr bin hex oct type hash complex bytes print iter".split()
)
"""Built-in functions that leave their arguments as they are."""
ASKING = frozenset(
    "get keys values items count index find rfind startswith endswith split rsplit splitlines strip lstrip rstrip "
    "lower upper join replace isdigit isalpha isalnum isspace isupper islower format copy bit_length title swapcase "
    "zfill encode decode translate capitalize ljust rjust center partition union intersection issubset".split()
)
"""Methods that leave their object as it is."""


def bound(source: SourceFile, node: Node) -> set[str]:
    """Names that a piece of code gives a value to, nested functions included."""
    return {source.text(each) for target in _targets(source, node) for each in _names_of(target)}


def _targets(source: SourceFile, node: Node) -> Iterator[Node]:
    fields = {
        "assignment": "left", "augmented_assignment": "left", "for_statement": "left", "for_in_clause": "left",
        "named_expression": "name", "function_definition": "name", "class_definition": "name", "as_pattern": "alias",
    }  # fmt: skip
    for each in source.find(*fields, within=node):
        target = each.child_by_field_name(fields[each.type])
        if target is not None:
            yield target
    for each in source.find("delete_statement", "global_statement", "nonlocal_statement", within=node):
        yield from each.named_children
    for each in source.find("import_statement", "import_from_statement", within=node):
        for name in each.children_by_field_name("name"):
            alias = name.child_by_field_name("alias")
            yield alias if alias is not None else name.named_children[0]


def _names_of(target: Node) -> Iterator[Node]:
    """The variables in a target; `a[i]` and `a.b` bind none."""
    if target.type == "identifier":
        yield target
    elif target.type in (
        "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "as_pattern_target", "expression_list",
        "dotted_name",
    ):  # fmt: skip
        for each in target.named_children:
            yield from _names_of(each)


def changed(source: SourceFile, node: Node) -> set[str]:
    """Names whose value a piece of code may change: bound, assigned into, or given to something that may."""
    return _changed(source, node, set())


def _changed(source: SourceFile, node: Node, seen: set[str]) -> set[str]:
    found = bound(source, node)
    for target in _targets(source, node):
        parts = [target, *source.find("subscript", "attribute", within=target)]
        found |= {base(source, each) for each in parts if each.type in ("subscript", "attribute")}
    for call in source.find("call", within=node):
        function, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
        if function is None or arguments is None:
            continue
        name = source.text(function)
        if function.type == "attribute":
            method = name.rsplit(".", 1)[-1]
            found |= set() if method in ASKING else {base(source, function)}
            reads = method in ("append", "add", "extend", "write", "join", "discard", "update", *ASKING)
        else:
            reads = name in READING
            found |= _changed_by_call(source, name, seen) | _bound_methods(source.code).get(name, set())
        if not reads:
            found |= {base(source, each) for each in arguments.named_children if each.type in _PLACES}
    return found


_PLACES = ("identifier", "subscript", "attribute")


@lru_cache(maxsize=64)
def _bound_methods(code: str) -> dict[str, set[str]]:
    """Names that stand for a method of something, as in `append = found.append`, and what it belongs to."""
    found: dict[str, set[str]] = {}
    for name, owner in re.findall(r"^[ \t]*(\w+) = (\w+)(?:\.\w+)+[ \t]*$", code, re.MULTILINE):
        found.setdefault(name, set()).add(owner)
    return found


def _changed_by_call(source: SourceFile, name: str, seen: set[str]) -> set[str]:
    """What a function of this file changes outside of itself."""
    if name in seen or name in BUILT_IN:
        return set()
    found: set[str] = set()
    for function in source.find("function_definition"):
        named, body = function.child_by_field_name("name"), function.child_by_field_name("body")
        if named is not None and body is not None and source.text(named) == name:
            outer = {source.text(e) for g in source.find("global_statement", "nonlocal_statement", within=body)
                     for e in g.named_children}  # fmt: skip
            found |= _changed(source, body, seen | {name}) - (bound(source, body) - outer)
    return found


def base(source: SourceFile, node: Node) -> str:
    """The variable that `a[i].b.c()` starts from."""
    while node.type in ("subscript", "attribute", "call", "parenthesized_expression") and node.named_children:
        node = node.named_children[0]
    return source.text(node)


def pure(source: SourceFile, node: Node) -> bool:
    """Whether an expression has no effects, so that it may be evaluated once, twice or never."""
    if next(source.find("named_expression", "yield", "await", "lambda", within=node), None) is not None:
        return False
    return all(_asks(source, call) for call in source.find("call", within=node))


def _asks(source: SourceFile, call: Node) -> bool:
    function = call.child_by_field_name("function")
    if function is None:
        return False
    if function.type == "attribute":
        return source.text(function).rsplit(".", 1)[-1] in ASKING or source.text(function).startswith("math.")
    return source.text(function) in READING - {"print", "iter"}


def invariant(source: SourceFile, node: Node, loop: Node) -> bool:
    """Whether an expression has one value throughout a loop."""
    return pure(source, node) and not used(source, node) & changed(source, loop)


def dead_after(source: SourceFile, name: str, node: Node) -> bool:
    """Whether the value that a variable has at the end of a statement is never read."""
    scope = scope_of(node)
    within = [
        each for each in source.find(*FUNCTIONS, "class_definition", *COMPREHENSIONS, within=scope) if each != scope
    ]
    named = []
    for mention in mentions(source, name, scope):
        around = [each for each in within if inside(mention, each)]
        if any(name in _own_names(source, each, name) for each in around):
            continue
        outer = mention.parent is not None and mention.parent.type in _OUTER
        if outer or any(each.type not in COMPREHENSIONS for each in around):
            return False
        named.append(mention)
    loop = enclosing(node, *LOOPS)
    regions = [[m for m in named if m.start_byte >= node.end_byte]]
    if loop is not None and inside(loop, scope):
        regions.append([m for m in named if inside(m, loop) and m.start_byte < node.end_byte])
    return all(not region or _rebinds(source, region[0], node) for region in regions)


_OUTER = ("global_statement", "nonlocal_statement")


def _own_names(source: SourceFile, node: Node, name: str) -> set[str]:
    """Names of the own variables of a function, lambda or comprehension."""
    if node.type in COMPREHENSIONS:
        clauses = [each for each in node.named_children if each.type == "for_in_clause"]
        return {found for each in clauses for found in used(source, each.children[1])}
    parameters, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    own = used(source, parameters) if parameters is not None else set()
    outer = any(mentions(source, name, each) for each in source.find(*_OUTER, within=node))
    return own | (bound(source, body) if body is not None and node.type != "lambda" and not outer else set())


def _rebinds(source: SourceFile, mention: Node, node: Node) -> bool:
    """Whether the first thing done with a name is to give it a value that does not depend on it."""
    if inside(mention, node):
        return mention.parent is not None and mention.parent.child_by_field_name("left") == mention
    statement = mention.parent
    if statement is None or statement.type not in ("assignment", "for_statement", "for_in_clause"):
        return False
    right = statement.child_by_field_name("right")
    left_is_it = statement.child_by_field_name("left") == mention
    return left_is_it and right is not None and not mentions(source, source.text(mention), right)


def values_of(source: SourceFile, name: str, node: Node) -> list[Node] | None:
    """Everything that a variable is set to where a place sees it; None where it is also set in other ways."""
    scope = scope_of(node)
    while scope.type != "module" and name not in bound(source, scope):
        scope = scope_of(scope)
    found, total = [], 0
    for each in mentions(source, name, scope):
        above = each.parent
        if above is not None and above.type == "assignment" and above.child_by_field_name("left") == each:
            right = above.child_by_field_name("right")
            if right is not None:
                found.append(right)
    for target in _targets(source, scope):
        total += sum(1 for each in _names_of(target) if source.text(each) == name)
    return found if found and len(found) == total else None


def made_as(source: SourceFile, name: str, node: Node, is_such: Callable[[str], bool]) -> bool:
    """Whether every value that a variable is set to looks a certain way."""
    values = values_of(source, name, node)
    return bool(values) and all(is_such(source.text(each)) for each in values or [])
