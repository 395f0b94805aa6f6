"""Loops: two that take the same turns, fused."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import (
    apart,
    constants,
    effects,
    names_in,
    order_is_free,
)
from maxcode.policy.rewrite.analysis.loops import Loop, as_loop, declared, loops, used, written
from maxcode.policy.rewrite.analysis.writing import (
    Lines,
    block,
    body_lines,
    braced,
    placed,
    renaming,
)
from maxcode.policy.rewrite.source import Edit, SourceFile, apply
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation


def _fusions(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for first, second in _neighbours(source):
        if not _same_turns(first, second) or first.jumps or second.jumps:
            continue
        renamed = _with_variable(second, first)
        if renamed is None or _moves_bounds(first, renamed):
            continue
        parts = [_Part(each.source, each.statements) for each in (first, renamed)]
        if not _may_cross(parts[0], parts[1], first, setting):
            continue
        shared = used(source, first.body) & used(source, second.body) - {first.variable}
        edit = Edit(first.node.start_byte, second.node.end_byte, placed(_fused(first, renamed), first.indent))
        yield Rewrite(first.line, (edit,), weight=1.5 if shared else 0.5)


def _neighbours(source: SourceFile) -> Iterator[tuple[Loop, Loop]]:
    """Loops that follow each other with nothing between them."""
    for place in source.find("compound_statement"):
        inner = [node for node in place.named_children if node.type != "comment"]
        for first, second in pairwise(inner):
            a, b = as_loop(source, first), as_loop(source, second)
            if a is not None and b is not None:
                yield a, b


def _same_turns(first: Loop, second: Loop) -> bool:
    if (first.type is None) != (second.type is None):
        return False
    sides = [(each.type, each.comparison, *(re.sub(r"\s+", "", t) for t in (each.start, each.end, each.step)))
             for each in (first, second)]  # fmt: skip
    return sides[0] == sides[1] and (first.type is not None or first.variable == second.variable)


def _with_variable(loop: Loop, other: Loop) -> Loop | None:
    """A loop renamed to the variable of an earlier one; None where its body uses that name."""
    if loop.variable == other.variable:
        return loop
    if other.variable in used(loop.source, loop.body):
        return None
    changed = apply(loop.source, tuple(renaming(loop.source, loop.node, {loop.variable: other.variable})))
    return next((each for each in loops(changed) if each.node.start_byte == loop.node.start_byte), None)


def _moves_bounds(first: Loop, second: Loop) -> bool:
    changed = written(first.source, first.body) | written(second.source, second.body) | {first.variable}
    return bool(names_in(f"{first.start} {first.end}") & changed)


class _Part:
    """Some statements of a loop's body, and what they touch."""

    def __init__(self, source: SourceFile, nodes: list[Node]) -> None:
        each = [effects(source, node) for node in nodes]
        self.opaque = any(found.opaque for found in each)
        self.streams = any(found.streams for found in each)
        self.touches = [touch for found in each for touch in found.touches]
        self.private = {name for node in nodes for name in declared(source, node)}
        self.changed = {name for found in each for name in found.scalars} - self.private
        self.values = {name: value for node in nodes for name, value in constants(source, node).items()}
        self.uses = Counter(source.text(name) for node in nodes for name in source.find("identifier", within=node))
        self.uses.update({touch.access.array for touch in self.touches} - set(self.uses))

    def only_indexes(self, name: str) -> bool:
        return self.uses[name] == sum(touch.access.array == name for touch in self.touches)


def _may_cross(first: _Part, second: _Part, loop: Loop, setting: Setting) -> bool:
    """Whether each turn of the second part needs nothing of later turns of the first, nor changes it for them."""
    if first.opaque or second.opaque or (first.streams and second.streams):
        return False
    if first.changed & set(second.uses) or second.changed & set(first.uses):
        return False
    arrays = {touch.access.array for touch in (*first.touches, *second.touches) if touch.writes}
    shared = arrays & set(first.uses) & set(second.uses) - first.private - second.private
    return all(_in_step(first, second, name, loop, setting) for name in shared)


def _in_step(first: _Part, second: _Part, name: str, loop: Loop, setting: Setting) -> bool:
    if not first.only_indexes(name) or not second.only_indexes(name):
        return False
    touches = [touch for touch in (*first.touches, *second.touches) if touch.access.array == name]
    kinds = {touch.kind for touch in touches}
    if len(kinds) == 1 and not kinds & {"read", "write"}:
        return order_is_free(loop.source, name, loop.node, setting.relaxed_floats)
    return apart(touches, loop.variable, first.values | second.values)


def _fused(first: Loop, second: Loop) -> Lines:
    source = first.source
    parts = [body_lines(source, first.body), body_lines(second.source, second.body)]
    if declared(source, first.body) & used(second.source, second.body):
        parts = [braced(source, part) for part in parts]
    return block(source, first.header, [*parts[0], *parts[1]])


_CARRIED = """
void prefix(int n, int *values, const int *more) {
    for (int i = 1; i < n; i++) {
        values[i] += values[i - 1];
    }
    for (int i = 1; i < n; i++) {
        values[i - 1] += more[i];
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="fuse",
        family="loops",
        summary="Makes one loop of two that take the same turns, so that memory is walked once.",
        find=_fusions,
        example=RewriteExample(
            before="""
#include <cstdio>
int main() {
    int values[100], doubled[100];
    long sum = 0;
    for (int i = 0; i < 100; i++) {
        values[i] = i * i;
    }
    for (int k = 0; k < 100; k++) {
        doubled[k] = 2 * values[k];
        sum += doubled[k];
    }
    std::printf("%ld\\n", sum);
}
""",
            after="""
#include <cstdio>
int main() {
    int values[100], doubled[100];
    long sum = 0;
    for (int i = 0; i < 100; i++) {
        values[i] = i * i;
        doubled[i] = 2 * values[i];
        sum += doubled[i];
    }
    std::printf("%ld\\n", sum);
}
""",
        ),
        answers=("cache-misses",),
        prior=1.0,
        refusals=(_CARRIED,),
    ),
)
