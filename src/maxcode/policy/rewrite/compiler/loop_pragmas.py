"""Compiler: pragmas in front of innermost loops."""

from __future__ import annotations

from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.effects import effects, independent, order_is_free, separate, steady
from maxcode.policy.rewrite.analysis.loops import Loop, declared, loops
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_UNROLLED = {4: 1.0, 8: 0.8, 2: 0.5, 16: 0.4}


def hinted(loop: Loop) -> bool:
    """Whether a pragma stands in front of a loop already."""
    before = loop.node.prev_sibling
    return before is not None and before.type == "preproc_call"


def _in_front(loop: Loop, pragma: str, options: str = "", weight: float = 1.0) -> Rewrite:
    text = f"#pragma {pragma}\n{loop.indent}"
    return Rewrite(loop.line, (loop.source.before(loop.node, text),), options, weight * (1 + loop.depth))


def begins_its_line(loop: Loop) -> bool:
    """Whether a pragma can be put in front: not after `else`, a label or another statement."""
    data, at = loop.source.data, loop.node.start_byte
    alone = not data[data.rfind(b"\n", 0, at) + 1 : at].strip()
    above = loop.node.parent
    return alone and above is not None and above.type == "compound_statement"


def _inner_loops(source: SourceFile) -> Iterator[Loop]:
    for loop in loops(source):
        if loop.innermost and begins_its_line(loop) and not hinted(loop):
            yield loop


def _ivdep(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in _inner_loops(source):
        writes = any(touch.writes for touch in effects(source, loop.body).touches)
        free = writes and steady(loop) and separate(source, loop.body, loop.variable)
        if free and independent(source, loop.body, loop.variable, relaxed=True):
            yield _in_front(loop, "GCC ivdep")


def _unroll(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in _inner_loops(source):
        found = effects(source, loop.body)
        if found.streams or (loop.end.isdigit() and int(loop.end) < 4):
            continue
        for factor, weight in _UNROLLED.items():
            yield _in_front(loop, f"GCC unroll {factor}", f"factor={factor}", weight)


def openmp(setting: Setting) -> bool:
    return "-fopenmp" in setting.flags


def _simd(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    if not openmp(setting) and "-fopenmp-simd" not in setting.flags:
        return
    for loop in _inner_loops(source):
        free = steady(loop) and separate(source, loop.body, loop.variable)
        if free and independent(source, loop.body, loop.variable, setting.relaxed_floats):
            yield _in_front(loop, " ".join(["omp simd", *reductions(loop, setting)]))


def reductions(loop: Loop, setting: Setting) -> list[str]:
    """The clauses for the variables that every turn adds to."""
    found = effects(loop.source, loop.body).scalars
    shared = sorted(set(found) - declared(loop.source, loop.body))
    return [
        f"reduction({next(iter(found[name]))}:{name})"
        for name in shared
        if order_is_free(loop.source, name, loop.node, setting.relaxed_floats)
    ]


_SCALE = """
#include <cstdio>

void scale(int n, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        to[i] = 2.0 * from[i];
    }
}

int main() {
    double from[3] = {1.0, 2.0, 3.0}, to[3];
    scale(3, from, to);
    std::printf("%g\\n", to[2]);
}
"""
_RUNNING_SUM = """
void add_up(int n, double *sums) {
    for (int i = 1; i < n; i++) {
        sums[i] = sums[i - 1] + sums[i];
    }
}

void count(int n, const int *bins, int *counts) {
    for (int i = 0; i < n; i++) {
        counts[bins[i]]++;
    }
}
"""
_DOT = """
double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}
"""
_NESTED = """
#include <cstdio>

int main() {
    for (int i = 0; i < 3; i++) std::printf("%d\\n", i);
}
"""


def _before_for(code: str, pragma: str) -> str:
    return code.replace("    for (", f"    #pragma {pragma}\n    for (")


TRANSFORMATIONS = (
    Transformation(
        name="ivdep",
        family="compiler",
        summary="Tells the compiler that the turns of a loop do not depend on each other through memory.",
        find=_ivdep,
        example=RewriteExample(_SCALE, _before_for(_SCALE, "GCC ivdep")),
        answers=("aliasing",),
        prior=0.5,
        refusals=(_RUNNING_SUM,),
    ),
    Transformation(
        name="unroll-pragma",
        family="compiler",
        summary="Asks the compiler to unroll an innermost loop.",
        find=_unroll,
        example=RewriteExample(_SCALE, _before_for(_SCALE, "GCC unroll 4")),
        answers=("trip-count",),
        prior=0.4,
        refusals=(_NESTED,),
    ),
    Transformation(
        name="simd-pragma",
        family="compiler",
        summary="Has a loop use vectors, sums included, where OpenMP is switched on.",
        find=_simd,
        example=RewriteExample(
            _DOT,
            _before_for(_DOT, "omp simd reduction(+:sum)"),
            setting=Setting(relaxed_floats=True, flags=("-O3", "-fopenmp")),
        ),
        answers=("aliasing", "reduction"),
        prior=0.8,
        refusals=(_RUNNING_SUM,),
    ),
)
