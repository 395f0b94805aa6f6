"""Unrolling: several turns of an innermost loop written out, or a fixed number of lanes beside each other."""

from __future__ import annotations

import re

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.source import inside
from maxcode.train.techniques.arrays import local_arrays
from maxcode.train.techniques.copies import changing_statements, in_loop_directly, partial_sums, same_of_other_turns
from maxcode.train.techniques.live import LiveCode
from maxcode.train.techniques.nests import Walk, mentions, trips, walks

MOST_LANES = 32


def unrolls(program: LiveCode) -> bool:
    every = walks(program)
    return any(_written_out(program, walk) or _in_lanes(program, walk, every) for walk in every) or any(
        _repeats(program, loop) for loop in program.source.find(*LOOPS)
    )


def _written_out(program: LiveCode, walk: Walk) -> bool:
    step = program.value(walk.step)
    if step is None or step < 2 or next(program.source.find(*LOOPS, within=walk.body), None) is not None:
        return False
    if partial_sums(program.source, walk.body, walk.variable):
        return True
    return same_of_other_turns(program.source, changing_statements(program.source, walk.body), walk.variable)


def _in_lanes(program: LiveCode, walk: Walk, every: tuple[Walk, ...]) -> bool:
    """Whether each lane has its own sum, as in `for (i...; i += 8) for (l = 0; l < 8; l++) s[l] += x[i + l]`."""
    step = program.value(walk.step)
    if step is None or not 2 <= step <= MOST_LANES:
        return False
    return any(
        inner.node in walk and trips(program, inner) == step and sums_lanes(program, walk, inner) for inner in every
    )


def sums_lanes(program: LiveCode, walk: Walk, inner: Walk) -> bool:
    """Whether the inner loop adds, lane by lane, elements of consecutive turns of the outer one to a local array."""
    names = {array.name for array in local_arrays(program) if not inside(array.node, walk.node)}
    text = re.sub(r"\s+", "", program.source.text(inner.body))
    target = re.search(rf"(\w+)\[{inner.variable}\](?:[-+]=|=\1\[{inner.variable}\][-+])", text)
    together = re.search(rf"\b{walk.variable}\+{inner.variable}\b|\b{inner.variable}\+{walk.variable}\b", text)
    return target is not None and target[1] in names and together is not None and mentions(text, walk.variable)


def _repeats(program: LiveCode, loop: Node) -> bool:
    """Whether the same statement stands in the loop twice, with pointers that advance by `++`."""
    texts = [
        program.source.text(node)
        for node in changing_statements(program.source, loop)
        if in_loop_directly(node, loop) and "++" in program.source.text(node)
    ]
    return len(set(texts)) < len(texts)
