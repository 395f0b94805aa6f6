"""Python: loops that come to one value, left to built-in functions and methods."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    addition,
    assignment,
    call_of,
    mentions,
    plain_arguments,
    scope_of,
)
from maxcode.policy.rewrite.python.effects import values_of
from maxcode.policy.rewrite.python.sweep import Sweep, in_place_of, start_of, sweeps, tight
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d*)?(?:[eE]-?\d+)?|-?\d+ \*\* \d+|float\(['\"]-?inf['\"]\)")


def _sum(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        added = addition(source, found.last)
        if added is None or not added[0].isidentifier() or mentions(source, added[0], added[1]):
            continue
        name, value = added
        if not _is_number(source, name, loop) or name in re.findall(r"\w+", found.clauses):
            continue
        start = start_of(source, name, loop)
        values = _values(source, loop, found, value)
        weight = 2.0 if values == found.plain else 0.5  # without a list in between the gain is sure
        if start is not None and NUMBER.fullmatch(source.text(start[1])):
            base = source.text(start[1])
            new = f"{name} = sum({values})" if base == "0" else f"{name} = sum({values}, {base})"
            yield Rewrite(source.line(loop), in_place_of(source, start[0], loop, new), weight=weight)
        else:
            yield Rewrite(source.line(loop), (source.replace(loop, f"{name} += sum({values})"),), weight=weight)


def _values(source: SourceFile, loop: Node, found: Sweep, value: Node) -> str:
    """What a sweep goes through; a list is faster to sum than a generator."""
    if found.plain is not None and source.text(value) == source.text(field(loop, "left")):
        return found.plain
    return f"[{tight(source, value)}{found.clauses}]"


def _is_number(source: SourceFile, name: str, node: Node) -> bool:
    values = values_of(source, name, node) or [
        each[1] for s in source.find("expression_statement", within=scope_of(node))
        if (each := assignment(source, s)) is not None and each[0] == name and not mentions(source, name, each[1])
    ]  # fmt: skip
    firsts = [each for each in values if not mentions(source, name, each)]
    return bool(firsts) and all(NUMBER.fullmatch(source.text(each)) for each in firsts)


def _extreme(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        kept = _keeps(source, found)
        if kept is None:
            continue
        name, function, value, clauses = kept
        if name in re.findall(r"\w+", f"{clauses} {source.text(value)}"):
            continue
        takes_all = source.text(value) == source.text(field(loop, "left")) and clauses.count(" for ") == 1
        takes_all = takes_all and " if " not in clauses
        items = tight(source, field(loop, "right")) if takes_all else f"[{tight(source, value)}{clauses}]"
        new = f"{name} = {function}({name}, {function}({items}, default={name}))"
        yield Rewrite(source.line(loop), (source.replace(loop, new),))


def _keeps(source: SourceFile, found: Sweep) -> tuple[str, str, Node, str] | None:
    """The variable that keeps the largest or smallest value, which of them, the value, and the loops around."""
    kept = assignment(source, found.last)
    if kept is None:
        return None
    name, value = kept
    for function in ("max", "min"):
        arguments = call_of(source, value, function)
        if arguments and len(arguments) == 2 and plain_arguments(arguments) and source.text(arguments[0]) == name:
            return name, function, arguments[1], found.clauses
    test = re.fullmatch(r"(.+?) (<=?|>=?) (.+)", found.clauses.rpartition(" if ")[2])
    if " if " not in found.clauses or test is None or {test[1], test[3]} != {name, source.text(value)}:
        return None
    larger = (test[2][0] == ">") == (test[1] == source.text(value))
    return name, "max" if larger else "min", value, found.clauses.rpartition(" if ")[0]


TRANSFORMATIONS = (
    Transformation(
        name="sum-for-loop",
        family="python",
        summary="Adds up with sum() instead of one by one.",
        find=_sum,
        example=RewriteExample(
            before="""
total = 0
for i in range(10):
    if i % 3 != 0:
        total += i * i
print(total)
""",
            after="""
total = sum([i * i for i in range(10) if i % 3 != 0])
print(total)
""",
        ),
        languages=PYTHON,
        answers=("accumulation",),
        prior=0.6,
        refusals=(
            "text = ''\nfor c in 'ab':\n    text += c\nprint(text)\n",
            "a = 0\nfor i in range(3):\n    a += a + i\nprint(a)\n",
        ),
    ),
    Transformation(
        name="max-for-loop",
        family="python",
        summary="Finds the largest or smallest with max() or min() instead of comparing one by one.",
        find=_extreme,
        example=RewriteExample(
            before="""
values = [3, 1, 4, 1, 5]
best = 0
for value in values:
    if value > best:
        best = value
print(best)
""",
            after="""
values = [3, 1, 4, 1, 5]
best = 0
best = max(best, max(values, default=best))
print(best)
""",
        ),
        languages=PYTHON,
        answers=("accumulation",),
        refusals=(
            "best = 0\nat = 0\nfor x in [1, 2]:\n    if x > best:\n        best = x\n        at = x\nprint(best)\n",
            "best = 0\nfor x in [1, 2]:\n    if x > best:\n        best = x + 1\nprint(best)\n",
        ),
    ),
)
