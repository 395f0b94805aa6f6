"""Memory: the part of an operand that many rows of results use, copied to one place first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.effects import effects, names_in, type_of
from maxcode.policy.rewrite.analysis.loops import Access, Loop, accesses, as_loop, declared, loops
from maxcode.policy.rewrite.analysis.variables import arguments, factor, resolved
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, in_place_of
from maxcode.policy.rewrite.source import SourceFile, ancestors
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|double|float|size_t|u?int\d+_t)")


@dataclass(frozen=True)
class Panel:
    """Columns of an operand, `b[k * n + j + y]` with y below `width`, which all turns of the outer loop read."""

    outer: Loop
    inner: Loop
    down: Loop
    lane: str
    width: int
    element: str
    reads: list[Access]


def _panels(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for outer in loops(source):
        inner = outer.inner
        if inner is None or not inner.step.isdigit() or not 4 <= int(inner.step) <= 1024 or outer.jumps:
            continue
        if not _exchangeable(outer, inner):
            continue
        for array in dict.fromkeys(each.array for each in accesses(source, inner.body)):
            found = _panel(outer, inner, array)
            if found is not None:
                includes = source.including("stdlib.h" if source.language is Language.C else "vector")
                yield Rewrite(outer.line, (*includes, in_place_of(outer, _packed(source, found))))


def _exchangeable(outer: Loop, inner: Loop) -> bool:
    """Whether blocks of results belong to one turn of both loops, so that these may change places."""
    source, body = outer.source, inner.body
    found, private = effects(source, body), declared(source, body)
    both, before = {outer.variable, inner.variable}, outer.node.prev_sibling
    if outer.type is None or inner.type is None or found.opaque or found.streams or not set(found.scalars) <= private:
        return False
    if both & names_in(f"{outer.start} {outer.end} {inner.start} {inner.end}") or inner.comparison != "<":
        return False
    if before is not None and before.type == "preproc_call" and "collapse" in source.text(before):
        return False
    for name in {touch.access.array for touch in found.touches if touch.writes} - private:
        places = {touch.access.indices for touch in found.touches if touch.access.array == name}
        if len(places) != 1 or not both <= names_in(" ".join(places.pop())):
            return False
    return outer.comparison in ("<", "<=") and not outer.step.startswith("-")


def _panel(outer: Loop, inner: Loop, array: str) -> Panel | None:
    source = outer.source
    reads = [each for each in accesses(source, inner.body) if each.array == array]
    element = _element(source, array, len(reads[0].indices), inner.body)
    if element is None or any(each.writes for each in reads) or len({each.indices for each in reads}) != 1:
        return None
    if re.fullmatch(r"\w+", array) is None or array in declared(source, inner.body):
        return None
    place = _place(reads[0], inner.variable)
    if place is None:
        return None
    row, lane = place
    around = [_around(each.node, inner.node, source) for each in reads]
    down = around[0].get(row)
    if down is None or any(row not in each or lane not in each for each in around) or down.type is None:
        return None
    if any(each[row].header != down.header or each[lane].start != "0" for each in around):
        return None
    if down.start != "0" or not down.rises_by_one or names_in(down.end) & ({outer.variable, inner.variable, lane}):
        return None
    return Panel(outer, inner, down, lane, int(inner.step), element, reads)


def _place(access: Access, column: str) -> tuple[str, str] | None:
    """The variables that go down the rows and along the columns of a panel that begins at `column`."""
    if len(access.indices) == 2:
        found = re.fullmatch(r"(\w+)", access.indices[0])
        along = re.fullmatch(rf"{column} \+ (\w+)", access.indices[1])
        return (found[1], along[1]) if found and along else None
    whole = re.fullmatch(rf"(\w+) \* (\w+) \+ {column} \+ (\w+)", access.indices[0])
    return (whole[1], whole[3]) if whole else None


def _around(node: Node, outermost: Node, source: SourceFile) -> dict[str, Loop]:
    """The counting loops between a node and a loop around it, by variable."""
    found: dict[str, Loop] = {}
    for each in ancestors(node):
        if each == outermost:
            break
        loop = as_loop(source, each)
        if loop is not None:
            found[loop.variable] = loop
    return found


def _element(source: SourceFile, array: str, dimensions: int, at: Node) -> str | None:
    kind = resolved(source, type_of(source, array, at) or "")
    for _ in range(dimensions):
        inner = arguments(kind, "vector")
        kind = inner[0] if inner else kind
    return kind if _NUMBER.fullmatch(kind) else None


def _packed(source: SourceFile, found: Panel) -> Lines:
    name, outer, inner, down = source.fresh("panel"), found.outer, found.inner, found.down
    place = f"{name}[{down.variable} * {found.width} + {found.lane}]"
    height = factor(down.end) if down.comparison == "<" else f"({down.end} + 1)"
    left = f"{factor(inner.end)} - {inner.variable}"
    columns = f"{found.lane} < ({left} < {found.width} ? {left} : {found.width})"
    copy = block(
        source,
        down.header,
        block(
            source,
            f"for (int {found.lane} = 0; {columns}; {found.lane}++)",
            [f"{place} = {source.text(found.reads[0].node)};"],
        ),
    )
    edits = [source.replace(each.node, place) for each in found.reads]
    rows = block(source, outer.header, body_lines(source, inner.body, edits))
    if source.language is Language.C:
        made = f"{found.element} *{name} = malloc({height} * {found.width} * sizeof({found.element}));"
        return block(source, inner.header, [made, *copy, *rows, f"free({name});"])
    made = f"{source.std}vector<{found.element}> {name}({height} * {found.width});"
    return block(source, inner.header, [made, *copy, *rows])


_BLOCKED = """
#include <cstdio>
const int n = 48;
double a[n * n], b[n * n], c[n * n];
int main() {
    for (int i = 0; i < n * n; i++) {
        a[i] = b[i] = i % 7;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j += 24) {
            double sum[24] = {};
            for (int k = 0; k < n; k++) {
                for (int y = 0; y < 24; y++) {
                    sum[y] += a[i * n + k] * b[k * n + j + y];
                }
            }
            for (int y = 0; y < 24; y++) {
                c[i * n + j + y] = sum[y];
            }
        }
    }
    std::printf("%g %g\\n", c[0], c[n * n - 1]);
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="pack-panel",
        family="memory",
        summary="Copies the columns that a block of results needs to one place before all rows use them.",
        find=_panels,
        example=RewriteExample(
            _BLOCKED,
            """
#include <vector>
#include <cstdio>
const int n = 48;
double a[n * n], b[n * n], c[n * n];
int main() {
    for (int i = 0; i < n * n; i++) {
        a[i] = b[i] = i % 7;
    }
    for (int j = 0; j < n; j += 24) {
        std::vector<double> panel(n * 24);
        for (int k = 0; k < n; k++) {
            for (int y = 0; y < (n - j < 24 ? n - j : 24); y++) {
                panel[k * 24 + y] = b[k * n + j + y];
            }
        }
        for (int i = 0; i < n; i++) {
            double sum[24] = {};
            for (int k = 0; k < n; k++) {
                for (int y = 0; y < 24; y++) {
                    sum[y] += a[i * n + k] * panel[k * 24 + y];
                }
            }
            for (int y = 0; y < 24; y++) {
                c[i * n + j + y] = sum[y];
            }
        }
    }
    std::printf("%g %g\\n", c[0], c[n * n - 1]);
}
""",
        ),
        answers=("cache-misses", "strided-access"),
        refusals=(
            # The results are the operand.
            _BLOCKED.replace("c[i * n + j + y] =", "b[i * n + j + y] ="),
            # One column at a time: there is nothing to share.
            _BLOCKED.replace("j += 24", "j++").replace("y < 24", "y < 1"),
        ),
    ),
)
