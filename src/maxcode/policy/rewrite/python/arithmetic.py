"""Python: arithmetic that takes fewer steps."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.python.names import loops_around
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation


def _square(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    places = []
    for node in source.find("binary_operator"):
        base, power = field(node, "left"), field(node, "right")
        if source.text(field(node, "operator")) == "**" and base.type == "identifier" and source.text(power) == "2":
            places.append((node, source.text(base)))
    edits = tuple(
        source.replace(node, f"({name} * {name})" if _binds_tighter(source, node) else f"{name} * {name}")
        for node, name in places
    )
    if edits and any(loops_around(source, node) for node, _ in places):
        yield Rewrite(source.line(places[0][0]), edits)


def _binds_tighter(source: SourceFile, node: Node) -> bool:
    """Whether what stands to the left of a power would take its first factor away."""
    above = node.parent
    if above is None or above.type != "binary_operator" or field(above, "right") != node:
        return False
    return source.text(field(above, "operator")) in ("*", "/", "//", "%", "@")


TRANSFORMATIONS = (
    Transformation(
        name="product-for-square",
        family="python",
        summary="Multiplies instead of raising to the second power.",
        find=_square,
        example=RewriteExample(
            before="total = 0\nfor x in range(10):\n    total += x ** 2\nprint(total)\n",
            after="total = 0\nfor x in range(10):\n    total += x * x\nprint(total)\n",
        ),
        languages=PYTHON,
        answers=("pow",),
        prior=1.5,
        refusals=("x = 3\nprint(x ** 2)\n", "for x in range(3):\n    print(x ** 3, 2 ** x)\n"),
    ),
)
