"""Python: the same result with fewer steps."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.code import (
    call_of,
    mentions,
    plain_arguments,
)
from maxcode.policy.rewrite.python.effects import made_as, pure
from maxcode.policy.rewrite.python.sweep import sweeps, tight
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _fill(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
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


def _slice(source: SourceFile, counts: list[Node]) -> tuple[str, str] | None:
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


def _is_constant(source: SourceFile, node: Node, loop: Node) -> bool:
    if node.type in ("true", "false", "none", "integer", "float", "string"):
        return True
    return node.type == "identifier" and source.text(node) != source.text(field(loop, "left"))


def _looks_keyed(text: str) -> bool:
    return bool(re.match(r"\{|dict\(|(?:\w+\.)?(?:defaultdict|Counter|OrderedDict)\(", text))


TRANSFORMATIONS = (
    Transformation(
        name="slice-for-fill",
        family="python",
        summary="Sets many elements of a list at once, as in a sieve.",
        find=_fill,
        example=RewriteExample(
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
)
