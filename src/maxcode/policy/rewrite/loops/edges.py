"""Loops: two in place of one, where a condition holds from some turn on or up to some turn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.conditions import comparison, condition_of, decided
from maxcode.policy.rewrite.analysis.effects import effects, names_in
from maxcode.policy.rewrite.analysis.loops import Loop, declared, loops, written
from maxcode.policy.rewrite.analysis.symbols import resolve, type_text
from maxcode.policy.rewrite.analysis.writing import block, body_lines, header, in_place_of
from maxcode.policy.rewrite.loops.guards import bounds_stay, short
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_SIGNED = r"(?:int|short|long|long long|long int|ll)"
_NUMBERS = re.compile(rf"(?:const )?(?:vector<|array<)*{_SIGNED}(?:,\w+)?>*[\[\]*&]*")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_PARTS = frozenset(
    "identifier number_literal binary_expression subscript_expression subscript_argument_list parenthesized_expression "
    "primitive_type".split()
)


class _Edge(NamedTuple):
    """`variable >= value` (from) or `variable < value`: where an `if` begins or ends to hold."""

    guard: Node
    value: str
    begins: bool


def _split(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        if not loop.innermost or loop.jumps or not loop.rises_by_one or not short(loop) or not bounds_stay(loop):
            continue
        if not re.fullmatch(_SIGNED, loop.type or "") or effects(source, loop.body).opaque:
            continue
        for guard in loop.statements:
            edge = _edge(loop, guard) if guard.type == "if_statement" else None
            if edge is not None and len(loop.statements) > 1:
                yield Rewrite(loop.line, (in_place_of(loop, _both_sides(loop, edge)),), f"loop={loop.variable}", 2.0)


def _edge(loop: Loop, guard: Node) -> _Edge | None:
    """Where a condition on the loop's variable changes its answer, if the value it is compared with stays."""
    condition = condition_of(guard)
    found = comparison(loop.source, condition) if condition is not None else None
    if found is None or condition is None or found[1] not in _MIRRORED:
        return None
    left, sign, right = found
    nodes = [condition.children[0], condition.children[2]]
    if loop.variable in names_in(right):
        left, sign, right, nodes = right, _MIRRORED[sign], left, nodes[::-1]
    less = re.fullmatch(rf"{loop.variable}\s*-\s*(\w+(?:\[[\w\s+-]+\])*)", left)
    if less and right == "0":
        left, right, nodes = loop.variable, less[1], nodes[:1]
    if left != loop.variable or (loop.variable in names_in(right)) or not _stays(loop, nodes[-1], right):
        return None
    past = " + 1" if sign in (">", "<=") else ""
    return _Edge(guard, f"{right}{past}", begins=sign in (">", ">="))


def _stays(loop: Loop, node: Node, value: str) -> bool:
    """Whether a value is arithmetic on signed numbers that no turn changes."""
    source = loop.source
    named = [each for each in source.find("identifier", within=node) if source.text(each) in names_in(value)]
    symbols = [resolve(source, each) for each in named]
    kinds = {each.type for each in _all(node) if each.is_named}
    moving = written(source, loop.body) | declared(source, loop.body)
    return (
        kinds <= _PARTS
        and not names_in(value) & moving
        and all(each is not None and _NUMBERS.fullmatch(type_text(source, each)) is not None for each in symbols)
    )


def _all(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _all(child)


def _both_sides(loop: Loop, edge: _Edge) -> list[str]:
    source, kind, name = loop.source, loop.type, loop.source.fresh(f"{loop.variable}_edge")
    end = loop.end if loop.comparison == "<" else f"{loop.end} + 1"
    sought = source.fresh(f"{loop.variable}_sought")
    before, after = (body_lines(source, loop.body, [decided(source, edge.guard, holds)])
                     for holds in (not edge.begins, edge.begins))  # fmt: skip
    first = header(loop, end=name).replace(f"{loop.variable} <= ", f"{loop.variable} < ", 1)
    return [
        "{",
        f"    const long long {sought} = {loop.start} < {end} ? (long long){edge.value} : {loop.start};",
        f"    const {kind} {name} = {sought} < {loop.start} ? {loop.start} : {sought} < {end} ? {sought} : {end};",
        *("    " + line for line in block(source, first, before)),
        *("    " + line for line in block(source, header(loop, start=name), after)),
        "}",
    ]


_BUDGET = """
#include <stdio.h>
int main(void) {
    int best[8][101] = {{0}}, cost[7] = {9, 23, 4, 41, 16, 30, 7};
    for (int i = 1; i <= 7; i++) {
        for (int b = 0; b <= 100; b++) {
            best[i][b] = best[i - 1][b];
            if (cost[i - 1] <= b) {
                int with = best[i - 1][b - cost[i - 1]] + i * 3;
                if (with > best[i][b]) best[i][b] = with;
            }
        }
    }
    printf("%d\\n", best[7][100]);
}
"""
_LOOP = _BUDGET[_BUDGET.index("        for (int b") : _BUDGET.index("    }\n    printf")]
_SPLIT = """        {
            const long long b_sought = 0 < 100 + 1 ? (long long)cost[i - 1] : 0;
            const int b_edge = b_sought < 0 ? 0 : b_sought < 100 + 1 ? b_sought : 100 + 1;
            for (int b = 0; b < b_edge; b++) {
                best[i][b] = best[i - 1][b];
            }
            for (int b = b_edge; b <= 100; b++) {
                best[i][b] = best[i - 1][b];
                {
                    int with = best[i - 1][b - cost[i - 1]] + i * 3;
                    if (with > best[i][b]) best[i][b] = with;
                }
            }
        }
"""

TRANSFORMATIONS = (
    Transformation(
        name="split-at-edge",
        family="loops",
        summary="Makes two loops, before and behind the turn from which a condition holds.",
        find=_split,
        example=RewriteExample(before=_BUDGET, after=_BUDGET.replace(_LOOP, _SPLIT)),
        answers=("control-flow",),
        prior=1.0,
        refusals=(
            "void f(int *a, int n, int m) { for (int i = 0; i < n; i++) { a[i]++; if (i >= m) m += a[i]; } }\n",
            "void f(int *a, int n, unsigned m) { for (int i = 0; i < n; i++) { a[i]++; if (i >= m) a[i] = 0; } }\n",
            "void f(int *a, int n) { for (int i = 0; i < n; i++) { a[i]++; if (i >= a[0]) a[i] = 0; } }\n",
            "void f(int *a, int n, int m) { for (int i = 0; i < n; i++) { a[i]++; if (i >= m) break; } }\n",
        ),
    ),
)
