"""Algorithms: a table of places beside a vector that is searched for an equal key again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.algorithms.row_search import leaves, sides, test_of
from maxcode.policy.rewrite.analysis.conditions import joined_by
from maxcode.policy.rewrite.analysis.loops import LOOPS, as_loop, statements
from maxcode.policy.rewrite.analysis.support import arguments, prelude
from maxcode.policy.rewrite.analysis.symbols import (
    ALGORITHMS,
    READING,
    Symbol,
    callee,
    changes_in,
    changes_it,
    const_methods,
    in_lambda,
    resolve,
    type_text,
    whole_place,
)
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_ROW = re.compile(r"vector<(?:(?:unique_ptr|shared_ptr)<)?([\w: ]+?)(?:>|\*)?>")
_KEY = re.compile(r"(?:const )?(string|(?:(?:unsigned|long|int|short|char|size_t|u?int\d+_t) ?)+)&?")
_APPENDS = ("push_back", "emplace_back", "reserve")
_HEADERS = ("functional", "vector")
_HELPER = """
// The places in a row by the hash of their key, while entries keep their keys, in the order of the row.
template <class Key>
struct KeptPlaces {
    std::vector<int> first, last, next;
    void clear() {
        if (!next.empty()) first.assign(first.size(), -1), next.clear();
    }
    size_t of(const Key &key) const {
        return (std::hash<Key>()(key) * 0x9e3779b97f4a7c15ull >> 32) & (first.size() - 1);
    }
    template <class At>
    int find(size_t size, const Key &key, At at) {
        if (size < next.size()) clear();
        if (size > first.size()) {
            size_t room = 64;
            while (room < 2 * size) room *= 2;
            first.assign(room, -1), last.resize(room), next.clear();
        }
        for (size_t place = next.size(); place < size; place++) {
            size_t row = of(at(place));
            (first[row] < 0 ? first[row] : next[last[row]]) = place;
            last[row] = place, next.push_back(-1);
        }
        return size ? first[of(key)] : -1;
    }
    template <class Row, class At, class Test>
    auto find_if(Row &row, const Key &key, At at, Test test) -> decltype(row.begin()) {
        for (int place = find(row.size(), key, at); place >= 0; place = next[place])
            if (test(row[place])) return row.begin() + place;
        return row.end();
    }
};
"""


@dataclass(frozen=True)
class _Search:
    """A loop that does something for the entries of a row with a key only, or a call of find_if."""

    loop: Node
    body: Node
    """The body of the loop, or the lambda of the call."""
    row: Symbol
    entry: str
    """Declaration of what the loop calls an entry or its place, in terms of `$`."""
    key: str
    wanted: Node
    member: Symbol | None
    """The member of an entry that is the key; None where the entry is."""
    kind: str


def _kept(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    if "thread" in source.names or "#pragma omp" in source.code:
        return
    found: dict[tuple[Symbol, Symbol | None], list[_Search]] = {}
    for node in source.find("for_statement", "for_range_loop", "call_expression"):
        search = _asked(source, node) if node.type == "call_expression" else _search(source, node)
        if search is not None and not in_lambda(node, source.root) and _lasts(search):
            found.setdefault((search.row, search.member), []).append(search)
    for searches in found.values():
        resets = _resets(source, searches[0])
        kept = [each for each in searches if resets is not None and _steady(source, each, resets)]
        if resets is not None and kept:
            name = source.fresh(f"{kept[0].row.name}_places")
            yield Rewrite(source.line(kept[0].loop), _with_table(source, kept, name, resets), weight=1.5)


def _lasts(search: _Search) -> bool:
    """Whether a row is there for more than one search."""
    row, around = search.row, enclosing(search.loop, *LOOPS)
    local = row.declaration.type == "declaration" and row.scope.type == "compound_statement"
    return row.is_member or row.is_global or (local and around is not None and inside(around, row.scope))


def _steady(source: SourceFile, search: _Search, resets: list[Node]) -> bool:
    """Whether a search finds the entries that were there at its start, and looks for one key all the while."""
    if search.loop.type == "call_expression" or leaves(search.body):
        return True
    if any(inside(each, search.loop) for each in resets):
        return False
    for call in source.find("call_expression", within=search.body):
        name = re.split(r"\.|->", callee(source, call))[-1]
        if name in _own_functions(source) or name in _APPENDS:
            return False
    wanted = [resolve(source, each) for each in source.find("identifier", within=search.wanted)]
    return not any(each is None or changes_in(source, each, search.body) for each in wanted)


def _asked(source: SourceFile, call: Node) -> _Search | None:
    """A call of find_if with a lambda that compares the key of an entry."""
    given = arguments(call)
    if callee(source, call) != "find_if" or len(given) != 3 or given[2].type != "lambda_expression":
        return None
    match = re.fullmatch(r"(\w+)\.c?begin\(\)", source.text(given[0]))
    inner = statements(field(given[2], "body"))
    parameters = list(source.find("parameter_declaration", within=given[2]))
    if match is None or source.text(given[1]).replace("end", "begin") != source.text(given[0]) or call.has_error:
        return None
    if len(inner) != 1 or inner[0].type != "return_statement" or len(parameters) != 1:
        return None
    row = resolve(source, next(source.find("identifier", within=given[0])))
    names = list(source.find("identifier", within=parameters[0]))
    held = _ROW.fullmatch(type_text(source, row).removeprefix("std::")) if row is not None else None
    if row is None or held is None or not names or "=" in source.text(given[2]).partition("]")[0][2:]:
        return None
    entry = f"{source.text(parameters[0])} = {row.name}[{source.fresh('place')}];"
    return _keyed(source, call, given[2], inner[0].named_children[0], row, source.text(names[-1]), entry, held[1])


def _search(source: SourceFile, node: Node) -> _Search | None:
    body = node.child_by_field_name("body")
    test = test_of(body) if body is not None else None
    if body is None or test is None or node.has_error:
        return None
    place = source.fresh("place")
    if node.type == "for_range_loop":
        right, declarator = field(node, "right"), field(node, "declarator")
        row = resolve(source, _handed_out(source, right))
        head = source.data[node.children[2].start_byte : declarator.end_byte].decode()
        name = re.sub(r"\W", "", source.text(declarator))
        entry = f"{head} = $row[{place}];"
    else:
        loop = as_loop(source, node)
        size = re.fullmatch(r"(?:\(\w+\) ?|static_cast<\w+>\()?(\w+)\.size\(\)\)?", loop.end) if loop else None
        plain = loop is not None and loop.rises_by_one and loop.start == "0" and loop.comparison in ("<", "!=")
        if loop is None or size is None or not plain or loop.type is None:
            return None
        used = (each for each in source.identifiers.get(size[1], ()) if inside(each, node))
        row, name, entry = resolve(source, next(used)), loop.variable, f"{loop.type} {loop.variable} = {place};"
    if row is None:
        return None
    match = _ROW.fullmatch(type_text(source, row).removeprefix("std::"))
    return _keyed(source, node, body, test, row, name, entry.replace("$row", row.name), match[1]) if match else None


def _handed_out(source: SourceFile, row: Node) -> Node:
    """The member that a call of a method does nothing but return; the expression itself where it is something else."""
    name = source.text(field(row, "function")) if row.type == "call_expression" else ""
    inner = [each for code in const_methods(source).get(name, ()) for each in statements(code)]
    if len(inner) != 1 or inner[0].type != "return_statement" or len(inner[0].named_children) != 1:
        return row
    return inner[0].named_children[0]


def _keyed(
    source: SourceFile, node: Node, body: Node, test: Node, row: Symbol, name: str, entry: str, held: str
) -> _Search | None:
    """The search whose condition begins with a comparison of an entry's key."""
    for key, wanted in sides(source, joined_by(source, test, "&&")[0]):
        names = {source.text(each) for each in source.find("identifier", within=wanted)}
        calls = list(source.find("call_expression", "assignment_expression", "update_expression", within=wanted))
        if {name, row.name} & names or calls or not re.search(rf"\b{name}\b", source.text(key)):
            continue
        owner, member = key, None
        if key.type in ("call_expression", "field_expression"):
            inner = field(key, "function") if key.type == "call_expression" else key
            if inner.type != "field_expression" or source.text(key).count("(") > 1:
                continue
            owner = field(inner, "argument")
            member = _member(source, held, source.text(field(inner, "field")), key.type == "call_expression")
            if member is None:
                continue
        if source.text(owner) not in (name, f"{row.name}[{name}]", f"(*{name})"):
            continue
        kind = _KEY.fullmatch(type_text(source, member) if member is not None else held)
        if kind is not None:
            return _Search(node, body, row, entry, source.text(key), wanted, member, kind[1])
    return None


def _member(source: SourceFile, held: str, name: str, called: bool) -> Symbol | None:
    """A member of a class of the program, or the one that a method does nothing but return."""
    for made in source.find("class_specifier", "struct_specifier"):
        own = made.child_by_field_name("name")
        body = made.child_by_field_name("body")
        if own is None or body is None or source.text(own) != held:
            continue
        if called:
            codes = const_methods(source).get(name, [])
            inner = statements(codes[0]) if len(codes) == 1 and inside(codes[0], body) else []
            if len(inner) != 1 or inner[0].type != "return_statement":
                return None
            name = source.text(inner[0]).removeprefix("return").strip(" ;")
        for each in body.children:
            for declarator in each.children_by_field_name("declarator") if each.type == "field_declaration" else ():
                if source.text(declarator) == name:
                    return Symbol(name, declarator, each, body)
    return None


def _key_changes(source: SourceFile, search: _Search) -> Iterator[Node]:
    """Where an entry may get another key, but in constructors and in variables that are no entries."""
    for each in source.find("assignment_expression"):
        left = field(each, "left")
        name = left.named_children[0] if left.type == "pointer_expression" else left
        symbol = resolve(source, name) if name.type == "identifier" else None
        kind = type_text(source, symbol) if symbol is not None else ""
        reaches = left.type == "pointer_expression" or "&" in kind
        if reaches and (symbol is None or re.search(r"\bauto\b", kind) or _of_row(source, search, kind)):
            yield each
    member = search.member
    for use in _mentions(source, member) if member is not None else ():
        function = enclosing(use, "function_definition")
        constructs = function is not None and function.child_by_field_name("type") is None
        if not constructs and (changes_it(source, use) or _is_read_into(source, use)):
            yield use
    for use in source.find("field_expression") if member is not None else ():
        owner = field(use, "argument")
        symbol = resolve(source, owner) if owner.type == "identifier" else None
        apart = symbol is not None and not re.search(r"[&*]|auto|iterator|_ptr", type_text(source, symbol))
        function = enclosing(use, "function_definition")
        here = source.text(owner) == "this" and function is not None and function.child_by_field_name("type") is None
        named = member is not None and source.text(field(use, "field")) == member.name
        if named and not apart and not here and (changes_it(source, use) or _is_read_into(source, use)):
            yield use


def _mentions(source: SourceFile, symbol: Symbol) -> list[Node]:
    """Uses of a variable, and names in methods outside of classes that may be members."""
    named = (each for each in source.identifiers.get(symbol.name, ()) if each != symbol.identifier)
    return [each for each in named if resolve(source, each) in ((symbol, None) if symbol.is_member else (symbol,))]


def _of_row(source: SourceFile, search: _Search, kind: str) -> bool:
    match = _ROW.fullmatch(type_text(source, search.row).removeprefix("std::"))
    return match is None or match[1] in kind


def _is_read_into(source: SourceFile, node: Node) -> bool:
    outer = whole_place(node).parent
    return outer is not None and outer.type == "binary_expression" and source.text(field(outer, "operator")) == ">>"


def _resets(source: SourceFile, search: _Search) -> list[Node] | None:
    """The statements after which places have other entries; None where others may change the row out of sight."""
    found: dict[int, Node] = {}
    owned = (field(each, "field") for each in source.find("field_expression"))
    if search.row.is_member and any(source.text(each) == search.row.name for each in owned):
        return None
    changes = list(_key_changes(source, search))
    for use in _mentions(source, search.row):
        if use.parent is not None and use.parent.type == "pointer_expression":
            return None
        changes += [use] if _moves_entries(source, search, use) else []
    for use in changes:
        statement: Node | None = use
        while statement is not None and not statement.type.endswith(("statement", "declaration")):
            statement = statement.parent
        seen = search.row.is_global or (statement is not None and inside(statement, search.row.scope))
        if statement is None or statement.type != "expression_statement" or in_lambda(use, source.root) or not seen:
            return None
        found[statement.start_byte] = statement
    return list(found.values())


def _moves_entries(source: SourceFile, search: _Search, use: Node) -> bool:
    """Whether a use of a row may put other entries at its places, other than behind the last."""
    place = whole_place(use)
    parent = place.parent
    if parent is None or parent.type == "field_initializer":
        return parent is None
    if parent.type == "call_expression" and place.type == "field_expression":
        owner, method = field(place, "argument"), source.text(field(place, "field"))
        if owner != use:
            return search.member is None and changes_it(source, use)
        if method in ("begin", "end", "rbegin", "rend", "data"):
            outer = parent.parent
            given = outer is not None and outer.type == "argument_list" and outer.parent is not None
            name = callee(source, outer.parent) if given and outer is not None and outer.parent is not None else ""
            compared = outer is not None and outer.type in ("binary_expression", "init_declarator")
            return not (compared or name in ALGORITHMS)
        if method in ("back", "front", "at"):
            whole = whole_place(parent)
            return search.member is None and changes_it(source, use) if whole != parent else _is_set(source, parent)
        return method not in READING and method not in _APPENDS
    outer = parent.parent if parent.type == "argument_list" and place == use else None
    if outer is not None and callee(source, outer).endswith("_places.find_if"):
        return False
    if search.member is None:
        return changes_it(source, use)
    if parent.type == "return_statement" and place == use:
        function = enclosing(use, "function_definition")
        head = source.data[function.start_byte : field(function, "body").start_byte].decode() if function else "&"
        return "&" in head.split("(")[0] and "const" not in head.split("(")[0]
    if parent.type == "for_range_loop" or (place != use and place.type == "field_expression"):
        return False
    return _is_set(source, place) if place != use else changes_it(source, use)


def _is_set(source: SourceFile, place: Node) -> bool:
    """Whether a whole entry may get another value."""
    parent = place.parent
    if parent is not None and parent.type == "argument_list" and parent.parent is not None:
        name = re.split(r"\.|->", callee(source, parent.parent))[-1]
        return name not in ALGORITHMS and name not in _APPENDS and name not in _own_functions(source)
    return parent is not None and parent.type == "assignment_expression" and field(parent, "left") == place


@lru_cache(maxsize=64)
def _own_functions(source: SourceFile) -> frozenset[str]:
    names = (each.child_by_field_name("declarator") for each in source.find("function_declarator"))
    return frozenset(source.text(each).split("::")[-1] for each in names if each is not None)


def _with_table(source: SourceFile, searches: list[_Search], name: str, resets: list[Node]) -> tuple[Edit, ...]:
    row, kind = searches[0].row, searches[0].kind
    kind = "std::string" if kind == "string" else kind
    if row.is_member:
        end = row.scope.end_byte - 1
        edits = [Edit(end, end, f"    mutable KeptPlaces<{kind}> {name};\n")]
    else:
        line = f"{'static ' if row.is_global else ''}KeptPlaces<{kind}> {name};"
        edits = [source.after(row.declaration, f"\n{source.indent(row.declaration)}{line}")]
    for moved in resets:
        edits += [source.before(moved, "{ "), source.after(moved, f" {name}.clear(); }}")]
    place = source.fresh("place")
    for each in searches:
        if each.loop.type == "call_expression":
            at = f"[&](int {place}) {{ {each.entry} return {each.key}; }}"
            given = f"{row.name}, {source.text(each.wanted)}, {at}, {source.text(each.body)}"
            edits.append(source.replace(each.loop, f"{name}.find_if({given})"))
            continue
        at = f"[&](int {place}) {{ {each.entry} return {each.key}; }}"
        start = f"int {place} = {name}.find({row.name}.size(), {source.text(each.wanted)}, {at})"
        head = f"for ({start}; {place} >= 0; {place} = {name}.next[{place}]) {{ {each.entry} "
        edits += [Edit(each.loop.start_byte, each.body.start_byte, head), source.after(each.body, " }")]
    if "KeptPlaces" not in source.names:
        edits.append(prelude(source, _HELPER, _HEADERS))
    return tuple(edits)


_BANK = """
#include <iostream>
#include <string>
#include <vector>
class Account {
    std::string name;
    long balance = 0;
public:
    Account(std::string n) : name(n) {}
    std::string getName() const { return name; }
    void deposit(long amount) { balance += amount; }
    long total() const { return balance; }
};
class Bank {
    std::vector<Account> accounts;
public:
    void open(std::string name) { accounts.push_back(Account(name)); }
    Account *get(const std::string &name) {
        for (Account &each : accounts) {
            if (each.getName() == name) return &each;
        }
        return nullptr;
    }
    void close(int at) { accounts.erase(accounts.begin() + at); }
};
int main() {
    Bank bank;
    std::string name;
    while (std::cin >> name) {
        if (bank.get(name) == nullptr) bank.open(name);
        bank.get(name)->deposit(1);
    }
    if (Account *last = bank.get(name)) std::cout << last->total() << "\\n";
}
"""
_AT = "[&](int place) { Account &each = accounts[place]; return each.getName(); }"
_LOOKED_UP = (
    _BANK.replace(
        "for (Account &each : accounts) {",
        f"for (int place = accounts_places.find(accounts.size(), name, {_AT}); place >= 0; "
        "place = accounts_places.next[place]) { Account &each = accounts[place]; {",
    )
    .replace("return &each;\n        }", "return &each;\n        } }")
    .replace(
        "{ accounts.erase(accounts.begin() + at); }\n};",
        "{ { accounts.erase(accounts.begin() + at); accounts_places.clear(); } }\n"
        "    mutable KeptPlaces<std::string> accounts_places;\n};",
    )
    .replace(
        "#include <vector>\n",
        f"#include <vector>\n#include <functional>\n\n{_HELPER.strip()}\n\n",
    )
)

TRANSFORMATIONS = (
    Transformation(
        name="kept-places",
        family="algorithms",
        summary="Keeps a table of places beside a vector that is searched for an equal key again and again.",
        find=_kept,
        example=RewriteExample(before=_BANK, after=_LOOKED_UP),
        languages=CPP,
        prior=2.5,
        refusals=(
            _BANK.replace("balance += amount", "balance += amount, name += 'x'"),
            _BANK.replace("void close", "std::vector<Account> &all() { return accounts; }\n    void close"),
            _BANK.replace("bank.get(name)->deposit(1)", "Account &it = *bank.get(name);\n        it = Account(name)"),
            _BANK.replace("bank.get(name)->deposit(1)", "*bank.get(name) = Account(name)"),
            _BANK.replace("return &each;", "each.deposit(1);"),
            _BANK.replace("if (each", "if (&each && each"),
        ),
    ),
)
