"""Algorithms: one remainder of a sum, where a loop takes the remainder after every term."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.loops import loops, statements
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_in, resolve, type_text
from maxcode.policy.rewrite.patterns import PatternMatch, Rule, matches
from maxcode.policy.rewrite.source import SourceFile, field, inside
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_REDUCED = tuple(
    Rule(before, "")
    for before in ("$x = ($x + $e) % $m;", "$x = ($e + $x) % $m;", "$x += $e; $x %= $m;", "$x = $x + $e; $x = $x % $m;")
)
_UNSURE = re.compile(r"unsigned|uint|size_t|char|short|__int128|&|\*")


def _after_each_term(source: SourceFile, body: Node) -> PatternMatch | None:
    """The match of a body that is nothing but a sum and its remainder."""
    inner = statements(body)
    for rule in _REDUCED:
        for match in matches(source, rule):
            if list(match.nodes) == inner:
                return match
    return None


def _base(source: SourceFile, place: Node) -> Symbol | None:
    while place.type == "subscript_expression":
        place = place.children[0]
    return resolve(source, place) if place.type == "identifier" else None


def _safe(source: SourceFile, match: PatternMatch, loop: Node) -> bool:
    """Whether terms and modulus do not depend on the sum, and the sum's place and the modulus stay in a loop."""
    total, term, modulus = match.holes["x"], match.holes["e"], match.holes["m"]
    base = _base(source, total)
    known, place, limit = dependencies(source, term), dependencies(source, modulus), frozenset[Symbol]()
    if total.type == "subscript_expression":
        limit = dependencies(source, field(total, "indices")) or limit
    if base is None or known is None or place is None or base in known | place | limit or base.is_member:
        return False
    if _UNSURE.search(type_text(source, base)) or "__int128" in source.text(term):
        return False
    head = dependencies(source, field(loop, "condition"))
    steady = [symbol for symbol in place | limit if not inside(symbol.identifier, loop)]
    within = len(steady) < len(place | limit) or inside(base.identifier, loop)
    return (
        head is not None
        and base not in head
        and not within
        and not any(changes_in(source, symbol, loop) for symbol in steady)
    )


def _one_remainder(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Adds up in 128 bits; if a term was negative, where remainders of parts differ, it runs the loop as it was."""
    del setting
    for loop in loops(source):
        match = _after_each_term(source, loop.body)
        if match is None or loop.type is None or not _safe(source, match, loop.node):
            continue
        total, term, modulus = (source.text(match.holes[name]) for name in ("x", "e", "m"))
        added, signs, turns, value = (source.fresh(name) for name in ("added", "signs", "turns", "term"))
        lines = [
            "{",
            f"    unsigned __int128 {added} = (unsigned long long)({total});",
            f"    long long {signs} = {total}, {turns} = 0;",
            f"    {loop.header} {{",
            f"        const long long {value} = {term};",
            f"        {signs} |= {value};",
            f"        {added} += (unsigned long long){value};",
            f"        {turns} = 1;",
            "    }",
            f"    if ({signs} < 0) {{",
            f"        {source.text(loop.node)}",
            f"    }} else if ({turns}) {{",
            f"        {total} = {added} >> 64 ? {added} % (unsigned long long)({modulus})",
            f"                                : (unsigned long long){added} % (unsigned long long)({modulus});",
            "    }",
            "}",
        ]
        if not re.match(r"-", modulus):
            yield Rewrite(loop.line, (source.replace(loop.node, f"\n{loop.indent}".join(lines)),))


_SUM = """
#include <stdio.h>
int main(void) {
    long long values[100], sum = 5;
    for (int i = 0; i < 100; i++) values[i] = i * 1000003LL;
    for (int i = 0; i < 100; i++) {
        sum = (sum + values[i] * i) % 1000000007;
    }
    printf("%lld\\n", sum);
}
"""
_LOOP = _SUM[_SUM.index("    for (int i = 0; i < 100; i++) {") : _SUM.index("    printf")]
_ONE = """    {
        unsigned __int128 added = (unsigned long long)(sum);
        long long signs = sum, turns = 0;
        for (int i = 0; i < 100; i++) {
            const long long term = values[i] * i;
            signs |= term;
            added += (unsigned long long)term;
            turns = 1;
        }
        if (signs < 0) {
            LOOP
        } else if (turns) {
            sum = added >> 64 ? added % (unsigned long long)(1000000007)
                                    : (unsigned long long)added % (unsigned long long)(1000000007);
        }
    }
"""

TRANSFORMATIONS = (
    Transformation(
        name="one-remainder",
        family="algorithms",
        summary="Takes the remainder of a sum once, where a loop takes it after every term.",
        find=_one_remainder,
        example=RewriteExample(before=_SUM, after=_SUM.replace(_LOOP, _ONE.replace("LOOP", _LOOP.strip()))),
        prior=2.0,
        refusals=(
            "int f(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s = (s + a[i] * s) % 9; return s; }\n",
            "int f(int *a, int n, int m) { int s = 0; for (int i = 0; i < n; i++) s = (s * a[i]) % m; return s; }\n",
            "unsigned f(int *a, int n) { unsigned s = 0; for (int i = 0; i < n; i++) s = (s + a[i]) % 7; return s; }\n",
            "void f(int *a, int n) { for (int i = 1; i < n; i++) a[i] = (a[i] + a[i - 1]) % 7; }\n",
            "int f(int *a, int n, int m) { int s = 0; for (int i = 0; i < n; i++) s = (s + a[i]) % m--; return s; }\n",
        ),
    ),
)
