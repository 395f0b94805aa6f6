"""Library: hash tables in place of ordered containers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import JUMPS, LOOPS
from maxcode.policy.rewrite.analysis.support import arguments, calls, functions, prelude, resolved
from maxcode.policy.rewrite.analysis.symbols import parameters_of, resolve, type_text, uses
from maxcode.policy.rewrite.analysis.variables import arguments as arguments_of
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

HASHABLE = re.compile(r"(?:(?:unsigned|signed|long|int|short|char|size_t|u?int(?:32|64)_t)\s*)+|(?:std::)?string")
_UNORDERED_OPERATIONS = {"count", "find", "erase", "insert", "emplace", "size", "empty", "clear", "end", "at"}
_POSITIONS = {"find", "insert", "emplace"}


@dataclass(frozen=True)
class Container:
    """All variables and members of one type `map<KEY, VALUE>` or `set<KEY>`, and the loops over them."""

    source: SourceFile
    kind: str
    key: str
    value: str | None
    types: list[Node]
    variables: set[str]
    uses: list[Node]
    """Variables, and accesses to members such as `each.names`."""
    loops: list[Node]
    """Loops over a whole container, whose order may matter."""

    @property
    def hashed(self) -> bool:
        """Whether the library has a hash of the key."""
        return HASHABLE.fullmatch(resolved(self.source, self.key)) is not None


def containers(source: SourceFile, *kinds: str) -> Iterator[Container]:
    """The containers of a program that are declared plainly and used in ways that a hash table has too."""
    by_text: dict[str, list[Node]] = {}
    for node in source.find("template_type"):
        name = node.child_by_field_name("name")
        if name is not None and source.text(name) in kinds:
            by_text.setdefault(re.sub(r"\s+|std::", "", source.text(node)), []).append(node)
    for types in by_text.values():
        found = _container(source, types)
        if found is not None:
            yield found


def _container(source: SourceFile, types: list[Node]) -> Container | None:
    kind = source.text(types[0].children[0])
    listed = types[0].child_by_field_name("arguments")
    parameters = [source.text(node) for node in listed.named_children] if listed is not None else []
    if len(parameters) != (2 if kind.endswith("map") else 1) or not _can_be_hashed(source, parameters[0]):
        return None
    holders = _Holders(source, types)
    if not holders.variables:
        return None
    uses, loops = list[Node](), list[Node]()
    for use in holders.uses():
        loop = _loop_over(use)
        uses.append(use)
        if loop is not None:
            loops.append(loop)
        elif not _unordered_use(source, use) and not holders.passes(use):
            return None
    value = parameters[1] if len(parameters) == 2 else None
    return Container(source, kind, parameters[0], value, types, holders.variables, uses, loops)


def _can_be_hashed(source: SourceFile, key: str) -> bool:
    parts = arguments_of(resolved(source, key.replace("std::", "")), "pair")
    return all(HASHABLE.fullmatch(resolved(source, each)) for each in parts or [key])


class _Holders:
    """What a program declares with a type: variables, members, parameters, results of functions, and other names of it.

    `variables` is empty where the type is also used in ways that are not followed.
    """

    def __init__(self, source: SourceFile, types: list[Node]) -> None:
        self.source = source
        self.variables = set[str]()
        self.functions = set[str]()
        self.places = set[int]()
        self.names = set[str]()
        known = all(self._take(node) for node in types)
        known = known and all(self._take(node) for node in source.find("type_identifier") if self._is_alias(node))
        if not known or not all(self._received(call) for name in self.functions for call in calls(source, name)):
            self.variables = set()

    def _is_alias(self, node: Node) -> bool:
        outer = node.parent
        return (
            self.source.text(node) in self.names
            and outer is not None
            and not (
                outer.type in ("alias_declaration", "type_definition") and outer.child_by_field_name("type") != node
            )
        )

    def _take(self, node: Node) -> bool:
        """Notes what a mention of the type declares; whether it is one that can be followed."""
        outer = node.parent
        while outer is not None and outer.type in ("qualified_identifier", "type_descriptor"):
            outer = outer.parent
        if outer is None:
            return False
        if outer.type in ("alias_declaration", "type_definition"):
            name = outer.child_by_field_name("name") or outer.child_by_field_name("declarator")
            self.names |= {self.source.text(name)} if name is not None else set()
            return name is not None and name.type == "type_identifier"
        declarators = outer.children_by_field_name("declarator")
        if outer.type == "function_definition" or (declarators and declarators[0].type == "function_declarator"):
            named = declarators[0].child_by_field_name("declarator") if declarators else None
            self.functions |= {self.source.text(named)} if named is not None else set()
            return named is not None and named.type == "identifier" and declarators[0].type == "function_declarator"
        if outer.type not in ("declaration", "parameter_declaration", "field_declaration") or not declarators:
            return False
        return all(self._declares(each) for each in declarators)

    def _declares(self, declarator: Node) -> bool:
        value = declarator.child_by_field_name("value") if declarator.type == "init_declarator" else None
        if declarator.type == "init_declarator":
            declarator = field(declarator, "declarator")
        plain = ("identifier", "field_identifier", "reference_declarator", "array_declarator")
        name = next(self.source.find("identifier", "field_identifier", within=declarator), None)
        if declarator.type not in plain or name is None:
            return False
        self.variables.add(self.source.text(name))
        self.places.add(name.start_byte)
        return value is None or value.type in ("call_expression", "identifier", "initializer_list", "argument_list")

    def uses(self) -> Iterator[Node]:
        """Every variable and member of such a name but where it is declared."""
        for node in self.source.find("identifier", "field_identifier"):
            if self.source.text(node) not in self.variables or node.start_byte in self.places:
                continue
            if node.type == "field_identifier" and node.parent is not None:
                yield node.parent
                continue
            symbol = resolve(self.source, node)
            if symbol is None or symbol.identifier.start_byte in self.places:
                yield node

    def passes(self, use: Node) -> bool:
        """Whether a use hands a container to another one of the type: an argument, a result or an assignment."""
        outer = use.parent
        if outer is None or use.type == "field_identifier":
            return False
        if outer.type == "return_statement":
            function = enclosing(outer, "function_definition", "lambda_expression")
            return function is not None and self._callee(field(function, "declarator")) in self.functions
        if outer.type == "init_declarator":
            name = next(self.source.find("identifier", within=field(outer, "declarator")), None)
            return name is not None and name.start_byte in self.places
        if outer.type == "assignment_expression":
            other = field(outer, "left") if field(outer, "right") == use else field(outer, "right")
            return self._is_one(other)
        return outer.type == "argument_list" and self._is_parameter(use, outer)

    def _is_one(self, node: Node) -> bool:
        if node.type == "call_expression":
            return self._callee(node) in self.functions
        last = node.child_by_field_name("field") if node.type == "field_expression" else node
        return last is not None and self.source.text(last) in self.variables

    def _callee(self, node: Node) -> str:
        name = node.child_by_field_name("function") or node.child_by_field_name("declarator")
        return self.source.text(name) if name is not None else ""

    def _is_parameter(self, use: Node, given: Node) -> bool:
        call = given.parent
        definition = functions(self.source).get(self._callee(call)) if call is not None else None
        if call is None or definition is None or call.type != "call_expression":
            return False
        at = next(i for i, each in enumerate(given.named_children) if each == use)
        wanted = parameters_of(self.source, definition)
        named = self.source.find("identifier", within=wanted[at]) if at < len(wanted) else ()
        return any(each.start_byte in self.places for each in named)

    def _received(self, call: Node) -> bool:
        """Whether the result of a function goes into a container of the type."""
        outer = call.parent
        if outer is not None and outer.type == "init_declarator":
            name = next(self.source.find("identifier", within=field(outer, "declarator")), None)
            return name is not None and name.start_byte in self.places
        if outer is not None and outer.type == "assignment_expression":
            return self._is_one(field(outer, "left"))
        return outer is not None and outer.type == "expression_statement"


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
    return all(_commutes(source, node) for node in source.find("expression_statement", within=body))


def _commutes(source: SourceFile, statement: Node) -> bool:
    text = re.sub(r"\s+", " ", source.text(statement)).strip("; ")
    target = next(source.find("identifier", within=statement), None)
    symbol = resolve(source, target) if target is not None else None
    if symbol is None or re.search(r"\b(?:double|float)\b|^$", type_text(source, symbol)):
        return False
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
    found = [(each, walks) for each in containers(source, "map", "set")
             if (walks := walked_in_order(source, each)) is not None and worth_it(each)]  # fmt: skip
    calm = [each for each, walks in found if not walks]
    if len(calm) > 1:
        edits = dict.fromkeys(edit for each in calm for edit in _hashed(source, each))
        yield Rewrite(source.line(calm[0].types[0]), tuple(edits), "all", 2.0)
    for each, walks in found:
        yield Rewrite(source.line(each.types[0]), (*_hashed(source, each), *walks))


def _hashed(source: SourceFile, each: Container) -> list[Edit]:
    edits = [edit for node in each.types for edit in _unordered(source, each, node)]
    helper = [] if each.hashed or "PairHash" in source.names else [prelude(source, _PAIRS, ("functional", "utility"))]
    return [*source.including(f"unordered_{each.kind}"), *helper, *edits]


def _unordered(source: SourceFile, each: Container, node: Node) -> Iterator[Edit]:
    yield source.replace(node.children[0], f"unordered_{each.kind}")
    if not each.hashed:
        last = field(node, "arguments").named_children[-1]
        yield source.after(last, ", PairHash")


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


_PAIRS = """
// A hash of pairs, which the library lacks.
struct PairHash {
    template <class First, class Second>
    std::size_t operator()(const std::pair<First, Second> &key) const {
        const unsigned long long first = std::hash<First>()(key.first) * 0x9e3779b97f4a7c15ull;
        return (first ^ first >> 32 ^ std::hash<Second>()(key.second)) * 0xff51afd7ed558ccdull >> 16;
    }
};
"""
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
            "#include <map>\n#include <vector>\n"
            "int main() { std::map<std::vector<int>, int> m; m[{1, 2}] = 3; return m.size(); }\n",
            "#include <map>\nusing Table = std::map<int, int>;\nTable made() { Table t; t[2] = 1; return t; }\n"
            "int main() { int s = 0; for (auto &each : made()) s = s * 2 + each.first; return s; }\n",
            "#include <set>\nstruct Bag { std::set<int> all; };\n"
            "int main() { Bag bag; bag.all.insert(3); return *bag.all.begin(); }\n",
            "#include <set>\nint main() { std::set<int> s; s.insert(1); return *s.lower_bound(0); }\n",
        ),
    ),
)
