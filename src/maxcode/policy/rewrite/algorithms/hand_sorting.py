"""Algorithms: the library's sort in place of loops that sort by hand, whatever way they do it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.small_runs import Element, Run, Unclear
from maxcode.policy.rewrite.analysis.support import prelude
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_in, changes_it, resolve, type_text, uses
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field, inside
from maxcode.policy.rewrite.transformation import Rewrite, RewriteExample, Setting, Transformation

_PLAIN = re.compile(r"(?:const )?(?:(?:unsigned|long|int|short|char|size_t|u?int\d+_t)\s*)+|string")
_LENGTHS = (0, 1, 2, 3, 4)
_KEYS = (0, 1, 2)


@dataclass(frozen=True)
class HandSort:
    """A statement that sorts `count` elements of a row from `first` on."""

    node: Node
    row: Symbol
    count: str
    first: int
    member: str
    """The member that elements are sorted by; empty for whole elements."""
    descending: bool
    stable: bool


def _sorts(source: SourceFile) -> Iterator[HandSort]:
    done: Node | None = None
    for node in source.find("for_statement", "while_statement", "do_statement"):
        if (done is not None and inside(node, done)) or node.has_error:
            continue
        if next(source.find(*LOOPS, within=field(node, "body")), None) is None:
            continue
        found = _recognised(source, node)
        if found is not None:
            done = node
            yield found


def _recognised(source: SourceFile, node: Node) -> HandSort | None:
    rows = {
        source.text(each.children[0]): each.children[0] for each in source.find("subscript_expression", within=node)
    }
    if len(rows) != 1:
        return None
    ((name, base),) = rows.items()
    row = resolve(source, base) if base.type == "identifier" else None
    outside = _outside(source, node) if row is not None else None
    if row is None or outside is None or row.is_member:
        return None
    flags = {each.name: value for each in outside if (value := _begins_with(source, each, node)) is not None}
    steady = [each for each in outside if not changes_in(source, each, node)]
    counts = [each for each in steady if each != row]
    others = [each for each in outside if each not in (row, *counts)]
    unset = [each for each in others if each.name not in flags and not _given_first(source, each, node)]
    if len(counts) > 1 or unset or any(_used_after(source, each, node) for each in others):
        return None
    count = counts[0].name if counts else f"{name}.size()"
    for first in (0, 1) if counts else (0,):
        judged = _judged(source, node, name, counts[0].name if counts else None, first, flags)
        if judged is not None:
            member, descending, stable = judged
            found = HandSort(node, row, count, first, member, descending, stable)
            return found if stable or (not member and _PLAIN.fullmatch(_element(source, row))) else None
    return None


def _outside(source: SourceFile, node: Node) -> list[Symbol] | None:
    found: dict[Symbol, None] = {}
    for each in source.find("identifier", within=node):
        symbol = resolve(source, each)
        if symbol is None:
            if source.text(each) in ("swap", "std"):
                continue
            return None
        if not inside(symbol.identifier, node):
            found[symbol] = None
    return list(found)


def _given_first(source: SourceFile, symbol: Symbol, node: Node) -> bool:
    """Whether code gives a variable from outside its value before it reads it: a counter or a temporary."""
    first = next((use for use in uses(source, symbol) if inside(use, node)), None)
    return first is not None and changes_it(source, first)


def _begins_with(source: SourceFile, symbol: Symbol, node: Node) -> int | None:
    """The literal that one of the two statements in front of a loop gives a flag."""
    before = node.prev_named_sibling
    for _ in range(2):
        if before is None:
            return None
        match = re.fullmatch(rf"(?:\w+ )?{symbol.name} = (true|false|\d+);", source.text(before))
        if match:
            return int(match[1] == "true") if match[1].isalpha() else int(match[1])
        before = before.prev_named_sibling
    return None


def _used_after(source: SourceFile, symbol: Symbol, node: Node) -> bool:
    """Whether what code leaves in a variable may be read behind it."""
    after = next((use for use in uses(source, symbol) if use.start_byte >= node.end_byte), None)
    if after is None:
        return symbol.is_global
    parent = after.parent
    return not (
        parent is not None and parent.type == "assignment_expression" and parent.child_by_field_name("left") == after
        and source.text(field(parent, "operator")) == "="
    )  # fmt: skip


def _judged(
    source: SourceFile, node: Node, name: str, count: str | None, first: int, flags: dict[str, int]
) -> tuple[str, bool, bool] | None:
    """The member, the direction and whether equal elements keep their order, where small rows come out sorted."""
    verdicts, members = {(descending, stable) for descending in (False, True) for stable in (True, False)}, set[str]()
    for length in _LENGTHS:
        for keys in itertools.product(_KEYS, repeat=length):
            row = [Element(key, tag) for tag, key in enumerate(keys)]
            cells: list[object] = [*([Element(9, 99)] * first), *row]
            names = dict[str, object](dict.fromkeys(_locals(source, node)))
            run = Run(source, names | flags | ({count: length} if count else {}), {name: cells})
            try:
                run.do(node)
            except (Unclear, RecursionError):
                return None
            members |= run.members
            verdicts = {each for each in verdicts if _fits(cells[first:], row, *each)}
            if not verdicts or len(members) > 1:
                return None
    descending, stable = max(verdicts, key=lambda each: each[1])
    return (members.pop(), descending, stable) if members else None


def _locals(source: SourceFile, node: Node) -> list[str]:
    return [symbol.name for symbol in _outside(source, node) or ()]


def _fits(cells: list[object], row: list[Element], descending: bool, stable: bool) -> bool:
    wanted = sorted(row, key=lambda each: -each.key if descending else each.key)
    if stable:
        return [(each.key, each.tag) for each in wanted] == [(e.key, e.tag) for e in cells if isinstance(e, Element)]
    return [each.key for each in wanted] == [e.key for e in cells if isinstance(e, Element)]


def _element(source: SourceFile, row: Symbol) -> str:
    kind = type_text(source, row)
    match = re.match(r"(?:const )?(?:vector|deque)<(.*)>&?$", kind)
    if re.fullmatch(r"string&?", kind):
        return "char"
    return match[1] if match else kind.removesuffix("[]").removesuffix("*")


_MERGE = """
static void {name}({kind} *row, long count) {{
    if (count < 2) return;
    {kind} *other = malloc(count * sizeof *row), *from = row, *to = other;
    for (long width = 1; width < count; width *= 2) {{
        for (long begin = 0; begin < count; begin += 2 * width) {{
            long middle = begin + width < count ? begin + width : count;
            long end = middle + width < count ? middle + width : count;
            for (long i = begin, j = middle, k = begin; k < end; k++)
                to[k] = i < middle && (j == end || !({later})) ? from[i++] : from[j++];
        }}
        {kind} *swapped = from;
        from = to;
        to = swapped;
    }}
    if (from != row) memcpy(row, from, count * sizeof *row);
    free(other);
}}
"""


def _sorted(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for each in _sorts(source):
        kind = _element(source, each.row)
        sign, name = ">" if each.descending else "<", each.row.name
        start = name if each.first == 0 else f"{name} + {each.first}"
        if source.language is Language.C:
            if not re.fullmatch(r"[\w ]+", kind):
                continue
            member = f".{each.member}" if each.member else ""
            sorter = source.fresh("sort_row")
            code = _MERGE.format(name=sorter, kind=kind, later=f"from[j]{member} {sign} from[i]{member}")
            text = f"{sorter}({start}, {each.count});"
            edits = [_definition(source, each.node, code), *source.including("stdlib.h"), *source.including("string.h")]
            yield Rewrite(source.line(each.node), (source.replace(each.node, text), *edits))
            continue
        rows = re.fullmatch(r"(?:(?:vector|deque|array)<.*>|string)&?", type_text(source, each.row))
        begin = f"{name}.begin() + {each.first}" if rows else start
        begin = begin.removesuffix(" + 0")
        function = "stable_sort" if each.stable and not _PLAIN.fullmatch(kind) else "sort"
        order = _order(source, each, sign)
        text = f"{source.std}{function}({begin}, {begin} + {each.count}{order});"
        text = text.replace(f"{name}.begin() + {name}.size()", f"{name}.end()")
        yield Rewrite(source.line(each.node), (source.replace(each.node, text), *source.including("algorithm")))


def _definition(source: SourceFile, node: Node, code: str) -> Edit:
    function = enclosing(node, "function_definition")
    return source.before(function, f"{code.strip()}\n\n") if function is not None else prelude(source, code)


def _order(source: SourceFile, each: HandSort, sign: str) -> str:
    if not each.member and not each.descending:
        return ""
    member = f".{each.member}" if each.member else ""
    spelled = source.text(field(each.row.declaration, "type"))
    match = re.search(r"<(.*)>", spelled)
    name = match[1] if match else "char" if _element(source, each.row) == "char" else spelled
    return f", [](const {name} &a, const {name} &b) {{ return a{member} {sign} b{member}; }}"


_BUBBLE = """
#include <iostream>
#include <string>
#include <vector>
struct Player {
    std::string name;
    int score;
};
int main() {
    std::vector<Player> players = {{"a", 3}, {"b", 5}, {"c", 3}, {"d", 9}};
    for (size_t i = 0; i < players.size(); i++) {
        for (size_t j = 0; j + 1 < players.size(); j++) {
            if (players[j].score < players[j + 1].score) {
                Player other = players[j];
                players[j] = players[j + 1];
                players[j + 1] = other;
            }
        }
    }
    for (auto &player : players) std::cout << player.name << "\\n";
}
"""
_LOOP = _BUBBLE[_BUBBLE.index("    for (size_t") : _BUBBLE.index("    for (auto")]
_CALL = (
    "    std::stable_sort(players.begin(), players.end(), "
    "[](const Player &a, const Player &b) { return a.score > b.score; });\n"
)

TRANSFORMATIONS = (
    Transformation(
        name="library-sort",
        family="algorithms",
        summary="Sorts by the library where loops sort by hand; small runs show that they do.",
        find=_sorted,
        example=RewriteExample(
            before=_BUBBLE,
            after=_BUBBLE.replace(_LOOP, _CALL).replace("#include <io", "#include <algorithm>\n#include <io"),
        ),
        prior=3.0,
        refusals=(
            "void f(int *a, int n) {\n    for (int i = 0; i < n; i++)\n        for (int j = 0; j + 2 < n; j++)\n"
            "            if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }\n}\n",
            "int f(int *a, int n) {\n    int swaps = 0;\n    for (int i = 0; i < n; i++)\n"
            "        for (int j = 0; j + 1 < n; j++)\n            if (a[j] > a[j + 1]) {\n"
            "                int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; swaps++;\n            }\n"
            "    return swaps;\n}\n",
            "struct P { int x, y; };\nvoid f(struct P *a, int n) {\n    for (int i = 0; i < n; i++)\n"
            "        for (int j = i + 1; j < n; j++)\n            if (a[j].x < a[i].x) {\n"
            "                struct P t = a[j]; a[j] = a[i]; a[i] = t;\n            }\n}\n",
        ),
    ),
)
