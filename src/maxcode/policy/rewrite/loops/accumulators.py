"""Loops: what a loop adds up is kept in registers, in several parts where the order of the sum is free."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import Effects, Touch, effects, names_in, type_of
from maxcode.policy.rewrite.analysis.loops import Loop, declared, loops, written
from maxcode.policy.rewrite.analysis.writing import Lines, block, body_lines, header, in_place_of, renaming
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_FLOATING = ("double", "float")
_LANES = {8: 3.0, 16: 2.0, 4: 1.5, 32: 1.0}
_CONDITIONAL = ("if_statement", "conditional_expression", "switch_statement", "while_statement", "do_statement")
_NUMBERS = re.compile(r"(?:(?:const|unsigned|signed|long|short|int|char|float|double|size_t|ll|u?int\d+_t)\s*)+")


def _kept_in_scalars(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        elements = _steady_elements(loop)
        if elements and _stands_in_a_block(loop):
            weight = 1.0 + loop.depth + (1.0 if loop.innermost else 0.0)
            yield Rewrite(loop.line, _in_scalars(loop, elements), f"loop={loop.variable}", weight)


def _stands_in_a_block(loop: Loop) -> bool:
    return loop.node.parent is not None and loop.node.parent.type == "compound_statement"


def _steady_elements(loop: Loop) -> dict[str, list[Touch]]:
    """Array elements that every turn updates, by their text, where nothing else in the loop touches their arrays."""
    source, found = loop.source, effects(loop.source, loop.body)
    if found.opaque or found.streams or next(source.find("return_statement", within=loop.body), None) is not None:
        return {}
    moving = written(source, loop.body) | declared(source, loop.body) | {loop.variable}
    elements: dict[str, list[Touch]] = {}
    for array in dict.fromkeys(touch.access.array for touch in found.touches if touch.writes):
        touches = [touch for touch in found.touches if touch.access.array == array]
        texts = {source.text(touch.access.node) for touch in touches}
        names = {name for touch in touches for index in touch.access.indices for name in names_in(index)}
        kind = type_of(source, array, loop.node) or ""
        plain = re.fullmatch(r"\w+", array) and "bool" not in kind and array not in moving - {array}
        always = any(touch.writes and unconditional(touch.access.node, loop.node) for touch in touches)
        if len(texts) == 1 and plain and always and not names & moving and array not in found.scalars:
            elements[texts.pop()] = touches
    return elements if all(_scalar_type(source, each[0], loop) for each in elements.values()) else {}


def unconditional(node: Node, loop: Node) -> bool:
    """Whether a place in a loop is reached in every turn that gets that far."""
    for each in ancestors(node):
        if each == loop:
            return True
        if each.type in _CONDITIONAL:
            return False
    return False


def _scalar_type(source: SourceFile, touch: Touch, loop: Loop) -> str | None:
    """The type of an element, where it is a number for sure."""
    kind = type_of(source, touch.access.array, loop.node) or ""
    element = re.sub(r"^(?:std::)?vector<|>+$|\b(?:const|static)\b", "", re.sub(r"(?:std::)?vector<", "", kind)).strip()
    return element if _NUMBERS.fullmatch(element) else None


def _in_scalars(loop: Loop, elements: dict[str, list[Touch]]) -> tuple[Edit, ...]:
    source, indent = loop.source, loop.indent
    edits, before, after = [], "", ""
    for text, touches in elements.items():
        name = source.fresh("_".join(re.findall(r"\w+", text)[:3]) + "_sum")
        before += f"{_scalar_type(source, touches[0], loop)} {name} = {text};\n{indent}"
        after += f"\n{indent}{text} = {name};"
        edits += [source.replace(touch.access.node, name) for touch in touches]
    return (source.before(loop.node, before), *edits, source.after(loop.node, after))


@dataclass(frozen=True)
class _Sum:
    """A floating-point variable that every turn adds to, or whose largest or smallest value it keeps."""

    name: str
    type: str
    kind: str
    """"+", ">" or "<"."""


def _in_lanes(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    if not setting.relaxed_floats:
        return
    for loop in loops(source):
        sums = _sums(loop)
        if not sums or not loop.innermost or not _divisible(loop) or not _stands_in_a_block(loop):
            continue
        for lanes, weight in _LANES.items():
            lines = _by_lanes(loop, sums, lanes)
            yield Rewrite(loop.line, (in_place_of(loop, lines),), f"lanes={lanes}", weight * (1 + loop.depth))


def _divisible(loop: Loop) -> bool:
    """Whether the turns, more than a handful, can be taken in groups: known in advance, and no turn ends the loop."""
    source, body = loop.source, loop.body
    leaves = next(source.find("break_statement", "return_statement", "goto_statement", within=body), None) is not None
    if leaves or not loop.rises_by_one or names_in(f"{loop.start} {loop.end}") & written(source, body):
        return False
    signed = re.fullmatch(r"int|long|long long|long int", loop.type or "") is not None
    # What is left after whole groups has few turns as well.
    few = re.fullmatch(r"\d{1,2}", loop.end) is not None or loop.start.startswith("whole")
    return loop.type is not None and (loop.start == "0" or signed) and not few


def _sums(loop: Loop) -> list[_Sum]:
    """The sums of a loop; none where something else outlives a turn, or a sum is read on the way."""
    source, found = loop.source, effects(loop.source, loop.body)
    outer = set(found.scalars) - declared(source, loop.body)
    sums = [each for name in sorted(outer) if (each := _as_sum(loop, found, name)) is not None]
    named = [each.name for each in sums]
    # What is only counted up may be read as well: turns keep their order.
    counted = all(found.scalars[name] <= {"+"} for name in outer - set(named))
    return sums if counted and not found.opaque and not found.streams else []


def _as_sum(loop: Loop, found: Effects, name: str) -> _Sum | None:
    source = loop.source
    kind = type_of(source, name, loop.node) or ""
    uses = [each for each in source.find("identifier", within=loop.body) if source.text(each) == name]
    if kind not in _FLOATING or loop.variable == name:
        return None
    if found.scalars[name] == {"+"} and all(_is_updated(each) for each in uses):
        return _Sum(name, kind, "+")
    extremes = {_extreme(source, each, name) for each in source.find("if_statement", "assignment_expression",
                within=loop.body)} - {None}  # fmt: skip
    uses_of_one = 2 if len(uses) == 2 else 3
    if len(extremes) == 1 and len(uses) == uses_of_one:
        return _Sum(name, kind, str(extremes.pop()))
    return None


def _is_updated(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type == "assignment_expression" and parent.children[0] == node


def _extreme(source: SourceFile, node: Node, name: str) -> str | None:
    """The comparison by which a statement keeps the largest (>) or smallest (<) value in a variable."""
    text = re.sub(r"\s+", "", source.text(node)).replace("std::", "")
    value = r"([\w.\[\]+*()-]+)"
    kept = re.fullmatch(rf"if\({value}([<>])=?{name}\)\{{?{name}=(.+?);\}}?", text)
    if kept and kept[1] == kept[3]:
        return kept[2]
    chosen = re.fullmatch(rf"{name}={value}([<>])=?{name}\?(.+):{name}", text)
    if chosen and chosen[1] == chosen[3]:
        return chosen[2]
    called = re.fullmatch(rf"{name}=f?(max|min)f?\((?:{name},.+|.+,{name})\)", text)
    return {"max": ">", "min": "<"}[called[1]] if called else None


def _by_lanes(loop: Loop, sums: list[_Sum], lanes: int) -> Lines:
    source = loop.source
    lane, whole = source.fresh("lane"), source.fresh("whole")
    parts = {each.name: source.fresh(f"{each.name}_parts") for each in sums}
    names = {loop.variable: f"{loop.variable} + {lane}"} | {name: f"{part}[{lane}]" for name, part in parts.items()}
    each_lane = f"for (int {lane} = 0; {lane} < {lanes}; {lane}++)"
    body = block(source, each_lane, _turn(loop, names))
    start = [] if all(each.kind == "+" for each in sums) else block(source, each_lane, _starts(sums, parts, lane))
    ends = [f"{each.name} {_joined(each, f'{parts[each.name]}[{lane}]')}" for each in sums]
    main = header(loop, end=whole, step=str(lanes)).replace(f"{loop.variable} <= ", f"{loop.variable} < ", 1)
    return [
        *(_room(source, each, parts[each.name], lanes) for each in sums),
        *start,
        f"const {loop.type} {whole} = {_whole(loop, lanes)};",
        *block(source, main, body),
        *block(source, each_lane, ends),
        *block(source, header(loop, start=whole), body_lines(source, loop.body)),
    ]


def _turn(loop: Loop, names: dict[str, str]) -> Lines:
    return body_lines(loop.source, loop.body, renaming(loop.source, loop.body, names))


def _room(source: SourceFile, each: _Sum, part: str, lanes: int) -> str:
    zero = "" if each.kind != "+" else " = {0}" if source.language == "c" else " = {}"
    return f"{each.type} {part}[{lanes}]{zero};"


def _starts(sums: list[_Sum], parts: dict[str, str], lane: str) -> Lines:
    """Lines that start the lanes of largest and smallest values from the variable; lanes of sums start from zero."""
    return [f"{parts[each.name]}[{lane}] = {each.name};" for each in sums if each.kind != "+"]


def _joined(each: _Sum, part: str) -> str:
    return f"+= {part};" if each.kind == "+" else f"= {part} {each.kind} {each.name} ? {part} : {each.name};"


def _whole(loop: Loop, lanes: int) -> str:
    """Bound at which the last whole group of turns ends."""
    end = loop.end if re.fullmatch(r"\w+(?:\[\w+\])*", loop.end) else f"({loop.end})"
    end = f"({loop.end} + 1)" if loop.comparison == "<=" else end
    if loop.start == "0":
        return f"{end} / {lanes} * {lanes}"
    start = loop.start if re.fullmatch(r"\w+", loop.start) else f"({loop.start})"
    return f"{start} + ({end} - {start}) / {lanes} * {lanes}"


_FORCES = """
#include <cstdio>

int main() {
    double x[4] = {1.0, 2.0, 4.0, 8.0}, pull[4] = {};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            pull[i] += x[j] - x[i];
        }
    }
    std::printf("%g %g\\n", pull[0], pull[3]);
}
"""
_MOVING = """
void shift(int n, int *counts, const int *bins) {
    for (int i = 0; i < n; i++) {
        counts[bins[i]] += 1;
    }
    for (int i = 1; i < n; i++) {
        counts[0] += counts[i];
    }
}
"""
_MEAN = """
#include <cstdio>

double mean(int n, const float *values) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += values[i];
    }
    return sum / n;
}

int main() {
    float values[21];
    for (int i = 0; i < 21; i++) {
        values[i] = i;
    }
    std::printf("%g\\n", mean(21, values));
}
"""
_RUNNING = """
void running(int n, const double *values, double *sums) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += values[i];
        sums[i] = sum;
    }
}

int count(int n, const int *values) {
    int zeros = 0;
    for (int i = 0; i < n; i++) {
        zeros += values[i] == 0;
    }
    return zeros;
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="scalar-sum",
        family="loops",
        summary="Keeps an array element that a loop updates in a variable until the loop is done.",
        find=_kept_in_scalars,
        example=RewriteExample(
            _FORCES,
            _FORCES.replace(
                """        for (int j = 0; j < 4; j++) {
            pull[i] += x[j] - x[i];
        }
""",
                """        double pull_i_sum = pull[i];
        for (int j = 0; j < 4; j++) {
            pull_i_sum += x[j] - x[i];
        }
        pull[i] = pull_i_sum;
""",
            ),
        ),
        answers=("aliasing", "reduction"),
        prior=1.5,
        refusals=(_MOVING,),
    ),
    Transformation(
        name="several-sums",
        family="loops",
        summary="Adds up a floating-point sum in several parts, which do not wait for each other and fill vectors.",
        find=_in_lanes,
        example=RewriteExample(
            _MEAN,
            _MEAN.replace(
                """    for (int i = 0; i < n; i++) {
        sum += values[i];
    }
""",
                """    double sum_parts[8] = {};
    const int whole = n / 8 * 8;
    for (int i = 0; i < whole; i += 8) {
        for (int lane = 0; lane < 8; lane++) {
            sum_parts[lane] += values[i + lane];
        }
    }
    for (int lane = 0; lane < 8; lane++) {
        sum += sum_parts[lane];
    }
    for (int i = whole; i < n; i++) {
        sum += values[i];
    }
""",
            ),
            setting=Setting(relaxed_floats=True),
        ),
        answers=("reduction",),
        prior=1.5,
        refusals=(_RUNNING,),
    ),
)
