"""Library: powers, roots and remainders without the general functions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.loops import declared, written
from maxcode.policy.rewrite.analysis.support import arguments, calls, functions, resolved, type_of
from maxcode.policy.rewrite.source import Source, field
from maxcode.policy.rewrite.transformation import CPP, Example, Rewrite, Setting, Transformation

_SIMPLE = re.compile(r"[\w.]+(?:\[[\w.+ -]+\])*(?:(?:\.|->)\w+)*")
_FLOATING = ("double", "float", "long double")


def _powers(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    edits, first = [], 0
    for call in calls(source, "pow"):
        product = _product(source, call)
        if product is not None:
            edits.append(source.replace(call, product))
            first = first or source.line(call)
    if edits:
        yield Rewrite(first, tuple(edits))


def _product(source: Source, call: Node) -> str | None:
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


def _roots(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """`i <= sqrt(n)` in the condition of a loop."""
    del setting
    for call in calls(source, "sqrt", "sqrtl"):
        whole, test = call, call.parent
        while test is not None and (
            test.type in ("cast_expression", "parenthesized_expression") or _is_cast(source, test)
        ):
            whole, test = test, test.parent
        if test is None or test.type != "binary_expression" or field(test, "right") != whole:
            continue
        loop = test.parent if test.parent is not None else test
        if loop.type not in ("for_statement", "while_statement", "condition_clause", "parenthesized_expression"):
            continue
        left, number = field(test, "left"), arguments(call)
        integers = [type_of(source, node) for node in (left, *number)]
        if source.text(field(test, "operator")) != "<=" or len(number) != 1 or not all(map(_is_integer, integers)):
            continue
        variable = source.text(left)
        square = f"(long long){variable} * {variable} <= {source.text(number[0])}"
        yield Rewrite(source.line(call), (source.replace(test, square),))


def _is_cast(source: Source, node: Node) -> bool:
    return node.type in ("argument_list", "call_expression") and bool(
        re.match(r"(?:\(|int\(|floor\(|static_cast<(?:int|long long)>\()\s*sqrt", source.text(node))
    )


def _is_integer(kind: str | None) -> bool:
    return kind is not None and bool(re.fullmatch(r"(?:(?:unsigned|signed|long|int|short|size_t)\s*)+", kind))


def _constants(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """A modulus that the program never changes, which the compiler then divides by without dividing."""
    del setting
    changed = written(source, source.root)
    for node in source.root.children:
        if node.type != "declaration" or re.match(r"(?:const|static|extern|constexpr)\b", source.text(node)):
            continue
        found = re.fullmatch(r"[\w ]+?\s+(\w+)\s*=\s*[\d'eELlUu+ *<()-]+;", source.text(node))
        kind = resolved(source, source.text(field(node, "type")))
        if found is None or not _is_integer(kind) or found[1] in changed or not _divides(source, found[1]):
            continue
        if _given_away(source, found[1]):
            continue
        keyword = "const" if source.language is Language.C else "constexpr"
        yield Rewrite(source.line(node), (source.before(node, f"{'static ' * (keyword == 'const')}{keyword} "),))


def _divides(source: Source, name: str) -> bool:
    return bool(re.search(rf"(?:%=?|(?<!/)/)\s*{name}\b", source.code))


def _given_away(source: Source, name: str) -> bool:
    """Whether the variable is passed on alone, perhaps by reference, or declared again."""
    for node in source.find("identifier"):
        outer = node.parent
        if source.text(node) == name and outer is not None and outer.type == "argument_list":
            return True
    declarations = [node for node in source.find("declaration") if name in declared(source, node)]
    return len(declarations) != 1


def _gcds(source: Source, setting: Setting) -> Iterator[Rewrite]:
    """Euclid's algorithm by recursion, which std::gcd has with shifts."""
    del setting
    for name, definition in functions(source).items():
        body = definition.child_by_field_name("body")
        text = re.sub(r"\s+", " ", source.text(body)) if body is not None else ""
        parameters = re.findall(
            r"[(,]\s*(?:const\s+)?(\w+(?:\s\w+)*?)\s+(\w+)\s*(?=[,)])", source.text(definition).split("{")[0]
        )
        if body is None or len(parameters) != 2 or parameters[0][0] != parameters[1][0]:
            continue
        a, b = parameters[0][1], parameters[1][1]
        if not _is_euclid(text, name, a, b) or not _is_integer(resolved(source, parameters[0][0])):
            continue
        yield Rewrite(
            source.line(definition),
            (*source.including("numeric"), source.replace(body, f"{{ return std::gcd({a}, {b}); }}")),
        )


def _is_euclid(text: str, name: str, a: str, b: str) -> bool:
    plain = re.sub(r"[\s{}()]|else", "", text)
    step = f"return{name}{b},{a}%{b};"
    tests = (f"if{b}==0return{a};{step}", f"if!{b}return{a};{step}", f"return{b}==0?{a}:{name}{b},{a}%{b};")
    others = (
        f"return{b}?{name}{b},{a}%{b}:{a};",
        f"return!{b}?{a}:{name}{b},{a}%{b};",
        f"if{a}%{b}==0return{b};{step}",
    )
    return plain in (*tests, *others)


_POW = """
#include <cmath>
#include <cstdio>

int main() {
    double distance = 1.5;
    int side = 3;
    printf("%.3f %.3f\\n", 2.0 / std::pow(distance, 3), pow(side, 2));
}
"""
_ROOT = """
#include <cmath>
#include <cstdio>

bool is_prime(int n) {
    for (int i = 2; i <= sqrt(n); i++) {
        if (n % i == 0) return false;
    }
    return n > 1;
}

int main() {
    for (int i = 0; i < 100; i++) {
        if (is_prime(i)) printf("%d\\n", i);
    }
}
"""
_MODULUS = """
#include <cstdio>

long long modulus = 1000000007;

int main() {
    long long product = 1;
    for (int i = 1; i < 1000; i++) {
        product = product * i % modulus;
    }
    printf("%lld\\n", product);
}
"""
_GCD = """
#include <cstdio>

long long gcd(long long a, long long b) {
    return b == 0 ? a : gcd(b, a % b);
}

int main() {
    printf("%lld\\n", gcd(84, 36));
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="product-for-power",
        family="library",
        summary="Multiplies where pow() has a small whole exponent.",
        find=_powers,
        example=Example(
            before=_POW,
            after=_POW.replace("std::pow(distance, 3)", "(distance * distance * distance)").replace(
                "pow(side, 2)", "((double)side * side)"
            ),
        ),
        answers=("pow", "call-in-loop"),
        prior=2.0,
        refusals=("#include <math.h>\nint main(void) { return (int)pow(2.0, 10); }\n",),
    ),
    Transformation(
        name="square-for-root",
        family="library",
        summary="Compares the square of a counter instead of computing a root in each turn of a loop.",
        find=_roots,
        example=Example(before=_ROOT, after=_ROOT.replace("i <= sqrt(n)", "(long long)i * i <= n")),
        answers=("call-in-loop",),
        prior=1.0,
        refusals=("#include <math.h>\nint main(void) { double n = 9; return 3 <= sqrt(n); }\n",),
    ),
    Transformation(
        name="constant-modulus",
        family="library",
        summary="Makes a modulus that never changes a constant, so that the compiler multiplies instead of dividing.",
        find=_constants,
        example=Example(before=_MODULUS, after=_MODULUS.replace("long long modulus", "constexpr long long modulus")),
        prior=1.5,
        refusals=("int modulus = 7;\nint main(void) { modulus = 9; return 100 % modulus; }\n",),
    ),
    Transformation(
        name="library-gcd",
        family="library",
        summary="Leaves the greatest common divisor to std::gcd.",
        find=_gcds,
        example=Example(
            before=_GCD,
            after=_GCD.replace("{\n    return b == 0 ? a : gcd(b, a % b);\n}", "{ return std::gcd(a, b); }").replace(
                "#include <cstdio>", "#include <numeric>\n#include <cstdio>"
            ),
        ),
        languages=CPP,
        prior=0.5,
        refusals=(
            "int power(int a, int b) { return b ? a * power(a, b - 1) : 1; }\nint main() { return power(2, 3); }\n",
        ),
    ),
)
