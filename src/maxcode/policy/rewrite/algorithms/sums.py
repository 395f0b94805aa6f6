"""Algorithms: running sums, where loops add up ranges of the same terms again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.algorithms.inlining import with_calls_written_out
from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.effects import INTEGRAL
from maxcode.policy.rewrite.analysis.loops import LOOPS, Loop, loops
from maxcode.policy.rewrite.analysis.support import prelude
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_it, in_lambda, outermost_steady, resolve, type_text
from maxcode.policy.rewrite.source import SourceFile, ancestors, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HELPER = """
// Sums of a term over ranges of whole numbers, from running sums that grow to both sides.
template <class Term>
struct RunningSums {
    Term term;
    long long begin;
    std::vector<unsigned long long> up, down;
    explicit RunningSums(Term each) : term(each), begin(0) {}
    unsigned long long between(long long first, long long last) {
        if (first >= last) return 0;
        if (up.empty()) {
            begin = first;
            up.push_back(0);
            down.push_back(0);
        }
        if (last - begin > 1 << 22 || begin - first > 1 << 22) {
            unsigned long long sum = 0;
            for (long long i = first; i < last; i++) sum += term(i);
            return sum;
        }
        return until(last) - until(first);
    }
    unsigned long long until(long long place) {
        for (long long i = begin + up.size() - 1; i < place; i++) up.push_back(up.back() + term(i));
        for (long long i = begin - down.size(); i >= place; i--) down.push_back(down.back() + term(i));
        return place >= begin ? up[place - begin] : -down[begin - place];
    }
};
"""


def only_added_to(source: SourceFile, body: Node) -> list[Symbol] | None:
    """Variables from outside that a body does nothing with but add to them; None where it changes others."""
    found: dict[Symbol, None] = {}
    for node in source.find("identifier", within=body):
        symbol = resolve(source, node)
        if symbol is None or inside(symbol.identifier, body):
            continue
        if changes_it(source, node):
            parent = node.parent
            operator = parent.child_by_field_name("operator") if parent is not None else None
            if parent is None or operator is None or source.text(operator) not in ("+=", "-=", "++", "--"):
                return None
            if parent.parent is None or parent.parent.type != "expression_statement" or symbol.is_member:
                return None
            found[symbol] = None
    sums = list(found)
    for node in source.find("identifier", within=body):
        if resolve(source, node) in sums and not changes_it(source, node):
            return None
    kinds = [type_text(source, symbol) for symbol in sums]
    return sums if all(INTEGRAL.fullmatch(kind) and "bool" not in kind for kind in kinds) else None


def leaves_early(source: SourceFile, body: Node) -> bool:
    """Whether something in a loop's body ends the loop or the turn."""
    for jump in source.find("break_statement", "continue_statement", "return_statement", "goto_statement", within=body):
        inner = next((above for above in ancestors(jump) if above.type in (*LOOPS, "switch_statement")), None)
        if jump.type in ("return_statement", "goto_statement") or inner is None or not inside(inner, body):
            return True
        if inner.type == "switch_statement" and jump.type == "continue_statement":
            return True
    return False


def _terms(source: SourceFile, loop: Loop) -> tuple[Symbol, Node] | None:
    """What a loop sums up, and the outermost loop in which the terms stay the same."""
    if not loop.rises_by_one or loop.type is None or leaves_early(source, loop.body) or loop.node.has_error:
        return None
    sums = only_added_to(source, loop.body)
    if sums is None or len(sums) != 1 or re.search(rf"[/%]=?\s*\(*{loop.variable}\b", source.text(loop.body)):
        return None
    terms = dependencies(source, loop.body, (sums[0],))
    limits = dependencies(source, field(loop.node, "condition"))
    begin = field(loop.node, "initializer")
    if terms is None or limits is None or dependencies(source, begin) is None or sums[0] in limits:
        return None
    steady = frozenset(symbol for symbol in terms if not inside(symbol.identifier, loop.node))
    around = outermost_steady(source, loop.node, steady)
    if around is None or len(terms) == len(steady) or in_lambda(around, source.root):
        return None
    return sums[0], around


def _running_sums(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        found = _terms(source, loop)
        if found is None:
            continue
        total, around = found
        if around.parent is None or around.parent.type != "compound_statement":
            continue
        kind = source.text(field(total.declaration, "type"))
        name, indent = source.fresh("sums"), source.indent(around)
        last = loop.end if loop.comparison == "<" else f"({loop.end}) + 1"
        added = f"{kind} {total.name} = 0; {source.text(loop.body)} return {total.name};"
        term = f"auto {name}_term = [&]({loop.type} {loop.variable}) {{ {added} }};"
        table = f"RunningSums<decltype({name}_term)> {name}{{{name}_term}};"
        edits = [
            source.before(around, f"{term}\n{indent}{table}\n{indent}"),
            source.replace(loop.node, f"{total.name} += ({kind}){name}.between({loop.start}, {last});"),
        ]
        if "RunningSums" not in source.names:
            edits.append(prelude(source, _HELPER, ("vector",)))
        yield Rewrite(loop.line, tuple(edits))


_RANGES = """
#include <iostream>
#include <vector>
int main() {
    int n, queries;
    std::cin >> n >> queries;
    std::vector<int> values(n);
    for (int &value : values) std::cin >> value;
    while (queries-- > 0) {
        int left, right;
        std::cin >> left >> right;
        long long total = 0;
        for (int i = left; i < right; i++) total += values[i];
        std::cout << total << "\\n";
    }
}
"""
_AFTER = (
    _RANGES.replace("<vector>\n", f"<vector>\n\n{_HELPER.strip()}\n\n")
    .replace(
        "    while",
        "    auto sums_term = [&](int i) { long long total = 0; total += values[i]; return total; };\n"
        "    RunningSums<decltype(sums_term)> sums{sums_term};\n    while",
    )
    .replace("for (int i = left; i < right; i++) total += values[i];", "total += (long long)sums.between(left, right);")
)
_HEAD = "#include <vector>\nlong f(std::vector<int> &a, int n) {\n    long s = 0;\n    for (int q = 0; q < n; q++) {\n"
_TAIL = "\n    }\n    return s;\n}\n"

TRANSFORMATIONS = (
    Transformation(
        name="running-sums",
        family="algorithms",
        summary="Takes the sum or count of a range from running sums, where loops add up ranges of the same terms.",
        find=with_calls_written_out(_running_sums),
        example=RewriteExample(before=_RANGES, after=_AFTER),
        languages=CPP,
        prior=2.5,
        refusals=(
            _HEAD + "        for (int i = q; i < n; i++) s += a[i];\n        a[q] = 1;" + _TAIL,
            _HEAD + "        for (int i = 0; i < n; i++) s += a[i] * q;" + _TAIL,
            _HEAD + "        for (int i = q; i < n; i++) { if (a[i] < 0) break; s += a[i]; }" + _TAIL,
            _HEAD + "        for (int i = q; i < n; i++) s += a[i] * s;" + _TAIL,
            _HEAD + "        for (int i = q + 1; i < n; i++) s += 100 / i;" + _TAIL,
        ),
    ),
)
