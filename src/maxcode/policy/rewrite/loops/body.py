"""Loops: work that is the same in every turn is done once."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import PURE, names_in, type_of
from maxcode.policy.rewrite.analysis.loops import declared, loops, used, written
from maxcode.policy.rewrite.loops.accumulators import unconditional
from maxcode.policy.rewrite.source import SourceFile, ancestors
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_COSTLY = frozenset(
    "sqrt sqrtl sqrtf pow exp log log2 log10 sin cos tan atan2 hypot cbrt floor ceil round strlen".split()
)
_LENGTHS = re.compile(r"(\w+)\.(?:size|length)\(\)")
_RESIZES = "push_back|pop_back|insert|erase|clear|resize|append|assign|emplace|emplace_back|swap|push|pop"


def _hoisted(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in source.find("for_statement", "while_statement"):
        if loop.parent is None or loop.parent.type != "compound_statement" or loop.has_error:
            continue
        for call in _outermost(source, loop):
            text = source.text(call)
            places = [each for each in _outermost(source, loop) if source.text(each) == text]
            if places[0] == call and _same_in_every_turn(source, loop, call):
                yield _before_the_loop(source, loop, places)


def _outermost(source: SourceFile, loop: Node) -> list[Node]:
    """Calls in the part of a loop that runs more than once, those inside each other left out."""
    once = loop.child_by_field_name("initializer")
    found: list[Node] = []
    for call in source.find("call_expression", within=loop):
        if once is not None and once.start_byte <= call.start_byte < once.end_byte:
            continue
        if _is_costly(source, call) and not any(each in ancestors(call) for each in found):
            found.append(call)
    return found


def _is_costly(source: SourceFile, call: Node) -> bool:
    name = source.text(call.children[0]).removeprefix("std::")
    return name in _COSTLY or _LENGTHS.fullmatch(source.text(call)) is not None


def _same_in_every_turn(source: SourceFile, loop: Node, call: Node) -> bool:
    """Whether nothing that a call depends on changes in the loop, as far as the text shows."""
    names, text = used(source, call), source.text(loop)
    inner = {
        source.text(each.children[0]).removeprefix("std::") for each in source.find("call_expression", within=call)
    }
    if not all(name in PURE | _COSTLY or _LENGTHS.fullmatch(f"{name}()") for name in inner):
        return False
    length = _LENGTHS.fullmatch(source.text(call)) is not None
    if length or "strlen" in inner:
        return _keeps_its_length(source, loop, names & names_in(source.text(call)), text, length)
    arrays = next(source.find("subscript_expression", "field_expression", "pointer_expression", within=call), None)
    changing = written(source, loop) | declared(source, loop)
    return arrays is None and bool(names - inner) and not names & changing and not _handed_over(source, loop, names)


def _keeps_its_length(source: SourceFile, loop: Node, names: set[str], text: str, length: bool) -> bool:
    name = next(iter(names - PURE - _COSTLY - {"std"}), "")
    if not name or name in declared(source, loop) or _handed_over(source, loop, {name}):
        return False
    if re.search(rf"\b{name}\s*(?:\.\s*(?:{_RESIZES})\b|=(?!=)|\+=|\+\+|--)|[>>&]\s*{name}\b(?!\s*\[)", text):
        return False
    # Writing a zero ends a C string early.
    return length or not re.search(rf"\b{name}\s*\[[^\]]*\]\s*=\s*(?:0|'\\0'|NULL)", text)


def _handed_over(source: SourceFile, loop: Node, names: set[str]) -> bool:
    """Whether a variable goes whole to a function, which could change it, or could be changed by one as a global."""
    known = PURE | _COSTLY | {"printf", "putchar", "puts"}
    for call in source.find("call_expression", within=loop):
        name = source.text(call.children[0]).removeprefix("std::")
        method = re.fullmatch(r"[\w.\[\]]+\.(\w+)", name)
        if name in known or "_cast<" in name or (method and not re.fullmatch(_RESIZES, method[1])):
            continue
        if not method:
            given = {source.text(each) for each in source.find("identifier", within=call)}
            globals_ = {each for node in source.root.children if node.type == "declaration"
                        for each in declared(source, node)}  # fmt: skip
            if names & (given | globals_):
                return True
    return False


def _before_the_loop(source: SourceFile, loop: Node, places: list[Node]) -> Rewrite:
    text = source.text(places[0])
    length = _LENGTHS.fullmatch(text)
    word = re.sub(r"\W.*", "", text.removeprefix("std::"))
    name = source.fresh(f"{length[1]}_size" if length else f"{word}_value" if word != "strlen" else "length")
    kind = "size_t" if length or word == "strlen" else "double"
    kind = "auto" if source.language == "c++" else kind
    line = f"const {kind} {name} = {text};\n{source.indent(loop)}"
    edits = (source.before(loop, line), *(source.replace(each, name) for each in places))
    quadratic = 3.0 if word == "strlen" else 1.0
    return Rewrite(source.line(loop), edits, f"call={text[:30]}", quadratic)


def _rows(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        if loop.node.parent is None or loop.node.parent.type != "compound_statement":
            continue
        found = _steady_rows(source, loop.node, loop.body, loop.variable)
        if not found:
            continue
        before, edits = "", []
        for text, nodes in found.items():
            name = source.fresh("_".join(re.findall(r"\w+", text)[:3]) + "_row")
            before += f"auto &{name} = {text};\n{loop.indent}"
            edits += [source.replace(node, name) for node in nodes]
        weight = 1.0 + loop.depth + (1.0 if loop.innermost else 0.0)
        yield Rewrite(loop.line, (source.before(loop.node, before), *edits), f"loop={loop.variable}", weight)


def _steady_rows(source: SourceFile, loop: Node, body: Node, variable: str) -> dict[str, list[Node]]:
    """Rows of vectors of vectors that are the same in every turn, by their text."""
    moving = written(source, body) | declared(source, loop) | {variable}
    found: dict[str, list[Node]] = {}
    for node in source.find("subscript_expression", within=body):
        parent, row = node.parent, node.children[0]
        if parent is None or parent.type != "subscript_expression" or parent.children[0] != node:
            continue
        if row.type != "identifier" or not _is_vectors(source, source.text(row), loop):
            continue
        name = source.text(row)
        index = source.text(node)[len(name) :]
        plain = not re.search(r"[(]|\+\+|--|=", index) and not names_in(index) & moving and "[" not in index[1:]
        resized = re.search(rf"\b{name}\s*(?:\[[^\]]*\]\s*)?(?:\.\s*(?:{_RESIZES})\b|=(?!=))", source.text(loop))
        if plain and not resized and name not in declared(source, loop):
            found.setdefault(source.text(node), []).append(node)
    return {text: nodes for text, nodes in found.items() if _exists(text, nodes, body)}


def _exists(text: str, nodes: list[Node], body: Node) -> bool:
    """Whether a row is there in every turn: `grid[i - 1]` behind a condition may not be."""
    return re.fullmatch(r"\w+\[\w+\]", text) is not None or any(unconditional(node, body) for node in nodes)


def _is_vectors(source: SourceFile, name: str, at: Node) -> bool:
    kind = re.sub(r"\s+|std::", "", type_of(source, name, at) or "")
    return re.match(r"(?:const)?vector<vector<", kind) is not None and "bool" not in kind


_SPACES = """
#include <cstdio>
#include <cstring>

int main() {
    char text[] = "a b c";
    for (size_t i = 0; i < strlen(text); i++) {
        if (text[i] == ' ') {
            text[i] = '_';
        }
    }
    std::puts(text);
}
"""
_SHRINKING = """
#include <string>

void strip(std::string &text) {
    for (size_t i = 0; i < text.size(); i++) {
        if (text[i] == ' ') {
            text.erase(i, 1);
        }
    }
}
"""
_GRID = """
#include <cstdio>
#include <vector>

int main() {
    std::vector<std::vector<int>> grid(3, std::vector<int>(4, 2));
    for (int i = 1; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            grid[i][j] += grid[i - 1][j];
        }
    }
    std::printf("%d\\n", grid[2][3]);
}
"""
_COLUMNS = """
#include <vector>

int first(const std::vector<std::vector<int>> &grid, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += grid[i][0];
    }
    return sum;
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="hoist-call",
        family="loops",
        summary="Computes a length or a function before the loop when it is the same in every turn.",
        find=_hoisted,
        example=RewriteExample(
            _SPACES,
            _SPACES.replace(
                "    for (size_t i = 0; i < strlen(text)",
                "    const auto length = strlen(text);\n    for (size_t i = 0; i < length",
            ),
        ),
        answers=("trip-count", "call-in-loop"),
        prior=1.5,
        refusals=(_SHRINKING,),
    ),
    Transformation(
        name="row-reference",
        family="loops",
        summary="Looks up the row of a vector of vectors before the loop that walks along it.",
        find=_rows,
        example=RewriteExample(
            _GRID,
            _GRID.replace(
                """        for (int j = 0; j < 4; j++) {
            grid[i][j] += grid[i - 1][j];
""",
                """        auto &grid_i_row = grid[i];
        auto &grid_i_1_row = grid[i - 1];
        for (int j = 0; j < 4; j++) {
            grid_i_row[j] += grid_i_1_row[j];
""",
            ),
        ),
        languages=CPP,
        answers=("nested-vectors", "aliasing"),
        prior=1.0,
        refusals=(_COLUMNS,),
    ),
)
