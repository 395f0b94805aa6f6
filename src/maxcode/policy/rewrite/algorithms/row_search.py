"""Loops that search a row for the places with an equal key, and how long the keys stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.conditions import condition_of, joined_by
from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.loops import LOOPS, as_loop, statements
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_in, resolve, type_text, whole_place
from maxcode.policy.rewrite.source import SourceFile, ancestors, field, inside

ROWS = re.compile(r"(?:const )?(?:vector|deque)<(.*)>&?$")
_JUMPS = ("break_statement", "return_statement")


@dataclass(frozen=True)
class RowSearch:
    """A loop whose body does something only for the places of a row that have a key."""

    loop: Node
    body: Node
    variable: str
    first: str
    last: str
    key: str
    """The key of the place `variable`, as text."""
    wanted: Node
    steady: frozenset[Symbol]
    """What the keys depend on, beside the place."""
    element: str = ""
    """Declaration of the element of a range loop, less its value."""
    row: str = ""


def searches(source: SourceFile) -> Iterator[RowSearch]:
    for node in source.find("for_statement", "for_range_loop"):
        body = node.child_by_field_name("body")
        test = test_of(body) if body is not None else None
        if body is None or test is None or node.has_error:
            continue
        parts = joined_by(source, test, "&&")
        guards = [at for at, part in enumerate(parts) if re.search(r"(?<!-)[<>]", source.text(part))]
        for part in parts[: guards[0] if guards else len(parts)]:
            found = _counted(source, node, part) if node.type == "for_statement" else _ranged(source, node, body, part)
            if found is not None and _repeatable(source, found):
                yield found
                break


def test_of(body: Node) -> Node | None:
    """The condition under which a body does anything."""
    inner = statements(body)
    if len(inner) != 1 or inner[0].type != "if_statement" or inner[0].child_by_field_name("alternative") is not None:
        return None
    return condition_of(inner[0])


def sides(source: SourceFile, part: Node) -> list[tuple[Node, Node]]:
    if part.type != "binary_expression" or source.text(field(part, "operator")) != "==":
        return []
    left, right = field(part, "left"), field(part, "right")
    return [(left, right), (right, left)]


def _counted(source: SourceFile, node: Node, part: Node) -> RowSearch | None:
    loop = as_loop(source, node)
    if loop is None or not loop.rises_by_one:
        return None
    if loop.type is None and (not leaves(loop.body) or re.search(rf"\b{loop.variable}\b", loop.start)):
        return None
    last = loop.end if loop.comparison == "<" else f"{loop.end} + 1"
    for key, wanted in sides(source, part):
        mentioned = [each for each in source.find("identifier", within=key) if source.text(each) == loop.variable]
        symbol = resolve(source, mentioned[0]) if mentioned else None
        plain = all(each.parent is not None and each.parent.type == "subscript_argument_list" for each in mentioned)
        steady = dependencies(source, key)
        if symbol is None or not plain or steady is None or not _hashable(source, key):
            continue
        return RowSearch(node, loop.body, loop.variable, loop.start, last, source.text(key), wanted, steady - {symbol})
    return None


def _ranged(source: SourceFile, node: Node, body: Node, part: Node) -> RowSearch | None:
    right, declarator = field(node, "right"), field(node, "declarator")
    row = resolve(source, right) if right.type == "identifier" else None
    match = ROWS.match(type_text(source, row)) if row is not None else None
    names = list(source.find("identifier", within=declarator))
    if row is None or match is None or match[1] == "bool" or len(names) != 1:
        return None
    for key, wanted in sides(source, part):
        mentioned = [
            each for each in source.find("identifier", within=key) if source.text(each) == source.text(names[0])
        ]
        element = resolve(source, mentioned[0]) if mentioned else None
        steady = dependencies(source, key)
        plain = key.type in ("identifier", "field_expression") and len(mentioned) == 1
        if element is None or steady is None or not plain or not _hashable(source, key, match[1]):
            continue
        head = source.data[field(node, "type").start_byte : declarator.end_byte].decode()
        constant = "const " if any(child.type == "type_qualifier" for child in node.children) else ""
        bound = f"const auto &{source.text(names[0])} = {row.name}[place];"
        text = f"[&](long long place) {{ {bound} return {source.text(key)}; }}"
        return RowSearch(
            node, body, source.fresh("place"), "0", f"{row.name}.size()", text, wanted,
            frozenset(steady - {element} | {row}), constant + head, row.name,
        )  # fmt: skip
    return None


def _hashable(source: SourceFile, key: Node, element: str = "") -> bool:
    """Whether a key seems to be a number or a string: not a structure of the program, a pair or a row."""
    if key.type == "field_expression":
        return True
    if key.type == "subscript_expression":
        symbol = resolve(source, key.named_children[0]) if key.named_children[0].type == "identifier" else None
        match = ROWS.match(type_text(source, symbol)) if symbol is not None else None
        element = match[1] if match else ""
        if symbol is not None and not match:
            return (
                re.fullmatch(
                    r"(?:const )?(?:int|long|char|short|unsigned|string| )+(?:\[\])?&?", type_text(source, symbol)
                )
                is not None
            )
    elif key.type != "identifier":
        return False
    own = {source.text(field(each, "name")) for each in source.find("struct_specifier", "class_specifier")
           if each.child_by_field_name("name") is not None}  # fmt: skip
    return bool(element) and not re.search(r"[<*]", element) and element not in own


def leaves(body: Node) -> bool:
    """Whether the first place that is found ends the search."""
    inner = statements(body)[0]
    consequence = inner.child_by_field_name("consequence")
    last = statements(consequence)[-1:] if consequence is not None else []
    return bool(last) and last[0].type in _JUMPS


def _repeatable(source: SourceFile, each: RowSearch) -> bool:
    """Whether the loop can take the places from a table: what it does on the way changes neither keys nor bounds."""
    loop = as_loop(source, each.loop)
    known = dependencies(source, each.wanted)
    if known is None or any(inside(symbol.identifier, each.loop) for symbol in known):
        return False
    bounds = loop.node.child_by_field_name("condition") if loop is not None else None
    begin = loop.node.child_by_field_name("initializer") if loop is not None else None
    begin = begin.child_by_field_name("right") or begin if begin is not None else None
    limits = dependencies(source, bounds) if bounds is not None else frozenset[Symbol]()
    if limits is None or (begin is not None and dependencies(source, begin) is None):
        return False
    if leaves(each.body):
        return True
    changed = {symbol: changes_in(source, symbol, each.body) for symbol in known | limits | each.steady}
    return not any(
        symbol in known or symbol not in each.steady or _disturbs(source, each, change, growing=False)
        for symbol, changes in changed.items()
        if not inside(symbol.identifier, each.loop)
        for change in changes
    )


def _disturbs(source: SourceFile, each: RowSearch, change: Node, growing: bool = True) -> bool:
    """Whether a change may give a place another key: all may but growing at the end, and other members."""
    place = whole_place(change)
    parent = place.parent
    if growing and _appends(source, each, place):
        return False
    method = source.text(field(place, "field")) if place.type == "field_expression" else ""
    called = parent is not None and parent.type == "call_expression"
    if growing and called and method in ("push_back", "emplace_back"):
        return place.named_children[0] != change
    keys = set(re.findall(r"\.\s*(\w+)", each.key.split("return ")[-1]))
    members = re.findall(r"(?:\]|^\w+)\s*\.\s*(\w+)", source.text(place))
    direct = parent is not None and parent.type in ("assignment_expression", "update_expression")
    if called and len(members) > 1:
        direct, members = True, members[:1]
    return not (direct and keys and members and members[0] not in keys)


def _appends(source: SourceFile, each: RowSearch, place: Node) -> bool:
    """Whether a change is of the place `row[count]` behind the last one that the loop looks at."""
    node = place
    while node.type != "subscript_expression" and node.named_children:
        node = node.named_children[0]
    index = field(node, "indices").named_children if node.type == "subscript_expression" else []
    if len(index) != 1 or re.sub(r"\+\+$", "", source.text(index[0])) != each.last:
        return False
    count = resolve(source, next(source.find("identifier", within=index[0]), index[0]))
    return count is not None and all(
        change.parent is not None and change.parent.type == "update_expression" and "++" in source.text(change.parent)
        for change in changes_in(source, count, count.scope)
    )


def around_of(source: SourceFile, each: RowSearch) -> Node | None:
    """The outermost loop in which the keys stay; the file where they stay in all of it."""
    found = None
    for above in ancestors(each.loop):
        if above.type not in (*LOOPS, "translation_unit"):
            if above.type == "function_definition" and found is not None:
                return found
            continue
        if any(inside(symbol.identifier, above) and above.type != "translation_unit" for symbol in each.steady):
            return found
        if above.type == "translation_unit" and not all(symbol.is_global for symbol in each.steady):
            return found
        changed = [change for symbol in each.steady for change in changes_in(source, symbol, above)]
        if any(_disturbs(source, each, change) for change in changed):
            return found
        found = above
    return found
