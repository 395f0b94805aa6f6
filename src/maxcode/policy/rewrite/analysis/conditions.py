"""Conditions of `if`: their parts, their opposites, and the statement that is left when the answer is known."""

from __future__ import annotations

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import declared, statements
from maxcode.policy.rewrite.analysis.writing import body_lines, placed
from maxcode.policy.rewrite.source import Edit, SourceFile

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def condition_of(node: Node) -> Node | None:
    """The expression between the parentheses of an `if`."""
    found = node.child_by_field_name("condition")
    inner = [child for child in found.named_children if child.type != "comment"] if found is not None else []
    return inner[0] if len(inner) == 1 else None


def joined_by(source: SourceFile, node: Node, operator: str) -> list[Node]:
    """The operands of a chain of `&&` or `||`; the expression alone where it is none."""
    if node.type == "parenthesized_expression" and len(node.named_children) == 1:
        return joined_by(source, node.named_children[0], operator)
    sign = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if node.type != "binary_expression" or sign is None or source.text(sign) != operator or not left or not right:
        return [node]
    return [*joined_by(source, left, operator), *joined_by(source, right, operator)]


def comparison(source: SourceFile, node: Node) -> tuple[str, str, str] | None:
    """Left side, sign and right side of a comparison."""
    sign, left, right = (node.child_by_field_name(name) for name in ("operator", "left", "right"))
    if node.type != "binary_expression" or sign is None or left is None or right is None:
        return None
    return (source.text(left), source.text(sign), source.text(right)) if source.text(sign) in _OPPOSITE else None


def alternative_of(node: Node) -> Node | None:
    """The statement behind `else`; None where there is none."""
    clause = node.child_by_field_name("alternative")
    inner = [child for child in clause.named_children if child.type != "comment"] if clause is not None else []
    return inner[0] if inner else None


def decided(source: SourceFile, node: Node, holds: bool) -> Edit:
    """Puts the branch that is taken in the place of an `if`."""
    branch = node.child_by_field_name("consequence") if holds else alternative_of(node)
    if branch is None or (branch.type == "compound_statement" and not statements(branch)):
        return source.remove_line(node)
    if branch.type == "compound_statement" and (declared(source, branch) or _hangs(node)):
        return source.replace(node, source.text(branch))
    return source.replace(node, placed(body_lines(source, branch), source.indent(node)))


def _hangs(node: Node) -> bool:
    """Whether a statement is the body of another one without braces, so that it must stay one statement."""
    return node.parent is not None and node.parent.type != "compound_statement"
