"""Python programs: where names, statements and calls stand."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from maxcode.policy.rewrite.source import SourceFile, ancestors, inside

LOOPS = ("for_statement", "while_statement")
FUNCTIONS = ("function_definition", "lambda")
COMPREHENSIONS = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
BUILT_IN = frozenset(dir(builtins))


def scope_of(node: Node) -> Node:
    """The function or module in which a name at this place lives."""
    around = [each for each in ancestors(node) if each.type in (*FUNCTIONS, "class_definition", "module")]
    return around[0] if around else node


def mentions(source: SourceFile, name: str, within: Node) -> list[Node]:
    """Places that name a variable, without attributes and argument names that are spelled alike."""
    return [each for each in source.identifiers.get(name, []) if inside(each, within) and _is_variable(each)]


def variables(source: SourceFile, within: Node) -> Iterator[Node]:
    return (each for each in source.find("identifier", within=within) if _is_variable(each))


def _is_variable(node: Node) -> bool:
    above = node.parent
    return above is None or not (
        (above.type == "attribute" and above.child_by_field_name("attribute") == node)
        or (above.type == "keyword_argument" and above.child_by_field_name("name") == node)
    )


def used(source: SourceFile, node: Node) -> set[str]:
    return {source.text(each) for each in variables(source, node)}


def body_of(node: Node) -> list[Node]:
    """The statements of the block that belongs to a loop, function or branch, comments left out."""
    block = node.child_by_field_name("body") or node.child_by_field_name("consequence")
    return statements(block) if block is not None else []


def statements(block: Node) -> list[Node]:
    return [each for each in block.named_children if each.type != "comment"]


def statement_of(node: Node) -> Node | None:
    """The statement that a node is or belongs to."""
    while node.parent is not None and node.parent.type not in ("module", "block"):
        node = node.parent
    return node if node.parent is not None else None


def neighbours(source: SourceFile) -> Iterator[tuple[Node, Node]]:
    """Statements that follow each other, each on lines of its own."""
    for block in source.find("module", "block"):
        for first, second in pairwise(statements(block)):
            if alone(source, first) and alone(source, second):
                yield first, second


def following(node: Node) -> Node | None:
    """The statement after a statement."""
    after = node.next_named_sibling
    while after is not None and after.type == "comment":
        after = after.next_named_sibling
    return after


def preceding(node: Node) -> Node | None:
    before = node.prev_named_sibling
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    return before


def alone(source: SourceFile, node: Node) -> bool:
    """Whether a statement has its lines for itself, a comment behind it aside."""
    begin = source.data.rfind(b"\n", 0, node.start_byte) + 1
    end = source.data.find(b"\n", node.end_byte)
    rest = source.data[node.end_byte : end if end >= 0 else None].strip()
    return not source.data[begin : node.start_byte].strip() and (not rest or rest.startswith(b"#"))


def assignment(source: SourceFile, node: Node | None) -> tuple[str, Node] | None:
    """`name = value` as name and value."""
    if node is None or node.type != "expression_statement" or len(node.named_children) != 1:
        return None
    inner = node.named_children[0]
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if inner.type != "assignment" or left is None or right is None or left.type != "identifier":
        return None
    return (source.text(left), right) if right.type != "assignment" else None


def addition(source: SourceFile, node: Node) -> tuple[str, Node] | None:
    """`x += value` and `x = x + value` as the text of x and the value."""
    inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or right is None or inner.type not in ("assignment", "augmented_assignment"):
        return None
    if inner.type == "augmented_assignment":
        operator = inner.child_by_field_name("operator")
        return (source.text(left), right) if operator is not None and source.text(operator) == "+=" else None
    if right.type != "binary_operator" or source.text(right.children[1]) != "+":
        return None
    first, value = right.children[0], right.children[-1]
    return (source.text(left), value) if source.text(first) == source.text(left) else None


def call_of(source: SourceFile, node: Node | None, *names: str) -> list[Node] | None:
    """The arguments where an expression, or a statement that is one, calls one of these by name."""
    if node is not None and node.type == "expression_statement" and len(node.named_children) == 1:
        node = node.named_children[0]
    if node is None or node.type != "call":
        return None
    function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if function is None or arguments is None or arguments.type != "argument_list":
        return None
    return statements(arguments) if source.text(function) in names else None


def plain_arguments(arguments: list[Node] | None) -> bool:
    """Whether no argument is `key=value`, `*rest` or `**rest`."""
    return arguments is not None and not any(
        each.type in ("keyword_argument", "list_splat", "dictionary_splat") for each in arguments
    )


def looks_like_list(text: str) -> bool:
    return bool(re.match(r"\[|list\(|sorted\(", text)) or bool(re.search(r"\.r?split\([^()]*\)$", text))


def singular(source: SourceFile, name: str) -> str:
    """New name for an element of a list, from the list's name where that is a plural."""
    one = name[:-1] if re.fullmatch(r"[a-z_]{3,}s", name) and not name.endswith("ss") else "item"
    return source.fresh(one if one not in BUILT_IN else "item")
