"""Loops: addresses and remainders that follow the loop's variable step by step instead of being worked out anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import names_in, type_of
from maxcode.policy.rewrite.analysis.loops import Access, Loop, accesses, declared, loops, written
from maxcode.policy.rewrite.analysis.variables import arguments, resolved
from maxcode.policy.rewrite.compiler.loop_pragmas import hinted
from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_NUMBER = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|char|double|float|size_t|u?int\d+_t)")


def _row_pointers(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        parent = loop.node.parent
        if not loop.innermost or loop.depth == 0 or parent is None or parent.type != "compound_statement":
            continue
        rows = _rows(loop) if loop.type is not None and not hinted(loop) else {}
        lines, edits, taken = "", list[Edit](), set[str]()
        for (array, row), found in rows.items():
            name = _fresh(source, f"{array}_row", taken)
            taken.add(name)
            kind = _element(source, array, loop.node)
            only_read = not any(access.writes for access, _ in found)
            lines += f"{'const ' if only_read else ''}{kind} *{name} = &{array}[{row}];\n{loop.indent}"
            edits += [source.replace(access.node, f"{name}[{rest}]") for access, rest in found]
        if edits:
            yield Rewrite(loop.line, (source.before(loop.node, lines), *edits), f"loop={loop.variable}", 1 + loop.depth)


def _rows(loop: Loop) -> dict[tuple[str, str], list[tuple[Access, str]]]:
    """Accesses `a[i * n + j]` by array and row, with the index in the row."""
    source, j = loop.source, loop.variable
    moving = written(source, loop.body) | declared(source, loop.body) | {j}
    found: dict[tuple[str, str], list[tuple[Access, str]]] = {}
    for access in accesses(source, loop.body):
        index = re.fullmatch(
            rf"((?:static_cast<[\w: ]+>|[\w\s*+()-])+?) \+ ({j}(?: [+-] \w+)?)", access.indices[0], re.DOTALL
        )
        if index is None or len(access.indices) > 1 or "*" not in index[1] or names_in(index[1]) & moving:
            continue
        balanced = index[1].count("(") == index[1].count(")")
        if balanced and not names_in(index[2]) & (moving - {j}) and _is_steady(source, access.array, loop):
            found.setdefault((access.array, index[1]), []).append((access, index[2]))
    return found


def _is_steady(source: SourceFile, array: str, loop: Loop) -> bool:
    """Whether an array is a plain one of numbers that the loop does not move."""
    moved = re.search(rf"\b{array}\s*(?:=(?!=)|\+\+|\.\s*(?!size)\w+)", source.text(loop.body))
    return re.fullmatch(r"\w+", array) is not None and not moved and _element(source, array, loop.node) is not None


def _element(source: SourceFile, array: str, at: Node) -> str | None:
    kind = resolved(source, type_of(source, array, at) or "")
    inner = arguments(kind, "vector")
    element = inner[0] if inner else kind
    return element if _NUMBER.fullmatch(element) and array not in declared(source, at) else None


def _fresh(source: SourceFile, name: str, taken: set[str]) -> str:
    names = (name, *(f"{name}{i}" for i in range(2, 1000)))
    return next(each for each in names if each not in source.names and each not in taken)


_SUMS = """
#include <cstdio>

void add(int n, int m, const double *from, double *to) {
    for (int i = 0; i < n; i++) {
        for (int j = 1; j < m; j++) {
            to[i * m + j] += from[i * m + j - 1];
        }
    }
}

int main() {
    double from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {0, 0, 0, 0, 0, 0};
    add(2, 3, from, to);
    std::printf("%g %g\\n", to[1], to[5]);
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="row-pointer",
        family="loops",
        summary="Works out where a row begins before the loop that walks along it.",
        find=_row_pointers,
        example=RewriteExample(
            _SUMS,
            _SUMS.replace(
                "        for (int j",
                "        double *to_row = &to[i * m];\n        const double *from_row = &from[i * m];\n"
                "        for (int j",
            )
            .replace("to[i * m + j] +", "to_row[j] +")
            .replace("from[i * m + j - 1]", "from_row[j - 1]"),
        ),
        prior=0.4,
        refusals=(
            "void add(int n, double *x) {\n    for (int i = 0; i < n; i++) {\n        for (int j = 0; j < n; j++) {\n"
            "            x[j * n + i] += 1;\n        }\n    }\n}\n",
        ),
    ),
)
