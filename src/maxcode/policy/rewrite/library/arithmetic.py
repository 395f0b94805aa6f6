"""Library: powers, roots and remainders without the general functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import arguments, calls, type_of
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_SIMPLE = re.compile(r"[\w.]+(?:\[[\w.+ -]+\])*(?:(?:\.|->)\w+)*")
_FLOATING = ("double", "float", "long double")


def _powers(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    edits, first = [], 0
    for call in calls(source, "pow"):
        product = _product(source, call)
        if product is not None:
            edits.append(source.replace(call, product))
            first = first or source.line(call)
    if edits:
        yield Rewrite(first, tuple(edits))


def _product(source: SourceFile, call: Node) -> str | None:
    """`x * x` for `pow(x, 2)`; the value stays a double where x is an integer."""
    listed = arguments(call)
    exponent = source.text(listed[1]).removesuffix(".0") if len(listed) == 2 else ""
    if exponent not in ("2", "3", "4", "0.5"):
        return None
    base = source.text(listed[0])
    if exponent == "0.5":
        return f"sqrt({base})" if source.text(call.children[0]) == "pow" else f"std::sqrt({base})"
    factor = base if _SIMPLE.fullmatch(base) else f"({base})"
    if any(node.type in ("call_expression", "update_expression", "assignment_expression") for node in _all(listed[0])):
        return None
    kind = type_of(source, listed[0])
    first = factor if kind in _FLOATING else f"(double){factor}"
    return "(" + " * ".join([first, *[factor] * (int(exponent) - 1)]) + ")"


def _all(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _all(child)


_POW = """
#include <cmath>
#include <cstdio>

int main() {
    double distance = 1.5;
    int side = 3;
    printf("%.3f %.3f\\n", 2.0 / std::pow(distance, 3), pow(side, 2));
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="product-for-power",
        family="library",
        summary="Multiplies where pow() has a small whole exponent.",
        find=_powers,
        example=RewriteExample(
            before=_POW,
            after=_POW.replace("std::pow(distance, 3)", "(distance * distance * distance)").replace(
                "pow(side, 2)", "((double)side * side)"
            ),
        ),
        answers=("pow", "call-in-loop"),
        prior=2.0,
        refusals=("#include <math.h>\nint main(void) { return (int)pow(2.0, 10); }\n",),
    ),
)
