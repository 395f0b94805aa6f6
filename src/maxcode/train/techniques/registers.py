"""Register blocking: results of several turns of outer loops kept in locals while an inner loop runs."""

from __future__ import annotations

import re
from collections import defaultdict

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.source import enclosing, inside
from maxcode.train.techniques.arrays import LocalArray, local_arrays
from maxcode.train.techniques.blocking import LARGEST_TILE_IN_REGISTERS
from maxcode.train.techniques.copies import (
    accumulates,
    changing_statements,
    numbered_terms,
    offsets,
    same_of_other_turns,
    shape,
)
from maxcode.train.techniques.live import LiveCode
from maxcode.train.techniques.nests import Walk, assignments, loops_around, mentions, root_name, trips, walks
from maxcode.train.techniques.unrolling import MOST_LANES, sums_lanes

MANY = 4
"""Number of sums of one form, stored separately after a loop, that count as a tile even without a loop over tiles."""


def blocks_for_registers(program: LiveCode) -> bool:
    every = walks(program)
    by_loop: dict[int, list[Walk]] = defaultdict(list)
    for walk in every:
        by_loop[walk.node.start_byte].append(walk)
    return (
        any(_separate_sums(program, loop, by_loop) for loop in program.source.find(*LOOPS))
        or any(_jammed(program, walk) for walk in every)
        or _tile_in_array(program, by_loop)
    )


def _separate_sums(program: LiveCode, loop: Node, by_loop: dict[int, list[Walk]]) -> bool:
    source = program.source
    groups: dict[str, set[str]] = defaultdict(set)
    for node, left, operator, right in assignments(source, loop):
        if loops_around(node)[:1] == [loop] and _is_scalar(program, left) and accumulates(source, node):
            target = source.text(left)
            form = shape(source.text(right).replace(target, "I"))
            if not _looks_ahead(program, source.text(right), by_loop[loop.start_byte]):
                groups[operator + form].add(target)
    function = enclosing(loop, "function_definition", "lambda_expression")
    blocked = any(
        (program.value(walk.step) or 2) > 1 for each in loops_around(loop) for walk in by_loop[each.start_byte]
    )
    for sums in groups.values():
        apart = {each for each in sums if function is not None and _leaves_alone(program, each, sums, loop, function)}
        if len(apart) >= (2 if blocked else MANY):
            return True
    return False


def _is_scalar(program: LiveCode, left: Node) -> bool:
    """Whether the target is a local variable, or an element of a local array at a fixed place."""
    text = program.source.text(left)
    return left.type == "identifier" or bool(re.fullmatch(r"\w+(?:\s*\[\s*\d+\s*\])+", text))


def _looks_ahead(program: LiveCode, text: str, own: list[Walk]) -> bool:
    """Whether a sum is one of several of an unrolled loop: it looks at a later turn of the same loop."""
    return any(
        (program.value(walk.step) or 1) > 1 and max(offsets(text, walk.variable)[1], default=0) > 0 for walk in own
    )


def _leaves_alone(program: LiveCode, name: str, sums: set[str], loop: Node, function: Node) -> bool:
    """Whether a sum is stored after the loop by a statement that has none of the others."""
    source, others = program.source, [re.escape(each) for each in sums if each != name]
    for node in source.find("expression_statement", "return_statement", within=function):
        text = source.text(node)
        if node.start_byte < loop.end_byte or not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
            continue
        stored = re.search(r"\]\s*[-+]?=(?!=)|^\s*\*|->\w+\s*[-+]?=|\.\w+\s*[-+]?=|store|vst1|copy_to", text)
        if stored and not any(re.search(rf"(?<!\w){other}(?!\w)", text) for other in others):
            return True
    return False


def _jammed(program: LiveCode, walk: Walk) -> bool:
    """Whether turns of an outer loop are written out inside an inner one."""
    step = program.value(walk.step)
    if step is None or step < 2:
        return False
    for loop in program.source.find(*LOOPS, within=walk.body):
        own = [node for node in changing_statements(program.source, loop) if loops_around(node)[:1] == [loop]]
        if same_of_other_turns(program.source, own, walk.variable) or numbered_terms(program.source, own) >= step:
            return True
    return False


def _tile_in_array(program: LiveCode, by_loop: dict[int, list[Walk]]) -> bool:
    """Whether there is a small local array that a long loop adds to, each turn to the same elements."""
    source = program.source
    tiles = [a for a in local_arrays(program) if a.elements is not None and 1 < a.elements <= LARGEST_TILE_IN_REGISTERS]
    for node, left, _, _ in assignments(source, source.root):
        if left.type != "subscript_expression" or not accumulates(source, node):
            continue
        for tile in tiles:
            if tile.name == root_name(source, left) and _kept_over_a_loop(program, tile, node, left, by_loop):
                return True
    return False


def _kept_over_a_loop(
    program: LiveCode, tile: LocalArray, node: Node, left: Node, by_loop: dict[int, list[Walk]]
) -> bool:
    source = program.source
    where = source.text(left)[len(tile.name) :]
    lanes = [w for loop in loops_around(node) for w in by_loop[loop.start_byte] if mentions(where, w.variable)]
    if re.search(r"\[[^\]]*\[", where) or not lanes or not _within_its_function(tile, node):
        return False
    for loop in loops_around(node):
        own = by_loop[loop.start_byte]
        if inside(tile.node, loop) or not any(inside(lane.node, loop) and lane.node != loop for lane in lanes):
            continue
        if any(mentions(where, walk.variable) for walk in own) or not _loads(source.text(loop), tile.name):
            continue
        if any((trips(program, walk) or 10**9) <= MOST_LANES for walk in own):
            continue
        if not any(sums_lanes(program, walk, lane) for walk in own for lane in lanes):
            return True
    return False


def _loads(text: str, tile: str) -> bool:
    """True if something else than the tile is read from memory, or given to a function."""
    return bool(re.search(rf"\b(?!{tile}\b|for\b|if\b)\w+\s*[\[(]|[=(,*+]\s*\*\s*\w", text.split("(", 1)[1]))


def _within_its_function(tile: LocalArray, node: Node) -> bool:
    function = enclosing(node, "function_definition", "lambda_expression")
    return function is not None and inside(tile.node, function)
