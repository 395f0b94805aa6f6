"""Threads: loops whose turns run at the same time, where the task gives more than one CPU."""

from __future__ import annotations

from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.effects import effects, independent, names_in, separate, steady
from maxcode.policy.rewrite.analysis.loops import LOOPS, Loop, declared, loops
from maxcode.policy.rewrite.compiler.loop_pragmas import begins_its_line, hinted, openmp, reductions
from maxcode.policy.rewrite.source import SourceFile, ancestors
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_SCHEDULES = {"": 2.0, "schedule(dynamic, 16)": 1.0, "schedule(static, 1)": 0.5}


def _parallel(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    if setting.cpus < 2 or not openmp(setting) or "omp parallel" in source.code:
        return
    for loop in loops(source):
        if not begins_its_line(loop) or hinted(loop) or not _splits(loop, setting):
            continue
        weight = 2.0 / (1 + loop.depth) * (0.5 if loop.innermost else 1.0)
        clauses = reductions(loop, setting)
        for schedule, share in _SCHEDULES.items():
            yield _in_front(loop, [*clauses, schedule], weight * share)
        if _rectangular(loop, setting):
            yield _in_front(loop, ["collapse(2)", *clauses], weight)


def _splits(loop: Loop, setting: Setting) -> bool:
    """Whether threads may share the turns: nothing is written by two, but for sums that OpenMP adds up."""
    source, body = loop.source, loop.body
    in_a_function = any(each.type == "function_definition" for each in ancestors(loop.node))
    fixed = all(each.type is not None for each in loops(source, within=body)) and _only_counting(source, loop)
    free = steady(loop) and separate(source, body, loop.variable)
    summed = {name for clause in reductions(loop, setting) for name in names_in(clause)}
    shared = set(effects(source, body).scalars) - declared(source, body)
    return (
        in_a_function
        and fixed
        and free
        and shared <= summed
        and independent(source, body, loop.variable, setting.relaxed_floats)
    )


def _only_counting(source: SourceFile, loop: Loop) -> bool:
    """Whether every loop inside is a counting one, whose variable belongs to it."""
    return len(list(source.find(*LOOPS, within=loop.body))) == len(list(loops(source, within=loop.body)))


def _rectangular(loop: Loop, setting: Setting) -> bool:
    inner = loop.inner
    if inner is None or inner.type is None or loop.variable in names_in(f"{inner.start} {inner.end}"):
        return False
    return _splits(inner, setting)


def _in_front(loop: Loop, clauses: list[str], weight: float) -> Rewrite:
    given = " ".join(clause for clause in clauses if clause)
    pragma = f"#pragma omp parallel for {given}".rstrip() + f"\n{loop.indent}"
    return Rewrite(loop.line, (loop.source.before(loop.node, pragma),), given, weight)


_ROWS = """
#include <cstdio>

double row_sums(int n, const double *table, double *sums) {
    double total = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            sum += table[i * n + j];
        }
        sums[i] = sum;
        total += sum;
    }
    return total;
}

int main() {
    double table[4] = {1, 2, 3, 4}, sums[2];
    std::printf("%g\\n", row_sums(2, table, sums));
}
"""
_SHARED = """
void count(int n, const int *bins, int *counts, double *sums) {
    for (int i = 0; i < n; i++) {
        counts[bins[i]]++;
    }
    for (int i = 1; i < n; i++) {
        sums[i] += sums[i - 1];
    }
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="parallel-for",
        family="threads",
        summary="Shares the turns of a loop among threads.",
        find=_parallel,
        example=RewriteExample(
            _ROWS,
            _ROWS.replace("    for (int i", "    #pragma omp parallel for reduction(+:total)\n    for (int i"),
            setting=Setting(cpus=2, relaxed_floats=True, flags=("-O3", "-fopenmp")),
        ),
        prior=3.0,
        refusals=(_SHARED,),
    ),
)
