"""Rules as data: code with holes before and after, and a condition on what the holes stand for.

A hole is written `$name`. It stands for one expression; holes of one name stand for the same text. A pattern of several
statements matches statements that follow each other in one block. Comments in the program are never matched away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.source import Edit, SourceFile, reindented

_HOLE = re.compile(r"\$(\w+)")
_MARK = "hole_of_pattern_"

Holes = dict[str, Node]
Condition = Callable[[SourceFile, Holes], bool]


@dataclass(frozen=True)
class Rule:
    """`before` becomes `after`, where `when` holds."""

    before: str
    after: str
    when: Condition | None = None
    needs: tuple[str, ...] = ()
    """Headers of C++, or imports of Python such as "import heapq"."""


@dataclass(frozen=True)
class PatternMatch:
    rule: Rule
    nodes: tuple[Node, ...]
    """The expression, or the statements one after another."""
    holes: Holes

    def edit(self, source: SourceFile) -> Edit:
        first, last = self.nodes[0], self.nodes[-1]
        return Edit(first.start_byte, last.end_byte, reindented(filled(source, self), source.indent(first)))


def filled(source: SourceFile, match: PatternMatch) -> str:
    """The right side of a rule with the program's own text in its holes."""
    return _HOLE.sub(lambda hole: _inserted(source, match.holes[hole[1]], hole), match.rule.after)


def _inserted(source: SourceFile, node: Node, hole: re.Match[str]) -> str:
    """The text for a hole, in parentheses where an operator of Python would else take a part of it."""
    before, after = hole.string[: hole.start()].rstrip()[-1:], hole.string[hole.end() :].lstrip()[:1]
    delimited = before in ("", "(", "[", "{", ",", "=") and after in ("", ")", "]", "}", ",", ":")
    loose = source.language is Language.PYTHON and node.type in _LOOSE
    return f"({source.text(node)})" if loose and not delimited else source.text(node)


_LOOSE = frozenset(
    "binary_operator boolean_operator comparison_operator conditional_expression not_operator unary_operator lambda "
    "named_expression await".split()
)


def matches(source: SourceFile, rule: Rule) -> Iterator[PatternMatch]:
    """Places where a rule applies, in the order of the text."""
    pattern, wanted = _parsed(rule.before, source.language)
    for node in source.find(wanted[0].type):
        nodes = _following(node, len(wanted))
        holes: Holes = {}
        if len(nodes) < len(wanted) or any(each.has_error for each in nodes):
            continue
        fits = all(_fits(pattern, want, source, has, holes) for want, has in zip(wanted, nodes, strict=True))
        if fits and (rule.when is None or rule.when(source, holes)):
            yield PatternMatch(rule, tuple(nodes), holes)


@lru_cache(maxsize=512)
def _parsed(text: str, language: Language) -> tuple[SourceFile, list[Node]]:
    """A pattern's text with names for its holes, and its statements; its expression where it is one alone."""
    code = _HOLE.sub(lambda hole: _MARK + hole[1], text)
    if language is Language.PYTHON:
        source = SourceFile(code, language)
        found = source.root.named_children
    else:
        statement = code.rstrip().endswith((";", "}"))
        source = SourceFile(f"void f() {{ {code}{'' if statement else ';'} }}", language)
        found = next(source.find("compound_statement")).named_children
        if not statement:
            return source, [found[0].named_children[0]]
    alone = len(found) == 1 and found[0].type == "expression_statement" and language is Language.PYTHON
    return source, [found[0].named_children[0]] if alone else list(found)


def _following(node: Node, count: int) -> list[Node]:
    """A node and its next siblings. A comment between them ends the row."""
    found = [node]
    while len(found) < count:
        after = found[-1].next_named_sibling
        if after is None or after.type == "comment":
            break
        found.append(after)
    return found


def _fits(pattern: SourceFile, want: Node, source: SourceFile, has: Node, holes: Holes) -> bool:
    text = pattern.text(want)
    if text.startswith(_MARK) and re.fullmatch(r"\w+", text):
        known = holes.setdefault(text.removeprefix(_MARK), has)
        return source.text(known) == source.text(has)
    if want.type != has.type or len(want.children) != len(has.children):
        return False
    if not want.children:
        return text == source.text(has)
    return all(_fits(pattern, a, source, b, holes) for a, b in zip(want.children, has.children, strict=True))
