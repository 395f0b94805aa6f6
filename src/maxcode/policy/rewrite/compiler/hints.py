"""Compiler: where arrays begin, and which way a branch seldom goes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.conditions import condition_of
from maxcode.policy.rewrite.analysis.known_values import value_of
from maxcode.policy.rewrite.analysis.loops import LOOPS, statements
from maxcode.policy.rewrite.analysis.variables import Variable, resolved, variables
from maxcode.policy.rewrite.source import SourceFile, ancestors
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|char|double|float|size_t|u?int\d+_t)")
_SHORT = 16
"""Number of elements below which an array is too short for vectors."""


def _aligned(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    if re.search(r"alignas|_Alignas|aligned", source.code):
        return
    word = "_Alignas(64)" if source.language is Language.C else "alignas(64)"
    found = [each for each in variables(source) if _is_array(source, each) and _used_in_loops(source, each)]
    nodes = list(dict.fromkeys(each.declaration for each in found))
    if nodes:
        yield Rewrite(source.line(nodes[0]), tuple(source.before(node, f"{word} ") for node in nodes))


def _is_array(source: SourceFile, variable: Variable) -> bool:
    sizes = re.fullmatch(r"((?:\[[^\[\]]+\])+)(?:\s*=.*)?", variable.rest, re.DOTALL)
    kind = re.sub(r"^(?:(?:static|const)\s+)+", "", variable.type)
    if sizes is None or not variable.alone or not _NUMBER.fullmatch(resolved(source, kind)):
        return False
    numbers = [value_of(source, each) for each in re.findall(r"\[([^\[\]]+)\]", sizes[1])]
    return all(each is not None for each in numbers) and max(each or 0 for each in numbers) >= _SHORT


def _used_in_loops(source: SourceFile, variable: Variable) -> bool:
    for each in variable.mentions or ():
        node = source.root.descendant_for_byte_range(each.at, each.end - 1)
        if each.indices and node is not None and any(above.type in LOOPS for above in ancestors(node)):
            return True
    return False


_RARE = {"return_statement": 1.0, "throw_statement": 1.0, "break_statement": 0.7, "continue_statement": 0.3}


def _seldom(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for node in source.find("if_statement"):
        condition, weight = condition_of(node), _leaves(source, node)
        if condition is None or weight is None or not any(each.type in LOOPS for each in ancestors(node)):
            continue
        text = source.text(condition)
        hinted = "__builtin_expect" in text or "constexpr" in source.text(node).split("(")[0]
        if node.child_by_field_name("alternative") is not None or hinted or condition.type == "declaration":
            continue
        comparison = condition.type == "binary_expression" and source.text(condition.children[1]) in _COMPARISONS
        truth = text if comparison else f"!!({text})"
        yield Rewrite(source.line(node), (source.replace(condition, f"__builtin_expect({truth}, 0)"),), weight=weight)


_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def _leaves(source: SourceFile, node: Node) -> float | None:
    """How likely a branch that leaves the loop, the turn or the function is seldom taken; None for other branches."""
    branch = node.child_by_field_name("consequence")
    inner = statements(branch) if branch is not None else []
    if not inner or len(inner) > 3:
        return None
    if re.match(r"(?:std::)?(?:exit|abort)\s*\(", source.text(inner[-1])):
        return 1.0
    return _RARE.get(inner[-1].type)


_SEARCH = """
#include <cstdio>

int find(const int *values, int n, int wanted) {
    for (int i = 0; i < n; i++) {
        if (values[i] == wanted) {
            return i;
        }
    }
    return -1;
}

int main() {
    int values[100];
    for (int i = 0; i < 100; i++) {
        values[i] = i * 37 % 101;
    }
    std::printf("%d\\n", find(values, 100, 50));
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="aligned-arrays",
        family="compiler",
        summary="Lets arrays begin at a cache line, so that no vector lies across two.",
        find=_aligned,
        example=RewriteExample(_SEARCH, _SEARCH.replace("    int values[100]", "    alignas(64) int values[100]")),
        answers=("cache-misses",),
        prior=0.2,
        refusals=("int f(int i) {\n    int few[3] = {1, 2, 3};\n    return few[i];\n}\n",),
    ),
    Transformation(
        name="likely-branch",
        family="compiler",
        summary="Tells the compiler that a branch which leaves a loop is seldom taken.",
        find=_seldom,
        example=RewriteExample(
            _SEARCH, _SEARCH.replace("if (values[i] == wanted)", "if (__builtin_expect(values[i] == wanted, 0))")
        ),
        answers=("control-flow",),
        prior=0.2,
        refusals=(
            "int f(int n) {\n    int sum = 0;\n    for (int i = 0; i < n; i++) {\n"
            "        if (i % 2) {\n            sum += i;\n        }\n    }\n    return sum;\n}\n",
        ),
    ),
)
