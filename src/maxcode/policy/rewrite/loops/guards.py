"""Loops: two in place of one that leaves a turn out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.conditions import comparison, condition_of, decided
from maxcode.policy.rewrite.analysis.effects import effects, names_in
from maxcode.policy.rewrite.analysis.loops import JUMPS, Loop, declared, loops, written
from maxcode.policy.rewrite.analysis.writing import block, body_lines, header, in_place_of
from maxcode.policy.rewrite.source import SourceFile, enclosing
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_MOST_LINES = 60


def short(loop: Loop) -> bool:
    return bool(loop.node.end_point[0] - loop.node.start_point[0] < _MOST_LINES) and not loop.node.has_error


def bounds_stay(loop: Loop) -> bool:
    """Whether the body leaves alone what the header reads."""
    changed = written(loop.source, loop.body) | {loop.variable}
    grows = "(" in loop.end and effects(loop.source, loop.body).opaque
    return not names_in(f"{loop.start} {loop.end}") & changed and not grows


def _split_around(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        guard = _skipped(loop)
        if guard is None or not loop.rises_by_one or loop.type is None or not short(loop) or not bounds_stay(loop):
            continue
        node, place = guard
        if names_in(place) & (written(source, loop.body) | declared(source, loop.body) | {loop.variable}):
            continue
        low, high = _sides(loop, place)
        edits = [source.remove_line(node) if _continues(source, node) else decided(source, node, True)]
        body = body_lines(source, loop.body, edits)
        before = header(loop, end=low).replace(f"{loop.variable} <= ", f"{loop.variable} < ", 1)
        lines = [*block(source, before, body), *block(source, header(loop, start=high), body)]
        yield Rewrite(loop.line, (in_place_of(loop, lines),))


def _skipped(loop: Loop) -> tuple[Node, str] | None:
    """The `if` that leaves out one turn, and which: `if (j == i) continue;` first, or `if (j != i) {...}` alone."""
    first = loop.statements[0] if loop.statements else None
    condition = condition_of(first) if first is not None and first.type == "if_statement" else None
    found = comparison(loop.source, condition) if condition is not None else None
    if first is None or found is None or first.child_by_field_name("alternative") is not None:
        return None
    left, sign, right = found
    place = right if left == loop.variable else left if right == loop.variable else None
    jumps = sum(1 for _ in loop.source.find(*JUMPS, within=loop.body))
    alone = sign == "!=" and len(loop.statements) == 1 and jumps == 0
    skips = sign == "==" and _continues(loop.source, first) and jumps == 1
    return (first, place) if place is not None and re.fullmatch(r"\w+", place) and (alone or skips) else None


def _continues(source: SourceFile, node: Node) -> bool:
    branch = node.child_by_field_name("consequence")
    return branch is not None and re.fullmatch(r"\{?\s*continue;\s*\}?", source.text(branch)) is not None


def _sides(loop: Loop, place: str) -> tuple[str, str]:
    """Bounds at which the turns before the place end and those behind it begin."""
    for above in _around(loop):
        same = (above.start, above.comparison, above.end) == (loop.start, loop.comparison, loop.end)
        if above.variable == place and same:
            return place, f"{place} + 1"
    end = loop.end if loop.comparison == "<" else f"{loop.end} + 1"
    low = f"({place} < {end} ? {place} : {end})"
    return low, f"({place} + 1 > {loop.start} ? {place} + 1 : {loop.start})"


def _around(loop: Loop) -> Iterator[Loop]:
    function = enclosing(loop.node, "function_definition")
    for each in loops(loop.source, function):
        if each.node.start_byte < loop.node.start_byte and loop.node.end_byte <= each.node.end_byte:
            yield each


_SAME = """
int count(const int *values, int n, int limit) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (values[i] > limit) found++;
    }
    return found;
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="split-around",
        family="loops",
        summary="Makes two loops, before and behind the one turn that is left out.",
        find=_split_around,
        example=RewriteExample(
            before="""
#include <cstdio>
int main() {
    int weights[10], others[10];
    for (int i = 0; i < 10; i++) {
        weights[i] = i * i;
    }
    for (int i = 0; i < 10; i++) {
        others[i] = 0;
        for (int j = 0; j < 10; j++) {
            if (i == j) {
                continue;
            }
            others[i] += weights[j];
        }
    }
    std::printf("%d %d\\n", others[0], others[9]);
}
""",
            after="""
#include <cstdio>
int main() {
    int weights[10], others[10];
    for (int i = 0; i < 10; i++) {
        weights[i] = i * i;
    }
    for (int i = 0; i < 10; i++) {
        others[i] = 0;
        for (int j = 0; j < i; j++) {
            others[i] += weights[j];
        }
        for (int j = i + 1; j < 10; j++) {
            others[i] += weights[j];
        }
    }
    std::printf("%d %d\\n", others[0], others[9]);
}
""",
        ),
        answers=("control-flow",),
        prior=0.7,
        refusals=(_SAME,),
    ),
)
