"""Algorithms: a heap where a loop searches all places for the nearest one, as in shortest paths and spanning trees."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.algorithms.inlining import with_calls_written_out
from maxcode.policy.rewrite.analysis.dependencies import dependencies
from maxcode.policy.rewrite.analysis.loops import LOOPS, Loop, loops
from maxcode.policy.rewrite.analysis.small_runs import LARGE, Run, Unclear
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_in, resolve, whole_place
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors, enclosing, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HEADERS = ("functional", "queue", "type_traits", "utility", "vector")
_DISTANCES = (-1, 0, 1, LARGE)
_CLOSED = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1))
_PLACES = 3


@dataclass(frozen=True)
class NearestSearch:
    """A loop over places that leaves the nearest one that is open in a variable, or -1 there."""

    scan: Loop
    outer: Node
    nearest: str
    distance: Symbol
    stores: tuple[Node, ...]
    """The statements of the outer loop that give a place a distance."""


def _searches(source: SourceFile) -> Iterator[NearestSearch]:
    for scan in loops(source):
        outer = next((above for above in ancestors(scan.node) if above.type in LOOPS), None)
        if outer is None or not scan.rises_by_one or scan.type is None or scan.node.has_error:
            continue
        rows = _rows(source, scan)
        for distance, done in itertools.permutations(rows, 2) if len(rows) == 2 else ():
            nearest = _leaves_nearest(source, scan, distance, done)
            stores = _stores(source, distance, outer)
            if (
                nearest is not None
                and stores
                and _only_closed(source, done, outer)
                and _limits_stay(source, scan, outer)
            ):
                yield NearestSearch(scan, outer, nearest, distance, stores)
                break


def _rows(source: SourceFile, scan: Loop) -> list[Symbol]:
    found: dict[Symbol, None] = {}
    for each in source.find("subscript_expression", within=scan.body):
        base = each.children[0]
        symbol = resolve(source, base) if base.type == "identifier" else None
        if symbol is None or symbol.is_member:
            return []
        found[symbol] = None
    return list(found)


def _before(scan: Loop) -> list[Node]:
    """The statements in front of a scan that give variables their first values."""
    found: list[Node] = []
    node = scan.node.prev_named_sibling
    while node is not None and node.type in ("declaration", "expression_statement") and len(found) < 3:
        found.insert(0, node)
        node = node.prev_named_sibling
    return found


def _leaves_nearest(source: SourceFile, scan: Loop, distance: Symbol, done: Symbol) -> str | None:
    """The variable in which small runs of a scan leave the first open place of least distance, -1 if there is none."""
    targets = {source.text(field(each, "left")) for each in source.find("assignment_expression", within=scan.body)
               if source.text(field(each, "right")) == scan.variable}  # fmt: skip
    if len(targets) != 1:
        return None
    (nearest,) = targets
    alone = {
        (far, closed): _result(source, scan, {distance.name: [far], done.name: [closed]}, nearest, 1)
        for far in _DISTANCES
        for closed in (0, 1)
    }
    if None in alone.values() or any(alone[far, 1] == 0 for far in _DISTANCES) or alone[0, 0] != 0:
        return None
    for distances in itertools.product(_DISTANCES, repeat=_PLACES):
        for closed in _CLOSED:
            arrays: dict[str, list[object]] = {distance.name: list(distances), done.name: list(closed)}
            taken = [each for each in range(_PLACES) if alone[distances[each], closed[each]] == 0]
            wanted = min(taken, key=lambda each: (distances[each], each), default=-1)
            if _result(source, scan, arrays, nearest, _PLACES) != wanted:
                return None
    return nearest


def _result(source: SourceFile, scan: Loop, arrays: dict[str, list[object]], nearest: str, places: int) -> object:
    """What a scan over the first places leaves; None where that is not clear."""
    nodes = source.find("identifier", within=scan.body)
    changing = {source.text(each) for each in nodes if (symbol := resolve(source, each)) and not symbol.is_global}
    names: dict[str, object] = dict.fromkeys(changing)
    run = Run(source, names, {name: list(row) for name, row in arrays.items()})
    try:
        for each in _before(scan):
            if set(names) & {source.text(name) for name in source.find("identifier", within=each)}:
                run.do(each)
        if run.names.get(nearest) != -1:
            return None
        for place in range(places):
            run.names[scan.variable] = place
            run.turn(scan.body)
    except (Unclear, RecursionError):
        return None
    return run.names[nearest]


def _stores(source: SourceFile, distance: Symbol, outer: Node) -> tuple[Node, ...]:
    """The statements `distance[place] = ...;` of a loop; none where it changes distances in another way too."""
    found = []
    for change in changes_in(source, distance, outer):
        place = whole_place(change)
        parent = place.parent
        indexed = place.type == "subscript_expression" and place.children[0] == change
        plain = (
            indexed and parent is not None and parent.type == "assignment_expression" and parent.parent is not None
            and parent.parent.type == "expression_statement"
            and dependencies(source, field(place, "indices")) is not None
        )  # fmt: skip
        if not plain or parent is None or parent.parent is None:
            return ()
        found.append(parent.parent)
    inner = inside(distance.identifier, outer)
    return () if inner else tuple(found)


def _only_closed(source: SourceFile, done: Symbol, outer: Node) -> bool:
    """Whether a loop only ever sets flags of places."""
    changes = [whole_place(change).parent for change in changes_in(source, done, outer)]
    return not inside(done.identifier, outer) and all(
        change is not None and re.search(r"\]\s*=\s*(?:true|1)$", source.text(change)) is not None for change in changes
    )


def _limits_stay(source: SourceFile, scan: Loop, outer: Node) -> bool:
    condition = field(scan.node, "condition")
    known = dependencies(source, condition)
    return known is not None and all(
        whole_place(change).type == "subscript_expression" and f"{symbol.name}.size()" in source.text(condition)
        for symbol in known
        if not inside(symbol.identifier, scan.node)
        for change in changes_in(source, symbol, outer)
    )


def _heap(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for each in _searches(source):
        if each.outer.parent is None or each.outer.parent.type != "compound_statement":
            continue
        queue, scan = source.fresh("nearest_first"), each.scan
        edits = [
            source.before(each.outer, _filled(source, each, queue)),
            source.replace(scan.node, _next(source, each, queue)),
            *(_pushed(source, store, queue) for store in each.stores),
            *(edit for header in _HEADERS for edit in source.including(header)),
        ]
        yield Rewrite(scan.line, tuple(edits))


def _filled(source: SourceFile, each: NearestSearch, queue: str) -> str:
    """The heap, with the places in it that are open from the beginning."""
    scan, name, indent = each.scan, each.distance.name, source.indent(each.outer)
    pair = f"std::pair<std::decay<decltype({name}[0])>::type, long long>"
    return (
        f"std::priority_queue<{pair}, std::vector<{pair}>, std::greater<{pair}>> {queue};\n"
        f"{indent}{scan.header} {{\n{_opened(source, each, indent)}"
        f"{indent}    {queue}.push({{{name}[{scan.variable}], {scan.variable}}});\n{indent}}}\n{indent}"
    )


def _opened(source: SourceFile, each: NearestSearch, indent: str) -> str:
    """Lines that skip a place which the scan's body would not take by itself."""
    before = [node for node in _before(each.scan) if node.type == "declaration"]
    names = {source.text(node) for node in source.find("identifier", within=each.scan.body)}
    wanted = [node for node in before if names & {source.text(name) for name in source.find("identifier", within=node)}]
    if len(before) < len(_before(each.scan)) or not any(each.nearest in source.text(node) for node in wanted):
        return ""
    once = source.fresh("once")
    turn = f"for (bool {once} = true; {once}; {once} = false) {source.text(each.scan.body)}"
    lines = [*(source.text(node) for node in wanted), turn, f"if ({each.nearest} == -1) continue;"]
    return "".join(f"{indent}    {line}\n" for line in lines)


def _next(source: SourceFile, each: NearestSearch, queue: str) -> str:
    """Offers the scan's body one place after another, the nearest first, until it takes one."""
    scan, v = each.scan, each.scan.variable
    lines = [
        f"for (; !{queue}.empty() && {each.nearest} == -1; {each.nearest} == -1 ? {queue}.pop() : void()) {{",
        f"    {scan.type} {v} = {queue}.top().second;",
        f"    if ({queue}.top().first != {each.distance.name}[{v}]) continue;",
        f"    if ({v} < {scan.start} || !({v} {scan.comparison} {scan.end})) continue;",
        f"    {source.text(scan.body)}",
        "}",
    ]
    return f"\n{scan.indent}".join(lines)


def _pushed(source: SourceFile, store: Node, queue: str) -> Edit:
    target = field(store.named_children[0], "left")
    index = source.text(field(target, "indices"))[1:-1]
    push = f"{queue}.push({{{source.text(target)}, {index}}});"
    if store.parent is not None and store.parent.type == "compound_statement":
        return source.after(store, f"\n{source.indent(store)}{push}")
    return source.replace(store, f"{{ {source.text(store)} {push} }}")


def _early_stop(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Leaves a search for shortest paths when the place whose distance is returned is closed."""
    del setting
    for node in source.find("while_statement", "for_statement"):
        after, body = node.next_named_sibling, node.child_by_field_name("body")
        answer = re.fullmatch(r"return\s+(\w+)\[(\w+)\]\s*;", source.text(after)) if after is not None else None
        if answer is None or body is None or body.type != "compound_statement":
            continue
        closing = [(each, match) for each in body.named_children
                   if (match := re.fullmatch(r"(\w+)\[(\w+)\] = (?:true|1);", source.text(each)))]  # fmt: skip
        if len(closing) != 1 or enclosing(node, "function_definition") is None:
            continue
        (statement, match), text = closing[0], source.text(body)
        asked = len(re.findall(rf"\b{match[1]}\[", text)) > 1
        row = rf"\b{answer[1]}\[[^\]]+\]"
        offered = re.search(rf"{row} = [^;]*;", text) and re.search(rf"{row}\s*[<>]|[<>]\s*{row}", text)
        parameters = source.find("parameter_declaration", within=enclosing(node, "function_definition"))
        given = any(re.search(rf"\b{answer[2]}$", source.text(each)) for each in parameters)
        if not (asked and offered and given) or f"{match[2]} == {answer[2]}" in text:
            continue
        indent = source.indent(statement)
        stop = f"\n{indent}if ({match[2]} == {answer[2]}) {{\n{indent}    break;\n{indent}}}"
        yield Rewrite(source.line(statement), (source.after(statement, stop),))


_BEFORE = """
#include <cstdio>
#include <vector>

using namespace std;

struct Road {
    int to;
    long long length;
};

long long shortest(const vector<vector<Road>> &roads, int from, int to) {
    int n = roads.size();
    vector<long long> distance(n, -1);
    vector<bool> done(n, false);
    distance[from] = 0;
    while (true) {
        int nearest = -1;
        for (int place = 0; place < n; place++) {
            if (!done[place] && distance[place] != -1) {
                if (nearest == -1 || distance[place] < distance[nearest]) {
                    nearest = place;
                }
            }
        }
        if (nearest == -1) {
            break;
        }
        done[nearest] = true;
        for (Road road : roads[nearest]) {
            long long length = distance[nearest] + road.length;
            if (distance[road.to] == -1 || length < distance[road.to]) {
                distance[road.to] = length;
            }
        }
    }
    return distance[to];
}

int main() {
    vector<vector<Road>> roads(50);
    for (int i = 0; i < 50; i++) {
        roads[i].push_back({i * 7 % 50, i % 5 + 1});
        roads[i].push_back({(i + 1) % 50, 9});
    }
    printf("%lld %lld\\n", shortest(roads, 0, 31), shortest(roads, 3, 3));
}
"""
_SCAN = _BEFORE[_BEFORE.index("        for (int place") : _BEFORE.index("        if (nearest == -1) {")]
_BODY = _SCAN[_SCAN.index("{\n") : -1]
_PAIR = "std::pair<std::decay<decltype(distance[0])>::type, long long>"
_FILL = f"""    std::priority_queue<{_PAIR}, std::vector<{_PAIR}>, std::greater<{_PAIR}>> nearest_first;
    for (int place = 0; place < n; place++) {{
        int nearest = -1;
        for (bool once = true; once; once = false) {_BODY}
        if (nearest == -1) continue;
        nearest_first.push({{distance[place], place}});
    }}
"""
_TAKE = f"""        for (; !nearest_first.empty() && nearest == -1; nearest == -1 ? nearest_first.pop() : void()) {{
            int place = nearest_first.top().second;
            if (nearest_first.top().first != distance[place]) continue;
            if (place < 0 || !(place < n)) continue;
            {_BODY}
        }}
"""

TRANSFORMATIONS = (
    Transformation(
        name="heap-for-nearest",
        family="algorithms",
        summary="Takes the nearest place from a heap instead of searching all places for it.",
        find=with_calls_written_out(_heap),
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace(_SCAN, _TAKE)
            .replace("    while (true) {", _FILL + "    while (true) {")
            .replace(
                "distance[road.to] = length;\n",
                "distance[road.to] = length;\n                nearest_first.push({distance[road.to], road.to});\n",
            )
            .replace(
                "#include <cstdio>",
                "".join(f"#include <{each}>\n" for each in (*_HEADERS[:-1], "cstdio")).strip(),
            ),
        ),
        languages=CPP,
        answers=("trip-count", "control-flow"),
        prior=2.0,
        refusals=(
            "int main() { int u = -1; for (int i = 0; i < 3; i++) { if (u == -1) u = i; } return u; }\n",
            _BEFORE.replace("distance[place] < distance[nearest]", "distance[place] > distance[nearest]"),
            _BEFORE.replace("done[nearest] = true;", "done[nearest] = !done[nearest];"),
            _BEFORE.replace("distance[road.to] = length;", "distance[road.to]--;"),
        ),
    ),
    Transformation(
        name="stop-at-target",
        family="algorithms",
        summary="Ends a search for shortest paths when the place that is asked for is settled.",
        find=_early_stop,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace(
                "done[nearest] = true;\n",
                "done[nearest] = true;\n        if (nearest == to) {\n            break;\n        }\n",
            ),
        ),
        languages=CPP,
        answers=("trip-count", "control-flow"),
        prior=1.5,
        refusals=("int main() { int u = -1; while (u < 3) { u++; } return u; }\n",),
    ),
)
