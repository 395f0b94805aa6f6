"""Library: remainders of numbers that are mostly in range already."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import INTEGRAL
from maxcode.policy.rewrite.analysis.support import prelude
from maxcode.policy.rewrite.analysis.variables import resolved
from maxcode.policy.rewrite.source import SourceFile, ancestors, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HELPER = """
// The same as x % n, without a division where x is between 0 and 2n.
template <class X, class N> static inline auto wrapped(X x, N n) -> decltype(x % n) {
    decltype(x % n) value = x, size = n;
    if (value >= 0 && value < size) return value;
    return value >= size && value - size < size ? value - size : value % size;
}
"""


def _wrap(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    places = [node for node in source.find("binary_expression") if _wraps(source, node)]
    if not places or ("wrapped" in source.names and _HELPER.strip() not in source.code):
        return
    added = [] if _HELPER.strip() in source.code else [prelude(source, _HELPER)]
    edits = []
    for node in places:
        left, right = field(node, "left"), field(node, "right")
        edits.append(source.replace(node, f"wrapped({source.text(left)[1:-1]}, {source.text(right)})"))
    yield Rewrite(source.line(places[0]), (*added, *edits))


def _wraps(source: SourceFile, node: Node) -> bool:
    """Whether an expression is `(a + b) % n` with a variable n, and stands in no other such expression."""
    left, right = field(node, "left"), field(node, "right")
    if source.text(field(node, "operator")) != "%" or left.type != "parenthesized_expression":
        return False
    inner = left.named_children[0] if len(left.named_children) == 1 else left
    added = inner.type == "binary_expression" and source.text(field(inner, "operator")) in ("+", "-")
    product = re.search(r"[*<]", source.text(inner)) is not None
    nested = any(
        each.type == "binary_expression" and source.text(field(each, "operator")) == "%" for each in ancestors(node)
    )
    return added and not product and not nested and not node.has_error and _is_variable(source, right)


def _is_variable(source: SourceFile, node: Node) -> bool:
    """Whether a name is a whole number that the compiler does not know: it divides by constants without a division."""
    if node.type != "identifier":
        return False
    name = source.text(node)
    pattern = rf"((?:\w+\s+)*?\w+)\s+(?:[\w\s,=+*/-]+,\s*)?{name}\s*(?:[;,=){{\[]|$)"
    kinds = [resolved(source, m[1]) for m in re.finditer(pattern, source.code, re.MULTILINE) if m[1] != "return"]
    constant = re.search(rf"#\s*define\s+{name}\b|\bconst(?:expr)?\s+[\w\s]*\b{name}\s*=", source.code)
    return constant is None and any(INTEGRAL.fullmatch(kind) for kind in kinds)


_RING = """
#include <cstdio>
int main() {
    int n = 7, at = 0, sum = 0;
    for (int i = -3; i < 30; i++) {
        at = (at + 3) % n;
        sum += at + (i - 1) % n;
    }
    printf("%d\\n", sum);
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="wrap-without-division",
        family="library",
        summary="Brings a sum back into range by a comparison, where a remainder is taken by a variable.",
        find=_wrap,
        example=RewriteExample(
            before=_RING,
            after=_RING.replace("#include <cstdio>\n", "#include <cstdio>\n" + _HELPER + "\n")
            .replace("(at + 3) % n", "wrapped(at + 3, n)")
            .replace("(i - 1) % n", "wrapped(i - 1, n)"),
        ),
        languages=CPP,
        answers=("division",),
        prior=1.5,
        refusals=(
            "const int N = 8;\nint f(int x) { return (x + 1) % N; }\n",
            "int f(int x, int n) { return (x * 31 + 1) % n; }\n",
        ),
    ),
)
