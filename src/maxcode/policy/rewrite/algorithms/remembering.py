"""Algorithms: results of pure functions kept by their arguments, where loops call them with the same ones again."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.effects import INTEGRAL
from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.support import calls, entered, functions
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_it, parameters_of, resolve, type_text, uses
from maxcode.policy.rewrite.analysis.variables import resolved
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:(?:unsigned|long|int|short|char|bool|double|float|size_t|u?int\d+_t)\s*)+")
_STRING = re.compile(r"(?:const )?string&?")
_PLACES = {True: 14, False: 16}
"""Bits of the number of places in a table: fewer where a place has a string."""


def _kept(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    if "#pragma omp" in source.code or {"thread", "async", "pthread_create"} & source.names:
        return
    for name, definition in functions(source).items():
        head = source.text(definition).partition("(")[0]
        plain = definition.parent == source.root and field(definition, "declarator").type == "function_declarator"
        if name in ("main", setting.entry) or not plain or re.search(r"\b(?:inline|constexpr|auto)\b", head):
            continue
        keys = _keys(source, definition)
        if keys and _returns_value(source, definition) and _pays(source, name, definition):
            yield Rewrite(source.line(definition), (_with_table(source, name, definition, keys),))


def _keys(source: SourceFile, definition: Node) -> list[tuple[str, str]]:
    """Names and types of parameters that the result depends on alone; none where it may depend on more."""
    body = field(definition, "body")
    names = [next(source.find("identifier", within=each), None) for each in parameters_of(source, definition)]
    symbols = [_symbol(source, name, body) for name in names if name is not None]
    own = tuple(symbol for symbol in symbols if symbol is not None)
    kinds = [type_text(source, symbol) for symbol in own]
    if len(own) != len(names) or not 1 <= len(own) <= 4 or "throw" in source.text(body):
        return []
    if not all(INTEGRAL.fullmatch(kind) or _STRING.fullmatch(kind) for kind in kinds):
        return []
    changed = any(changes_it(source, use) for each, kind in zip(own, kinds, strict=True) if "&" in kind
                  for use in uses(source, each))  # fmt: skip
    known = dependencies(source, body, own)
    if changed or known is None or not all(_constant(source, each) for each in known - set(own)):
        return []
    return [(each.name, "std::string" if "string" in kind else kind) for each, kind in zip(own, kinds, strict=True)]


def _symbol(source: SourceFile, name: Node, body: Node) -> Symbol | None:
    uses_of_it = (each for each in source.find("identifier", within=body) if source.text(each) == source.text(name))
    return next((resolve(source, each) for each in uses_of_it), None)


def _constant(source: SourceFile, symbol: Symbol) -> bool:
    """Whether a variable of the file has one value for the whole run."""
    return symbol.is_global and not any(changes_it(source, use) for use in uses(source, symbol))


def _returns_value(source: SourceFile, definition: Node) -> bool:
    kind = resolved(source, source.text(field(definition, "type")))
    return _NUMBER.fullmatch(kind) is not None or kind == "string"


def _pays(source: SourceFile, name: str, definition: Node) -> bool:
    """Whether a function takes long, and is called in a loop outside itself."""
    body = field(definition, "body")
    code = [body, *entered(source, [body])]
    slow = any(next(source.find(*LOOPS, within=each), None) is not None for each in code)
    around = [(each, enclosing(each, "function_definition") or each) for each in calls(source, name)]
    places = [each for each, caller in around if caller != definition and "_kept_row {" not in source.text(caller)]
    often = any(
        enclosing(each, *LOOPS) is not None or enclosing(each, "lambda_expression") is not None
        or source.text(enclosing(each, "function_definition") or each).find(" main(") < 0
        for each in places
    )  # fmt: skip
    return slow and bool(places) and often


def _with_table(source: SourceFile, name: str, definition: Node, keys: list[tuple[str, str]]) -> Edit:
    kind = source.text(field(definition, "type"))
    listed = source.text(field(field(definition, "declarator"), "parameters"))
    compute, table, entry = (source.fresh(f"{name}_{each}") for each in ("computed", "kept", "entry"))
    plain = re.sub(r"\s*=\s*[^,()]+(?=[,)])", "", listed)
    bits = _PLACES[any("string" in each for _, each in keys) or "string" in kind]
    members = " ".join(f"{each} key{at};" for at, (_, each) in enumerate(keys))
    parts = [_hashed(each, type_) for each, type_ in keys]
    mixed = f"({table}_at ^ {table}_at >> 29 ^ $) * 0x9e3779b97f4a7c15ull"
    hashes = "".join(f"    {table}_at = {mixed.replace('$', each)};\n" for each in parts)
    differs = " || ".join(f"{entry}->key{at} != {each}" for at, (each, _) in enumerate(keys))
    stored = " ".join(f"{entry}->key{at} = {each};" for at, (each, _) in enumerate(keys))
    given = ", ".join(each for each, _ in keys)
    code = (
        f"static {kind} {compute}{plain};\n"
        f"{kind} {name}{listed} {{\n"
        f"    struct {table}_row {{ {members} {kind} result; char used; }};\n"
        f"    static struct {table}_row {table}[1 << {bits}];\n"
        f"    unsigned long long {table}_at = 0;\n"
        f"{hashes}"
        f"    struct {table}_row *{entry} = &{table}[{table}_at >> {64 - bits}];\n"
        f"    if (!{entry}->used || {differs}) {{\n"
        f"        {kind} {table}_result = {compute}({given});\n"
        f"        {stored} {entry}->result = {table}_result; {entry}->used = 1;\n"
        f"    }}\n"
        f"    return {entry}->result;\n}}\n"
        f"static {kind} {compute}{plain} "
    )
    return Edit(definition.start_byte, field(definition, "body").start_byte, code)


def _hashed(name: str, kind: str) -> str:
    return f"std::hash<std::string>()({name})" if "string" in kind else f"(unsigned long long){name}"


_CHAINS = """
#include <stdio.h>
int steps(long n) {
    int count = 0;
    while (n != 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        count++;
    }
    return count;
}
int main(void) {
    long best = 1;
    for (long n = 1; n < 1000; n++) {
        if (steps(n) > steps(best)) best = n;
    }
    printf("%ld\\n", best);
}
"""
_TABLE = """static int steps_computed(long n);
int steps(long n) {
    struct steps_kept_row { long key0; int result; char used; };
    static struct steps_kept_row steps_kept[1 << 16];
    unsigned long long steps_kept_at = 0;
    steps_kept_at = (steps_kept_at ^ steps_kept_at >> 29 ^ (unsigned long long)n) * 0x9e3779b97f4a7c15ull;
    struct steps_kept_row *steps_entry = &steps_kept[steps_kept_at >> 48];
    if (!steps_entry->used || steps_entry->key0 != n) {
        int steps_kept_result = steps_computed(n);
        steps_entry->key0 = n; steps_entry->result = steps_kept_result; steps_entry->used = 1;
    }
    return steps_entry->result;
}
static int steps_computed(long n) {
    int count"""

TRANSFORMATIONS = (
    Transformation(
        name="remembered-call",
        family="algorithms",
        summary="Keeps the results of a function with loops that depends on numbers and strings alone.",
        find=_kept,
        example=RewriteExample(before=_CHAINS, after=_CHAINS.replace("int steps(long n) {\n    int count", _TABLE)),
        answers=("call-in-loop",),
        prior=1.0,
        refusals=(
            "int twice(int x) { return 2 * x; }\n"
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += twice(i % 3); return s; }\n",
            "int calls;\nint slow(int x) { for (int i = 0; i < x; i++) calls++; return calls; }\n"
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += slow(i % 3); return s; }\n",
            "int row[9];\nint slow(int x) { int s = 0; for (int i = 0; i < x; i++) s += row[i]; return s; }\n"
            "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { row[i % 9] = s; s += slow(i % 9); } return s; }\n",
            "int slow(int x) { int s = 0; for (int i = 0; i < x; i++) s += i; return s; }\n"
            "int f(int n) {\n    int s = 0;\n    #pragma omp parallel for\n"
            "    for (int i = 0; i < n; i++) s += slow(i % 9);\n    return s;\n}\n",
        ),
    ),
)
