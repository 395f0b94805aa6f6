"""Loops: the part where no index can pass an edge."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import names_in, strides
from maxcode.policy.rewrite.analysis.loops import Loop, declared, loops, written
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, header, in_place_of
from maxcode.policy.rewrite.loops.clamping import (
    BLUR,
    LEFT_ALONE,
    EdgeTest,
    Terms,
    edge_tests,
    negated,
    signed_bounds,
    sum_text,
    terms_of,
    without_tests,
)
from maxcode.policy.rewrite.source import SourceFile, inside
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation


def _interiors(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        if loop.innermost or loop.jumps or not signed_bounds(loop, []):
            continue
        guards = {node.start_byte: node for node in source.find("if_statement", within=loop.body)}
        chosen = {at: _over_inner(loop, node) for at, node in guards.items()}
        found = [(guards[at], tests) for at, tests in chosen.items() if tests]
        if len(found) != 1 or names_in(loop.end) & written(source, loop.body):
            continue
        guard, tests = found[0]
        if {test.lower for test in tests} == {True, False} and len(tests) == 2 and signed_bounds(loop, tests):
            along = "1" in strides(source, loop.body, loop.variable)
            yield Rewrite(loop.line, (in_place_of(loop, _in_three(loop, guard, tests)),), weight=3.0 if along else 1.0)


def _over_inner(loop: Loop, guard: Node) -> list[EdgeTest]:
    """Tests that hold for every turn of the loops inside, from the values where those come nearest to the edge."""
    nested = {each.variable: each for each in loops(loop.source, loop.body) if inside(guard, each.node)}
    local = declared(loop.source, loop.body) | written(loop.source, loop.body) | {loop.variable}
    found = []
    for test in edge_tests(loop, guard):
        edge: Terms | None = test.edge
        for name, inner in nested.items():
            edge = _extreme(edge, name, inner, test.lower) if edge is not None else None
        if edge is not None and not local & {each for _, term in edge for each in names_in(term)}:
            found.append(EdgeTest(test.part, edge, test.lower))
    return found


def _extreme(edge: Terms, name: str, inner: Loop, lower: bool) -> Terms | None:
    """An edge with the value of an inner loop's variable put in that makes it hardest to meet."""
    result: Terms = []
    for sign, term in edge:
        if name not in names_in(term):
            result.append((sign, term))
            continue
        first, last = terms_of(inner.start), terms_of(inner.end)
        if term != name or first is None or last is None or not inner.rises_by_one:
            return None
        last = [*last, (-1, "1")] if inner.comparison == "<" else last
        # A lower edge is hardest to meet where it is highest, an upper one where it is lowest.
        value = last if (sign > 0) == lower else first
        result += value if sign > 0 else negated(value)
    return result


def _in_three(loop: Loop, guard: Node, tests: list[EdgeTest]) -> Lines:
    source = loop.source
    begin, finish = source.fresh(f"{loop.variable}_inner"), source.fresh(f"{loop.variable}_inner_end")
    low, high = (sum_text(next(test for test in tests if test.lower is side).edge) for side in (True, False))
    plain = body_lines(source, loop.body)
    free = body_lines(source, loop.body, [without_tests(source, guard, tests)])
    return [
        *_between(f"const {loop.type} {begin}", low, loop.start, loop.end),
        *_between(f"const {loop.type} {finish}", high, begin, loop.end),
        *block(source, header(loop, end=begin), plain),
        *block(source, header(loop, start=begin, end=finish), free),
        *block(source, header(loop, start=finish), plain),
    ]


def _between(declaration: str, value: str, least: str, most: str) -> Lines:
    """A value kept between two others."""
    cases = [f"{declaration} = {value} < {least} ? {least}", f": {value} < {most} ? {value}", f": {most};"]
    return [" ".join(cases)] if sum(map(len, cases)) < 100 else [cases[0], *(f"    {case}" for case in cases[1:])]


TRANSFORMATIONS = (
    Transformation(
        name="split-interior",
        family="loops",
        summary="Gives the inner part, where no index can pass an edge, a loop of its own without the tests.",
        find=_interiors,
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
    const int i_inner = 2 < 0 ? 0 : 2 < n ? 2 : n;
    const int i_inner_end = n + 3 - width < i_inner ? i_inner : n + 3 - width < n ? n + 3 - width : n;
    for (int i = 0; i < i_inner; i++) {
        int sum = 0;
        for (int k = 0; k < width; k++) {
            int at = i + k - 2;
            if (at >= 0 && at < n) {
                sum += values[at];
            }
        }
        smooth[i] = sum;
    }
    for (int i = i_inner; i < i_inner_end; i++) {
        int sum = 0;
        for (int k = 0; k < width; k++) {
            int at = i + k - 2;
            sum += values[at];
        }
        smooth[i] = sum;
    }
    for (int i = i_inner_end; i < n; i++) {
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
""",
        ),
        answers=("control-flow",),
        prior=1.5,
        refusals=(LEFT_ALONE,),
    ),
)
