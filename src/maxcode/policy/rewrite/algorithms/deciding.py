"""Algorithms: loops that end when the answer is known, and divisors that are found in pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.algorithms.sums import leaves_early, only_added_to
from maxcode.policy.rewrite.analysis.conditions import condition_of
from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.effects import INTEGRAL
from maxcode.policy.rewrite.analysis.loops import Loop, as_loop, loops, statements
from maxcode.policy.rewrite.analysis.symbols import changes_in, resolve, type_text
from maxcode.policy.rewrite.source import SourceFile, field
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_LITERALS = ("true", "false", "number_literal", "char_literal", "null")


def _guarded(body: Node) -> tuple[Node, list[Node]] | None:
    """The condition of the one `if` that is a body, and the statements under it."""
    inner = statements(body)
    if len(inner) != 1 or inner[0].type != "if_statement" or inner[0].child_by_field_name("alternative") is not None:
        return None
    condition, consequence = condition_of(inner[0]), field(inner[0], "consequence")
    return (condition, statements(consequence)) if condition is not None else None


def _constant_assignment(source: SourceFile, statement: Node) -> str | None:
    """The variable that a statement gives a literal."""
    each = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    if each is None or each.type != "assignment_expression" or source.text(field(each, "operator")) != "=":
        return None
    left, right = field(each, "left"), field(each, "right")
    right = right.named_children[-1] if right.type == "unary_expression" else right
    return source.text(left) if left.type == "identifier" and right.type in _LITERALS else None


def _stop(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Leaves a loop that only ever gives variables the same constants."""
    del setting
    for node in source.find("for_statement", "for_range_loop"):
        body = node.child_by_field_name("body")
        guarded = _guarded(body) if body is not None and not node.has_error else None
        loop = as_loop(source, node)
        if guarded is None or (node.type == "for_statement" and (loop is None or loop.type is None)):
            continue
        condition, inner = guarded
        known, names = dependencies(source, condition), [_constant_assignment(source, each) for each in inner]
        if known is None or not inner or None in names or {symbol.name for symbol in known} & set(names):
            continue
        if loop is not None and not _plain_limit(source, loop, set(names)):
            continue
        last, whole = inner[-1], inner[-1].parent
        if whole is not None and whole.type == "compound_statement":
            edit = source.after(last, f"\n{source.indent(last)}break;")
        else:
            edit = source.replace(last, f"{{ {source.text(last)} break; }}")
        yield Rewrite(source.line(node), (edit,))


def _plain_limit(source: SourceFile, loop: Loop, names: set[str | None]) -> bool:
    limit = dependencies(source, field(loop.node, "condition"))
    return limit is not None and not {symbol.name for symbol in limit} & names


def _divisibility(source: SourceFile, test: Node, variable: str) -> Node | None:
    """n, where a condition is `n % variable == 0`."""
    if test.type == "unary_expression" and source.text(test).startswith("!"):
        inside = test.named_children[0]
        inside = inside.named_children[0] if inside.type == "parenthesized_expression" else inside
        sides = [inside]
    elif test.type == "binary_expression" and source.text(field(test, "operator")) == "==":
        if source.text(field(test, "right")) != "0":
            return None
        sides = [field(test, "left")]
    else:
        return None
    for side in sides:
        if side.type == "binary_expression" and source.text(field(side, "operator")) == "%":
            number, divisor = field(side, "left"), field(side, "right")
            if source.text(divisor) == variable and number.type == "identifier":
                return number
    return None


def _divisors(source: SourceFile, loop: Loop) -> tuple[str, list[Node]] | None:
    """n and what is done for each divisor, where a loop tries all numbers up to n or a part of it."""
    guarded = _guarded(loop.body)
    if guarded is None or loop.type is None or not loop.rises_by_one or loop.start not in ("1", "2"):
        return None
    number = _divisibility(source, guarded[0], loop.variable)
    symbol = resolve(source, number) if number is not None else None
    if number is None or symbol is None or not INTEGRAL.fullmatch(type_text(source, symbol)):
        return None
    if changes_in(source, symbol, loop.node) or symbol.is_member:
        return None
    return source.text(number), guarded[1]


def _pairs(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Finds each divisor together with the one that it is multiplied with, below and above the root."""
    del setting
    for loop in loops(source):
        found = _divisors(source, loop)
        if found is None or leaves_early(source, loop.body):
            continue
        number, inner = found
        end = re.sub(r"\s", "", loop.end)
        if (
            end not in (number, f"{number}/2", f"{number}-1", f"{number}/2+1")
            or only_added_to(source, loop.body) is None
        ):
            continue
        if dependencies(source, loop.body, tuple(only_added_to(source, loop.body) or ())) is None:
            continue
        small, v = source.fresh("small"), loop.variable
        done = "\n".join(source.text(each) for each in inner)
        limit = f"{v} {loop.comparison} {loop.end}"
        pair = f"{loop.type} {v} = {small};"
        lines = [
            f"for ({loop.type} {small} = 1; {small} <= {number} / {small}; {small}++) {{",
            f"    if ({number} % {small} == 0) {{",
            f"        {pair}",
            f"        if ({v} >= {loop.start} && {limit}) {{ {done} }}",
            f"        {v} = {number} / {small};",
            f"        if ({v} != {small} && {v} >= {loop.start} && {limit}) {{ {done} }}",
            "    }",
            "}",
        ]
        yield Rewrite(loop.line, (source.replace(loop.node, ("\n" + loop.indent).join(lines)),))


def _root(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Ends the search for any divisor at the root: above it there is none if there is none below."""
    del setting
    for loop in loops(source):
        found = _divisors(source, loop)
        if found is None or loop.start != "2":
            continue
        number, inner = found
        end = (loop.comparison, re.sub(r"\s", "", loop.end))
        if end not in (("<", number), ("<=", f"{number}-1"), ("<=", f"{number}/2"), ("<", f"{number}/2")):
            continue
        *assignments, last = inner or [loop.node]
        constants = all(_constant_assignment(source, each) is not None for each in assignments)
        if not constants or not _ends_alike(source, last):
            continue
        condition = field(loop.node, "condition")
        yield Rewrite(loop.line, (source.after(condition, f" && {loop.variable} <= {number} / {loop.variable}"),))


def _ends_alike(source: SourceFile, statement: Node) -> bool:
    """Whether a statement does the same for every divisor: it returns or sets a constant, or leaves the loop."""
    if statement.type == "break_statement" or _constant_assignment(source, statement) is not None:
        return True
    value = statement.named_children[0] if statement.named_children else None
    return statement.type == "return_statement" and (value is None or value.type in _LITERALS)


_FLAG = """
#include <stdio.h>
int main(void) {
    int values[] = {3, 1, 4, 1, 5}, found = 0;
    for (int i = 0; i < 5; i++) {
        if (values[i] == 4) {
            found = 1;
        }
    }
    printf("%d\\n", found);
}
"""
_PERFECT = """
#include <stdio.h>
int main(void) {
    for (int n = 2; n < 30; n++) {
        int sum = 0;
        for (int d = 1; d < n; d++) {
            if (n % d == 0) sum += d;
        }
        if (sum == n) printf("%d\\n", n);
    }
}
"""
_PAIRED = """for (int small = 1; small <= n / small; small++) {
            if (n % small == 0) {
                int d = small;
                if (d >= 1 && d < n) { sum += d; }
                d = n / small;
                if (d != small && d >= 1 && d < n) { sum += d; }
            }
        }
        if (sum"""
_PRIME = """
#include <stdio.h>
int prime(int n) {
    if (n < 2) return 0;
    for (int d = 2; d < n; d++) {
        if (n % d == 0) return 0;
    }
    return 1;
}
int main(void) {
    for (int n = 0; n < 30; n++) printf("%d", prime(n));
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="stop-when-known",
        family="algorithms",
        summary="Leaves a loop that only sets a flag once the flag is set.",
        find=_stop,
        example=RewriteExample(before=_FLAG, after=_FLAG.replace("found = 1;", "found = 1;\n            break;")),
        prior=2.0,
        refusals=(
            "int f(int *a, int n) { int last = 0; for (int i = 0; i < n; i++) if (a[i]) last = i; return last; }\n",
            "int f(int *a, int n) { int k = 0; for (int i = 0; i < n; i++) if (a[i] > k) k = 7; return k; }\n",
            "int f(int *a, int n) { int i, k = 0; for (i = 0; i < n; i++) if (a[i]) k = 7; return k + i; }\n",
            "int g(void);\nint f(int n) { int k = 0; for (int i = 0; i < n; i++) if (g()) k = 7; return k; }\n",
        ),
    ),
    Transformation(
        name="divisors-in-pairs",
        family="algorithms",
        summary="Finds divisors up to the root, each with its partner, where sums or counts try every number.",
        find=_pairs,
        example=RewriteExample(
            before=_PERFECT,
            after=_PERFECT.replace(
                "for (int d = 1; d < n; d++) {\n            if (n % d == 0) sum += d;\n        }\n        if (sum",
                _PAIRED,
            ),
        ),
        prior=2.5,
        refusals=(
            "int f(int n) { int s = 0; for (int d = 1; d < n; d++) if (n % d == 0) s = d; return s; }\n",
            "int f(int n, int m) { int s = 0; for (int d = 1; d < m; d++) if (n % d == 0) s += d; return s; }\n",
            "int f(int n) { int s = 0; for (int d = 1; d < n; d++) if (n % d == 0) s += s * d; return s; }\n",
        ),
    ),
    Transformation(
        name="divisors-to-the-root",
        family="algorithms",
        summary="Ends the search for a divisor at the square root.",
        find=_root,
        example=RewriteExample(before=_PRIME, after=_PRIME.replace("d < n;", "d < n && d <= n / d;")),
        prior=2.5,
        refusals=(
            "int f(int n) { for (int d = 2; d <= n; d++) if (n % d == 0) return 1; return 0; }\n",
            "int f(int n) { for (int d = 2; d < n; d++) if (n % d == 0) return d; return 0; }\n",
            "int f(int n) { int s = 0; for (int d = 2; d < n; d++) if (n % d == 0) s = d; return s; }\n",
        ),
    ),
)
