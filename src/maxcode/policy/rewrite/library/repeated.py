"""Library: what a program looks up or computes twice in a row, once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import PURE, STREAMS, pure_functions
from maxcode.policy.rewrite.analysis.loops import declared, used, written
from maxcode.policy.rewrite.analysis.support import function_name
from maxcode.policy.rewrite.analysis.symbols import changed_by_calls
from maxcode.policy.rewrite.analysis.variables import changes, masked, type_of
from maxcode.policy.rewrite.patterns import Rule, matches
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors, field, inside
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_BRANCHES = ("if_statement", "for_statement", "while_statement", "do_statement", "for_range_loop", "switch_statement",
             "conditional_expression", "lambda_expression", "case_statement")  # fmt: skip
_DROPS = r"\s*(?:\.\s*(?:erase|clear|swap|extract|merge)\b|=(?!=))"


def _look_ups(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A reference to a map's entry, where a block looks the same one up several times."""
    del setting
    for block in source.find("compound_statement"):
        for group in _groups(source, block):
            reached = [each for each in group if (on := _statement(each, block)) is not None and _reached(each, on)]
            nodes = [each for each in group if reached and each.start_byte >= reached[0].start_byte]
            first = _statement(nodes[0], block) if nodes else None
            if first is None:
                continue
            same = [each for each in nodes if _steady(source, each, first, nodes[0])]
            if len(same) < 2:
                continue
            name = source.fresh("entry")
            line = f"auto &{name} = {source.text(nodes[0])};\n{source.indent(first)}"
            yield Rewrite(
                source.line(first), (source.before(first, line), *(source.replace(each, name) for each in same))
            )


def _groups(source: SourceFile, block: Node) -> list[list[Node]]:
    """Look-ups in maps with the same text, whole chains such as `totals[a][b]`, in the order of the text."""
    found: dict[str, list[Node]] = {}
    for node in source.find("subscript_expression", within=block):
        whole = node.parent is None or node.parent.type != "subscript_expression" or node.parent.children[0] != node
        if whole and _is_entry(source, node):
            found.setdefault(source.text(node), []).append(node)
    return [nodes for nodes in found.values() if len(nodes) > 1 and not _moves(source, block, nodes[0])]


def _moves(source: SourceFile, block: Node, node: Node) -> bool:
    """Whether a new entry may move the others, as it does in a flat table."""
    owner, same = node.children[0], source.text(node)
    reads = [each for each in source.find("subscript_expression", within=block)
             if source.text(each.children[0]) == source.text(owner)]  # fmt: skip
    others = [each for each in reads if source.text(each) != same]
    return bool(others) and owner.type == "identifier" and type_of(source, owner).startswith("FlatMap")


def _is_entry(source: SourceFile, node: Node) -> bool:
    depth, inner = 0, node
    while inner.type == "subscript_expression":
        depth, inner = depth + 1, inner.children[0]
    kind = type_of(source, inner) if inner.type == "identifier" else ""
    for _ in range(depth):
        match = re.match(r"(?:(?:unordered_)?map|FlatMap)<(.*)>$", kind)
        if match is None:
            return False
        kind = _second(match[1])
    calls = next(source.find("call_expression", "update_expression", "assignment_expression", within=node), None)
    return calls is None


def _second(arguments: str) -> str:
    depth = 0
    for at, letter in enumerate(arguments):
        depth += (letter == "<") - (letter == ">")
        if letter == "," and depth == 0:
            return arguments[at + 1 :].strip()
    return ""


def _statement(node: Node, block: Node) -> Node | None:
    """The statement of a block that a node stands in."""
    while node.parent is not None and node.parent != block:
        node = node.parent
    return node if node.parent == block and node.type == "expression_statement" else None


def _reached(node: Node, statement: Node) -> bool:
    """Whether a node is evaluated whenever its statement is."""
    between = [each for each in ancestors(node) if inside(each, statement)]
    return not any(
        each.type in _BRANCHES or (each.type == "binary_expression" and each.children[1].type in ("&&", "||"))
        for each in between
    )


def _steady(source: SourceFile, node: Node, first: Node, begin: Node) -> bool:
    """Whether nothing between two look-ups changes the key or takes entries out of the map."""
    text = masked(source)[first.start_byte : node.start_byte]
    owner, *names = re.findall(r"[A-Za-z_]\w*", source.text(begin))
    if changed_by_calls(source, begin, first.start_byte, node.start_byte):
        return False
    return not re.search(rf"\b{owner}{_DROPS}", text) and not any(changes(text, name) for name in names)


_ZERO = ("0", "0LL", "0.0", "false")
_ABSENT = tuple(
    Rule(f"if ({test}) {body}", "$m[$k];", lambda source, holes: source.text(holes["v"]) in _ZERO)
    for test in ("$m.count($k) == 0", "!$m.count($k)", "$m.find($k) == $m.end()")
    for body in ("{ $m[$k] = $v; }", "$m[$k] = $v;")
)


def _inserted(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A look-up that inserts zero by itself, where a condition does so."""
    del setting
    for match in (each for rule in _ABSENT for each in matches(source, rule)):
        yield Rewrite(source.line(match.nodes[0]), (match.edit(source),))


_PRESENT = re.compile(
    r"\(\s*(\w+)\.(?:count\((?P<key>[^()]+)\)(?:\s*(?:>|!=)\s*0|\s*==\s*1)?|find\((?P<sought>[^()]+)\)\s*!=\s*\1\.end\(\))\s*\)"
)


def _found(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """One search where a condition asks for a key and the branch looks it up again."""
    del setting
    for node in source.find("if_statement"):
        condition, branch = field(node, "condition"), field(node, "consequence")
        match = _PRESENT.fullmatch(source.text(condition))
        if match is None or node.has_error:
            continue
        name, key = match[1], match["key"] or match["sought"]
        owner = next(each for each in source.find("identifier", within=condition) if source.text(each) == name)
        entries = [each for each in source.find("subscript_expression", within=branch)
                   if source.text(each) == f"{name}[{key}]"]  # fmt: skip
        others = len(re.findall(rf"\b{name}\s*\[", source.text(branch))) > len(entries)
        if not re.match(r"(?:unordered_)?map<|FlatMap", type_of(source, owner)) or not entries or others:
            continue
        if not all(_steady(source, each, branch, entries[0]) for each in entries):
            continue
        found = source.fresh("found")
        test = f"(auto {found} = {name}.find({key}); {found} != {name}.end())"
        edits = [source.replace(each, f"{found}->second") for each in entries]
        yield Rewrite(source.line(node), (source.replace(condition, test), *edits))


def _calls(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """A variable for the value of a call, where a condition computes it and the branch computes it again."""
    del setting
    for node in source.find("if_statement"):
        condition, branch = field(node, "condition"), field(node, "consequence")
        groups = _repeated(source, condition, branch)
        if not groups or node.has_error or (node.parent is not None and node.parent.type == "else_clause"):
            continue
        edits, declarations, names = list[Edit](), list[str](), list[str]()
        for text, places in groups.items():
            words = ("value", *(f"value{i}" for i in range(2, 1000)))
            name = next(each for each in words if each not in source.names and each not in names)
            names.append(name)
            declarations.append(f"decltype({text}) {name};")
            edits += [
                source.replace(places[0], f"({name} = {text})"),
                *(source.replace(each, name) for each in places[1:]),
            ]
        front = f"\n{source.indent(node)}".join(declarations) + f"\n{source.indent(node)}"
        hangs = node.parent is not None and node.parent.type != "compound_statement"
        around = (
            [source.before(node, "{ " + front), source.after(node, " }")] if hangs else [source.before(node, front)]
        )
        yield Rewrite(source.line(node), (*around, *edits))


def _repeated(source: SourceFile, condition: Node, branch: Node) -> dict[str, list[Node]]:
    """Calls of a condition that its branch repeats while their arguments are the same, by text."""
    found: dict[str, list[Node]] = {}
    blank = masked(source)
    for call in source.find("call_expression", within=condition):
        text = source.text(call)
        outer = any(inside(call, each) for places in found.values() for each in places)
        if text in found or outer or not _only_asks(source, call) or len(re.findall(r"\w+", text)) > 12:
            continue
        again = [
            each
            for each in source.find("call_expression", within=condition.parent or branch)
            if source.text(each) == text
        ]
        names = set(re.findall(r"[A-Za-z_]\w*", text))
        if changed_by_calls(source, call, condition.start_byte, again[-1].start_byte):
            continue
        kept = [
            each for each in again
            if inside(each, condition) or (inside(each, branch) and not any(
                changes(blank[condition.start_byte : each.start_byte], name) for name in names))
        ]  # fmt: skip
        if kept[0] == call and any(inside(each, branch) for each in kept):
            found[text] = kept
    return found


def _only_asks(source: SourceFile, call: Node) -> bool:
    """Whether a call is of a function or method of this program that changes nothing."""
    function = field(call, "function")
    if next(
        source.find("call_expression", "update_expression", "assignment_expression", within=field(call, "arguments")),
        None,
    ):
        return False
    if function.type == "identifier":
        return source.text(function) in pure_functions(source) | _readers(source)
    return function.type == "field_expression" and source.text(field(function, "field")) in _const_methods(source)


@lru_cache(maxsize=64)
def _readers(source: SourceFile) -> frozenset[str]:
    """Functions with const parameters that change nothing but their own variables."""
    found = set()
    for node in source.find("function_definition"):
        name = function_name(source, node)
        head = source.text(field(node, "declarator")).partition("(")[2]
        constant = all("const" in part or not re.search(r"[&*\[]", part) for part in head.split(","))
        returns = source.text(node)[: node.children[0].end_byte - node.start_byte]
        if name and constant and "void" not in returns and _quiet(source, node):
            found.add(name)
    return frozenset(found)


def _quiet(source: SourceFile, function: Node) -> bool:
    """Whether a function writes to its own variables alone."""
    body = function.child_by_field_name("body")
    if body is None or STREAMS & used(source, body) or re.search(r"\b(?:static|rand|time|clock)\b", source.text(body)):
        return False
    own = declared(source, field(function, "declarator")) | declared(source, body)
    return written(source, body) <= own and _asking_calls(source, body, own)


def _asking_calls(source: SourceFile, body: Node, own: set[str]) -> bool:
    for call in source.find("call_expression", within=body):
        function = field(call, "function")
        name = source.text(function).removeprefix("std::")
        if function.type == "field_expression":
            if source.text(field(function, "argument")) in own or source.text(field(function, "field")) in _ASK:
                continue
        elif name in PURE or name in _ALGORITHMS:
            continue
        return False
    return True


_ASK = frozenset("size length empty at begin end cbegin cend find count front back c_str substr".split())
_ALGORITHMS = frozenset("sort accumulate max_element min_element max min abs sqrt pow count find".split())


@lru_cache(maxsize=64)
def _const_methods(source: SourceFile) -> frozenset[str]:
    """Methods that are declared const in this program, are quiet, and have a name of their own."""
    found: dict[str, list[bool]] = {}
    for node in source.find("function_definition"):
        declarator = next(source.find("function_declarator", within=field(node, "declarator")), None)
        name = declarator.child_by_field_name("declarator") if declarator is not None else None
        if declarator is not None and name is not None and name.type == "field_identifier":
            constant = re.search(r"\)\s*const\b", source.text(declarator)) is not None
            found.setdefault(source.text(name), []).append(constant and _quiet(source, node))
    return frozenset(name for name, answers in found.items() if all(answers))


_MAPS = """
#include <iostream>
#include <map>
#include <string>
struct Stats {
    long requests = 0, bytes = 0;
};
int main() {
    std::map<std::string, Stats> by_path;
    for (std::string path : {"a", "b", "a"}) {
        by_path[path].requests++;
        if (path != "b") {
            by_path[path].bytes += 7;
        }
    }
    for (const auto &each : by_path) std::cout << each.first << each.second.requests << each.second.bytes << "\\n";
}
"""
_ASKED = """
#include <iostream>
#include <map>
int main() {
    std::map<int, int> m = {{1, 5}, {4, 7}};
    for (int k = 0; k < 5; k++) {
        if (m.count(k) > 0) {
            std::cout << m[k] << "\\n";
        }
    }
}
"""
_COUNTED = """
#include <cstdio>
#include <map>
int main() {
    std::map<int, int> m;
    for (int i = 0; i < 9; i++) {
        int k = i % 3;
        if (m.count(k) == 0) m[k] = 0;
        m[k] += i;
    }
    printf("%d\\n", m[2]);
}
"""
_SOUGHT = "(auto found = m.find(k); found != m.end())"
_NEAREST = """
#include <cmath>
#include <cstdio>
double distance(double a, double b) {
    return std::sqrt(a * a + b * b);
}
int main() {
    double best = 1e9;
    for (int i = 0; i < 9; i++) {
        if (i != 3 && distance(i - 5, i) < best) {
            best = distance(i - 5, i);
        }
    }
    printf("%f\\n", best);
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="one-look-up",
        family="library",
        summary="Looks an entry of a map up once, where a block looks it up several times.",
        find=_look_ups,
        example=RewriteExample(
            before=_MAPS,
            after=_MAPS.replace(
                "        by_path[path].requests++", "        auto &entry = by_path[path];\n        entry.requests++"
            ).replace("by_path[path].bytes", "entry.bytes"),
        ),
        languages=CPP,
        answers=("hashing",),
        prior=1.5,
        refusals=(
            "#include <map>\nvoid f(std::map<int, int> &m, int k) {\n    m[k]++;\n    m.erase(k);\n    m[k]++;\n}\n",
            "#include <map>\nvoid f(std::map<int, int> &m, int k) {\n    m[k]++;\n    k++;\n    m[k]++;\n}\n",
            "#include <vector>\nvoid f(std::vector<int> &m, int k) {\n    m[k]++;\n    m[k]++;\n}\n",
            "#include <map>\nvoid f(std::map<int, int> &m, int k) {\n    if (k) m[k]++;\n    if (k > 1) m[k]++;\n}\n",
        ),
    ),
    Transformation(
        name="insert-by-look-up",
        family="library",
        summary="Lets a look-up insert a missing zero, where a condition does so.",
        find=_inserted,
        example=RewriteExample(before=_COUNTED, after=_COUNTED.replace("if (m.count(k) == 0) m[k] = 0;", "m[k];")),
        languages=CPP,
        answers=("hashing",),
        refusals=("#include <map>\nvoid f(std::map<int, int> &m, int k) {\n    if (m.count(k) == 0) m[k] = 1;\n}\n",),
    ),
    Transformation(
        name="find-for-count",
        family="library",
        summary="Searches a map once, where a condition asks for a key and the branch looks it up.",
        find=_found,
        example=RewriteExample(
            before=_ASKED, after=_ASKED.replace("(m.count(k) > 0)", _SOUGHT).replace("m[k]", "found->second")
        ),
        languages=CPP,
        answers=("hashing",),
        prior=1.5,
        refusals=(
            "#include <map>\nint f(std::map<int, int> &m, int k) {\n    if (m.count(k)) {\n        m.erase(k);\n"
            "        return m[k];\n    }\n    return 0;\n}\n",
            "#include <map>\nint f(std::map<int, int> &m, int k) {\n    if (m.count(k)) {\n        k++;\n"
            "        return m[k];\n    }\n    return 0;\n}\n",
        ),
    ),
    Transformation(
        name="one-call",
        family="library",
        summary="Keeps the value of a call in a condition, where the branch computes it again.",
        find=_calls,
        example=RewriteExample(
            before=_NEAREST,
            after=_NEAREST.replace(
                "        if (i != 3 && distance(i - 5, i) < best) {\n            best = distance(i - 5, i);",
                "        decltype(distance(i - 5, i)) value;\n"
                "        if (i != 3 && (value = distance(i - 5, i)) < best) {\n            best = value;",
            ),
        ),
        languages=CPP,
        prior=2.0,
        refusals=(
            "int calls;\nint f(int x) { return x + calls++; }\nint main() { if (f(1) > 1) return f(1); }\n",
            "int f(int x) { return x * x; }\nint g(int x) { if (f(x) > 1) { x = 2; return f(x); } return 0; }\n",
        ),
    ),
)
