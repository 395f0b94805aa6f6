"""Loops: values that are the same in every turn, worked out before the first; one division where there were many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.effects import PURE, effects, names_in
from maxcode.policy.rewrite.analysis.loops import Loop, accesses, declared, loops, used, written
from maxcode.policy.rewrite.analysis.variables import arguments, type_of
from maxcode.policy.rewrite.compiler.loop_pragmas import hinted
from maxcode.policy.rewrite.loops.accumulators import unconditional
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_ARITHMETIC = ("binary_expression", "unary_expression", "parenthesized_expression", "call_expression",
               "subscript_expression", "identifier", "number_literal", "argument_list", "qualified_identifier",
               "namespace_identifier", "subscript_argument_list")  # fmt: skip
_FLOATS = ("double", "float")
_OPERATORS = ("+", "-", "*", "/")


def floating(source: SourceFile, node: Node) -> bool:
    """Whether an expression has a floating-point type for sure: some number in its sums and products has."""
    if node.type in ("identifier", "subscript_expression"):
        return _type(source, node) in _FLOATS
    if node.type == "number_literal":
        return "." in source.text(node)
    if node.type == "call_expression":
        return source.text(node.children[0]).removeprefix("std::") in ("sqrt", "exp", "log", "sin", "cos", "pow")
    return node.type in ("binary_expression", "parenthesized_expression", "unary_expression") and any(
        floating(source, each) for each in node.named_children
    )


def _type(source: SourceFile, node: Node) -> str:
    """The type of a variable, or of an element of an array."""
    if node.type == "identifier":
        return type_of(source, node)
    array = _type(source, node.children[0]) if node.type == "subscript_expression" else ""
    inner = arguments(array, "vector")
    return inner[0] if inner else re.sub(r"(?:\[\]|\*)$|^[^\[*]*$", "", array)


def _plain(source: SourceFile, node: Node) -> bool:
    """Whether an expression is arithmetic on variables and elements, with no effect but its value."""
    if node.is_named and node.type not in _ARITHMETIC:
        return False
    if node.type == "binary_expression" and source.text(node.children[1]) not in _OPERATORS:
        return False
    if node.type == "call_expression" and source.text(node.children[0]).removeprefix("std::") not in PURE:
        return False
    return all(_plain(source, each) for each in node.named_children)


def _hoisted(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        parent = loop.node.parent
        if parent is None or parent.type != "compound_statement" or hinted(loop) or effects(source, loop.body).opaque:
            continue
        groups: dict[str, list[Node]] = {}
        for node in _steady_values(loop):
            groups.setdefault(source.text(node), []).append(node)
        lines, edits = "", list[Edit]()
        taken = set[str]()
        for text, nodes in groups.items():
            name = _named(source, text, taken)
            taken.add(name)
            lines += f"const {_type_for(source, nodes[0])} {name} = {text};\n{loop.indent}"
            edits += [source.replace(_with_parentheses(node), name) for node in nodes]
        if edits:
            weight = 1.0 + loop.depth + (0.0 if all("[" in text and "/" not in text for text in groups) else 1.0)
            yield Rewrite(loop.line, (source.before(loop.node, lines), *edits), f"loop={loop.variable}", weight)


def _steady_values(loop: Loop) -> list[Node]:
    """The largest expressions of a body that no turn changes and that cost something: a load, division or call."""
    source = loop.source
    moving = written(source, loop.body) | declared(source, loop.body) | {loop.variable}
    found: list[Node] = []
    for node in source.find("binary_expression", "call_expression", "subscript_expression", within=loop.body):
        if any(each in found for each in ancestors(node)) or not _plain(source, node):
            continue
        if used(source, node) & moving or not floating(source, node) or not _costs(source, node):
            continue
        if not _is_target(node) and (unconditional(node, loop.node) or not list(accesses(source, node))):
            found.append(node)
    return found


def _with_parentheses(node: Node) -> Node:
    outer = node.parent
    around = outer.parent if outer is not None and outer.type == "parenthesized_expression" else None
    return outer if outer is not None and around is not None and around.type == "binary_expression" else node


def _costs(source: SourceFile, node: Node) -> bool:
    calls = next(source.find("call_expression", "subscript_expression", within=node), None)
    return bool(names_in(source.text(node))) and (calls is not None or "/" in source.text(node))


def _is_target(node: Node) -> bool:
    parent = node.parent
    return parent is not None and (
        parent.type in ("update_expression", "pointer_expression", "reference_declarator", "field_expression")
        or (parent.type == "assignment_expression" and parent.child_by_field_name("left") == node)
    )


def _named(source: SourceFile, text: str, taken: Iterable[str]) -> str:
    """`x_i` for x[i], `x_value` for x[i * n], a word for anything longer."""
    element = re.fullmatch(r"(\w+)\[([^\[\]]*)\](?:\[[^\[\]]*\])?", text)
    if element is not None:
        word = f"{element[1]}_{element[2]}" if re.fullmatch(r"\w+\[\w+\]", text) else f"{element[1]}_value"
    else:
        word = "ratio" if "/" in text else "steady"
    names = (word, *(f"{word}{i}" for i in range(2, 1000)))
    return next(each for each in names if each not in source.names and each not in taken)


def _type_for(source: SourceFile, node: Node) -> str:
    """`auto`, or what a floating-point expression is in C."""
    if source.language is not Language.C:
        return "auto"
    return "float" if _type(source, node) == "float" else "double"


_FORCES = """
#include <cstdio>

void pull(int n, const double *x, const double *mass, double scale, double *force) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            force[i] += (x[j] - x[i]) * mass[j] * (mass[i] / scale);
        }
    }
}

int main() {
    double x[3] = {1, 2, 4}, mass[3] = {8, 4, 2}, force[3] = {0, 0, 0};
    pull(3, x, mass, 2, force);
    std::printf("%g %g %g\\n", force[0], force[1], force[2]);
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="hoist-invariant",
        family="loops",
        summary="Works out before a loop what is the same in every turn, where other pointers hide that it is.",
        find=_hoisted,
        example=RewriteExample(
            _FORCES,
            _FORCES.replace(
                "        for (int j",
                "        const auto x_i = x[i];\n        const auto ratio = mass[i] / scale;\n        for (int j",
            )
            .replace("(x[j] - x[i])", "(x[j] - x_i)")
            .replace("(mass[i] / scale)", "ratio"),
            "loop=j",
        ),
        answers=("aliasing", "call-in-loop"),
        prior=0.7,
        refusals=(
            "void add(int n, double *x) {\n    for (int i = 1; i < n; i++) {\n        x[i] += x[0] / n;\n    }\n}\n",
        ),
    ),
)
