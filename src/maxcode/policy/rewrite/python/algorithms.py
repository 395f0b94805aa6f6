"""Python: the same result with fewer steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    addition,
    alone,
    assignment,
    call_of,
    looks_like_list,
    mentions,
    plain_arguments,
    used,
)
from maxcode.policy.rewrite.python.effects import changed, made_as, pure
from maxcode.policy.rewrite.python.imports import with_imports
from maxcode.policy.rewrite.python.names import loops_around
from maxcode.policy.rewrite.python.sweep import sweeps, tight
from maxcode.policy.rewrite.source import Source, field
from maxcode.policy.rewrite.transformation import PYTHON, Example, Rewrite, Setting, Transformation


def _fill(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        counts = call_of(source, field(loop, "right"), "range")
        inner = found.last.named_children[0] if found.last.named_children else found.last
        left, value = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if not counts or not plain_arguments(counts) or found.plain is None or inner.type != "assignment":
            continue
        if left is None or value is None or left.type != "subscript" or not _is_constant(source, value, loop):
            continue
        array, indices = field(left, "value"), left.children_by_field_name("subscript")
        variable, name = source.text(field(loop, "left")), source.text(array)
        if [source.text(each) for each in indices] != [variable] or mentions(source, variable, array):
            continue
        if made_as(source, name, loop, _looks_keyed) or not pure(source, array):
            continue
        new = _slice(source, counts)
        if new is not None:
            flat = made_as(source, name, loop, lambda text: text.startswith("bytearray("))
            piece = f"bytes([{source.text(value)}])" if flat else f"[{source.text(value)}]"
            yield Rewrite(
                source.line(loop), (source.replace(loop, f"{name}[{new[0]}] = {piece} * {new[1]}"),), weight=2
            )


def _slice(source: Source, counts: list[Node]) -> tuple[str, str] | None:
    """The slice that a range walks, and how many elements it has."""
    texts = [tight(source, each) for each in counts]
    begin, end, step = (["0", *texts] if len(texts) == 1 else texts) + ["1"] * (len(texts) < 3)
    if begin.startswith("-") or step.startswith("-") or end.startswith("-"):
        return None
    where = f"{'' if begin == '0' else begin}:{end}"
    if step != "1":
        return f"{where}:{step}", f"len(range({', '.join(texts)}))"
    if begin != "0":
        return where, f"({end} - {begin})" if re.fullmatch(r"[\w.]+", begin) else f"({end} - ({begin}))"
    return where, end if re.fullmatch(r"[\w.]+|\w+\([\w.]+\)", end) else f"({end})"


def _is_constant(source: Source, node: Node, loop: Node) -> bool:
    if node.type in ("true", "false", "none", "integer", "float", "string"):
        return True
    return node.type == "identifier" and source.text(node) != source.text(field(loop, "left"))


def _looks_keyed(text: str) -> bool:
    return bool(re.match(r"\{|dict\(|(?:\w+\.)?(?:defaultdict|Counter|OrderedDict)\(", text))


def _break(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop, found in sweeps(source):
        set_to = assignment(source, found.last)
        block = found.last.parent
        branch = block.parent if block is not None else None
        if branch is None or branch.type != "if_statement" or branch.parent != field(loop, "body") or set_to is None:
            continue
        constant = set_to[1].type in ("true", "false", "integer", "string", "none")
        if constant and pure(source, loop) and alone(source, found.last):
            yield Rewrite(source.line(loop), (source.after(found.last, f"\n{source.indent(found.last)}break"),))


def _prefix(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for call in source.find("call"):
        arguments = call_of(source, call, "sum")
        part = arguments[0] if arguments and len(arguments) == 1 else None
        around = loops_around(source, call)
        if part is None or part.type != "subscript" or not around or field(part, "value").type != "identifier":
            continue
        name, limits = source.text(field(part, "value")), _limits(source, part)
        steady = [each for each in around if name not in changed(source, each)]
        if limits is None or not steady or not made_as(source, name, call, looks_like_list):
            continue
        sums = source.fresh(f"{name}_sums")
        low, high = limits
        value = f"({sums}[{high or f'len({name})'}]" + (f" - {sums}[{low}])" if low else ")")
        binding = source.before(
            steady[-1], f"{sums} = list(accumulate({name}, initial=0))\n{source.indent(steady[-1])}"
        )
        edits = with_imports(source, (binding, source.replace(call, value)), "from itertools import accumulate")
        if edits is not None:
            yield Rewrite(source.line(call), edits, weight=2.0)


def _limits(source: Source, part: Node) -> tuple[str, str] | None:
    """Low and high end of `a[low:high]`, empty where they are left out; none may count from the end."""
    inner = part.children_by_field_name("subscript")
    if len(inner) != 1 or inner[0].type != "slice":
        return None
    low, _, high = source.text(inner[0]).partition(":")
    plain = [re.fullmatch(r"\s*(?:[\w+\- *()]*\w[\w+\- *()]*)?\s*", each) for each in (low, high)]
    if not all(plain) or low.strip().startswith("-") or high.strip().startswith("-") or not (low + high).strip():
        return None
    return low.strip(), high.strip()


_COUNTED = {
    "<": "bisect_left({0}, {1})",
    "<=": "bisect_right({0}, {1})",
    ">": "len({0}) - bisect_right({0}, {1})",
    ">=": "len({0}) - bisect_left({0}, {1})",
}


def _bisect(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """`for x in xs: if x < limit: count += 1` over a sorted list."""
    del setting
    for loop, found in sweeps(source):
        added, items = addition(source, found.last), source.text(field(loop, "right"))
        block = found.last.parent
        branch = block.parent if block is not None else None
        if added is None or source.text(added[1]) != "1" or branch is None or branch.parent != field(loop, "body"):
            continue
        variable = source.text(field(loop, "left"))
        test = re.fullmatch(rf"{variable} (<=?|>=?) (.+)", source.text(field(branch, "condition")))
        limit = field(branch, "condition").named_children[-1]
        if test is None or not items.isidentifier() or not _is_sorted(source, items, loop):
            continue
        if not pure(source, limit) or {variable, added[0]} & used(source, limit) or test[2] != source.text(limit):
            continue
        new = _COUNTED[test[1]].format(items, test[2])
        function = re.findall(r"bisect_\w+", new)[0]
        edits = (source.replace(loop, f"{added[0]} += {new}"),)
        with_import = with_imports(source, edits, f"from bisect import {function}")
        if with_import is not None:
            yield Rewrite(source.line(loop), with_import, weight=2.0)


def _is_sorted(source: Source, name: str, loop: Node) -> bool:
    """Whether a list was sorted before a loop and nothing has changed it since."""
    before = source.data[: loop.start_byte].decode(errors="replace")
    plain = rf"\b{name}\.sort\(\)|^[ \t]*{name} = sorted\((?:(?!key|reverse)[^\n])*\)[ \t]*$"
    sorts = list(re.finditer(plain, before, re.MULTILINE))
    touched = rf"\b{name}\.(?!sort\(\)|index|count)\w+|\b{name}\[[^\]]*\] ?\S?=[^=]|\b{name} = "
    since = source.code[source.code.index(sorts[-1][0]) + len(sorts[-1][0]) :] if sorts else name
    return bool(sorts) and not re.search(touched, since)


TRANSFORMATIONS = (
    Transformation(
        name="slice-for-fill",
        family="python",
        summary="Sets many elements of a list at once, as in a sieve.",
        find=_fill,
        example=Example(
            before="""
n = 30
prime = [True] * (n + 1)
for i in range(2, n + 1):
    if prime[i]:
        for j in range(i * i, n + 1, i):
            prime[j] = False
print([i for i in range(2, n + 1) if prime[i]])
""",
            after="""
n = 30
prime = [True] * (n + 1)
for i in range(2, n + 1):
    if prime[i]:
        prime[i * i:n + 1:i] = [False] * len(range(i * i, n + 1, i))
print([i for i in range(2, n + 1) if prime[i]])
""",
        ),
        languages=PYTHON,
        answers=("fill-loop",),
        prior=2.5,
        refusals=(
            "a = {}\nfor i in range(3):\n    a[i] = 0\nprint(a)\n",
            "a = [0] * 3\nfor i in range(3):\n    a[i] = i\nprint(a)\n",
        ),
    ),
    Transformation(
        name="break-after-flag",
        family="python",
        summary="Leaves a search loop once the answer is known.",
        find=_break,
        example=Example(
            before="""
n = 91
prime = True
for i in range(2, n):
    if n % i == 0:
        prime = False
print(prime)
""",
            after="""
n = 91
prime = True
for i in range(2, n):
    if n % i == 0:
        prime = False
        break
print(prime)
""",
        ),
        languages=PYTHON,
        answers=("flag-loop",),
        prior=2.0,
        refusals=(
            "n = 9\nlast = 0\nfor i in range(2, n):\n    if n % i == 0:\n        last = i\nprint(last)\n",
            "found = False\nfor i in range(3):\n    if input() == 'x':\n        found = True\nprint(found)\n",
        ),
    ),
    Transformation(
        name="prefix-sums",
        family="python",
        summary="Computes the sums of many slices of one list from its running sums.",
        find=_prefix,
        example=Example(
            before="""
values = [3, 1, 4, 1, 5, 9, 2, 6]
best = 0
for i in range(len(values) - 2):
    best = max(best, sum(values[i:i + 3]))
print(best)
""",
            after="""
from itertools import accumulate

values = [3, 1, 4, 1, 5, 9, 2, 6]
best = 0
values_sums = list(accumulate(values, initial=0))
for i in range(len(values) - 2):
    best = max(best, (values_sums[i + 3] - values_sums[i]))
print(best)
""",
        ),
        languages=PYTHON,
        answers=("repeated-sum",),
        prior=2.5,
        refusals=(
            "a = [1, 2]\nfor i in range(2):\n    a[0] += sum(a[i:])\nprint(a)\n",
            "a = [1, 2]\nfor i in range(2):\n    print(sum(a[-i:]))\n",
        ),
    ),
    Transformation(
        name="bisect-for-count",
        family="python",
        summary="Counts the elements of a sorted list on one side of a limit by binary search.",
        find=_bisect,
        example=Example(
            before="""
values = sorted([5, 3, 8, 1])
for limit in range(10):
    below = 0
    for value in values:
        if value < limit:
            below += 1
    print(limit, below)
""",
            after="""
from bisect import bisect_left

values = sorted([5, 3, 8, 1])
for limit in range(10):
    below = 0
    below += bisect_left(values, limit)
    print(limit, below)
""",
        ),
        languages=PYTHON,
        answers=("accumulation", "counting"),
        prior=3.0,
        refusals=(
            "a = [2, 1]\nn = 0\nfor x in a:\n    if x < 2:\n        n += 1\nprint(n)\n",
            "a = sorted([2, 1])\na.append(0)\nn = 0\nfor x in a:\n    if x < 2:\n        n += 1\nprint(n)\n",
        ),
    ),
)
