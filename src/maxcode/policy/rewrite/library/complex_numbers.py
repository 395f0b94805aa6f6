"""Library: complex arithmetic without checks for infinities, and tables of points on the unit circle."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import Loop, loops, written
from maxcode.policy.rewrite.analysis.support import arguments, calls, prelude
from maxcode.policy.rewrite.analysis.variables import masked, type_of
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_KINDS = ("double", "float", "long double")
_PLAIN = ("int", "long", "long long", "size_t", "double", "bool", "unsigned")
_PRODUCT = """
static inline std::complex<{kind}> {name}(const std::complex<{kind}> &a, const std::complex<{kind}> &b) {{
    return {{a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()}};
}}
"""


def _products(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Writes complex products out: the library's product tests the result for NaN, and then looks for infinities."""
    del setting
    for kind in _KINDS:
        name = source.fresh("complex_product")
        edits = list(_product_edits(source, name, f"complex<{kind}>"))
        if edits:
            text = _PRODUCT.format(kind=kind, name=name)
            yield Rewrite(_line(source, edits[0]), (prelude(source, text, ("complex",)), *edits))


def _line(source: SourceFile, edit: Edit) -> int:
    return source.data[: edit.start].count(b"\n") + 1


def _product_edits(source: SourceFile, name: str, kind: str) -> Iterator[Edit]:
    for node in source.find("binary_expression", "assignment_expression"):
        left, right, operator = field(node, "left"), field(node, "right"), source.text(field(node, "operator"))
        if operator not in ("*", "*=") or node.has_error:
            continue
        if not all(_is_complex(source, side, kind) for side in (left, right)):
            continue
        both = f"{name}({source.text(left)}, {source.text(right)})"
        yield source.replace(node, both if operator == "*" else f"{source.text(left)} = {both}")


def _is_complex(source: SourceFile, node: Node, kind: str) -> bool:
    if node.type == "subscript_expression":
        return type_of(source, node.children[0]) in (f"vector<{kind}>", f"{kind}[]", f"{kind}*")
    if node.type == "call_expression":
        polar = re.match(r"(?:std::)?polar\s*\(\s*1\.0*\s*,", source.text(node))
        return polar is not None and kind == "complex<double>"
    return type_of(source, node) == kind


def _tables(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Keeps the points on the circle that a function needs again with the same arguments."""
    del setting
    if "#pragma omp" in source.code:
        return
    for call in calls(source, "polar"):
        node = enclosing(call, "for_statement")
        loop = next((each for each in loops(source) if node is not None and each.node == node), None)
        if loop is None or not loop.rises_by_one or loop.start != "0" or loop.comparison != "<" or loop.jumps:
            continue
        keys = _keys(source, call, loop)
        block = loop.node.parent is not None and loop.node.parent.type == "compound_statement"
        if keys and block and not _already_kept(source, call):
            yield Rewrite(loop.line, tuple(_table_edits(source, call, loop, keys)))


def _already_kept(source: SourceFile, call: Node) -> bool:
    parent = call.parent
    return parent is not None and parent.parent is not None and "push_back" in source.text(parent.parent)


def _keys(source: SourceFile, call: Node, loop: Loop) -> dict[str, str] | None:
    """The variables that decide what the loop asks for, with their types; None where one of them is not plain."""
    words = set(re.findall(r"(?<![\w.])[A-Za-z_]\w*\b(?!\s*\()", source.text(call) + " " + loop.end)) - {
        loop.variable,
        "std",
    }
    words -= set(re.findall(r"\b(?:const|constexpr)\s+(?:double|long double|float|int)\s+(\w+)\s*=", masked(source)))
    words -= set(re.findall(r"#\s*define\s+(\w+)\b(?!\()", source.code)) | {"M_PI"}
    if (
        len(arguments(call)) != 2
        or words & written(source, loop.body)
        or not re.search(rf"\b{loop.variable}\b", source.text(call))
    ):
        return None
    kinds = {
        source.text(each): type_of(source, each)
        for each in source.find("identifier", within=loop.node)
        if each.end_byte <= call.end_byte and source.text(each) in words
    }
    kinds = {word: kind for word, kind in sorted(kinds.items()) if kind in _PLAIN}
    return kinds if kinds and len(kinds) == len(words) else None


def _table_edits(source: SourceFile, call: Node, loop: Loop, keys: dict[str, str]) -> Iterator[Edit]:
    roots, known = source.fresh("roots"), source.fresh("known_roots")
    indent = loop.indent
    inner = indent + ("\t" if "\t" in indent else "    ")
    points = "std::vector<std::complex<double>>"
    lines = [
        f"static std::map<std::tuple<{', '.join(keys.values())}>, {points}> {known};",
        f"{points} &{roots} = {known}[{{{', '.join(keys)}}}];",
        f"if ({roots}.empty()) {{",
    ]
    text = [*lines, f"    {loop.header} {{", f"        {roots}.push_back({source.text(call)});", "    }", "}"]
    filled = "".join(line.replace("    ", inner[len(indent) :]) + "\n" + indent for line in text)
    yield source.before(loop.node, filled)
    yield source.replace(call, f"{roots}[{loop.variable}]")
    for header in ("map", "tuple", "vector"):
        yield from source.including(header)


TRANSFORMATIONS = (
    Transformation(
        name="complex-product-by-hand",
        family="library",
        summary="Multiplies complex numbers without the library's search for infinities.",
        find=_products,
        example=RewriteExample(
            before="""
#include <complex>
#include <iostream>
#include <vector>
typedef std::complex<double> Complex;
int main() {
    std::vector<Complex> a(3, Complex(1, 2));
    Complex turn(0, 1);
    for (int i = 0; i < 3; i++) {
        a[i] = a[i] * turn;
        turn *= a[i];
    }
    std::cout << turn;
}
""",
            after="""
#include <complex>
#include <iostream>
#include <vector>

static inline std::complex<double> complex_product(const std::complex<double> &a, const std::complex<double> &b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

typedef std::complex<double> Complex;
int main() {
    std::vector<Complex> a(3, Complex(1, 2));
    Complex turn(0, 1);
    for (int i = 0; i < 3; i++) {
        a[i] = complex_product(a[i], turn);
        turn = complex_product(turn, a[i]);
    }
    std::cout << turn;
}
""",
        ),
        languages=CPP,
        answers=("call-in-loop", "control-flow"),
        prior=1.5,
        refusals=("#include <complex>\nstd::complex<double> f(std::complex<double> z, double x) { return z * x; }\n",),
    ),
    Transformation(
        name="table-of-roots",
        family="library",
        summary="Keeps points on the unit circle that a loop works out anew at each call.",
        find=_tables,
        example=RewriteExample(
            before="""
#include <cmath>
#include <complex>
#include <iostream>
using namespace std;
const double PI = acos(-1.0);
complex<double> turned(int n) {
    complex<double> sum = 0;
    for (int k = 0; k < n / 2; k++) {
        sum += polar(1.0, 2.0 * PI * k / n);
    }
    return sum;
}
int main() {
    cout << turned(8) << turned(8);
}
""",
            after="""
#include <map>
#include <tuple>
#include <vector>
#include <cmath>
#include <complex>
#include <iostream>
using namespace std;
const double PI = acos(-1.0);
complex<double> turned(int n) {
    complex<double> sum = 0;
    static std::map<std::tuple<int>, std::vector<std::complex<double>>> known_roots;
    std::vector<std::complex<double>> &roots = known_roots[{n}];
    if (roots.empty()) {
        for (int k = 0; k < n / 2; k++) {
            roots.push_back(polar(1.0, 2.0 * PI * k / n));
        }
    }
    for (int k = 0; k < n / 2; k++) {
        sum += roots[k];
    }
    return sum;
}
int main() {
    cout << turned(8) << turned(8);
}
""",
        ),
        languages=CPP,
        answers=("call-in-loop",),
        refusals=(
            "#include <complex>\nstd::complex<double> f(double x) {\n    std::complex<double> sum = 0;\n"
            "    for (int k = 0; k < 9; k++) {\n        x += 1.0;\n        sum += std::polar(1.0, x * k);\n    }\n"
            "    return sum;\n}\n",
        ),
    ),
)
