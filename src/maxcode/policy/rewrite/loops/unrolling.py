"""Loops: several turns written out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.analysis.effects import effects, steady
from maxcode.policy.rewrite.analysis.loops import Loop, loops
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, braced, header, in_place_of, renaming
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_TURNS = {4: 2.0, 2: 1.0, 8: 1.0}
_MOST_STATEMENTS = 8
_MOST_TURNS = 8


def _unrolled(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        found = effects(source, loop.body)
        long = len(loop.statements) > _MOST_STATEMENTS or found.opaque or found.streams
        if long or not loop.innermost or not steady(loop) or not _countable(loop):
            continue
        for turns, weight in _TURNS.items():
            yield Rewrite(loop.line, (in_place_of(loop, _in_turns(loop, turns)),), f"turns={turns}", weight)


def _countable(loop: Loop) -> bool:
    """Whether the number of turns can be divided: nothing unsigned that would wrap below the start."""
    signed = re.fullmatch(r"int|long|long long|long int", loop.type or "") is not None
    few = re.fullmatch(r"\d+", loop.end) and int(loop.end) <= _MOST_TURNS
    return (loop.start == "0" or signed) and not few


def _in_turns(loop: Loop, turns: int) -> Lines:
    source, whole = loop.source, _whole_turns(loop, turns)
    many = [line for turn in range(turns) for line in _turn(loop, _later(loop.variable, turn))]
    comparison = header(loop, end=whole, step=str(turns)).replace(f"{loop.variable} <= ", f"{loop.variable} < ", 1)
    lines = block(source, comparison, many)
    return lines + block(source, header(loop, start=whole), body_lines(source, loop.body))


def _whole_turns(loop: Loop, turns: int) -> str:
    """Bound at which the last whole group of turns ends."""
    end = loop.end if re.fullmatch(r"[\w.()]+", loop.end) else f"({loop.end})"
    if loop.comparison == "<=":
        end = f"({loop.end} + 1)"
    start = loop.start if re.fullmatch(r"[\w.]+", loop.start) else f"({loop.start})"
    return f"{end} / {turns} * {turns}" if start == "0" else f"{start} + ({end} - {start}) / {turns} * {turns}"


def _later(variable: str, turn: int) -> str:
    return variable if turn == 0 else f"{variable} + {turn}"


def _turn(loop: Loop, value: str) -> Lines:
    """One turn; in braces where it declares something."""
    source = loop.source
    lines = body_lines(source, loop.body, renaming(source, loop.body, {loop.variable: value}))
    if any(node.type == "declaration" for node in loop.statements):
        return braced(source, lines)
    return lines


TRANSFORMATIONS = (
    Transformation(
        name="unroll",
        family="loops",
        summary="Writes out several turns of an innermost loop, and the turns that are left in a second one.",
        find=_unrolled,
        example=RewriteExample(
            before="""
#include <cstdio>
int main() {
    int values[103];
    for (int i = 0; i < 103; i++) {
        values[i] = i ^ 5;
    }
    std::printf("%d\\n", values[102]);
}
""",
            after="""
#include <cstdio>
int main() {
    int values[103];
    for (int i = 0; i < 103 / 4 * 4; i += 4) {
        values[i] = i ^ 5;
        values[i + 1] = (i + 1) ^ 5;
        values[i + 2] = (i + 2) ^ 5;
        values[i + 3] = (i + 3) ^ 5;
    }
    for (int i = 103 / 4 * 4; i < 103; i++) {
        values[i] = i ^ 5;
    }
    std::printf("%d\\n", values[102]);
}
""",
        ),
        answers=("trip-count",),
        prior=0.4,
        refusals=(
            """
int first(const int *values, int n) {
    for (int i = 0; i < n; i++) {
        if (values[i] > 0) return i;
    }
    return -1;
}
""",
        ),
    ),
)
