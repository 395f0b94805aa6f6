"""Algorithms: recursion that remembers its results."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.effects import INTEGRAL
from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.support import arguments, functions, prelude
from maxcode.policy.rewrite.analysis.symbols import changes_in, parameters_of, resolve, type_text
from maxcode.policy.rewrite.analysis.variables import resolved
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HELPER = """
// Results by their arguments, in a flat table. It forgets nothing until it is full.
template <class Result, int N>
struct Memo {
    struct Entry {
        long long key[N];
        Result result;
        bool used;
    };
    std::vector<Entry> table;
    std::size_t count = 0;
    int depth = 0;
    std::size_t place(const long long (&key)[N]) const {
        unsigned long long hash = 0;
        for (long long part : key) hash = (hash ^ (unsigned long long)part) * 0x9e3779b97f4a7c15ull, hash ^= hash >> 29;
        std::size_t at = hash & (table.size() - 1);
        while (table[at].used && !std::equal(key, key + N, table[at].key)) at = (at + 1) & (table.size() - 1);
        return at;
    }
    const Result *find(const long long (&key)[N]) const {
        if (table.empty()) return nullptr;
        const Entry &entry = table[place(key)];
        return entry.used ? &entry.result : nullptr;
    }
    void keep(const long long (&key)[N], const Result &result) {
        if (count * 2 >= table.size()) {
            if (count >= std::size_t(1) << 20) return;
            std::vector<Entry> old(table.empty() ? 1024 : table.size() * 2, Entry());
            old.swap(table);
            for (const Entry &entry : old)
                if (entry.used) table[place(entry.key)] = entry;
        }
        Entry &entry = table[place(key)];
        if (entry.used) return;
        std::copy(key, key + N, entry.key);
        entry.result = result;
        entry.used = true;
        count++;
    }
    void clear() {
        table.clear();
        count = 0;
    }
};
"""
_RESULT = re.compile(r"(?:const )?(?:(?:unsigned|long|int|short|char|bool|double|float|size_t|u?int\d+_t)\s*)+")


def _recursive_calls(source: SourceFile, name: str, body: Node) -> list[Node]:
    return [
        call for call in source.find("call_expression", within=body) if source.text(field(call, "function")) == name
    ]


def _branches(source: SourceFile, name: str, body: Node) -> bool:
    """Whether one call may lead to several: only then do calls come again."""
    calls = _recursive_calls(source, name, body)
    return len(calls) > 1 or any(enclosing(call, *LOOPS) is not None for call in calls)


def _remembering(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    for name, definition in functions(source).items():
        body, declarator = field(definition, "body"), field(definition, "declarator")
        kind = source.text(field(definition, "type"))
        head = source.text(definition).partition("(")[0]
        unusual = (
            "inline" in head or "constexpr" in head or definition.parent != source.root or "throw" in source.text(body)
        )
        if name in ("main", setting.entry) or unusual or declarator.type != "function_declarator":
            continue
        if not _RESULT.fullmatch(resolved(source, kind)) or not _branches(source, name, body):
            continue
        keys = _keys(source, name, definition)
        known = _depends(source, definition)
        if not keys or known is None:
            continue
        yield Rewrite(source.line(definition), _edits(source, name, definition, keys, fresh=bool(known)))


def _depends(source: SourceFile, definition: Node) -> set[str] | None:
    """Names beside the numbers it is given that a function's result depends on; None where it does more."""
    symbols = [resolve(source, each) for parameter in parameters_of(source, definition)
               for each in source.find("identifier", within=parameter)]  # fmt: skip
    own = tuple(
        symbol for symbol in symbols if symbol is not None and not re.search(r"[&*\[]", type_text(source, symbol))
    )
    known = dependencies(source, field(definition, "body"), own)
    return {symbol.name for symbol in known} if known is not None else None


def _keys(source: SourceFile, name: str, definition: Node) -> list[str] | None:
    """The parameters that tell calls apart; the others are passed on as they are. None where that is not plain."""
    keys, body = list[str](), field(definition, "body")
    for at, parameter in enumerate(parameters_of(source, definition)):
        found = next(source.find("identifier", within=parameter), None)
        symbol = resolve(source, found) if found is not None else None
        if symbol is None:
            return None
        if INTEGRAL.fullmatch(type_text(source, symbol)):
            keys.append(symbol.name)
            continue
        given = [arguments(call) for call in _recursive_calls(source, name, body)]
        passed_on = all(at < len(each) and source.text(each[at]) == symbol.name for each in given)
        text = source.text(parameter)
        if not passed_on or changes_in(source, symbol, body) or ("&" in text and "const" not in text):
            return None
    return keys if len(keys) <= 6 else None


def _edits(source: SourceFile, name: str, definition: Node, keys: list[str], fresh: bool) -> tuple[Edit, ...]:
    """A function that asks the table first; a call from outside empties it where data may have changed."""
    kind, declarator = source.text(field(definition, "type")), field(definition, "declarator")
    compute, memo = source.fresh(f"{name}_computed"), source.fresh(f"{name}_results")
    names = [source.text(next(source.find("identifier", within=each))) for each in parameters_of(source, definition)]
    listed = source.text(field(declarator, "parameters"))
    plain = re.sub(r"\s*=\s*[^,()]+(?=[,)])", "", listed)
    call = f"{compute}({', '.join(names)})"
    forget = f"    if ({memo}.depth == 0) {memo}.clear();\n" if fresh else ""
    code = (
        f"static {kind} {compute}{plain};\n"
        f"static Memo<{kind}, {len(keys)}> {memo};\n"
        f"{kind} {name}{listed} {{\n"
        f"{forget}"
        f"    const long long key[] = {{{', '.join(f'(long long){key}' for key in keys)}}};\n"
        f"    if (auto known = {memo}.find(key)) return *known;\n"
        f"    {memo}.depth++;\n"
        f"    {kind} result = {call};\n"
        f"    {memo}.depth--;\n"
        f"    {memo}.keep(key, result);\n"
        f"    return result;\n}}\n"
        f"static {kind} {compute}{plain} "
    )
    edits = [Edit(definition.start_byte, field(definition, "body").start_byte, code)]
    if "Memo" not in source.names:
        edits.append(prelude(source, _HELPER, ("algorithm", "cstddef", "vector")))
    return tuple(edits)


_PATHS = """
#include <iostream>
#include <vector>
std::vector<int> prices;
int best(int from, int budget) {
    if (from == (int)prices.size()) return 0;
    int result = best(from + 1, budget);
    if (prices[from] <= budget) {
        int taken = prices[from] + best(from + 1, budget - prices[from]);
        if (taken > result) result = taken;
    }
    return result;
}
int main() {
    prices = {3, 5, 8, 9, 14};
    std::cout << best(0, 20) << "\\n";
    prices.push_back(1);
    std::cout << best(0, 20) << "\\n";
}
"""
_WRAPPER = """static int best_computed(int from, int budget);
static Memo<int, 2> best_results;
int best(int from, int budget) {
    if (best_results.depth == 0) best_results.clear();
    const long long key[] = {(long long)from, (long long)budget};
    if (auto known = best_results.find(key)) return *known;
    best_results.depth++;
    int result = best_computed(from, budget);
    best_results.depth--;
    best_results.keep(key, result);
    return result;
}
static int best_computed(int from, int budget) {
    if (from"""

TRANSFORMATIONS = (
    Transformation(
        name="remembered-recursion",
        family="algorithms",
        summary="Keeps the results of a recursive function that depends on whole numbers and on data that stays.",
        find=_remembering,
        example=RewriteExample(
            before=_PATHS,
            after=_PATHS.replace("int best(int from, int budget) {\n    if (from", _WRAPPER).replace(
                "#include <vector>\n",
                f"#include <vector>\n#include <algorithm>\n#include <cstddef>\n\n{_HELPER.strip()}\n\n",
            ),
        ),
        languages=CPP,
        prior=2.5,
        refusals=(
            "int f(int n) { return n < 1 ? 1 : n * f(n - 1); }\n",
            "int calls;\nint f(int n) { calls++; return n < 2 ? n : f(n - 1) + f(n - 2); }\n",
            "void put(int);\nint f(int n) { put(n); return n < 2 ? n : f(n - 1) + f(n - 2); }\n",
            "int f(int *a, int n) { a[n] = 1; return n < 2 ? n : f(a, n - 1) + f(a, n - 2); }\n",
        ),
    ),
)
