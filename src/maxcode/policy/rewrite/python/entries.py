"""Python: dictionaries walked by entry."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maxcode.policy.rewrite.python.code import looks_like_list
from maxcode.policy.rewrite.python.effects import changed, made_as
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _items(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`for k in d` whose body reads `d[k]`, and leaves both alone."""
    del setting
    for loop in source.find("for_statement"):
        left, right, body = field(loop, "left"), field(loop, "right"), field(loop, "body")
        key, name = source.text(left), re.sub(r"\.keys\(\)$", "", source.text(right))
        if left.type != "identifier" or not re.fullmatch(r"[A-Za-z_][\w.]*", name) or loop.has_error:
            continue
        reads = [each for each in source.find("subscript", within=body) if source.text(each) == f"{name}[{key}]"]
        if not reads or {key, name.split(".")[0]} & changed(source, body):
            continue
        if name.isidentifier() and made_as(source, name, loop, looks_like_list):
            continue
        value = source.fresh("value")
        edits = [source.replace(left, f"{key}, {value}"), source.replace(right, f"{name}.items()")]
        yield Rewrite(source.line(loop), (*edits, *(source.replace(each, value) for each in reads)))


TRANSFORMATIONS = (
    Transformation(
        name="items-for-look-ups",
        family="python",
        summary="Walks the entries of a dictionary, where a loop over its keys looks each of them up.",
        find=_items,
        example=RewriteExample(
            before="a, b = {'x': 2, 'y': 3}, {'x': 5}\ns = 0\nfor k in a:\n    if k in b:\n"
            "        s += a[k] * b[k]\nprint(s)\n",
            after="a, b = {'x': 2, 'y': 3}, {'x': 5}\ns = 0\nfor k, value in a.items():\n    if k in b:\n"
            "        s += value * b[k]\nprint(s)\n",
        ),
        languages=PYTHON,
        refusals=(
            "d = {'a': 1}\nfor k in d:\n    d[k] = d[k] + 1\n",
            "a = [0, 1]\nfor i in a:\n    print(a[i])\n",
            "d = {1: 1}\nfor k in d:\n    k = 1\n    print(d[k])\n",
        ),
    ),
)
