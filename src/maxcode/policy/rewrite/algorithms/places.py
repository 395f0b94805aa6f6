"""Algorithms: a hash table of places where a loop searches a row for an equal key, again and again."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.algorithms.inlining import with_calls_written_out
from maxcode.policy.rewrite.algorithms.row_search import RowSearch, around_of, searches
from maxcode.policy.rewrite.analysis.loops import as_loop
from maxcode.policy.rewrite.analysis.support import prelude
from maxcode.policy.rewrite.analysis.symbols import in_lambda
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HELPER = """
// The places of every key in a row whose entries keep their keys, and which only grows at its end.
template <class At>
struct Places {
    At at;
    long long begin, end;
    std::unordered_map<typename std::decay<decltype(std::declval<At &>()(0))>::type, std::vector<long long>> places;
    struct Range {
        const long long *first, *last;
        const long long *begin() const { return first; }
        const long long *end() const { return last; }
    };
    explicit Places(At key) : at(key), begin(0), end(0) {}
    template <class Key>
    Range of(long long first, long long last, const Key &key) {
        if (first < begin || begin == end) {
            places.clear();
            begin = end = first;
        }
        for (; end < last; end++) places[at(end)].push_back(end);
        auto found = places.find(key);
        if (found == places.end()) return {nullptr, nullptr};
        const long long *from = found->second.data(), *to = from + found->second.size();
        return {std::lower_bound(from, to, first), std::lower_bound(from, to, last)};
    }
};
"""
_HEADERS = ("algorithm", "type_traits", "unordered_map", "utility", "vector")


def _table(source: SourceFile, each: RowSearch, around: Node, name: str) -> tuple[str, Node]:
    """The declarations of a table of places, and what they stand in front of."""
    whole = around.type == "translation_unit"
    at = f"[&](long long {each.variable}) {{ return {each.key}; }}" if not each.row else each.key
    if whole:
        at = at.replace("[&]", "[]", 1)
    before = around
    if whole:
        before = next(above for above in ancestors(each.loop) if above.parent == around)
    static = "static " if whole else ""
    gap = "\n" + source.indent(before)
    return (
        f"{static}auto {name}_key = {at};{gap}{static}Places<decltype({name}_key)> {name}{{{name}_key}};{gap}",
        before,
    )


def _join(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for each in searches(source):
        around = around_of(source, each)
        if around is None or in_lambda(around, source.root):
            continue
        name = source.fresh("places")
        text, before = _table(source, each, around, name)
        if before.parent is None or before.parent.type not in ("compound_statement", "translation_unit"):
            continue
        edits = [source.before(before, text), *_looked_up(source, each, name)]
        if "Places" not in source.names:
            edits.append(prelude(source, _HELPER, _HEADERS))
        yield Rewrite(source.line(each.loop), tuple(edits))


def _looked_up(source: SourceFile, each: RowSearch, name: str) -> list[Edit]:
    """The loop over the places of one key."""
    wanted = source.text(each.wanted)
    loop = as_loop(source, each.loop)
    of = f"{name}.of({each.first}, {each.last}, {wanted})"
    head = Edit(each.loop.start_byte, each.body.start_byte, "")
    if each.row:
        lines = f"for (auto {each.variable} : {of}) {{ {each.element} = {each.row}[{each.variable}]; "
        return [Edit(head.start, head.end, lines), source.after(each.body, " }")]
    if loop is not None and loop.type is not None:
        return [Edit(head.start, head.end, f"for ({loop.type} {each.variable} : {of}) ")]
    assert loop is not None
    found = source.fresh("found")
    nothing = f"{each.variable} = {each.first}; if ({each.variable} < {each.last}) {each.variable} = {each.last};"
    lines = f"{{ {nothing} for (auto {found} : {of}) {{ {each.variable} = {found}; "
    return [Edit(head.start, head.end, lines), source.after(each.body, f" {each.variable} = {each.last}; }} }}")]


_JOIN = """
#include <iostream>
#include <string>
#include <vector>
struct Customer {
    std::string code;
    long spent;
};
int main() {
    int n;
    std::cin >> n;
    std::vector<Customer> customers(n);
    for (auto &each : customers) std::cin >> each.code;
    std::string code;
    while (std::cin >> code) {
        for (size_t i = 0; i < customers.size(); i++) {
            if (customers[i].code == code) {
                customers[i].spent += 1;
                break;
            }
        }
    }
    for (auto &each : customers) std::cout << each.spent << "\\n";
}
"""
_TABLE = "    Places<decltype(places_key)> places{places_key};\n"


def _with_helper(code: str) -> str:
    missing = [header for header in _HEADERS if f"<{header}>" not in code]
    includes = "".join(f"#include <{header}>\n" for header in missing)
    return code.replace("#include <vector>\n", f"#include <vector>\n{includes}\n{_HELPER.strip()}\n\n")


_HEAD = (
    "#include <cstddef>\n#include <vector>\nstruct P { int key, n; };\n"
    "int f(std::vector<P> &v, int n) {\n    int c = 0;\n"
)
_LOOP = "    for (int q = 0; q < n; q++) {\n        for (size_t i = 0; i < v.size(); i++) if (v[i].key == q) "

TRANSFORMATIONS = (
    Transformation(
        name="table-of-places",
        family="algorithms",
        summary="Looks places up in a hash table by their key, where loops search a row for an equal one.",
        find=with_calls_written_out(_join),
        example=RewriteExample(
            before=_JOIN,
            after=_with_helper(
                _JOIN.replace(
                    "    while (",
                    "    auto places_key = [&](long long i) { return customers[i].code; };\n" + _TABLE + "    while (",
                ).replace(
                    "for (size_t i = 0; i < customers.size(); i++) {",
                    "for (size_t i : places.of(0, customers.size(), code)) {",
                )
            ),
        ),
        languages=CPP,
        prior=2.5,
        refusals=(
            _HEAD + _LOOP + "v[i].key = 0;\n    }\n    return c;\n}\n",
            _HEAD + _LOOP + "c++;\n        v[q].key++;\n    }\n    return c;\n}\n",
            _HEAD + _LOOP + "c++;\n        v.pop_back();\n    }\n    return c;\n}\n",
            _HEAD + _LOOP.replace("i++", "i += 2") + "c++;\n    }\n    return c;\n}\n",
            _HEAD + _LOOP.replace("== q", "== c") + "c++;\n    }\n    return c;\n}\n",
        ),
    ),
)
