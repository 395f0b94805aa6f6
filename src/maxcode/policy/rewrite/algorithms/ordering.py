"""Algorithms: less sorting, where few elements are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.support import arguments, prelude, statement_of
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_it, resolve, type_text, uses, whole_place
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_NUMBERS = r"(?:(?:unsigned|long|int|short|char|size_t|u?int\d+_t)\s*)+"
_ALIKE = re.compile(rf"(?:const )?vector<(?:{_NUMBERS}|string|pair<(?:{_NUMBERS}|string),(?:{_NUMBERS}|string)>)>&?")
"""Vectors whose elements are the same in all that is printed where neither is less than the other."""
_WITH_FLOATS = re.compile(r"(?:const )?vector<(?:double|float)>&?")
_MOST = 4

_NTH = """
// The element that sorting would put at a place.
template <class Row>
typename Row::value_type nth_in_order(Row &row, std::size_t place) {
    std::nth_element(row.begin(), row.begin() + place, row.end());
    return row[place];
}
"""


def _plain_sorts(source: SourceFile) -> Iterator[tuple[Node, Symbol]]:
    """Statements `sort(v.begin(), v.end());` and the vector."""
    for call in source.find("call_expression"):
        if source.text(field(call, "function")).removeprefix("std::") not in ("sort", "stable_sort"):
            continue
        given, statement = arguments(call), statement_of(call)
        owner = next(source.find("identifier", within=given[0]), None) if len(given) == 2 else None
        if owner is None or statement is None or source.text(given[0]) != f"{source.text(owner)}.begin()":
            continue
        row = resolve(source, owner)
        if row is not None and source.text(given[1]) == f"{row.name}.end()" and not row.is_member:
            yield statement, row


def _loop_of(node: Node) -> Node | None:
    return enclosing(node, *LOOPS, "lambda_expression", "function_definition")


def _few_asked(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Selects the few elements that are used of a vector that is sorted and then not changed any more."""
    del setting
    for statement, row in _plain_sorts(source):
        kind = type_text(source, row)
        if row.is_global or not (_ALIKE.fullmatch(kind) or _WITH_FLOATS.fullmatch(kind)) or "&" in kind:
            continue
        at_home = (
            row.scope if row.scope.type in ("function_definition", "lambda_expression") else _loop_of(row.identifier)
        )
        after = [use for use in uses(source, row) if use.start_byte > statement.end_byte]
        if _loop_of(statement) != at_home or not after:
            continue
        edits = [_selected(source, use, statement) for use in after]
        asked = [edit for edit in edits if edit is not None and edit.text]
        if None in edits or not 1 <= len(asked) <= _MOST:
            continue
        helper = [] if "nth_in_order" in source.names else [prelude(source, _NTH, ("algorithm", "cstddef"))]
        yield Rewrite(source.line(statement), (source.remove_line(statement), *asked, *helper))


def _selected(source: SourceFile, use: Node, statement: Node) -> Edit | None:
    """The edit of a use of a sorted vector, without text where it asks for no element; None where it is unclear."""
    parent = use.parent
    if parent is None or _loop_of(use) != _loop_of(statement):
        return None
    name = source.text(use)
    if parent.type == "subscript_expression" and parent.children[0] == use:
        inner = parent.child_by_field_name("indices")
        if inner is None or whole_place(use) != parent or changes_it(source, use):
            return None
        if dependencies(source, inner) is None:
            return None
        return source.replace(parent, f"nth_in_order({name}, {source.text(inner)[1:-1]})")
    call = parent.parent if parent.type == "field_expression" else None
    if call is None or call.type != "call_expression" or arguments(call):
        return None
    method = source.text(field(parent, "field"))
    if method in ("size", "empty"):
        return Edit(use.start_byte, use.start_byte, "")
    place = {"front": "0", "back": f"{name}.size() - 1"}.get(method)
    return source.replace(call, f"nth_in_order({name}, {place})") if place and not changes_it(source, use) else None


_MEDIAN = """
#include <algorithm>
#include <iostream>
#include <vector>
double median(std::vector<int> values) {
    std::sort(values.begin(), values.end());
    size_t middle = values.size() / 2;
    if (values.size() % 2) return values[middle];
    return (values[middle - 1] + values[middle]) / 2.0;
}
int main() {
    std::cout << median({5, 3, 8, 1}) << " " << median({2, 9, 4}) << "\\n";
}
"""


def _with(code: str, helper: str) -> str:
    return code.replace("<vector>\n", f"<vector>\n{helper}\n")


TRANSFORMATIONS = (
    Transformation(
        name="selection-for-sort",
        family="algorithms",
        summary="Selects the few elements that are asked for instead of sorting all.",
        find=_few_asked,
        example=RewriteExample(
            before=_MEDIAN,
            after=_with(
                _MEDIAN.replace("    std::sort(values.begin(), values.end());\n", "")
                .replace("return values[middle];", "return nth_in_order(values, middle);")
                .replace("values[middle - 1]", "nth_in_order(values, middle - 1)")
                .replace("+ values[middle]", "+ nth_in_order(values, middle)"),
                "#include <cstddef>\n" + _NTH,
            ),
        ),
        languages=CPP,
        prior=1.5,
        refusals=(
            "#include <algorithm>\n#include <vector>\nint f(std::vector<int> v) {\n    std::sort(v.begin(), v.end());\n"
            "    int s = 0;\n    for (int i = 0; i < 3; i++) s += v[i] * i;\n    return s;\n}\n",
            "#include <algorithm>\n#include <vector>\nint f(std::vector<int> v) {\n    std::sort(v.begin(), v.end());\n"
            "    v[0] = 3;\n    return v[1];\n}\n",
            "#include <algorithm>\n#include <vector>\nvoid f(std::vector<int> &v) { std::sort(v.begin(), v.end()); }\n",
        ),
    ),
)
