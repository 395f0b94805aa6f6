"""Loops: tests of an index against the edges turned into bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.conditions import comparison, condition_of, decided, joined_by
from maxcode.policy.rewrite.analysis.effects import constants, effects, names_in, spelled_out, type_of
from maxcode.policy.rewrite.analysis.loops import Loop, as_loop, declared, loops, written
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, header, in_place_of
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_SIGNED = re.compile(r"(?:const\s+)?(?:int|long|long long|ll|short)")
Terms = list[tuple[int, str]]
"""A sum: signs and summands."""


@dataclass(frozen=True)
class EdgeTest:
    """`variable >= edge` (lower) or `variable < edge`, as it follows from one part of a condition."""

    part: Node
    edge: Terms
    lower: bool

    @property
    def names(self) -> set[str]:
        return {name for _, term in self.edge for name in names_in(term)}


def terms_of(text: str) -> Terms | None:
    """A sum of names, numbers and products of them; None for anything else."""
    found: Terms = []
    compact = re.sub(r"\s+", "", text)
    if not re.fullmatch(r"[+-]?[\w*]+(?:[+-][\w*]+)*", compact):
        return None
    for sign, term in re.findall(r"([+-]?)([\w*]+)", compact):
        found.append((-1 if sign == "-" else 1, term.replace("*", " * ")))
    return found


def sum_text(terms: Terms) -> str:
    """A sum as text, numbers added up, what is added first."""
    number = sum(sign * int(term) for sign, term in terms if term.isdigit())
    names = [(sign, term) for sign, term in terms if not term.isdigit()]
    for sign, term in list(names):
        if sign == 1 and (-1, term) in names:
            names.remove((1, term))
            names.remove((-1, term))
    rest = [(1 if number > 0 else -1, str(abs(number)))] if number else []
    ordered = sorted([*names, *rest], key=lambda each: -each[0])
    text = "".join(f" {'+' if sign > 0 else '-'} {term}" for sign, term in ordered) or " + 0"
    return text.removeprefix(" + ").replace(" - ", "-", 1) if text.startswith(" - ") else text.removeprefix(" + ")


def negated(terms: Terms) -> Terms:
    return [(-sign, term) for sign, term in terms]


def edge_tests(loop: Loop, guard: Node) -> list[EdgeTest]:
    """The parts of a guard's condition that bound the loop's variable, whose factor must be one."""
    condition = condition_of(guard)
    if condition is None:
        return []
    values = constants(loop.source, loop.body)
    found = [_test(loop, part, values) for part in joined_by(loop.source, condition, "&&")]
    return [each for each in found if each is not None]


def _test(loop: Loop, part: Node, values: dict[str, str]) -> EdgeTest | None:
    found = comparison(loop.source, part)
    if found is None or found[1] not in ("<", "<=", ">", ">="):
        return None
    left, right = (terms_of(spelled_out(side, values)) for side in (found[0], found[2]))
    if left is None or right is None:
        return None
    sign = found[1]
    if any(term == loop.variable for _, term in right):
        left, right, sign = right, left, {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[sign]
    others = [each for each in left if each != (1, loop.variable)]
    if len(others) != len(left) - 1 or any(loop.variable in names_in(term) for _, term in (*others, *right)):
        return None
    past = [(1, "1")] if sign in (">", "<=") else []
    return EdgeTest(part, [*right, *negated(others), *past], lower=sign in (">", ">="))


def signed_bounds(loop: Loop, tests: list[EdgeTest]) -> bool:
    """Whether loop and edges are made of signed numbers that can be compared before the loop."""
    names = names_in(loop.end).union(*(test.names for test in tests))
    kinds = {name: type_of(loop.source, name, loop.node) or "" for name in names}
    return (
        loop.type is not None
        and _SIGNED.fullmatch(loop.type) is not None
        and loop.rises_by_one
        and loop.comparison == "<"
        and all(_SIGNED.fullmatch(kind) for kind in kinds.values())
        and loop.node.parent is not None
        and loop.node.parent.type == "compound_statement"
    )


def without_tests(source: SourceFile, guard: Node, gone: list[EdgeTest]) -> Edit:
    """The guard without some parts of its condition."""
    condition = condition_of(guard)
    assert condition is not None
    parts = [
        source.text(part) for part in joined_by(source, condition, "&&") if part not in [test.part for test in gone]
    ]
    return source.replace(condition, " && ".join(parts)) if parts else decided(source, guard, True)


def _clamped(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        guard = _guard(source, loop.body)
        if guard is None or loop.jumps:
            continue
        outside = written(source, loop.body) | declared(source, loop.body) | {loop.variable}
        tests = [
            test for test in edge_tests(loop, guard) if not outside & {n for _, t in test.edge for n in names_in(t)}
        ]
        if tests and not names_in(loop.end) & outside and signed_bounds(loop, tests):
            yield Rewrite(loop.line, (in_place_of(loop, _between_edges(loop, guard, tests)),), weight=loop.depth + 1)


def _guard(source: SourceFile, body: Node) -> Node | None:
    """The `if` that all the work of a body stands under, also inside a loop; declarations may come before it."""
    nodes = [node for node in body.named_children if node.type != "comment"]
    nodes = nodes if body.type == "compound_statement" else [body]
    if not nodes or any(node.type != "declaration" or effects(source, node).opaque for node in nodes[:-1]):
        return None
    last = nodes[-1]
    nested = as_loop(source, last)
    if nested is not None:
        return _guard(source, nested.body)
    return last if last.type == "if_statement" and last.child_by_field_name("alternative") is None else None


def _between_edges(loop: Loop, guard: Node, tests: list[EdgeTest]) -> Lines:
    source = loop.source
    lines, start, end = [], loop.start, loop.end
    for test in tests:
        name = source.fresh(f"{loop.variable}_{'first' if test.lower else 'end'}")
        edge = sum_text(test.edge)
        if test.lower and start == loop.start:
            lines.append(f"const {loop.type} {name} = {edge} > {start} ? {edge} : {start};")
            start = name
        elif not test.lower and end == loop.end:
            lines.append(f"const {loop.type} {name} = {edge} < {end} ? {edge} : {end};")
            end = name
    used = [test for test in tests if (test.lower and start != loop.start) or (not test.lower and end != loop.end)]
    once = [next(t for t in used if t.lower is side) for side in {test.lower for test in used}]
    body = body_lines(source, loop.body, [without_tests(source, guard, once)])
    return [*lines, *block(source, header(loop, start=start, end=end), body)]


LEFT_ALONE = """
int sum(const int *values, int n, int limit) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        if (values[i] >= 0 && values[i] < limit) {
            total += values[i];
        }
    }
    return total;
}
"""
BLUR = """
#include <cstdio>
int main() {
    int n = 20, width = 5;
    int values[20], smooth[20];
    for (int i = 0; i < n; i++) {
        values[i] = i * i;
    }
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int k = 0; k < width; k++) {
            int at = i + k - 2;
            if (at >= 0 && at < n) {
                sum += values[at];
            }
        }
        smooth[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        std::printf("%d ", smooth[i]);
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="clamp-bounds",
        family="loops",
        summary="Runs a loop from edge to edge instead of testing every index against the edges.",
        find=_clamped,
        example=RewriteExample(
            BLUR,
            """
#include <cstdio>
int main() {
    int n = 20, width = 5;
    int values[20], smooth[20];
    for (int i = 0; i < n; i++) {
        values[i] = i * i;
    }
    for (int i = 0; i < n; i++) {
        int sum = 0;
        const int k_first = 2 - i > 0 ? 2 - i : 0;
        const int k_end = n + 2 - i < width ? n + 2 - i : width;
        for (int k = k_first; k < k_end; k++) {
            int at = i + k - 2;
            sum += values[at];
        }
        smooth[i] = sum;
    }
    for (int i = 0; i < n; i++) {
        std::printf("%d ", smooth[i]);
    }
}
""",
        ),
        answers=("control-flow",),
        prior=1.5,
        refusals=(LEFT_ALONE,),
    ),
)
