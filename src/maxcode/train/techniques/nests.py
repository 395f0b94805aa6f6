"""Loops of any form, what their variables do, and the statements inside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS, base_name, written
from maxcode.policy.rewrite.source import SourceFile, ancestors, inside
from maxcode.train.techniques.live import LiveCode

_STEP = re.compile(r"(\w+)\s*\+=\s*(.+)|(\w+)\s*=\s*(\w+)\s*\+\s*(.+)", re.DOTALL)
_ONE = re.compile(r"(\w+)\s*\+\+|\+\+\s*(\w+)")


@dataclass(frozen=True)
class Walk:
    """One variable that a loop moves by the same step in each turn."""

    node: Node
    body: Node
    variable: str
    start: str
    condition: str
    step: str

    def __contains__(self, other: Node) -> bool:
        return inside(other, self.body)


@lru_cache(maxsize=8)
def walks(program: LiveCode) -> tuple[Walk, ...]:
    """Every loop with each variable it moves, outer ones first."""
    return tuple(walk for node in program.source.find(*LOOPS) for walk in _walks_of(program.source, node))


def _walks_of(source: SourceFile, node: Node) -> Iterator[Walk]:
    body = node.child_by_field_name("body")
    if body is None:
        return
    condition = _text(source, node.child_by_field_name("condition"))
    starts = _starts(source, node.child_by_field_name("initializer"))
    for text in _updates(source, node, body):
        moved = _moved(text)
        if moved is not None:
            yield Walk(node, body, moved[0], starts.get(moved[0], ""), condition, moved[1])


def _updates(source: SourceFile, node: Node, body: Node) -> Iterator[str]:
    update = node.child_by_field_name("update")
    if update is not None:
        yield from (part.strip() for part in source.text(update).split(","))
    for statement in body.named_children if body.type == "compound_statement" else ():
        if statement.type == "expression_statement":
            yield from (part.strip() for part in source.text(statement).rstrip("; \n").split(","))


def _moved(text: str) -> tuple[str, str] | None:
    one = _ONE.fullmatch(text)
    if one:
        return one[1] or one[2], "1"
    found = _STEP.fullmatch(text)
    if found is None or (found[3] and found[3] != found[4]):
        return None
    return found[1] or found[3], (found[2] or found[5]).strip()


def _starts(source: SourceFile, initializer: Node | None) -> dict[str, str]:
    text = source.text(initializer).rstrip("; ") if initializer is not None else ""
    return {name: value.strip() for name, value in re.findall(r"(\w+)\s*=\s*([^,;]+)", text)}


def _text(source: SourceFile, node: Node | None) -> str:
    text = source.text(node) if node is not None else ""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def loops_around(node: Node) -> list[Node]:
    """The loops that a node is in, innermost first, within its function."""
    found = []
    for each in ancestors(node):
        if each.type in ("function_definition", "lambda_expression"):
            break
        if each.type in LOOPS:
            found.append(each)
    return found


def mentions(text: str, *names: str) -> bool:
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)


def callees(program: LiveCode, node: Node) -> Iterator[tuple[Node, Node]]:
    """Calls in a piece of code to functions of the program: the call and the function."""
    for call in program.source.find("call_expression", within=node):
        called = call.child_by_field_name("function")
        name = re.sub(r"<.*", "", program.source.text(called)).split("::")[-1].strip() if called is not None else ""
        if name in program.functions:
            yield call, program.functions[name]


def loops_within(program: LiveCode, node: Node, depth: int = 3) -> int:
    """Number of loops that a piece of code runs through, those of the functions it calls included."""
    own = sum(1 for _ in program.source.find(*LOOPS, within=node))
    if depth == 0:
        return own
    return own + sum(loops_within(program, body, depth - 1) for _, body in callees(program, node))


def fixed(program: LiveCode, walk: Walk) -> set[str]:
    """Names that stay as they are while the loop runs."""
    names = set(re.findall(r"[A-Za-z_]\w*", program.source.text(walk.node)))
    return names - written(program.source, walk.node)


def trips(program: LiveCode, walk: Walk) -> int | None:
    """Number of turns of a loop from 0, or from x to x + number; None where it is not plain."""
    found = re.search(rf"\b{walk.variable}\s*(?:<|!=)\s*([^&|?]+)", walk.condition)
    if found is None:
        return None
    bound = found[1].strip()
    if walk.start and walk.start != "0" and bound.startswith(walk.start):
        bound = bound[len(walk.start) :].strip().removeprefix("+").strip()
    elif walk.start != "0":
        return None
    value = program.value(bound)
    step = program.value(walk.step)
    return None if value is None or not step or step < 1 else -(-value // step)


def assignments(source: SourceFile, within: Node) -> Iterator[tuple[Node, Node, str, Node]]:
    """(whole, left, operator, right) of each assignment."""
    for node in source.find("assignment_expression", within=within):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = node.child_by_field_name("operator")
        if left is not None and right is not None:
            yield node, left, source.text(operator) if operator is not None else "=", right


def root_name(source: SourceFile, node: Node) -> str:
    """The variable behind an element: `a` of `a[i][j]`, of `*a++` and of `*(a + i)`."""
    while node.type in ("parenthesized_expression", "pointer_expression", "update_expression", "cast_expression"):
        inner = node.child_by_field_name("argument") or node.child_by_field_name("value")
        inner = inner or (node.named_children[0] if node.named_children else None)
        if inner is None:
            break
        node = inner
    if node.type == "binary_expression" and (left := node.child_by_field_name("left")) is not None:
        return root_name(source, left)
    return base_name(source, node)
