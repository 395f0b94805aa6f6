"""Cache blocking: a loop that goes from block to block, with loops inside that stay within the block.

What tells it from a tile kept in registers: loops within the block that only fill, use or empty a small local array are
such a tile; and a step of up to REGISTERS elements is a block only where two loops, one in the other, go over them.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from maxcode.policy.rewrite.source import SourceFile
from maxcode.train.techniques.arrays import local_arrays, scratch_names
from maxcode.train.techniques.copies import accumulates
from maxcode.train.techniques.live import LiveCode
from maxcode.train.techniques.nests import Walk, assignments, callees, fixed, loops_within, mentions, root_name, walks

REGISTERS = 16
SMALLEST_BLOCK = 4
LARGEST_STEP_OF_A_TILE = 64
LARGEST_TILE_IN_REGISTERS = 256


def blocks_for_cache(program: LiveCode) -> bool:
    every = walks(program)
    found = [
        walk
        for walk in every
        if _steps_by_blocks(program, walk)
        and _stays_inside(program, walk, every)
        and not _in_registers(program, walk, every)
    ]
    small = [walk for walk in found if _small(program, walk)]
    nested = any(inner.node in outer for outer in small for inner in small if inner.variable != outer.variable)
    return len(small) < len(found) or nested or _halves(program) or _by_index(program, every)


def _small(program: LiveCode, walk: Walk) -> bool:
    value = program.value(walk.step)
    return value is not None and value <= REGISTERS


def _steps_by_blocks(program: LiveCode, walk: Walk) -> bool:
    """Whether the step is more than one and stays the same; a step of one row of a table is no block."""
    value = program.value(walk.step)
    if value is not None:
        return value > 1
    names = set(re.findall(r"[A-Za-z_]\w*", walk.step))
    if not names or not names <= fixed(program, walk) or not re.fullmatch(r"[\w\s*().]+", walk.step):
        return False
    moved = {each.variable for each in walks(program)}
    return not names & moved and not re.search(
        rf"\b{re.escape(walk.step)}\b\s*\*|\*\s*\b{re.escape(walk.step)}\b", walk.condition
    )


def _stays_inside(program: LiveCode, walk: Walk, every: tuple[Walk, ...]) -> bool:
    """True if something inside runs over the block at hand, and there is more than one loop to come back in."""
    if loops_within(program, walk.body) < 2:
        return False
    derived = _derived(program.source, walk)
    inner = [each for each in every if each.node in walk]
    if any(_within_block(program, walk, each, derived) for each in inner):
        return True
    return any(
        loops_within(program, body) > 0 and mentions(program.source.text(call), walk.variable)
        for call, body in callees(program, walk.body)
        if not _small(program, walk)
    )


def _within_block(program: LiveCode, walk: Walk, inner: Walk, derived: set[str]) -> bool:
    if mentions(inner.condition, *derived) and (
        mentions(inner.condition, *(derived - {walk.variable})) or mentions(inner.start, *derived)
    ):
        return True
    step = program.value(walk.step)
    bound = re.search(rf"\b{inner.variable}\s*<\s*([^&|]+)", inner.condition)
    same = bound is not None and (
        bound[1].strip() == walk.step or (step is not None and program.value(bound[1]) == step)
    )
    return same and _added(program.source, inner.body, walk.variable, inner.variable)


def _added(source: SourceFile, body: Node, one: str, other: str) -> bool:
    texts = (source.text(node) for node in source.find("subscript_argument_list", "binary_expression", within=body))
    return any(mentions(text, one) and mentions(text, other) for text in texts)


def _derived(source: SourceFile, walk: Walk) -> set[str]:
    """The loop's variable and names in its body that are worked out from it."""
    given = [
        (source.text(name), source.text(value))
        for node in source.find("init_declarator", within=walk.body)
        if (name := node.child_by_field_name("declarator")) and (value := node.child_by_field_name("value"))
    ]
    given += [
        (source.text(left), source.text(right))
        for _, left, _, right in assignments(source, walk.body)
        if left.type == "identifier"
    ]
    found = {walk.variable}
    while more := {name for name, value in given if name not in found and _bounds(value, found)}:
        found |= more
    return found


def _bounds(value: str, found: set[str]) -> bool:
    return mentions(value, *found) and "[" not in value


def _in_registers(program: LiveCode, walk: Walk, every: tuple[Walk, ...]) -> bool:
    """Whether the loops within a block only fill, use or empty a tile in local variables, or fill a buffer with it."""
    step = program.value(walk.step)
    if step is None or step > LARGEST_STEP_OF_A_TILE:
        return False
    tiles = {a.name for a in local_arrays(program) if (a.elements or 10**9) <= LARGEST_TILE_IN_REGISTERS}
    buffers = set().union(*scratch_names(program, LARGEST_TILE_IN_REGISTERS).values()) if step <= REGISTERS else set()
    derived = _derived(program.source, walk)
    within = [each for each in every if each.node in walk and _within_block(program, walk, each, derived)]
    return bool(within) and not any(_works_on_memory(program.source, each.body, tiles, buffers) for each in within)


def _works_on_memory(source: SourceFile, body: Node, tiles: set[str], buffers: set[str]) -> bool:
    for node, left, _, _ in assignments(source, body):
        if mentions(source.text(node), *tiles):
            continue
        if left.type != "identifier" and root_name(source, left) not in buffers:
            return True
        if left.type == "identifier" and accumulates(source, node):
            return True
    statements = (source.text(node) for node in source.find("expression_statement", within=body))
    return any(re.match(r"[\w:<>, ]+\(", text) and not mentions(text, *tiles, *buffers) for text in statements)


def _by_index(program: LiveCode, every: tuple[Walk, ...]) -> bool:
    """Whether blocks are numbered: `for (b = 0; b < blocks; b++)` with loops inside that begin at b * SIZE."""
    return any(
        program.value(walk.step) == 1 and loops_within(program, walk.body) > 1 and _numbered(program, walk, inner)
        for walk in every
        for inner in every
        if inner.node in walk
    )


def _numbered(program: LiveCode, walk: Walk, inner: Walk) -> bool:
    size = _factor(program, _resolved(program.source, walk, inner.start), walk.variable)
    if size is not None and size > 1:
        return True
    bound = re.search(rf"\b{inner.variable}\s*<\s*([^&|]+)", inner.condition)
    width = program.value(bound[1]) if bound else None
    divided = re.search(r"/\s*([\w()]+)", _resolved(program.source, walk, walk.condition))
    if width is None or divided is None or program.value(divided[1].strip("()")) != width:
        return False
    return _added(program.source, inner.body, walk.variable, inner.variable)


def _resolved(source: SourceFile, walk: Walk, text: str) -> str:
    """The text with each name in it replaced by what the name was set to."""
    for node in source.find("init_declarator"):
        name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        if name is None or value is None or name.type != "identifier" or source.text(name) == walk.variable:
            continue
        said = source.text(value)
        text = re.sub(rf"\b{source.text(name)}\b", f"({said})".replace("\\", ""), text)
    return text


def _factor(program: LiveCode, text: str, variable: str) -> int | None:
    found = re.search(rf"\b{variable}\s*\*\s*(\w+)|(\w+)\s*\*\s*{variable}\b", text)
    return program.value(found[1] or found[2]) if found else None


def _halves(program: LiveCode) -> bool:
    """Whether a function calls itself on halves until a block is small enough for its loops."""
    for node in program.functions.values():
        text = program.source.text(node)
        calls = sum(1 for _, called in callees(program, node) if called == node)
        limits = (program.value(found) for found in re.findall(r"[<>]=?\s*(\w+)", text))
        until_small = any(limit is not None and limit >= SMALLEST_BLOCK for limit in limits)
        if calls > 1 and until_small and re.search(r"/\s*2\b|>>\s*1\b", text) and loops_within(program, node, 0) > 1:
            return True
    return False
