"""Python: records that are compared and stored with fewer steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.python.tree.effects import Code, code_of
from maxcode.policy.rewrite.python.tree.shapes import method
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

_SEARCHES = ("remove", "index", "count")


def _equality(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Data classes of plain values whose objects are searched for in lists."""
    del setting
    code = code_of(source)
    for made in code.kinds.classes.values() if code is not None else ():
        assert code is not None
        fields = _fields(code, made)
        if not fields or not _searched_for(code, f"object {made.name}"):
            continue
        last = made.body[-1]
        tests = " and ".join(f"self.{name} == other.{name}" for name in fields)
        indent = code.program.source.data[code.program.starts[last.lineno - 1] :]
        inner = indent[: len(indent) - len(indent.lstrip())].decode()
        lines = (
            f"\n\n{inner}def __eq__(self, other):\n{inner}    if other.__class__ is not self.__class__:\n"
            f"{inner}        return NotImplemented\n{inner}    return self is other or ({tests})"
        )
        at = code.program.end(last)
        yield Rewrite(made.lineno, (Edit(at, at, lines),), weight=2.0)


def _fields(code: Code, made: ast.ClassDef) -> list[str]:
    """Names of the fields of a plain data class, with those first that mostly differ; none where one is not plain."""
    decorators = [ast.unparse(each) for each in made.decorator_list]
    own = any(isinstance(each, ast.FunctionDef) and each.name.startswith("__") for each in made.body)
    names = [e.target.id for e in made.body if isinstance(e, ast.AnnAssign) and isinstance(e.target, ast.Name)]
    if (
        "InitVar" in code.program.source.names
        or decorators not in (["dataclass"], ["dataclasses.dataclass"])
        or made.bases
        or own
    ):
        return []
    return names if all(code.kinds.plain(code.kinds.attribute(name)) for name in names) else []


def _searched_for(code: Code, kind: str) -> bool:
    """Whether objects are looked for by equality among others."""
    for each in ast.walk(code.program.tree):
        found = method(each, *_SEARCHES)
        if found is not None and kind in code.kinds.of(found[0]).held().kinds:
            return True
        compared = isinstance(each, ast.Compare) and isinstance(each.ops[0], (ast.In, ast.NotIn, ast.Eq))
        if compared and isinstance(each, ast.Compare) and kind in code.kinds.of(each.left).kinds:
            return True
    return False


TRANSFORMATIONS = (
    Transformation(
        name="direct-equality",
        family="python",
        summary="Compares data classes field by field until one differs, without making tuples of all fields.",
        find=_equality,
        example=RewriteExample(
            before="""
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


points = [Point(i, i) for i in range(5)]
points.remove(Point(3, 3))
print(points)
""",
            after="""
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int

    def __eq__(self, other):
        if other.__class__ is not self.__class__:
            return NotImplemented
        return self is other or (self.x == other.x and self.y == other.y)


points = [Point(i, i) for i in range(5)]
points.remove(Point(3, 3))
print(points)
""",
        ),
        languages=PYTHON,
        prior=2.0,
        refusals=(
            """
from dataclasses import dataclass


@dataclass
class Point:
    x: float
    y: float


points = [Point(i / 2, i) for i in range(5)]
points.remove(Point(1.0, 2))
print(points)
""",
            """
from dataclasses import dataclass


@dataclass(order=True)
class Point:
    x: int


points = [Point(i) for i in range(5)]
points.remove(Point(3))
print(points)
""",
        ),
    ),
)
