"""Python: dictionaries walked by entry, and containers walked without a copy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from maxcode.policy.rewrite.python.code import looks_like_list
from maxcode.policy.rewrite.python.effects import changed, made_as
from maxcode.policy.rewrite.python.tree.effects import code_of
from maxcode.policy.rewrite.python.tree.shapes import called
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


def _without_copy(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`for x in list(items)` whose body leaves the items as they are."""
    del setting
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        given = called(loop.iter, "list", "tuple") if isinstance(loop, (ast.For, ast.comprehension)) else None
        if not given or len(given) != 1 or not isinstance(loop, (ast.For, ast.comprehension)):
            continue
        items, around = given[0], code.program.above[loop]
        walked = code.kinds.only(items, "list", "tuple", "set", "dict", "deque", "str", "range")
        if not walked or (isinstance(loop, ast.comprehension) and isinstance(around, ast.GeneratorExp)):
            continue
        runs = code.effects(*(loop.body if isinstance(loop, ast.For) else [around]))
        changed = {each.root() for each in runs.changes} & set(code.contents(code.kinds.of(items)))
        if not changed and not runs.unknown:
            yield Rewrite(loop.iter.lineno, (code.program.replace(loop.iter, code.program.text(items)),))


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
    Transformation(
        name="walk-without-copy",
        family="python",
        summary="Walks a container itself where a loop walks a copy of it and leaves it as it is.",
        find=_without_copy,
        example=RewriteExample(
            before="names = ['b', 'a']\nfor i in range(3):\n    for name in list(names):\n        print(i, name)\n",
            after="names = ['b', 'a']\nfor i in range(3):\n    for name in names:\n        print(i, name)\n",
        ),
        languages=PYTHON,
        prior=1.2,
        refusals=(
            "a = [1, 2]\nfor x in list(a):\n    a.append(x)\n",
            "a = [1, 2]\n\n\ndef f(x):\n    a.remove(x)\n\n\nfor x in list(a):\n    f(x)\n",
            "a = [1, 2]\nb = a\nfor x in list(a):\n    b.append(x)\n",
            "d = {1: 2}\nfor k in list(d):\n    d[k + 1] = 0\n",
        ),
    ),
)
