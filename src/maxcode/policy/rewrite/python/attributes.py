"""Python: attributes that are looked up once in front of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import same
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _hoist(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Attributes of objects that keep their value while a loop runs, each looked up once in front of it."""
    del setting
    code = code_of(source)
    seen: set[tuple[str, int]] = set()
    for node in ast.walk(code.program.tree) if code is not None else ():
        assert code is not None
        if (
            not isinstance(node, ast.Attribute)
            or not isinstance(node.ctx, ast.Load)
            or not isinstance(node.value, ast.Name)
        ):
            continue
        above = code.program.above[node]
        if code.kinds.of(node.value).kinds & {"module", "class", "?"} or (
            isinstance(above, ast.Call) and above.func is node
        ):
            continue
        if (
            not code.kinds.of(node.value).kinds
            or not all(each.startswith("object ") for each in code.kinds.of(node.value).kinds)
            or node.attr in code.kinds.methods
        ):
            continue
        outer = None
        for loop in code.program.loops_around(node):
            if not code.steady(node, loop):
                break
            outer = loop
        if outer is None or not _set_at_birth(code, node.attr):
            continue
        if not code.program.alone(outer) or (ast.unparse(node), outer.lineno) in seen:
            continue
        seen.add((ast.unparse(node), outer.lineno))
        places = [each for each in ast.walk(outer) if isinstance(each, ast.Attribute) and same(each, node) and
                  code.program.function(each) is code.program.function(node)]  # fmt: skip
        if isinstance(outer, ast.For):
            places = [each for each in places if not code.program.inside(each, outer.iter)]
        name = source.fresh(node.attr)
        line = code.program.ahead(outer, f"{name} = {ast.unparse(node)}")
        depth = len(code.program.loops_around(node))
        yield Rewrite(
            node.lineno,
            (line, *(code.program.replace(each, name) for each in places)),
            weight=0.5 * len(places) * depth,
        )


def _set_at_birth(code: Code, attribute: str) -> bool:
    """Whether objects have an attribute from their first moment on."""
    return any(
        isinstance(each, ast.Attribute) and each.attr == attribute
        and getattr(code.program.function(each), "name", "") == "__init__"
        and not isinstance(each.ctx, ast.Load)
        for each in ast.walk(code.program.tree)
    )  # fmt: skip


TRANSFORMATIONS = (
    Transformation(
        name="local-attribute",
        family="python",
        summary="Looks attributes of an object up once where a loop leaves them as they are.",
        find=_hoist,
        example=RewriteExample(
            before="""
class Sieve:
    def __init__(self, size):
        self.size = size
        self.marks = [0] * size

    def count(self):
        total = 0
        for i in range(2, 9):
            if self.marks[i % self.size] == 0:
                total += 1
        return total


print(Sieve(5).count())
""",
            after="""
class Sieve:
    def __init__(self, size):
        self.size = size
        self.marks = [0] * size

    def count(self):
        total = 0
        marks2 = self.marks
        for i in range(2, 9):
            if marks2[i % self.size] == 0:
                total += 1
        return total


print(Sieve(5).count())
""",
        ),
        languages=PYTHON,
        answers=("attribute-lookup",),
        prior=0.8,
        refusals=(
            """
class A:
    def __init__(self):
        self.n = 3

    def f(self):
        while self.n:
            self.n -= 1


A().f()
""",
            """
class A:
    def __init__(self):
        self.n = 3

    def less(self):
        self.n -= 1

    def f(self):
        while self.n:
            self.less()


A().f()
""",
        ),
    ),
)
