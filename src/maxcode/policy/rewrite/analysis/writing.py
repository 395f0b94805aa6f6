"""Writing code out again: names replaced, blocks nested, lines indented as the program does it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import Loop, statements
from maxcode.policy.rewrite.source import Edit, SourceFile, apply

Lines = list[str]


def edited(source: SourceFile, node: Node, edits: Iterable[Edit]) -> str:
    """The text of a node with edits inside it made."""
    start, end = node.start_byte, node.end_byte
    outside = (Edit(0, start, ""), Edit(end, len(source.data), ""))
    return apply(source, (outside[0], *edits, outside[1])).code


def renaming(source: SourceFile, node: Node, names: Mapping[str, str]) -> list[Edit]:
    """Edits that put expressions in the place of variables, in parentheses where they need them."""
    return [
        source.replace(each, _guarded(each, names[source.text(each)]))
        for each in source.find("identifier", within=node)
        if source.text(each) in names
    ]


_LOOSE = ("+", "<", ">", "<=", ">=", "==", "!=", "&&", "||")
"""Operators that a sum can stand next to as it is."""


def _guarded(node: Node, text: str) -> str:
    parent = node.parent
    if re.fullmatch(r"[\w.]+(?:\[[^\[\]]+\])*", text) or parent is None:
        return text
    loose = parent.type == "binary_expression" and parent.children[1].type in _LOOSE
    whole = parent.type in ("subscript_argument_list", "argument_list", "init_declarator", "parenthesized_expression")
    is_index = parent.type == "subscript_expression" and parent.children[0] != node
    return text if loose or whole or is_index else f"({text})"


def lines_of(source: SourceFile, node: Node, edits: Iterable[Edit] = ()) -> Lines:
    """The lines of a node, less the indentation of the line on which it begins."""
    first, *rest = edited(source, node, edits).split("\n")
    indent = source.indent(node)
    return [first, *(line.removeprefix(indent) for line in rest)]


def body_lines(source: SourceFile, body: Node, edits: Iterable[Edit] = ()) -> Lines:
    """The lines between the braces of a body with comments, or those of its one statement."""
    if body.type != "compound_statement":
        return lines_of(source, body, edits)
    inner = edited(source, body, edits)[1:-1].strip("\n").rstrip()
    depths = [len(line) - len(line.lstrip()) for line in inner.split("\n") if line.strip()]
    least = min(depths, default=0)
    return [line[least:].rstrip() for line in inner.split("\n")]


def unit(source: SourceFile) -> str:
    """One step of indentation."""
    for each in source.find("compound_statement"):
        inner = statements(each)
        if inner and inner[0].start_point[0] > each.start_point[0] and each.end_point[0] > inner[0].end_point[0]:
            outer = source.data[source.data.rfind(b"\n", 0, each.end_byte - 1) + 1 : each.end_byte - 1].decode()
            deeper = source.indent(inner[0])
            if not outer.strip() and len(deeper) > len(outer):
                return deeper.removeprefix(outer)
    return "    "


def block(source: SourceFile, head: str, body: Lines) -> Lines:
    """`head {`, the body one step deeper, `}`."""
    step = unit(source)
    return [f"{head} {{", *(step + line if line.strip() else "" for line in body), "}"]


def braced(source: SourceFile, lines: Lines) -> Lines:
    return ["{", *block(source, "", lines)[1:]]


def otherwise(first: Lines, second: Lines) -> Lines:
    """Joins `if (...) {...}` and `else {...}`."""
    return [*first[:-1], f"}} {second[0]}", *second[1:]]


def placed(lines: Lines, indent: str) -> str:
    """Lines as the text that stands where a node with that indentation began."""
    return "\n".join([lines[0], *(indent + line if line.strip() else "" for line in lines[1:])])


def in_place_of(loop: Loop, lines: Lines) -> Edit:
    """Replaces a loop; where it was the one statement after an `if` or `for`, several get braces."""
    parent = loop.node.parent
    hangs = parent is not None and parent.type not in ("compound_statement", "case_statement")
    single = lines.count("}") == 1 and lines[-1] == "}"
    if hangs and not single:
        lines = braced(loop.source, lines)
    return loop.source.replace(loop.node, placed(lines, loop.indent))


def header(loop: Loop, *, start: str | None = None, end: str | None = None, step: str | None = None) -> str:
    """`for (...)` of a loop, with parts of it replaced."""
    kind = f"{loop.type} " if loop.type else ""
    step = step or loop.step
    update = f"{loop.variable}++" if step == "1" else f"{loop.variable}--" if step == "-1" else _stepping(loop, step)
    test = f"{loop.variable} {loop.comparison} {end or loop.end}"
    return f"for ({kind}{loop.variable} = {start or loop.start}; {test}; {update})"


def _stepping(loop: Loop, step: str) -> str:
    return f"{loop.variable} -= {step[1:]}" if step.startswith("-") else f"{loop.variable} += {step}"
