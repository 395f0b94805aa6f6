"""Loops: simple branches become choices of a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import type_of
from maxcode.policy.rewrite.analysis.loops import LOOPS, statements
from maxcode.policy.rewrite.analysis.symbols import Symbol, resolve, type_text
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:unsigned\s+|long\s+)*(?:int|long|double|float|ll|char|size_t|u?int\d+_t)")


_WHOLE = re.compile(r"(?:const )?(?:vector<)*(?:int|long|long long|ll)>*[\[\]*&]*")


def _selects(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for node in source.find("if_statement"):
        changed = _as_choice(source, node)
        loop = next((each for each in ancestors(node) if each.type in LOOPS), None)
        if changed is None or loop is None or next(source.find(*LOOPS, within=loop.children[-1]), None) is not None:
            continue
        yield Rewrite(source.line(node), (Edit(node.start_byte, node.end_byte, changed),))


def _as_choice(source: SourceFile, node: Node) -> str | None:
    """`x = condition ? value : x;` for an if with nothing but that assignment, where the value is safe to compute."""
    condition, held = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if condition is None or held is None or node.child_by_field_name("alternative") or len(statements(held)) != 1:
        return None
    statement = statements(held)[0]
    change = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    if change is None or change.type not in ("assignment_expression", "update_expression"):
        return None
    test = source.text(condition)[1:-1].strip()
    if re.search(r"&&|\|\||[^=!<>]=[^=]|\+\+|--", test) or not _harmless(source, condition, test):
        return None
    if change.type == "update_expression":
        name, sign = source.text(change.named_children[0]), "+" if "++" in source.text(change) else "-"
        return f"{name} {sign}= {test} ? 1 : 0;" if re.fullmatch(r"\w+", name) else None
    target, operator, value = (source.text(each) for each in change.children)
    element = operator == "=" and target in _sides(test) and _whole_numbers(source, node)
    if not (element or re.fullmatch(r"\w+", target)) or not _harmless(source, change.children[2], test):
        return None
    if element:
        return f"{target} = {test} ? {value} : {target};"
    if operator == "=" and _is_number(source, target, node):
        return f"{target} = {test} ? {value} : {target};"
    return f"{target} {operator} {test} ? {value} : 0;" if operator in ("+=", "-=") else None


def _sides(test: str) -> list[str]:
    """What a condition compares: it reads both sides, so both are there."""
    return [side.strip() for side in re.split(r"[<>]=?", test)]


def _whole_numbers(source: SourceFile, node: Node) -> bool:
    """Whether an `if` is about signed whole numbers alone, in variables, arrays and vectors."""
    symbols = [resolve(source, each) for each in source.find("identifier", within=node)]
    return all(each is not None and _WHOLE.fullmatch(_held(source, each)) is not None for each in symbols)


def _held(source: SourceFile, symbol: Symbol) -> str:
    """The type of a variable; for a reference to a row, that of what has the row."""
    kind, holder = type_text(source, symbol), symbol.identifier.parent
    if not kind.startswith("auto") or holder is None or holder.parent is None:
        return kind
    value = holder.parent.child_by_field_name("value")
    while value is not None and value.type == "subscript_expression":
        value = value.children[0]
    owner = resolve(source, value) if value is not None and value.type == "identifier" else None
    return kind if owner is None else type_text(source, owner)


def _is_number(source: SourceFile, name: str, at: Node) -> bool:
    kind = type_of(source, name, at) or ""
    return (
        re.fullmatch(r"(?:unsigned\s+|long\s+)*(?:int|long|double|float|ll|char|size_t|u?int\d+_t)", kind) is not None
    )


def _harmless(source: SourceFile, value: Node, test: str) -> bool:
    """Whether a value may be computed even where the condition does not hold."""
    if next(source.find("call_expression", "assignment_expression", "update_expression", "conditional_expression",
                        "pointer_expression", "lambda_expression", within=value), None) is not None:  # fmt: skip
        return False
    if re.search(r"[/%]", source.text(value)):
        return False
    indexed = [source.text(each) for each in source.find("subscript_expression", within=value)]
    return all(each in test for each in indexed)


_LARGEST = """
#include <cstdio>

int main() {
    int values[5] = {3, 1, 4, 1, 5};
    int largest = 0;
    for (int i = 0; i < 5; i++) {
        if (values[i] > largest) {
            largest = values[i];
        }
    }
    std::printf("%d\\n", largest);
}
"""
_UNSAFE = """
int total(int n, const int *values, const int *next) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (next[i] < n) {
            sum += values[next[i]];
        }
    }
    return sum;
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="select",
        family="loops",
        summary="Chooses a value instead of branching, so that the loop can use vectors.",
        find=_selects,
        example=RewriteExample(
            _LARGEST,
            _LARGEST.replace(
                """        if (values[i] > largest) {
            largest = values[i];
        }
""",
                """        largest = values[i] > largest ? values[i] : largest;
""",
            ),
        ),
        answers=("control-flow",),
        prior=0.7,
        refusals=(
            _UNSAFE,
            "void f(double **a, int n, long x) {\n    double *row = a[0];\n"
            "    for (int i = 0; i < n; i++) if (x > row[i]) row[i] = x;\n}\n",
            "void f(double *a, int n, long x) { for (int i = 0; i < n; i++) if (x > a[i]) a[i] = x; }\n",
        ),
    ),
)
