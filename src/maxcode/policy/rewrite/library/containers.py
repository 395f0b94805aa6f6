"""Library: hash tables in place of ordered containers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import JUMPS, LOOPS
from maxcode.policy.rewrite.analysis.support import arguments, resolved
from maxcode.policy.rewrite.analysis.symbols import resolve, uses
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

HASHABLE = re.compile(r"(?:(?:unsigned|signed|long|int|short|char|size_t|u?int(?:32|64)_t)\s*)+|(?:std::)?string")
_UNORDERED_OPERATIONS = {"count", "find", "erase", "insert", "emplace", "size", "empty", "clear", "end", "at"}
_POSITIONS = {"find", "insert", "emplace"}


@dataclass(frozen=True)
class Container:
    """All variables of one type `map<KEY, VALUE>` or `set<KEY>`, and the loops over them."""

    source: SourceFile
    kind: str
    key: str
    value: str | None
    types: list[Node]
    variables: set[str]
    uses: list[Node]
    loops: list[Node]
    """Loops over a whole container, whose order may matter."""


def containers(source: SourceFile, *kinds: str) -> Iterator[Container]:
    """The containers of a program that are declared plainly and used in ways that a hash table has too."""
    by_text: dict[str, list[Node]] = {}
    for node in source.find("template_type"):
        name = node.child_by_field_name("name")
        if name is not None and source.text(name) in kinds:
            by_text.setdefault(re.sub(r"\s+", "", source.text(node)), []).append(node)
    for types in by_text.values():
        found = _container(source, types)
        if found is not None:
            yield found


def _container(source: SourceFile, types: list[Node]) -> Container | None:
    kind = source.text(types[0].children[0])
    listed = types[0].child_by_field_name("arguments")
    parameters = [source.text(node) for node in listed.named_children] if listed is not None else []
    if len(parameters) != (2 if kind.endswith("map") else 1) or not HASHABLE.fullmatch(resolved(source, parameters[0])):
        return None
    variables = set[str]()
    for node in types:
        names = _declared(source, node)
        if names is None:
            return None
        variables |= names
    uses = [node for node in source.find("identifier") if source.text(node) in variables and not _declares(node)]
    loops = []
    for node in uses:
        loop = _loop_over(node)
        if loop is not None:
            loops.append(loop)
        elif not _unordered_use(source, node):
            return None
    value = parameters[1] if len(parameters) == 2 else None
    return Container(source, kind, parameters[0], value, types, variables, uses, loops)


def _declared(source: SourceFile, node: Node) -> set[str] | None:
    """The variables or parameters that a type is written for; None where it stands in another type or alias."""
    outer = node.parent
    if outer is not None and outer.type == "qualified_identifier" and source.text(outer).startswith("std::"):
        outer = outer.parent
    if outer is None or outer.type not in ("declaration", "parameter_declaration"):
        return None
    declarators = outer.children_by_field_name("declarator")
    names = [next(source.find("identifier", within=each), None) for each in declarators]
    plain = all(each.type in ("identifier", "reference_declarator", "array_declarator") for each in declarators)
    return {source.text(name) for name in names if name is not None} if plain and names else None


def _declares(node: Node) -> bool:
    above = node
    while above.parent is not None and above.parent.type in ("reference_declarator", "array_declarator"):
        above = above.parent
    return above.parent is not None and above.parent.type in ("declaration", "parameter_declaration")


def _unordered_use(source: SourceFile, node: Node) -> bool:
    outer = node.parent
    if outer is not None and outer.type == "subscript_expression":
        return outer.children[0] == node
    if outer is None or outer.type != "field_expression":
        return False
    method = outer.child_by_field_name("field")
    name = source.text(method) if method is not None else ""
    call = outer.parent
    if name == "erase":
        return call is not None and len(arguments(call)) == 1
    if name == "end":
        return call is not None and call.parent is not None and _compares(source, call.parent)
    return name in _UNORDERED_OPERATIONS and (name not in _POSITIONS or (call is not None and _stays(source, call)))


def _stays(source: SourceFile, node: Node) -> bool:
    """Whether an iterator is never moved, so that no other entry is reached from it."""
    parent = node.parent
    if parent is None or parent.type == "pointer_expression" or _compares(source, parent):
        return parent is not None
    if parent.type == "field_expression":
        return source.text(field(parent, "field")) != "first" or _stays(source, parent)
    if parent.type == "argument_list":
        return parent.parent is not None and re.search(r"\.erase\(", source.text(parent.parent)) is not None
    if parent.type == "init_declarator":
        names = list(source.find("identifier", within=field(parent, "declarator")))
        return all(_all_stay(source, each) for each in names)
    if parent.type == "assignment_expression":
        left = field(parent, "left")
        return left == node or (left.type == "identifier" and _all_stay(source, left))
    return parent.type in ("expression_statement", "condition_clause", "unary_expression")


def _all_stay(source: SourceFile, name: Node) -> bool:
    symbol = resolve(source, name)
    return symbol is not None and all(_stays(source, use) for use in uses(source, symbol))


def _compares(source: SourceFile, node: Node) -> bool:
    operator = node.child_by_field_name("operator") if node.type == "binary_expression" else None
    return operator is not None and source.text(operator) in ("==", "!=")


def _loop_over(node: Node) -> Node | None:
    """The range loop whose container this is."""
    outer = node.parent
    return outer if outer is not None and outer.type == "for_range_loop" and _range(outer) == node else None


def _range(loop: Node) -> Node | None:
    return loop.child_by_field_name("right")


def order_free(source: SourceFile, loop: Node) -> bool:
    """Whether a loop only counts, sums integers, or takes a minimum or maximum."""
    body = loop.child_by_field_name("body")
    if body is None or next(source.find(*JUMPS, within=body), None) is not None:
        return False
    if re.search(r"\b(?:double|float)\b", source.code):
        return False
    return all(_commutes(source, node) for node in source.find("expression_statement", within=body))


def _commutes(source: SourceFile, statement: Node) -> bool:
    text = re.sub(r"\s+", " ", source.text(statement)).strip("; ")
    if re.fullmatch(r"\w+(?: ?\+\+| ?-- ?)|\+\+ ?\w+", text) or re.fullmatch(r"\w+ ?[+|&^]= ?[\w.>() *-]+", text):
        return "(" not in text
    return bool(re.fullmatch(r"(\w+) ?= ?(?:std::)?(?:min|max)\( ?\1 ?,[^()]*\)", text))


def _sorted_copy(source: SourceFile, each: Container, loop: Node) -> list[Edit] | None:
    """Walks a sorted copy in place of the container; None where the loop runs often or changes what it walks."""
    over, body = _range(loop), loop.child_by_field_name("body")
    declared = loop.child_by_field_name("declarator")
    if over is None or body is None or declared is None or enclosing(loop, *LOOPS) is not None:
        return None
    block = loop.parent
    constant = "const" in source.text(loop)[: over.start_byte - loop.start_byte] or declared.type == "identifier"
    mentions = any(inside(use, body) for use in each.uses)
    if block is None or block.type != "compound_statement" or mentions or not (constant or _reads_only(source, loop)):
        return None
    std, indent, name = source.std, source.indent(loop), source.fresh("ordered")
    element = f"{std}pair<{each.key}, {each.value}>" if each.value else each.key
    by_key = ""
    if each.value:
        by_key = ", [](const auto &a, const auto &b) { return a.first < b.first; }"
    container = source.text(over)
    copy = f"{std}vector<{element}> {name}({container}.begin(), {container}.end());\n{indent}"
    order = f"{std}sort({name}.begin(), {name}.end(){by_key});\n{indent}"
    return [source.before(loop, copy + order), source.replace(over, name)]


def _reads_only(source: SourceFile, loop: Node) -> bool:
    body = loop.child_by_field_name("body")
    targets = source.find("assignment_expression", "update_expression", within=body)
    names = {source.text(node) for node in source.find("identifier", within=loop.child_by_field_name("declarator"))}
    return not any(names & {source.text(node) for node in source.find("identifier", within=each)} for each in targets)


def _hash_table(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for each in containers(source, "map", "set"):
        walks = walked_in_order(source, each)
        if walks is None or not worth_it(each):
            continue
        edits = [source.replace(node.children[0], f"unordered_{each.kind}") for node in each.types]
        headers = source.including(f"unordered_{each.kind}")
        yield Rewrite(source.line(each.types[0]), (*headers, *edits, *walks))


def walked_in_order(source: SourceFile, each: Container) -> list[Edit] | None:
    """The edits that keep the order of the loops that need it; None where that cannot be done."""
    ordered = [loop for loop in each.loops if not order_free(source, loop)]
    if len(ordered) > 1:
        return None
    copies = [_sorted_copy(source, each, loop) for loop in ordered]
    if not copies:
        return []
    return None if copies[0] is None else [*source.including("vector"), *source.including("algorithm"), *copies[0]]


def worth_it(each: Container) -> bool:
    """Whether a container is used for more than loops over it; else a hash table gains nothing."""
    return any(node.parent is not None and node.parent.type != "for_range_loop" for node in each.uses)


_BEFORE = """
#include <iostream>
#include <map>
#include <string>

using namespace std;

int main() {
    map<string, int> seen;
    for (int i = 0; i < 100; i++) {
        seen["name" + to_string(i % 7)]++;
    }
    for (const auto &entry : seen) {
        cout << entry.first << ' ' << entry.second << '\\n';
    }
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="hash-table-for-tree",
        family="library",
        summary="Keeps keys in a hash table instead of a balanced tree, and sorts at the end where order is needed.",
        find=_hash_table,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace("    map<", "    unordered_map<")
            .replace(
                "    for (const auto &entry : seen)",
                """    vector<pair<string, int>> ordered(seen.begin(), seen.end());
    sort(ordered.begin(), ordered.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    for (const auto &entry : ordered)""",
            )
            .replace(
                "#include <iostream>",
                "#include <unordered_map>\n#include <vector>\n#include <algorithm>\n#include <iostream>",
            ),
        ),
        languages=CPP,
        answers=("tree-map",),
        prior=1.5,
        refusals=(
            "#include <map>\nint main() { std::map<int, int> m; m[1] = 2; return m.begin()->second; }\n",
            "#include <map>\n#include <utility>\n"
            "int main() { std::map<std::pair<int, int>, int> m; m[{1, 2}] = 3; return m.size(); }\n",
            "#include <set>\nint main() { std::set<int> s; s.insert(1); return *s.lower_bound(0); }\n",
        ),
    ),
)
