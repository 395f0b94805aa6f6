"""Memory: truth values as bits in an array of fixed size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.known_values import value_of
from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.support import function_name
from maxcode.policy.rewrite.analysis.variables import Mention, Variable, arguments, resolved, split, variables
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_LARGE = 1 << 19
"""Number of bits above which a table is too large for the stack."""
_MOST = 1 << 30
_READS = ("!", "&&", "||", "==", "!=", "+", "<<")


@dataclass(frozen=True)
class Flags:
    variable: Variable
    size: str
    rows: str = ""
    """`[N]` in front of the last dimension of an array of two."""
    all_true: bool = False


def _flags(source: SourceFile, variable: Variable) -> Flags | None:
    kind = resolved(source, variable.type)
    array = re.fullmatch(r"(\[[^\[\]]+\])?\[([^\[\]]+)\](?:\s*=\s*\{\s*(?:0|false)?\s*\})?", variable.rest)
    if kind == "bool" and array and (array[1] is None or variable.is_global):
        return Flags(variable, array[2].strip(), array[1] or "")
    given = re.fullmatch(r"\((.*)\)", variable.rest, re.DOTALL)
    sizes = split(given[1]) if given else []
    if arguments(kind, "vector") != ["bool"] or not sizes or (len(sizes) == 2 and sizes[1] not in _TRUTHS):
        return None
    return Flags(variable, sizes[0], all_true=len(sizes) == 2 and _TRUTHS[sizes[1]]) if len(sizes) < 3 else None


_TRUTHS = {"false": False, "0": False, "true": True, "1": True}


def _bitsets(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for variable in variables(source):
        flags = _flags(source, variable) if variable.alone else None
        size = value_of(source, flags.size) if flags is not None else None
        if flags is None or size is None or not 64 <= size <= _MOST or not _only_bits(source, flags):
            continue
        declared = _declared(source, flags, size)
        if declared is not None:
            start, end = variable.declaration.start_byte, variable.declaration.end_byte
            weight = 1.0 if size >= 10_000 else 0.2
            yield Rewrite(
                source.line(variable.declaration),
                (*source.including("bitset"), Edit(start, end, declared)),
                weight=weight,
            )


def _declared(source: SourceFile, flags: Flags, size: int) -> str | None:
    variable = flags.variable
    # A template's argument must be whole: 1e6 is not.
    length = f"(int)({flags.size})" if re.search(r"\d[eE.]", flags.size) else flags.size
    length = f"({length})" if ">" in length else length
    text = f"{source.std}bitset<{length}> {variable.name}{flags.rows};"
    if re.search(r"\b(?:static|const|constexpr|thread_local)\b", variable.type):
        return None
    if flags.all_true:
        text += f"\n{source.indent(variable.declaration)}{variable.name}.set();"
        if variable.is_global:
            return None
    if size > _LARGE and not variable.is_global:
        return f"static {text}" if _made_once(source, variable) else None
    return text


def _made_once(source: SourceFile, variable: Variable) -> bool:
    """Whether a variable is made at most once, in main and in no loop, so that it may be static."""
    function = enclosing(variable.declaration, "function_definition")
    in_loop = enclosing(variable.declaration, *LOOPS, "lambda_expression") is not None
    return function is not None and function_name(source, function) == "main" and not in_loop


def _only_bits(source: SourceFile, flags: Flags) -> bool:
    """Whether each use is of one element, read or set in a way that bits allow as well."""
    mentions = flags.variable.mentions
    dimensions = 2 if flags.rows else 1
    return bool(mentions) and all(len(each.indices) == dimensions and _is_bit(source, each) for each in mentions or ())


def _is_bit(source: SourceFile, mention: Mention) -> bool:
    node = source.root.descendant_for_byte_range(mention.at, mention.end - 1)
    if node is None or node.type != "subscript_expression" or node.parent is None:
        return False
    parent = node.parent
    if parent.type == "assignment_expression":
        sign = parent.child_by_field_name("operator")
        return parent.child_by_field_name("right") == node or (sign is not None and source.text(sign) == "=")
    if parent.type in ("unary_expression", "binary_expression"):
        sign = parent.child_by_field_name("operator")
        return sign is not None and source.text(sign) in _READS
    if parent.type == "conditional_expression":
        return parent.child_by_field_name("condition") == node
    return parent.type in ("condition_clause", "if_statement", "while_statement") or _in_condition(parent)


def _in_condition(node: Node) -> bool:
    return node.type == "parenthesized_expression" and node.parent is not None and node.parent.type in (
        "if_statement", "while_statement", "unary_expression", "binary_expression", "conditional_expression"
    )  # fmt: skip


_SIEVE = """
#include <cstdio>
#include <vector>

const int MOST = 1000000;

int main() {
    std::vector<bool> composite(MOST + 1, false);
    int primes = 0;
    for (int i = 2; i <= MOST; i++) {
        if (!composite[i]) {
            primes++;
            for (long long j = 1LL * i * i; j <= MOST; j += i) {
                composite[j] = true;
            }
        }
    }
    printf("%d\\n", primes);
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="bitset-for-bits",
        family="memory",
        summary="Keeps flags of a known number as bits in one place: eight to a byte, and no pointer to follow.",
        find=_bitsets,
        example=RewriteExample(
            before=_SIEVE,
            after=_SIEVE.replace(
                "std::vector<bool> composite(MOST + 1, false);", "static std::bitset<MOST + 1> composite;"
            ).replace("#include <cstdio>", "#include <bitset>\n#include <cstdio>"),
        ),
        languages=CPP,
        answers=("cache-misses",),
        prior=0.4,
        refusals=(
            # How many is known when it runs.
            "#include <vector>\nbool f(int n) {\n    std::vector<bool> seen(n);\n    seen[1] = true;\n"
            "    return seen[0] == seen[1];\n}\n",
            # Passed on as an array.
            "bool seen[100];\nbool first(bool *flags) { return flags[0]; }\n"
            "int main() {\n    seen[1] = true;\n    return first(seen);\n}\n",
            # Bits have no operators such as |=.
            "bool seen[100];\nint main() {\n    seen[1] |= true;\n    return !seen[0];\n}\n",
        ),
    ),
)
