"""Loops: two buffers that change places instead of being copied after every turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.effects import type_of
from maxcode.policy.rewrite.analysis.loops import Loop, declared, loops
from maxcode.policy.rewrite.analysis.writing import block, body_lines, in_place_of, renaming
from maxcode.policy.rewrite.source import SourceFile, enclosing
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_COPY = re.compile(r"(?:std::)?memcpy\(\s*(\w+),\s*(\w+),\s*([^;]+)\);")


def _swaps(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        copy = _COPY.fullmatch(source.text(loop.statements[-1])) if len(loop.statements) > 1 else None
        if copy is None or loop.jumps:
            continue
        kinds = {_pointer(source, name, loop.node) for name in (copy[1], copy[2])}
        local = declared(source, loop.body) & {copy[1], copy[2]}
        if len(kinds) == 1 and None not in kinds and not local and _filled(loop, copy[2]):
            yield Rewrite(loop.line, (in_place_of(loop, _swapping(loop, copy, str(kinds.pop()))),))


def _filled(loop: Loop, name: str) -> bool:
    """Whether a buffer was filled before, so that places which no turn writes hold the same in both."""
    function = enclosing(loop.node, "function_definition")
    before = loop.source.data[function.start_byte : loop.node.start_byte].decode() if function is not None else ""
    return re.search(rf"(?:memcpy|copy|copy_n)\([^;]*\b{name}\b", before) is not None


def _pointer(source: SourceFile, name: str, at: Node) -> str | None:
    """The element type of a pointer that may be written through."""
    function = enclosing(at, "function_definition")
    if function is None:
        return None
    for each in source.find("parameter_declaration", "declaration", within=function):
        text = re.search(rf"\*\s*(?:restrict\s+|__restrict(?:__)?\s+)?{name}\b", source.text(each))
        if text and "const" not in source.text(each).split("=")[0]:
            return type_of(source, name, at)
    return None


def _swapping(loop: Loop, copy: re.Match[str], kind: str) -> list[str]:
    source = loop.source
    old, new = source.fresh("current"), source.fresh("upcoming")
    last = loop.statements[-1]
    edits = [*renaming(source, loop.body, {copy[1]: old, copy[2]: new})]
    edits = [edit for edit in edits if edit.end <= last.start_byte]
    body = body_lines(source, loop.body, [*edits, source.remove_line(last)])
    exchange = source.fresh("previous")
    swap = [f"{kind} *{exchange} = {old};", f"{old} = {new};", f"{new} = {exchange};"]
    if source.language is Language.CPP and "<utility>" in source.code:
        swap = [f"std::swap({old}, {new});"]
    return [
        f"{kind} *{old} = {copy[1]};",
        f"{kind} *{new} = {copy[2]};",
        *block(source, loop.header, [*body, *swap]),
        *block(source, f"if ({old} != {copy[1]})", [source.text(last).replace(copy[2], old, 1)]),
    ]


TRANSFORMATIONS = (
    Transformation(
        name="swap-for-copy",
        family="loops",
        summary="Lets two buffers change places after every turn instead of copying one to the other.",
        find=_swaps,
        example=RewriteExample(
            before="""
#include <cstdio>
#include <cstring>
void spread(int n, int turns, double *heat, double *next) {
    std::memcpy(next, heat, n * sizeof(double));
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 1; i < n - 1; i++) {
            next[i] = 0.5 * heat[i] + 0.25 * (heat[i - 1] + heat[i + 1]);
        }
        std::memcpy(heat, next, n * sizeof(double));
    }
}
int main() {
    double heat[10] = {1, 2, 4}, next[10];
    spread(10, 5, heat, next);
    std::printf("%g %g\\n", heat[3], heat[4]);
}
""",
            after="""
#include <cstdio>
#include <cstring>
void spread(int n, int turns, double *heat, double *next) {
    std::memcpy(next, heat, n * sizeof(double));
    double *current = heat;
    double *upcoming = next;
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 1; i < n - 1; i++) {
            upcoming[i] = 0.5 * current[i] + 0.25 * (current[i - 1] + current[i + 1]);
        }
        double *previous = current;
        current = upcoming;
        upcoming = previous;
    }
    if (current != heat) {
        std::memcpy(heat, current, n * sizeof(double));
    }
}
int main() {
    double heat[10] = {1, 2, 4}, next[10];
    spread(10, 5, heat, next);
    std::printf("%g %g\\n", heat[3], heat[4]);
}
""",
        ),
        answers=("cache-misses",),
        prior=2.0,
        refusals=(
            """
#include <cstring>
void keep(int n, int turns, double *values) {
    double saved[100];
    for (int turn = 0; turn < turns; turn++) {
        for (int i = 0; i < n; i++) values[i] += 1;
        std::memcpy(saved, values, n * sizeof(double));
    }
    values[0] = saved[0];
}
""",
        ),
    ),
)
