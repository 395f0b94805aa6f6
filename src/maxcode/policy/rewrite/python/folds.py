"""Python: loops that come to one value, left to built-in functions and methods."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    addition,
    alone,
    assignment,
    body_of,
    call_of,
    following,
    looks_like_list,
    looks_like_text,
    mentions,
    plain_arguments,
    scope_of,
)
from maxcode.policy.rewrite.python.effects import made_as, pure, values_of
from maxcode.policy.rewrite.python.sweep import Sweep, in_place_of, is_plain_for, start_of, sweeps, tight
from maxcode.policy.rewrite.source import Edit, Source, field
from maxcode.policy.rewrite.transformation import PYTHON, Example, Rewrite, Setting, Transformation

NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d*)?(?:[eE]-?\d+)?|-?\d+ \*\* \d+|float\(['\"]-?inf['\"]\)")


def _sum(source: Source, setting: Setting) -> Iterator[Rewrite]:
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


def _values(source: Source, loop: Node, found: Sweep, value: Node) -> str:
    """What a sweep goes through; a list is faster to sum than a generator."""
    if found.plain is not None and source.text(value) == source.text(field(loop, "left")):
        return found.plain
    return f"[{tight(source, value)}{found.clauses}]"


def _is_number(source: Source, name: str, node: Node) -> bool:
    values = values_of(source, name, node) or [
        each[1] for s in source.find("expression_statement", within=scope_of(node))
        if (each := assignment(source, s)) is not None and each[0] == name and not mentions(source, name, each[1])
    ]  # fmt: skip
    firsts = [each for each in values if not mentions(source, name, each)]
    return bool(firsts) and all(NUMBER.fullmatch(source.text(each)) for each in firsts)


def _extreme(source: Source, setting: Setting) -> Iterator[Rewrite]:
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


def _keeps(source: Source, found: Sweep) -> tuple[str, str, Node, str] | None:
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


def _search(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """`if x == wanted: found = True; break` or `return True`."""
    del setting
    for loop in source.find("for_statement"):
        if not is_plain_for(source, loop) or not alone(source, loop):
            continue
        left, right = field(loop, "left"), field(loop, "right")
        inside_loop = body_of(loop)
        branch = inside_loop[0] if len(inside_loop) == 1 and left.type == "identifier" else loop
        wanted = _equal_to(source, branch, source.text(left))
        if wanted is None or right.type not in ("identifier", "subscript") or not pure(source, loop):
            continue
        inner = [source.text(each) for each in body_of(branch)] or [""]
        after = following(loop)
        if inner == ["return True"] and after is not None and source.text(after) == "return False":
            edit = Edit(loop.start_byte, after.end_byte, f"return {wanted} in {source.text(right)}")
            yield Rewrite(source.line(loop), (edit,))
        elif (flag := re.fullmatch(r"(\w+) = True", inner[0])) and inner[1:] in ([], ["break"]):
            start = start_of(source, flag[1], loop)
            if start is not None and source.text(start[1]) == "False":
                new = f"{flag[1]} = {wanted} in {source.text(right)}"
                yield Rewrite(source.line(loop), in_place_of(source, start[0], loop, new))


def _equal_to(source: Source, branch: Node, variable: str) -> str | None:
    """What a variable is compared with in `if variable == value:` without else."""
    if branch.type != "if_statement" or branch.child_by_field_name("alternative") is not None:
        return None
    condition = field(branch, "condition")
    if condition.type != "comparison_operator" or [source.text(e) for e in condition.children[1:-1]] != ["=="]:
        return None
    sides = [source.text(each) for each in condition.named_children]
    if variable not in sides:
        return None
    other = condition.named_children[1 - sides.index(variable)]
    return tight(source, other) if not mentions(source, variable, other) else None


def _count(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        added = addition(source, found.last)
        branch = field(loop, "body").named_children[0]
        items, left = field(loop, "right"), field(loop, "left")
        if added is None or source.text(added[1]) != "1" or items.type != "identifier" or left.type != "identifier":
            continue
        wanted = _equal_to(source, branch, source.text(left))
        known = made_as(source, source.text(items), loop, lambda t: looks_like_list(t) or looks_like_text(t))
        if wanted is None or not known or found.last.parent != branch.child_by_field_name("consequence"):
            continue
        if re.search(rf"\b{re.escape(added[0])}\b", wanted):
            continue
        new = f"{added[0]} += {source.text(items)}.count({wanted})"
        yield Rewrite(source.line(loop), (source.replace(loop, new),), weight=2.0)


TRANSFORMATIONS = (
    Transformation(
        name="sum-for-loop",
        family="python",
        summary="Adds up with sum() instead of one by one.",
        find=_sum,
        example=Example(
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
        example=Example(
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
    Transformation(
        name="in-for-search-loop",
        family="python",
        summary="Looks for an element with `in` instead of comparing one by one.",
        find=_search,
        example=Example(
            before="""
def has(values, wanted):
    for value in values:
        if value == wanted:
            return True
    return False


print(has([1, 2, 3], 2), has([1, 2, 3], 4))
""",
            after="""
def has(values, wanted):
    return wanted in values


print(has([1, 2, 3], 2), has([1, 2, 3], 4))
""",
        ),
        languages=PYTHON,
        answers=("membership-in-list",),
        prior=1.5,
        refusals=(
            "def f(v, w):\n    for x in v:\n        if x == x:\n            return True\n    return False\n",
            "def f(v, w):\n    for x in v:\n        if x > w:\n            return True\n    return False\n",
        ),
    ),
    Transformation(
        name="count-for-loop",
        family="python",
        summary="Counts equal elements of a list or text with count().",
        find=_count,
        example=Example(
            before="""
text = "abracadabra"
found = 0
for character in text:
    if character == "a":
        found += 1
print(found)
""",
            after="""
text = "abracadabra"
found = 0
found += text.count("a")
print(found)
""",
        ),
        languages=PYTHON,
        answers=("accumulation", "counting"),
        prior=1.5,
        refusals=(
            "items = {1: 2}\nn = 0\nfor x in items:\n    if x == 1:\n        n += 1\nprint(n)\n",
            "n = 0\ns = 'abc'\nfor x in s:\n    if x >= 'b':\n        n += 1\nprint(n)\n",
        ),
    ),
)
