"""Loops: addresses and remainders that follow the loop's variable step by step instead of being worked out anew."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import effects, names_in, steady, type_of
from maxcode.policy.rewrite.analysis.loops import Access, Loop, accesses, declared, loops, written
from maxcode.policy.rewrite.analysis.variables import arguments, resolved
from maxcode.policy.rewrite.analysis.writing import block, body_lines, in_place_of
from maxcode.policy.rewrite.compiler.loop_pragmas import hinted
from maxcode.policy.rewrite.source import Edit, Source
from maxcode.policy.rewrite.transformation import Example, Rewrite, Setting, Transformation

_NUMBER = re.compile(r"(?:unsigned |signed )?(?:int|long long|long|short|char|double|float|size_t|u?int\d+_t)")


def _row_pointers(source: Source, setting: Setting) -> Iterator[Rewrite]:
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


def _is_steady(source: Source, array: str, loop: Loop) -> bool:
    """Whether an array is a plain one of numbers that the loop does not move."""
    moved = re.search(rf"\b{array}\s*(?:=(?!=)|\+\+|\.\s*(?!size)\w+)", source.text(loop.body))
    return re.fullmatch(r"\w+", array) is not None and not moved and _element(source, array, loop.node) is not None


def _element(source: Source, array: str, at: Node) -> str | None:
    kind = resolved(source, type_of(source, array, at) or "")
    inner = arguments(kind, "vector")
    element = inner[0] if inner else kind
    return element if _NUMBER.fullmatch(element) and array not in declared(source, at) else None


def _fresh(source: Source, name: str, taken: set[str]) -> str:
    names = (name, *(f"{name}{i}" for i in range(2, 1000)))
    return next(each for each in names if each not in source.names and each not in taken)


def _running_remainders(source: Source, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for loop in loops(source):
        if not steady(loop) or loop.start != "0" or hinted(loop) or effects(source, loop.body).opaque:
            continue
        moving = written(source, loop.body) | declared(source, loop.body) | {loop.variable}
        groups: dict[str, list[Node]] = {}
        for node in source.find("binary_expression", within=loop.body):
            found = re.fullmatch(rf"{loop.variable}\s*%\s*([A-Za-z_]\w*)", source.text(node))
            if found is not None and found[1] not in moving and _costs_a_division(source, loop, found[1]):
                groups.setdefault(found[1], []).append(node)
        for divisor, nodes in groups.items():
            name = source.fresh(f"{loop.variable}_mod_{divisor}")
            body = body_lines(source, loop.body, [source.replace(node, name) for node in nodes])
            step = f"if (++{name} == {divisor}) {name} = 0;"
            lines = [f"{loop.type} {name} = 0;", *block(source, loop.header, [*body, step])]
            yield Rewrite(loop.line, (in_place_of(loop, lines),), f"divisor={divisor}", 1 + loop.depth)


def _costs_a_division(source: Source, loop: Loop, divisor: str) -> bool:
    """Whether a divisor is a whole number that is not known before the program runs: others cost little."""
    kind = resolved(source, type_of(source, divisor, loop.node) or "")
    fixed = re.search(rf"\b(?:const|constexpr|#\s*define)\b[^;\n]*\b{divisor}\b", source.code)
    return _NUMBER.fullmatch(kind) is not None and kind not in ("double", "float") and fixed is None


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
_TURNS = """
#include <cstdio>

int main() {
    int players;
    long scores[10] = {0};
    if (std::scanf("%d", &players) != 1) players = 3;
    for (int i = 0; i < 1000; i++) {
        scores[i % players] += i;
    }
    std::printf("%ld\\n", scores[1]);
}
"""
TRANSFORMATIONS = (
    Transformation(
        name="row-pointer",
        family="loops",
        summary="Works out where a row begins before the loop that walks along it.",
        find=_row_pointers,
        example=Example(
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
    Transformation(
        name="running-remainder",
        family="loops",
        summary="Counts a remainder up with the loop's variable instead of dividing in every turn.",
        find=_running_remainders,
        example=Example(
            _TURNS,
            _TURNS.replace("    for (int i", "    int i_mod_players = 0;\n    for (int i")
            .replace("scores[i % players]", "scores[i_mod_players]")
            .replace(
                "+= i;\n    }\n",
                "+= i;\n        if (++i_mod_players == players) i_mod_players = 0;\n    }\n",
            ),
        ),
        prior=0.7,
        refusals=(
            "int f(int n, int m) {\n    int sum = 0;\n    for (int i = 0; i < n; i++) {\n"
            "        if (i % 2) continue;\n        sum += i % m;\n    }\n    return sum;\n}\n",
            "int f(int n) {\n    const int m = 7;\n    int sum = 0;\n    for (int i = 0; i < n; i++) {\n"
            "        sum += i % m;\n    }\n    return sum;\n}\n",
        ),
    ),
)
