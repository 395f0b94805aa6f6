"""Statements that repeat one another for different turns of a loop, as unrolling and unroll-and-jam leave them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.source import SourceFile, ancestors
from maxcode.train.techniques.nests import mentions

_STORES = re.compile(r"\w*store\w*|\w*_st1\w*|vst1\w*")


def changing_statements(source: SourceFile, within: Node) -> list[Node]:
    """Statements that add to something or store something, and blocks on their own that do; plain loads into locals are
    no work of their own."""
    blocks = [
        node
        for node in source.find("compound_statement", within=within)
        if node.parent is not None and node.parent.type == "compound_statement"
    ]
    return blocks + [node for node in source.find("expression_statement", within=within) if _works(source, node)]


def _works(source: SourceFile, node: Node) -> bool:
    inner = node.named_children[0] if node.named_children else None
    if inner is None:
        return False
    if inner.type == "assignment_expression":
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if left is None or right is None:
            return False
        if left.type in ("identifier", "qualified_identifier"):
            return accumulates(source, inner)
        return True
    if inner.type == "update_expression":
        return "[" in source.text(inner)
    if inner.type == "call_expression":
        called = inner.child_by_field_name("function")
        return called is not None and bool(_STORES.fullmatch(source.text(called)))
    return False


def accumulates(source: SourceFile, assignment: Node) -> bool:
    """Whether an assignment adds to its target: `x += y[i] * z`, `x = x + ...`, `x = fma(a, b, x)`; not `p += 4`."""
    left, right = assignment.child_by_field_name("left"), assignment.child_by_field_name("right")
    operator = assignment.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return False
    text, target = source.text(right), source.text(left)
    if source.text(operator) == "=":
        if target not in text:
            return False
        text = text.replace(target, " ")
    return bool(re.search(r"\w\s*\*\s*[\w(*]|\*\s*\w|\w\s*\(|\[", text))


def in_loop_directly(node: Node, loop: Node) -> bool:
    """Whether no other loop stands between."""
    return next((each for each in ancestors(node) if each.type in LOOPS), None) == loop


def offsets(text: str, variable: str) -> tuple[str, frozenset[int]]:
    """The text with each `variable + number` made the same, and the numbers."""
    found: set[int] = set()

    def note(match: re.Match[str]) -> str:
        found.add(int(match[1] or match[2] or match[3] or 0))
        return "@"

    def note_later(match: re.Match[str]) -> str:
        found.add(int(match[2]))
        return f"@{match[1]}"

    marked = re.sub(
        rf"\b{variable}\s*\+\s*(\d+)\b|\b(\d+)\s*\+\s*{variable}\b|\b{variable}\s*\[\s*(\d+)\s*\]|\b{variable}\b",
        note,
        text,
    )
    marked = re.sub(r"@((?:\s*\+\s*[A-Za-z_]\w*)+)\s*\+\s*(\d+)\b", note_later, marked)
    return re.sub(r"\(\s*@\s*\)", "@", marked), frozenset(found)


def shape(text: str) -> str:
    """The form of a text: names and numbers left out."""
    plain = re.sub(r"\b(?!@)[A-Za-z_]\w*\b(?!\s*\()", "I", text)
    return re.sub(r"\s+", "", re.sub(r"\b\d[\w.]*\b", "N", plain))


def same_of_other_turns(source: SourceFile, statements: list[Node], variable: str) -> bool:
    """Whether two statements, or two terms of one sum, differ only in how far along the variable they look."""
    seen: dict[str, frozenset[int]] = {}
    for node in statements:
        text = source.text(node)
        if not mentions(text, variable):
            continue
        marked, numbers = offsets(text, variable)
        form = shape(marked)
        if form in seen and seen[form] != numbers:
            return True
        seen.setdefault(form, numbers)
        if _terms_alike(text, variable):
            return True
    return False


def partial_sums(source: SourceFile, within: Node, variable: str) -> bool:
    """Whether two locals are set to the same sum of several turns: `t0 = p[0] + p[1], t1 = p[2] + p[3]`."""
    seen: dict[str, frozenset[int]] = {}
    for node in source.find("init_declarator", within=within):
        value = node.child_by_field_name("value")
        marked, numbers = offsets(source.text(value) if value is not None else "", variable)
        if len(numbers) > 1 and seen.setdefault(shape(marked), numbers) != numbers:
            return True
    return False


def numbered_terms(source: SourceFile, statements: list[Node]) -> int:
    """The most terms of one sum that differ only in the numbers of their names: `a0 * b0[j] + a1 * b1[j]`."""
    most = 0
    for node in statements:
        found = re.search(r"\+=|(?<![<>=!+*/-])=(?!=)", source.text(node))
        terms = list(_summands(source.text(node)[found.end() :].rstrip("; \n"))) if found else []
        forms = [re.sub(r"\s+|(?<=[A-Za-z_])\d+\b", "", term) for term in terms]
        alike = [form for form, term in zip(forms, terms, strict=True) if form != re.sub(r"\s+", "", term)]
        most = max([most, *(alike.count(form) for form in alike)])
    return most


def _terms_alike(text: str, variable: str) -> bool:
    found = re.search(r"\+=|(?<![<>=!+*/-])=(?!=)", text)
    if found is None or (found[0] == "=" and text[: found.start()].strip() not in text[found.end() :]):
        return False
    seen: dict[str, frozenset[int]] = {}
    for term in _summands(text[found.end() :].rstrip("; \n")):
        marked, numbers = offsets(term, variable)
        form = shape(marked)
        if numbers and form in seen and seen[form] != numbers:
            return True
        seen.setdefault(form, numbers)
    return False


def _summands(text: str) -> Iterator[str]:
    depth, current = 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "+" and depth == 0:
            yield current
            current = ""
        else:
            current += character
    yield current
