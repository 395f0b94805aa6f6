"""Loops: tiles that fit a cache."""

from __future__ import annotations

from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.effects import strides
from maxcode.policy.rewrite.analysis.loops import Loop, loops
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, header, in_place_of
from maxcode.policy.rewrite.loops.order import exchangeable
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_SIZES = {64: 2.0, 32: 1.5, 128: 1.2, 16: 0.8, 256: 0.8}


def _tiles(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for outer in loops(source):
        for depth in (2, 3):
            nest = _nest(outer, depth)
            if nest is None or not exchangeable(nest, setting) or not _reuses(nest):
                continue
            tiled = {"inner": nest[-1:], "all": nest} if depth == 2 else {"all": nest, "inner two": nest[1:]}
            for which, chosen in tiled.items():
                for size, weight in _SIZES.items():
                    edit = in_place_of(outer, _tiled(nest, chosen, size))
                    yield Rewrite(outer.line, (edit,), f"depth={depth} loops={which} size={size}", weight)


def _nest(outer: Loop, depth: int) -> list[Loop] | None:
    nest = [outer]
    while len(nest) < depth and nest[-1].inner is not None:
        nest.append(nest[-1].inner)
    return nest if len(nest) == depth else None


def _reuses(nest: list[Loop]) -> bool:
    """Whether an outer loop comes back to memory that the loops inside have walked over, or walks it badly."""
    body, source = nest[-1].body, nest[-1].source
    along = strides(source, body, nest[-1].variable)
    return any(
        step == "0" and here not in ("0", None)
        for loop in nest[:-1]
        for step, here in zip(strides(source, body, loop.variable), along, strict=True)
    ) or any(here not in ("0", "1", None) for here in along)


def _tiled(nest: list[Loop], chosen: list[Loop], size: int) -> Lines:
    source = nest[0].source
    lines = body_lines(source, nest[-1].body)
    names = {loop.variable: _tile_name(source, loop.variable) for loop in chosen}
    for loop in reversed(nest):
        head = header(loop)
        if loop in chosen:
            first = names[loop.variable]
            last = f"{first} + {size if loop.comparison == '<' else size - 1}"
            head = header(loop, start=first, end=f"({last} < {loop.end} ? {last} : {loop.end})")
        lines = block(source, head, lines)
    for loop in reversed(chosen):
        outer = f"{names[loop.variable]} {loop.comparison} {loop.end}; {names[loop.variable]} += {size}"
        lines = block(source, f"for ({loop.type} {names[loop.variable]} = {loop.start}; {outer})", lines)
    return lines


def _tile_name(source: SourceFile, variable: str) -> str:
    return source.fresh(variable * 2 if len(variable) == 1 else f"{variable}_tile")


_SMOOTH = """
void scale(int n, double *grid) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            grid[i * n + j] *= 2.0;
        }
    }
}
"""
_SKEWED = """
void sweep(int n, int m, double (*grid)[100]) {
    for (int j = 1; j < m - 1; j++) {
        for (int i = 1; i < n; i++) {
            grid[i][j] = grid[i - 1][j + 1] + grid[i][j];
        }
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="tile",
        family="loops",
        summary="Walks a nest in tiles, so that what is loaded stays in the cache until it is used again.",
        find=_tiles,
        example=RewriteExample(
            before="""
#include <cstdio>
double from[100][90], to[90][100];
int main() {
    for (int i = 0; i < 90; i++) {
        for (int j = 0; j < 100; j++) {
            to[i][j] = from[j][i] + i;
        }
    }
    std::printf("%g\\n", to[89][99]);
}
""",
            after="""
#include <cstdio>
double from[100][90], to[90][100];
int main() {
    for (int ii = 0; ii < 90; ii += 32) {
        for (int jj = 0; jj < 100; jj += 32) {
            for (int i = ii; i < (ii + 32 < 90 ? ii + 32 : 90); i++) {
                for (int j = jj; j < (jj + 32 < 100 ? jj + 32 : 100); j++) {
                    to[i][j] = from[j][i] + i;
                }
            }
        }
    }
    std::printf("%g\\n", to[89][99]);
}
""",
            options="depth=2 loops=all size=32",
        ),
        answers=("strided-access", "cache-misses"),
        prior=1.0,
        refusals=(_SMOOTH, _SKEWED),
    ),
)
