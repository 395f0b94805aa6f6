"""Loops: the first or the last turn on its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.conditions import condition_of, decided
from maxcode.policy.rewrite.analysis.loops import Loop, declared, loops
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, braced, header, in_place_of
from maxcode.policy.rewrite.loops.guards import bounds_stay, short
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation


def _peeled(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        plain = (
            loop.type is not None
            and loop.rises_by_one
            and not loop.jumps
            and loop.variable not in declared(source, loop.body)
        )
        if not plain or not short(loop) or not bounds_stay(loop):
            continue
        for end, answers in (("first", _first_turn(loop)), ("last", _last_turn(loop))):
            if answers:
                yield Rewrite(loop.line, (in_place_of(loop, _peel(loop, end, answers)),), f"turn={end}")


def _tests(loop: Loop) -> Iterator[tuple[Node, str]]:
    """The conditions in a body, without white space."""
    for node in loop.source.find("if_statement", within=loop.body):
        condition = condition_of(node)
        if condition is not None:
            yield node, re.sub(r"\s+", "", loop.source.text(condition))


def _first_turn(loop: Loop) -> dict[int, bool]:
    """Conditions that only the first turn decides this way, by place; all other turns decide them the other way."""
    v, start = loop.variable, re.sub(r"\s+", "", loop.start)
    true = {f"{v}=={start}", f"{start}=={v}", f"{v}<={start}"} | ({f"!{v}", f"{v}<1"} if start == "0" else set())
    false = {f"{v}!={start}", f"{start}!={v}", f"{v}>{start}"} | ({v, f"{v}>=1"} if start == "0" else set())
    return {node.start_byte: text in true for node, text in _tests(loop) if text in true | false}


def _last_turn(loop: Loop) -> dict[int, bool]:
    v, end = loop.variable, re.sub(r"\s+", "", loop.end)
    last = end if loop.comparison == "<=" else f"{end}-1"
    true = {f"{v}=={last}", f"{v}>={last}"} | ({f"{v}+1=={end}"} if loop.comparison == "<" else set())
    false = {f"{v}!={last}", f"{v}<{last}"} | ({f"{v}+1<{end}", f"{v}+1!={end}"} if loop.comparison == "<" else set())
    return {node.start_byte: text in true for node, text in _tests(loop) if text in true | false}


def _peel(loop: Loop, end: str, answers: dict[int, bool]) -> Lines:
    source = loop.source
    sure = loop.start.isdigit() and loop.end.isdigit() and int(loop.start) < int(loop.end)
    condition = f"if ({loop.start} {loop.comparison} {loop.end})"
    rest = _answered(loop, answers, flip=True)
    if end == "first":
        turn = [f"const {loop.type} {loop.variable} = {loop.start};", *_answered(loop, answers, flip=False)]
        alone = braced(source, turn) if sure else block(source, condition, turn)
        return [*alone, *block(source, header(loop, start=_next(loop.start)), rest)]
    last = loop.end if loop.comparison == "<=" else f"{loop.end} - 1"
    turn = [f"const {loop.type} {loop.variable} = {last};", *_answered(loop, answers, flip=False)]
    # All of it under the condition: an unsigned end of zero has nothing below it.
    kind, name = loop.type, loop.variable
    lines = [
        *block(source, f"for ({kind} {name} = {loop.start}; {name} < {last}; {name}++)", rest),
        *braced(source, turn),
    ]
    return lines if sure else block(source, condition, lines)


def _next(start: str) -> str:
    return str(int(start) + 1) if start.isdigit() else f"{start} + 1"


def _answered(loop: Loop, answers: dict[int, bool], flip: bool) -> Lines:
    """The body with the conditions decided; of nested ones, the outermost."""
    source, edits, until = loop.source, list[Edit](), 0
    for node in source.find("if_statement", within=loop.body):
        if node.start_byte in answers and node.start_byte >= until:
            edits.append(decided(source, node, answers[node.start_byte] != flip))
            until = node.end_byte
    return body_lines(source, loop.body, edits)


TRANSFORMATIONS = (
    Transformation(
        name="peel",
        family="loops",
        summary="Takes the first or last turn out of a loop that asks in every turn whether it is that one.",
        find=_peeled,
        example=RewriteExample(
            before="""
#include <cstdio>
int main() {
    int sums[10];
    for (int i = 0; i < 10; i++) {
        if (i == 0) {
            sums[i] = 1;
        } else {
            sums[i] = sums[i - 1] + i;
        }
    }
    std::printf("%d\\n", sums[9]);
}
""",
            after="""
#include <cstdio>
int main() {
    int sums[10];
    {
        const int i = 0;
        sums[i] = 1;
    }
    for (int i = 1; i < 10; i++) {
        sums[i] = sums[i - 1] + i;
    }
    std::printf("%d\\n", sums[9]);
}
""",
        ),
        answers=("control-flow",),
        prior=0.8,
        refusals=(
            """
int count(const int *values, int n, int limit) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        if (values[i] > limit) found++;
    }
    return found;
}
""",
        ),
    ),
)
