"""Library: shortest paths with a heap instead of a search through all places, stopping where the answer is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import Loop, as_loop, loops, statements
from maxcode.policy.rewrite.analysis.support import resolved
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_HEADERS = ("vector", "utility", "queue", "functional")


@dataclass(frozen=True)
class Search:
    """A loop that settles the nearest place that is not yet done, and offers new distances to its neighbours."""

    outer: Node
    scan: Loop
    nearest: str
    distance: str
    done: str
    test: str
    """Condition for a place to be a candidate, in terms of the scan's variable."""


def _searches(source: SourceFile) -> Iterator[Search]:
    for scan in loops(source):
        if not scan.rises_by_one or scan.start != "0" or scan.type is None:
            continue
        outer = enclosing(scan.node, "while_statement", "for_statement")
        found = _chosen(source, scan)
        if outer is None or found is None or scan.node.parent != field(outer, "body"):
            continue
        nearest, distance, done, test = found
        if _starts_at_none(source, scan.node, nearest) and _neighbours_listed(source, outer, scan):
            yield Search(outer, scan, nearest, distance, done, test)


def _chosen(source: SourceFile, scan: Loop) -> tuple[str, str, str, str] | None:
    """nearest, distance, done and the test, from the body of a scan for the least distance."""
    i = re.escape(scan.variable)
    plain = re.sub(r"[\s{}]", "", source.text(scan.body))
    better = rf"\(?(?P<u>\w+)(?:==-1|<0)\|\|(?P<d>\w+)\[{i}\]<(?P=d)\[(?P=u)\]\)?"
    test = rf"(?P<test>!(?P<done>\w+)\[{i}\](?:&&[\w.]+\[{i}\](?:!=|<)-?\w+)?)"
    for pattern in (
        rf"if\({test}\)if\({better}\)(?P=u)={i};",
        rf"if\({test}&&{better}\)(?P=u)={i};",
        rf"if\((?P<done>\w+)\[{i}\]\)continue;if\({better}\)(?P=u)={i};",
    ):
        found = re.fullmatch(pattern, plain)
        if found:
            groups = found.groupdict()
            return groups["u"], groups["d"], groups["done"], groups.get("test") or f"!{groups['done']}[{scan.variable}]"
    return None


def _starts_at_none(source: SourceFile, scan: Node, nearest: str) -> bool:
    before = scan.prev_named_sibling
    return before is not None and bool(re.fullmatch(rf"(?:int\s+)?{nearest}\s*=\s*-1\s*;", source.text(before)))


def _neighbours_listed(source: SourceFile, outer: Node, scan: Loop) -> bool:
    """Whether the neighbours come from a list: with a full matrix a heap gains nothing."""
    inner = [
        node
        for node in source.find("for_range_loop", "for_statement", within=field(outer, "body"))
        if node != scan.node
    ]
    if len(inner) != 1:
        return False
    loop = as_loop(source, inner[0])
    return inner[0].type == "for_range_loop" or (loop is not None and "size()" in loop.end)


def _heap(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    for each in _searches(source):
        kind = _number_type(source, each.distance, each.outer)
        stores = _stores(source, each)
        if kind is None or not stores:
            continue
        queue = source.fresh("queue") if "queue" not in source.names else source.fresh("waiting")
        edits = [
            *(edit for header in _HEADERS for edit in source.including(header)),
            source.before(each.outer, _filled(source, each, kind, queue)),
            Edit(each.scan.node.start_byte, each.scan.node.end_byte, _next(source, each, queue)),
            *(_pushed(source, store, queue) for store in stores),
        ]
        yield Rewrite(each.scan.line, tuple(edits))


def _number_type(source: SourceFile, name: str, node: Node) -> str | None:
    """The type of the elements of an array or vector of numbers."""
    function = enclosing(node, "function_definition")
    for each in source.find("declaration", within=function):
        for declarator in each.children_by_field_name("declarator"):
            if re.match(rf"{name}\b", source.text(declarator)):
                text = source.text(field(each, "type"))
                vector = re.fullmatch(r"(?:std::)?vector\s*<\s*([\w ]+)\s*>", text)
                found = vector[1] if vector else text
                return found if re.fullmatch(r"(?:long|int|double|unsigned|\s)+", resolved(source, found)) else None
    return None


def _stores(source: SourceFile, each: Search) -> list[Node]:
    """The assignments `distance[...] = ...` in the outer loop; none where another form of change is there."""
    found = []
    for node in source.find("assignment_expression", "update_expression", within=field(each.outer, "body")):
        target = node.child_by_field_name("left") or node.child_by_field_name("argument")
        if target is None or not re.match(rf"{each.distance}\s*\[", source.text(target)):
            continue
        statement = node.parent
        operator = node.child_by_field_name("operator")
        plain = operator is not None and source.text(operator) == "=" and node.type == "assignment_expression"
        if not plain or statement is None or statement.type != "expression_statement":
            return []
        found.append(statement)
    return found


def _filled(source: SourceFile, each: Search, kind: str, queue: str) -> str:
    """The heap, with the places that have a distance from the beginning."""
    std, i = source.std, each.scan.variable
    pair = f"{std}pair<{kind}, int>"
    indent = source.indent(each.outer)
    return (
        f"{std}priority_queue<{pair}, {std}vector<{pair}>, {std}greater<{pair}>> {queue};\n"
        f"{indent}{each.scan.header} {{\n"
        f"{indent}    if ({_spaced(each.test)}) {{\n"
        f"{indent}        {queue}.push({{{each.distance}[{i}], {i}}});\n"
        f"{indent}    }}\n{indent}}}\n{indent}"
    )


def _spaced(test: str) -> str:
    return re.sub(r"(&&|!=|<)", r" \1 ", test)


def _next(source: SourceFile, each: Search, queue: str) -> str:
    """Takes the nearest place that is not done; what lies in the heap with an older distance is done already."""
    indent = source.indent(each.scan.node)
    place = source.fresh("place") if each.scan.variable == "i" else each.scan.variable
    return (
        f"while (!{queue}.empty() && {each.nearest} == -1) {{\n"
        f"{indent}    int {place} = {queue}.top().second;\n"
        f"{indent}    {queue}.pop();\n"
        f"{indent}    if (!{each.done}[{place}]) {{\n"
        f"{indent}        {each.nearest} = {place};\n"
        f"{indent}    }}\n{indent}}}"
    )


def _pushed(source: SourceFile, store: Node, queue: str) -> Edit:
    target = source.text(field(store.named_children[0], "left"))
    place = target[target.index("[") + 1 : -1]
    push = f"{queue}.push({{{target}, {place}}});"
    if store.parent is not None and store.parent.type == "compound_statement":
        return source.after(store, f"\n{source.indent(store)}{push}")
    indent = source.indent(store)
    return source.replace(store, f"{{\n{indent}    {source.text(store)}\n{indent}    {push}\n{indent}}}")


def _early_stop(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Leaves the search when the place that is asked for is settled."""
    del setting
    for node in source.find("while_statement", "for_statement"):
        after = node.next_named_sibling
        answer = re.fullmatch(r"return\s+(\w+)\[(\w+)\]\s*;", source.text(after)) if after is not None else None
        body = node.child_by_field_name("body")
        if answer is None or body is None or body.type != "compound_statement":
            continue
        settled = [each for each in statements(body) if _settles(source, each)]
        if len(settled) != 1:
            continue
        place = _settles(source, settled[0])
        text = source.text(body)
        if place == answer[2] or f"{place} == {answer[2]}" in text or not re.search(rf"\b{answer[1]}\[", text):
            continue
        if not _is_parameter(source, node, answer[2]) or not re.search(rf"\b{place}\s*==\s*-1", text):
            continue
        indent = source.indent(settled[0])
        stop = f"\n{indent}if ({place} == {answer[2]}) {{\n{indent}    break;\n{indent}}}"
        yield Rewrite(source.line(settled[0]), (source.after(settled[0], stop),))


def _settles(source: SourceFile, statement: Node) -> str | None:
    found = re.fullmatch(
        r"(?:done|used|visited|settled|fixed|seen|\w*done\w*)\[(\w+)\]\s*=\s*(?:true|1);", source.text(statement)
    )
    return found[1] if found else None


def _is_parameter(source: SourceFile, node: Node, name: str) -> bool:
    function = enclosing(node, "function_definition")
    parameters = source.find("parameter_declaration", within=function)
    return any(re.search(rf"\b{name}$", source.text(each)) for each in parameters)


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
_TAKE = """        while (!queue.empty() && nearest == -1) {
            int place = queue.top().second;
            queue.pop();
            if (!done[place]) {
                nearest = place;
            }
        }
"""
_FILL = """    priority_queue<pair<long long, int>, vector<pair<long long, int>>, greater<pair<long long, int>>> queue;
    for (int place = 0; place < n; place++) {
        if (!done[place] && distance[place] != -1) {
            queue.push({distance[place], place});
        }
    }
"""

TRANSFORMATIONS = (
    Transformation(
        name="heap-for-nearest",
        family="library",
        summary="Takes the nearest place from a heap instead of searching all places for it.",
        find=_heap,
        example=RewriteExample(
            before=_BEFORE,
            after=_BEFORE.replace(_SCAN, _TAKE)
            .replace("    while (true) {", _FILL + "    while (true) {")
            .replace(
                "distance[road.to] = length;\n",
                "distance[road.to] = length;\n                queue.push({distance[road.to], road.to});\n",
            )
            .replace(
                "#include <cstdio>", "#include <utility>\n#include <queue>\n#include <functional>\n#include <cstdio>"
            ),
        ),
        languages=CPP,
        answers=("trip-count", "control-flow"),
        prior=2.0,
        refusals=("int main() { int u = -1; for (int i = 0; i < 3; i++) { if (u == -1) u = i; } return u; }\n",),
    ),
    Transformation(
        name="stop-at-target",
        family="library",
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
