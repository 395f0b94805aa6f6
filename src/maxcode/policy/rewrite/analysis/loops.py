"""Counting loops, nests and array accesses: what can be read off the syntax tree, and nothing more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from maxcode.policy.rewrite.source import SourceFile, ancestors, inside

JUMPS = ("break_statement", "continue_statement", "return_statement", "goto_statement")
LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
ASSIGNMENTS = ("assignment_expression", "update_expression")


@dataclass(frozen=True)
class Loop:
    """`for (TYPE i = START; i < END; i += STEP) BODY` with a body that leaves i alone."""

    source: SourceFile
    node: Node
    variable: str
    type: str | None
    """Type of the variable; None where it is declared outside the loop."""
    start: str
    comparison: str
    """Operator of the condition: one of <, <=, !=, > and >=."""
    end: str
    step: str
    """Step as text: "1" for i++, negative where the loop counts down."""
    body: Node

    @property
    def line(self) -> int:
        return self.source.line(self.node)

    @property
    def indent(self) -> str:
        return self.source.indent(self.node)

    @property
    def header(self) -> str:
        """The text from `for` up to the body, without trailing space."""
        return self.source.data[self.node.start_byte : self.body.start_byte].decode().rstrip()

    @property
    def rises_by_one(self) -> bool:
        return self.step == "1" and self.comparison in ("<", "<=")

    @cached_property
    def statements(self) -> list[Node]:
        """The statements of the body, comments left out."""
        return statements(self.body)

    @cached_property
    def inner(self) -> Loop | None:
        """The loop that is the whole body, if it is one."""
        return as_loop(self.source, self.statements[0]) if len(self.statements) == 1 else None

    @cached_property
    def depth(self) -> int:
        return sum(1 for each in ancestors(self.node) if each.type in LOOPS)

    @cached_property
    def innermost(self) -> bool:
        return next(self.source.find(*LOOPS, within=self.body), None) is None

    @cached_property
    def jumps(self) -> bool:
        """True if something in the body leaves it early."""
        return next(self.source.find(*JUMPS, within=self.body), None) is not None

    @cached_property
    def calls(self) -> list[str]:
        """Calls in the body, casts left out."""
        names = (self.source.text(call.children[0]) for call in self.source.find("call_expression", within=self.body))
        return [name for name in names if "_cast<" not in name]


def statements(body: Node) -> list[Node]:
    if body.type != "compound_statement":
        return [body]
    return [node for node in body.named_children if node.type != "comment"]


def loops(source: SourceFile, within: Node | None = None) -> Iterator[Loop]:
    """Every counting loop, outer ones first."""
    for node in source.find("for_statement", within=within):
        found = as_loop(source, node)
        if found is not None:
            yield found


def as_loop(source: SourceFile, node: Node) -> Loop | None:
    """The counting loop that a statement is, if it is one whose variable changes in the header alone."""
    if node.type != "for_statement" or node.has_error:
        return None
    parts = [node.child_by_field_name(name) for name in ("initializer", "condition", "update", "body")]
    initializer, condition, update, body = parts
    if initializer is None or condition is None or update is None or body is None:
        return None
    begin, test, step = _begin(source, initializer), _test(source, condition), _step(source, update)
    if begin is None or test is None or step is None:
        return None
    kind, variable, start = begin
    if not variable == test[0] == step[0] or variable in written(source, body):
        return None
    return Loop(source, node, variable, kind, start, test[1], test[2], step[1], body)


def _begin(source: SourceFile, node: Node) -> tuple[str | None, str, str] | None:
    text = source.text(node).rstrip(";").strip()
    declared = re.fullmatch(
        r"((?:(?:const|unsigned|signed|std::)\s*)*[\w:]+(?:\s+(?:long|int))*)\s+(\w+)\s*=\s*([^,;]+)", text
    )
    if declared and node.type == "declaration":
        return declared[1], declared[2], declared[3].strip()
    assigned = re.fullmatch(r"(\w+)\s*=\s*([^,;=][^,;]*)", text)
    return (None, assigned[1], assigned[2].strip()) if assigned else None


def _test(source: SourceFile, node: Node) -> tuple[str, str, str] | None:
    if node.type != "binary_expression":
        return None
    left, right, operator = (node.child_by_field_name(name) for name in ("left", "right", "operator"))
    if left is None or right is None or operator is None or left.type != "identifier":
        return None
    comparison = source.text(operator)
    return (source.text(left), comparison, source.text(right)) if comparison in ("<", "<=", ">", ">=", "!=") else None


def _step(source: SourceFile, node: Node) -> tuple[str, str] | None:
    text = re.sub(r"\s+", "", source.text(node))
    for pattern, sign in ((r"(\w+)\+\+|\+\+(\w+)", "1"), (r"(\w+)--|--(\w+)", "-1")):
        match = re.fullmatch(pattern, text)
        if match:
            return match[1] or match[2], sign
    match = re.fullmatch(r"(\w+)([+-])=([\w.]+)", text) or re.fullmatch(r"(\w+)=\1([+-])([\w.]+)", text)
    return (match[1], match[3] if match[2] == "+" else f"-{match[3]}") if match else None


def written(source: SourceFile, node: Node) -> set[str]:
    """Names that a piece of code may change: assigned, counted up or down, read into, or given by address."""
    found = set()
    for each in source.find("assignment_expression", "update_expression", within=node):
        target = each.child_by_field_name("left") or each.child_by_field_name("argument")
        if target is not None:
            found.add(base_name(source, target))
    for each in source.find("pointer_expression", within=node):
        if source.text(each).startswith("&"):
            found.add(base_name(source, each.named_children[0]))
    for each in source.find("binary_expression", within=node):
        operator = each.child_by_field_name("operator")
        right = each.child_by_field_name("right")
        if operator is not None and right is not None and source.text(operator) == ">>":
            found.add(base_name(source, right))
    return found


def base_name(source: SourceFile, node: Node) -> str:
    """The variable that an expression such as `a[i].b->c` starts from."""
    while node.named_children and node.type in (
        "subscript_expression", "field_expression", "parenthesized_expression", "pointer_expression"
    ):  # fmt: skip
        node = node.named_children[0]
    return source.text(node)


def declared(source: SourceFile, node: Node) -> set[str]:
    """Names that a piece of code declares."""
    found = set()
    for each in source.find("declaration", "for_range_loop", "parameter_declaration", within=node):
        for declarator in each.children_by_field_name("declarator"):
            name = next(source.find("identifier", within=declarator), None)
            if name is not None:
                found.add(source.text(name))
    return found


def used(source: SourceFile, node: Node) -> set[str]:
    return {source.text(each) for each in source.find("identifier", within=node)}


@dataclass(frozen=True)
class Access:
    """`array[index]...`: one element read or written. Several dimensions have several indices."""

    node: Node
    array: str
    indices: tuple[str, ...]
    writes: bool

    def stride(self, variable: str) -> str | None:
        """How far one step of the variable moves: "0", "1", another factor, or None where that is not plain."""
        outer = [index for index in self.indices[:-1] if re.search(rf"\b{variable}\b", index)]
        return "row" if outer else linear(self.indices[-1], variable)


def accesses(source: SourceFile, node: Node) -> list[Access]:
    """The array accesses in a piece of code, whole chains of subscripts only."""
    found = []
    for each in source.find("subscript_expression", within=node):
        if each.parent is not None and each.parent.type == "subscript_expression" and each.parent.children[0] == each:
            continue
        base = each
        indices: list[str] = []
        while base.type == "subscript_expression":
            inner = source.text(base)[len(source.text(base.children[0])) :].strip()
            indices.insert(0, inner[1:-1].strip())
            base = base.children[0]
        found.append(Access(each, source.text(base), tuple(indices), _is_target(each)))
    return found


def _is_target(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.type in ("field_expression", "parenthesized_expression"):
        node, parent = parent, parent.parent
    if parent is None or parent.type not in ASSIGNMENTS:
        return False
    target = parent.child_by_field_name("left") or parent.child_by_field_name("argument")
    return target is not None and inside(node, target)


def linear(index: str, variable: str) -> str | None:
    """The factor of a variable in a sum of products; "0" where it does not occur, None where it is not linear."""
    if not re.search(rf"\b{variable}\b", index):
        return "0"
    plain = re.sub(
        r"static_cast<[\w: ]+>\s*\(([\w.]+)\)|\((?:size_t|std::size_t|int|long|long long|ptrdiff_t)\)\s*", r"\1", index
    )
    factor: str | None = None
    for term in _terms(plain):
        if not re.search(rf"\b{variable}\b", term):
            continue
        factors = [part.strip() for part in term.split("*")]
        others = [part for part in factors if part != variable]
        simple = all(re.fullmatch(r"[\w.>()+ -]+", part) and not re.search(rf"\b{variable}\b", part) for part in others)
        if factor is not None or len(others) != len(factors) - 1 or not simple:
            return None
        factor = " * ".join(others) or "1"
    return factor


def _terms(text: str) -> list[str]:
    """The summands at the top level of an expression."""
    terms, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character in "+-" and depth == 0:
            terms.append(current)
            current = ""
        else:
            current += character
    return [term.strip() for term in (*terms, current) if term.strip()]
