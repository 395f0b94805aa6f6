"""Python: loops that do one thing for each element, which other forms say in one line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import alone, assignment, body_of, mentions, preceding, scope_of, used
from maxcode.policy.rewrite.python.effects import dead_after
from maxcode.policy.rewrite.source import Edit, SourceFile, field

LOOSE = ("conditional_expression", "lambda", "expression_list", "named_expression")
"""Expressions that need parentheses inside others."""


@dataclass(frozen=True)
class Sweep:
    """`for x in xs:` and `if c:` around one statement: what a comprehension can say in one line."""

    clauses: str
    """Clauses as text, such as ` for x in xs if c`."""
    last: Node
    """The statement inside."""
    variables: frozenset[str]
    plain: str | None
    """The iterable, where the clauses are one `for` over it with one variable."""


def tight(source: SourceFile, node: Node) -> str:
    text = source.text(node)
    return f"({text})" if node.type in LOOSE else text


def is_plain_for(source: SourceFile, node: Node) -> bool:
    return (
        node.type == "for_statement"
        and not node.has_error
        and node.child_by_field_name("alternative") is None
        and source.text(node).startswith("for")
    )


def sweep(source: SourceFile, loop: Node) -> Sweep | None:
    clauses, names, node = "", set(), loop
    while is_plain_for(source, node) or _is_plain_if(node):
        if node.type == "for_statement":
            left, right = field(node, "left"), field(node, "right")
            clauses += f" for {source.text(left)} in {tight(source, right)}"
            names |= used(source, left)
            if next(source.find("subscript", "attribute", within=left), None) is not None:
                return None
        else:
            clauses += f" if {tight(source, field(node, 'condition'))}"
        inner = body_of(node)
        if len(inner) != 1:
            return None
        node = inner[0]
    odd = ("yield", "await", "named_expression", "comment", "list_splat_pattern", "line_continuation")
    if next(source.find(*odd, within=loop), None) is not None:
        return None
    single = node in body_of(loop) and field(loop, "left").type == "identifier"
    return Sweep(clauses, node, frozenset(names), tight(source, field(loop, "right")) if single else None)


def _is_plain_if(node: Node) -> bool:
    return node.type == "if_statement" and node.child_by_field_name("alternative") is None


def sweeps(source: SourceFile) -> Iterator[tuple[Node, Sweep]]:
    """Loops on lines of their own that are sweeps and whose variables are not read later."""
    for loop in source.find("for_statement"):
        if not is_plain_for(source, loop) or not alone(source, loop) or scope_of(loop).type == "class_definition":
            continue
        found = sweep(source, loop)
        if found is not None and all(dead_after(source, name, loop) for name in found.variables):
            yield loop, found


def start_of(source: SourceFile, name: str, loop: Node) -> tuple[Node, Node] | None:
    """The statement of the same block that gives a variable its value before a loop, and that value."""
    before = preceding(loop)
    while before is not None:
        found = assignment(source, before)
        if found is not None and found[0] == name:
            return (before, found[1]) if source.remove_line(before).end > before.end_byte else None
        if mentions(source, name, before) or before.type in ("function_definition", "class_definition"):
            return None
        before = preceding(before)
    return None


def in_place_of(source: SourceFile, first: Node | None, loop: Node, text: str) -> tuple[Edit, ...]:
    """Puts a line in the place of a loop, and takes the line out that prepared for it."""
    edit = source.replace(loop, text)
    return (source.remove_line(first), edit) if first is not None else (edit,)
