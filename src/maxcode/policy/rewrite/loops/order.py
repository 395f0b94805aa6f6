"""Loops: which one is inside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import (
    Touch,
    constants,
    effects,
    extreme,
    independent,
    names_in,
    order_is_free,
    spelled_out,
    steady,
    strides,
    type_of,
)
from maxcode.policy.rewrite.analysis.loops import Loop, accesses, as_loop, declared, loops, used
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, header, in_place_of, renaming
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation


def _smoothness(source: SourceFile, body: Node, variable: str) -> int:
    """How well memory is walked when a variable runs innermost."""
    worth = {"0": 1, "1": 2, None: 0}
    moves = strides(source, body, variable)
    # Turns that all add to one element wait for each other.
    waits = [
        stride for stride, each in zip(moves, accesses(source, body), strict=True) if each.writes and stride == "0"
    ]
    return sum(worth.get(stride, -2) for stride in moves) - len(waits)


def _interchanges(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for outer in loops(source):
        inner = outer.inner
        if inner is None or not exchangeable([outer, inner], setting):
            continue
        gain = _smoothness(source, inner.body, outer.variable) - _smoothness(source, inner.body, inner.variable)
        if gain > 0:
            swapped = [(outer, inner.header), (inner, outer.header)]
            edits = tuple(_new_header(loop, text) for loop, text in swapped)
            yield Rewrite(outer.line, edits, f"loops={outer.variable},{inner.variable}", min(gain, 4))


def _new_header(loop: Loop, text: str) -> Edit:
    start = loop.node.start_byte
    return Edit(start, start + len(loop.header.encode()), text)


def exchangeable(nest: list[Loop], setting: Setting) -> bool:
    """Whether loops of a perfect nest, outermost first, may be put in any order."""
    body, source = nest[-1].body, nest[-1].source
    variables = [loop.variable for loop in nest]
    if not all(steady(loop) for loop in nest) or effects(source, body).opaque or effects(source, body).streams:
        return False
    if any(set(variables) & names_in(loop.start + " " + loop.end) for loop in nest):
        return False
    private = declared(source, body)
    found = effects(source, body)
    for name, kinds in found.scalars.items():
        summed = len(kinds) == 1 and "write" not in kinds and _once(source, body, name)
        free = summed and order_is_free(source, name, body, setting.relaxed_floats)
        if name not in private and not free and not extreme(source, body, name):
            return False
    written = {touch.access.array for touch in found.touches if touch.writes} - private
    return all(_any_order(source, body, name, variables, setting) for name in written)


def _once(source: SourceFile, body: Node, name: str) -> bool:
    return sum(source.text(each) == name for each in source.find("identifier", within=body)) == 1


def _any_order(source: SourceFile, body: Node, name: str, variables: list[str], setting: Setting) -> bool:
    touches = [touch for touch in effects(source, body).touches if touch.access.array == name]
    values = constants(source, body)
    indices = [tuple(re.sub(r"\s+", "", spelled_out(each, values)) for each in t.access.indices) for t in touches]
    if len(set(indices)) == 1:
        missing = [name for name in variables if name not in names_in(" ".join(indices[0]))]
        return len(missing) <= 1 or _sums(source, body, name, touches, setting)
    steps = [_distance(a, b, variables) for a, b in combinations(indices, 2)]
    return all(step is not None and not (min(step) < 0 < max(step)) for step in steps)


def _sums(source: SourceFile, body: Node, name: str, touches: list[Touch], setting: Setting) -> bool:
    kinds = {touch.kind for touch in touches}
    plain = len(kinds) == 1 and not kinds & {"read", "write"}
    return plain and order_is_free(source, name, body, setting.relaxed_floats)


def _distance(first: tuple[str, ...], second: tuple[str, ...], variables: list[str]) -> list[int] | None:
    """How many turns of each loop lie between two accesses, where each has a dimension of its own."""
    steps = []
    for variable in variables:
        offsets = [_offset(a, b, variable) for a, b in zip(first, second, strict=False)]
        known = [offset for offset in offsets if offset is not None]
        if len(known) != 1 or len(first) != len(second):
            return None
        steps.append(known[0])
    return steps


def _offset(first: str, second: str, variable: str) -> int | None:
    found = [re.fullmatch(rf"{variable}([+-]\d+)?", index) for index in (first, second)]
    if found[0] is None or found[1] is None:
        return None
    return int(found[0][1] or 0) - int(found[1][1] or 0)


class _Reduction(NamedTuple):
    """`T name = start; for (...) name += ...; target = name;` or the same with target[...] in the place of name."""

    loop: Loop
    target: str
    start: str
    name: str | None


def _reduction(loop: Loop) -> _Reduction | None:
    source = loop.source
    texts = [re.sub(r"\s+", " ", source.text(node)) for node in loop.statements]
    nested = [as_loop(source, node) for node in loop.statements]
    if len(texts) == 3 and nested[1] is not None:
        begin = re.fullmatch(r"([\w: ]+?) (\w+) ?= ?([^;,]+);", texts[0])
        end = re.fullmatch(r"([^=]+\]) ?= ?(\w+);", texts[2])
        if begin and end and begin[2] == end[2] and type_of(source, base(end[1]), loop.node) == begin[1]:
            return _Reduction(nested[1], end[1], begin[3], begin[2])
    if len(texts) == 2 and nested[1] is not None:
        begin = re.fullmatch(r"([^=]+\]) ?= ?([^;,=]+);", texts[0])
        return _Reduction(nested[1], begin[1], begin[2], None) if begin else None
    return None


def base(target: str) -> str:
    return target.split("[")[0].strip()


def _inner_sums(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for loop in loops(source):
        found = _reduction(loop)
        if found is None or not steady(loop) or not steady(found.loop) or not _separable(loop, found):
            continue
        if not independent(source, loop.body, loop.variable, setting.relaxed_floats):
            continue
        body = found.loop.body
        gain = _smoothness(source, body, loop.variable) - _smoothness(source, body, found.loop.variable)
        if gain > 0:
            yield Rewrite(loop.line, (in_place_of(loop, _summed_outside(loop, found)),), weight=min(gain, 4))


def _separable(loop: Loop, found: _Reduction) -> bool:
    """Whether the inner loop only adds to the one result, which lies next to that of the next turn."""
    source, inner = loop.source, found.loop
    if loop.variable in names_in(f"{inner.start} {inner.end}"):
        return False
    index = re.findall(r"\[([^\[\]]+)\]$", found.target)
    if not index or loop.variable not in names_in(index[0]) or inner.variable in names_in(found.target):
        return False
    changed = effects(source, inner.body).scalars
    if set(changed) - ({found.name} if found.name else set()) - declared(source, inner.body):
        return False
    if found.name is None:
        return all(_same(source.text(t.access.node), found.target) for t in effects(source, inner.body).touches
                   if t.access.array == base(found.target))  # fmt: skip
    return (
        changed.get(found.name) == {"+"}
        and _once(source, inner.body, found.name)
        and base(found.target) not in used(source, inner.body)
    )


def _same(first: str, second: str) -> bool:
    return re.sub(r"\s+", "", first) == re.sub(r"\s+", "", second)


def _summed_outside(loop: Loop, found: _Reduction) -> Lines:
    source, inner = loop.source, found.loop
    edits = renaming(source, inner.body, {found.name: found.target}) if found.name else []
    first = block(source, header(loop), [f"{found.target} = {found.start};"])
    return first + block(source, header(inner), block(source, header(loop), body_lines(source, inner.body, edits)))


_SKEWED = """
void sweep(int n, int m, double (*grid)[100]) {
    for (int j = 1; j < m - 1; j++) {
        for (int i = 1; i < n; i++) {
            grid[i][j] = grid[i - 1][j + 1] + grid[i][j];
        }
    }
}
"""
_SMOOTH = """
void scale(int n, double *grid) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            grid[i * n + j] *= 2.0;
        }
    }
}
"""
_READ_BY_CALL = """
int table[9][9];
int before(int i, int j) { return table[i - 1][j + 1]; }
void fill() {
    for (int j = 1; j < 8; j++) {
        for (int i = 1; i < 8; i++) {
            table[i][j] = before(i, j);
        }
    }
}
"""
_KEPT_TWICE = """
int peak(int (*table)[9]) {
    int most = 0, falls = 0;
    for (int j = 0; j < 9; j++) {
        for (int i = 0; i < 9; i++) {
            if (table[i][j] > most) most = table[i][j];
            falls += most;
        }
    }
    return falls;
}
"""
_BY_ROWS = """
void product(int n, const double *a, const double *b, double *c) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[j * n + k];
            }
            c[i * n + j] = sum;
        }
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="interchange",
        family="loops",
        summary="Puts the loop inside that walks memory in sequence.",
        find=_interchanges,
        example=RewriteExample(
            before="""
#include <cstdio>
double table[50][70];
int main() {
    for (int j = 0; j < 70; j++) {
        for (int i = 0; i < 50; i++) {
            table[i][j] = i * 0.5 + j;
        }
    }
    std::printf("%g\\n", table[49][69]);
}
""",
            after="""
#include <cstdio>
double table[50][70];
int main() {
    for (int i = 0; i < 50; i++) {
        for (int j = 0; j < 70; j++) {
            table[i][j] = i * 0.5 + j;
        }
    }
    std::printf("%g\\n", table[49][69]);
}
""",
        ),
        answers=("strided-access", "cache-misses"),
        prior=2.0,
        refusals=(_SKEWED, _SMOOTH, _READ_BY_CALL, _KEPT_TWICE),
    ),
    Transformation(
        name="sum-outside",
        family="loops",
        summary="Adds up a row of results side by side, so that the loop inside walks memory in sequence.",
        find=_inner_sums,
        example=RewriteExample(
            before="""
#include <cstdio>
const int n = 30;
double a[n][n], b[n][n], c[n][n];
int main() {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i][j] = b[i][j] = i + j;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
    std::printf("%g\\n", c[n - 1][n - 1]);
}
""",
            after="""
#include <cstdio>
const int n = 30;
double a[n][n], b[n][n], c[n][n];
int main() {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i][j] = b[i][j] = i + j;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            c[i][j] = 0.0;
        }
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    std::printf("%g\\n", c[n - 1][n - 1]);
}
""",
        ),
        answers=("strided-access", "cache-misses", "reduction"),
        prior=2.0,
        refusals=(_BY_ROWS,),
    ),
)
