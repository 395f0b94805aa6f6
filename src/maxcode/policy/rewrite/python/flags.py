"""Python: loops that end as soon as their result is known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.effects import dead_after
from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import called, method
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _flag(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`if test: flag = True` as all that a loop does: the first time is enough."""
    del setting
    code = code_of(source)
    for loop in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if not isinstance(loop, ast.For) or loop.orelse or len(loop.body) != 1:
            continue
        branch = loop.body[0]
        if not isinstance(branch, ast.If) or branch.orelse or len(branch.body) != 1 or not code.pure(branch.test):
            continue
        only = branch.body[0]
        constant = (
            isinstance(only, ast.Assign)
            and isinstance(only.value, ast.Constant)
            and isinstance(only.targets[0], ast.Name)
        )
        iterated = code.kinds.of(loop.iter).kinds
        node = source.root.named_descendant_for_byte_range(code.program.start(loop), code.program.end(loop))
        if not constant or not iterated or not _again(code, loop.iter) or not code.program.alone(only) or node is None:
            continue
        flags = {code.program.variable[each] for each in ast.walk(only) if isinstance(each, ast.Name)}
        targets = [each.id for each in ast.walk(loop.target) if isinstance(each, ast.Name)]
        if flags & code.effects(branch.test).reads or not all(dead_after(source, each, node) for each in targets):
            continue
        yield Rewrite(loop.lineno, (code.program.behind(only, "break"),), weight=2.0)


def _again(code: Code, over: ast.expr) -> bool:
    """Whether nobody notices that a loop over something ends early: a container, or what walks one anew."""
    anew = called(over, "enumerate", "zip", "reversed", "range") or [
        found[0] for found in [method(over, "items", "keys")] if found
    ]
    return all(
        code.kinds.of(each).kinds and not code.kinds.of(each).kinds & {"?", "file", "iter"} for each in anew or [over]
    )


TRANSFORMATIONS = (
    Transformation(
        name="break-at-flag",
        family="python",
        summary="Ends a loop that only sets a flag as soon as it is set.",
        find=_flag,
        example=RewriteExample(
            before="""
numbers = [4, 8, 15, 16]
odd = False
for number in numbers:
    if number % 2 == 1:
        odd = True
print(odd)
""",
            after="""
numbers = [4, 8, 15, 16]
odd = False
for number in numbers:
    if number % 2 == 1:
        odd = True
        break
print(odd)
""",
        ),
        languages=PYTHON,
        answers=("flag-loop",),
        prior=2.0,
        refusals=(
            """
import sys

found = False
for line in sys.stdin:
    if line == 'x':
        found = True
print(found, sys.stdin.read())
""",
            "last = 0\nfor number in [1, 2]:\n    if number > last:\n        last = 1\nprint(last)\n",
            "found = False\nfor number in [1, 2]:\n    if number == 1:\n        found = True\nprint(found, number)\n",
        ),
    ),
)
