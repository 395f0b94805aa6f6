"""Loops: blocks of results kept in registers, and unroll-and-jam."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.effects import independent, names_in, order_is_free, steady, strides
from maxcode.policy.rewrite.analysis.jam import CannotJam, Lanes, jammed
from maxcode.policy.rewrite.analysis.loops import Loop, loops, written
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, header, in_place_of, otherwise, renaming
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

# Measured on matrix products with gcc 12: rows x columns. Up to 16 columns gcc unrolls the innermost loop before it
# vectorises, and loses; 24 doubles are three vectors of 512 bits or six of 256.
_BLOCKS = {
    (8, 24): 4.0, (6, 24): 3.0, (4, 24): 2.0, (6, 32): 2.0, (4, 32): 1.5, (8, 32): 0.7, (4, 48): 0.7, (2, 64): 0.4
}  # fmt: skip
_WIDTHS = {64: 3.0, 32: 2.5, 128: 1.5, 24: 1.2, 16: 0.8, 8: 0.5}
_COPIES = {4: 2.0, 2: 1.0, 8: 1.0}


def _register_blocks(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for outer in loops(source):
        inner = outer.inner
        if inner is None or inner.innermost or not _blockable(outer, setting) or not _blockable(inner, setting):
            continue
        if outer.variable in names_in(inner.start + inner.end) or not _walks_along(inner):
            continue
        for (rows, columns), weight in _BLOCKS.items():
            lines = _blocked(outer, inner, rows, columns)
            if lines is not None:
                yield Rewrite(outer.line, (in_place_of(outer, lines),), f"rows={rows} columns={columns}", weight)


def _blockable(loop: Loop, setting: Setting) -> bool:
    return steady(loop) and independent(loop.source, loop.body, loop.variable, setting.relaxed_floats)


def _walks_along(loop: Loop) -> bool:
    """Whether memory is walked one by one with the loop's variable, so that lanes make vectors."""
    found = strides(loop.source, loop.body, loop.variable)
    return "1" in found and all(stride in ("0", "1") for stride in found)


def _fits(loop: Loop, turns: int) -> str:
    """The condition that a whole block of turns is left."""
    last = turns if loop.comparison == "<" else turns - 1
    return f"{loop.variable} + {last} <= {loop.end}"


def _full(loop: Loop, lane: str, turns: int) -> Lanes:
    return Lanes(loop.variable, lane, turns, f"{lane} < {turns}")


def _partial(loop: Loop, lane: str, turns: int) -> Lanes:
    end = loop.end if re.fullmatch(r"[\w.\[\]()*+ -]+", loop.end) else f"({loop.end})"
    left = f"{end} - {loop.variable}" + ("" if loop.comparison == "<" else " + 1")
    return Lanes(loop.variable, lane, turns, f"{lane} < ({left} < {turns} ? {left} : {turns})")


def _blocked(outer: Loop, inner: Loop, rows: int, columns: int) -> Lines | None:
    source = outer.source
    x, y = source.fresh("x"), source.fresh("y")
    try:
        whole = _both(inner, _full(outer, x, rows), _full(inner, y, columns))
        part = _both(inner, _partial(outer, x, rows), _partial(inner, y, columns))
    except CannotJam:
        return None
    condition = f"if ({_fits(outer, rows)} && {_fits(inner, columns)})"
    cases = otherwise(block(source, condition, whole), block(source, "else", part))
    return block(source, header(outer, step=str(rows)), block(source, header(inner, step=str(columns)), cases))


def _both(inner: Loop, rows: Lanes, columns: Lanes) -> Lines:
    """A body side by side for two variables, the second innermost."""
    once = jammed(inner.source, inner.body, rows)
    again = SourceFile("\n".join(["void body() {", *once, "}"]), inner.source.language)
    return jammed(again, next(again.find("compound_statement")), columns)


def _jams(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for loop in loops(source):
        if loop.innermost or not _blockable(loop, setting):
            continue
        along = _walks_along(loop)
        for turns, weight in (_WIDTHS if along else _COPIES).items():
            lines = _side_by_side(loop, turns, along, setting)
            if lines is not None:
                yield Rewrite(loop.line, (in_place_of(loop, lines),), f"turns={turns}", weight)


def _side_by_side(loop: Loop, turns: int, along: bool, setting: Setting) -> Lines | None:
    """Lanes in a loop where they make vectors, else as copies of the statements."""
    source, lane = loop.source, loop.source.fresh("lane")
    try:
        if along:
            whole = jammed(source, loop.body, _full(loop, lane, turns))
            rest = jammed(source, loop.body, _partial(loop, lane, turns))
        else:
            sums = _may_add_up(loop, setting)
            whole = jammed(source, loop.body, Lanes(loop.variable, lane, turns, "", copies=True, sums=sums))
            rest = _one_by_one(loop)
    except CannotJam:
        return None
    cases = otherwise(block(source, f"if ({_fits(loop, turns)})", whole), block(source, "else", rest))
    return block(source, header(loop, step=str(turns)), cases)


def _may_add_up(loop: Loop, setting: Setting) -> bool:
    changed = written(loop.source, loop.body)
    return all(order_is_free(loop.source, name, loop.node, setting.relaxed_floats) for name in changed)


def _one_by_one(loop: Loop) -> Lines:
    """Loop over the turns that are left after the last whole block, one at a time."""
    source, rest = loop.source, loop.source.fresh("rest")
    head = f"for ({loop.type} {rest} = {loop.variable}; {rest} {loop.comparison} {loop.end}; {rest}++)"
    return block(source, head, body_lines(source, loop.body, renaming(source, loop.body, {loop.variable: rest})))


_PRODUCT = """
#include <cstdio>
const int n = 37;
double a[n * n], b[n * n], c[n * n];
int main() {
    for (int i = 0; i < n * n; i++) {
        a[i] = b[i] = i % 7;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
    std::printf("%g %g\\n", c[0], c[n * n - 1]);
}
"""
_STENCIL = """
void sweep(int n, int m, double *grid) {
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < m; j++) {
            for (int k = 0; k < 3; k++) {
                grid[i * m + j] += grid[(i - 1) * m + j] * k;
            }
        }
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="register-block",
        family="loops",
        summary="Computes a block of results at once, kept in registers, so that what is loaded is used many times.",
        find=_register_blocks,
        example=RewriteExample(
            _PRODUCT,
            """
#include <cstdio>
const int n = 37;
double a[n * n], b[n * n], c[n * n];
int main() {
    for (int i = 0; i < n * n; i++) {
        a[i] = b[i] = i % 7;
    }
    for (int i = 0; i < n; i += 8) {
        for (int j = 0; j < n; j += 24) {
            if (i + 8 <= n && j + 24 <= n) {
                double sum[8][24] = {};
                for (int k = 0; k < n; k++) {
                    for (int x = 0; x < 8; x++) {
                        for (int y = 0; y < 24; y++) {
                            sum[x][y] += a[(i + x) * n + k] * b[k * n + j + y];
                        }
                    }
                }
                for (int x = 0; x < 8; x++) {
                    for (int y = 0; y < 24; y++) {
                        c[(i + x) * n + j + y] = sum[x][y];
                    }
                }
            } else {
                double sum[8][24] = {};
                for (int k = 0; k < n; k++) {
                    for (int x = 0; x < (n - i < 8 ? n - i : 8); x++) {
                        for (int y = 0; y < (n - j < 24 ? n - j : 24); y++) {
                            sum[x][y] += a[(i + x) * n + k] * b[k * n + j + y];
                        }
                    }
                }
                for (int x = 0; x < (n - i < 8 ? n - i : 8); x++) {
                    for (int y = 0; y < (n - j < 24 ? n - j : 24); y++) {
                        c[(i + x) * n + j + y] = sum[x][y];
                    }
                }
            }
        }
    }
    std::printf("%g %g\\n", c[0], c[n * n - 1]);
}
""",
        ),
        answers=("strided-access", "cache-misses", "reduction"),
        prior=3.0,
        refusals=(_STENCIL,),
    ),
    Transformation(
        name="unroll-and-jam",
        family="loops",
        summary="Takes several turns of an outer loop at a time, so that the loops inside run once for all of them.",
        find=_jams,
        example=RewriteExample(
            _PRODUCT,
            """
#include <cstdio>
const int n = 37;
double a[n * n], b[n * n], c[n * n];
int main() {
    for (int i = 0; i < n * n; i++) {
        a[i] = b[i] = i % 7;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j += 32) {
            if (j + 32 <= n) {
                double sum[32] = {};
                for (int k = 0; k < n; k++) {
                    for (int lane = 0; lane < 32; lane++) {
                        sum[lane] += a[i * n + k] * b[k * n + j + lane];
                    }
                }
                for (int lane = 0; lane < 32; lane++) {
                    c[i * n + j + lane] = sum[lane];
                }
            } else {
                double sum[32] = {};
                for (int k = 0; k < n; k++) {
                    for (int lane = 0; lane < (n - j < 32 ? n - j : 32); lane++) {
                        sum[lane] += a[i * n + k] * b[k * n + j + lane];
                    }
                }
                for (int lane = 0; lane < (n - j < 32 ? n - j : 32); lane++) {
                    c[i * n + j + lane] = sum[lane];
                }
            }
        }
    }
    std::printf("%g %g\\n", c[0], c[n * n - 1]);
}
""",
            "turns=32",
        ),
        answers=("strided-access", "cache-misses", "reduction"),
        prior=2.0,
        refusals=(_STENCIL,),
    ),
)
