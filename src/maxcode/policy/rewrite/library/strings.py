"""Library: building strings and comparing parts of them without copies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.variables import Variable, resolved, type_of, variables
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


def _summands(source: SourceFile, node: Node) -> list[Node]:
    """The operands of a sum that is evaluated from left to right."""
    if node.type == "binary_expression" and source.text(field(node, "operator")) == "+":
        return [*_summands(source, field(node, "left")), field(node, "right")]
    return [node]


def _plain_assignments(source: SourceFile) -> Iterator[tuple[Node, str, list[Node]]]:
    """Statements `name = a + b + ...` that set a string."""
    for node in source.find("expression_statement"):
        if not node.named_children or node.named_children[0].type != "assignment_expression" or node.has_error:
            continue
        assignment = node.named_children[0]
        left = field(assignment, "left")
        if source.text(field(assignment, "operator")) == "=" and type_of(source, left) == "string":
            yield node, source.text(left), _summands(source, field(assignment, "right"))


def _append(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    edits = []
    for node, name, parts in _plain_assignments(source):
        if len(parts) < 2 or source.text(parts[0]) != name:
            continue
        added = [source.text(part) for part in parts[1:]]
        if any(re.search(rf"\b{name}\b", text) for text in added):
            continue
        lines = [f"{name} += {text};" for text in added]
        block = node.parent is not None and node.parent.type == "compound_statement"
        whole = ("\n" + source.indent(node)).join(lines) if block else "{ " + " ".join(lines) + " }"
        edits.append(source.replace(node, lines[0] if len(lines) == 1 else whole))
    if edits:
        yield Rewrite(source.data[: edits[0].start].count(b"\n") + 1, tuple(edits))


def _prepend(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Appends instead of prepending, and reverses the string at the end. Only for one character at a time."""
    del setting
    empty = {
        (v.name, v.scope.id): v
        for v in variables(source)
        if resolved(source, v.type) == "string" and re.sub(r'[=\s(){}]|""', "", v.rest) == ""
    }
    for node, name, parts in _plain_assignments(source):
        if len(parts) != 2 or source.text(parts[1]) != name or not _is_character(source, parts[0]):
            continue
        loop, variable = _outermost_loop(node, name, empty)
        if loop is None or variable is None or not _only_prepended(variable, node, loop):
            continue
        indent = source.indent(loop)
        order = f"\n{indent}{source.std}reverse({name}.begin(), {name}.end());"
        edits = [source.replace(node, f"{name} += {source.text(parts[0])};"), source.after(loop, order)]
        yield Rewrite(source.line(node), (*source.including("algorithm"), *edits))


def _is_character(source: SourceFile, node: Node) -> bool:
    text = source.text(node)
    if node.type in ("char_literal", "cast_expression") or text.startswith(("char(", "static_cast<char>(")):
        return node.type != "cast_expression" or text.startswith("(char)")
    if node.type == "subscript_expression":
        return type_of(source, node.children[0]) == "string"
    return type_of(source, node) in ("char", "unsigned char")


def _outermost_loop(
    node: Node, name: str, empty: dict[tuple[str, int], Variable]
) -> tuple[Node | None, Variable | None]:
    """The loop that stands in the block that declares the string, with its variable."""
    loop: Node | None = None
    for above in ancestors(node):
        if (name, above.id) in empty:
            return loop, empty[name, above.id]
        if above.type in LOOPS:
            loop = above
        elif above.type in ("lambda_expression", "function_definition"):
            break
    return None, None


def _only_prepended(variable: Variable, node: Node, loop: Node) -> bool:
    mentions = variable.mentions
    direct = loop.parent is not None and loop.parent.id == variable.scope.id
    if mentions is None or not direct:
        return False
    early = [each for each in mentions if each.at < loop.end_byte]
    return all(node.start_byte <= each.at < node.end_byte for each in early)


_SUBSTR = re.compile(r"(\w+(?:\[[\w+\- ]+\])*)\.substr\s*\((.*)\)", re.DOTALL)


def _compare(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    edits: list[Edit] = []
    for node in source.find("binary_expression"):
        operator = source.text(field(node, "operator"))
        sides = [field(node, "left"), field(node, "right")]
        if operator not in ("==", "!=") or any(side.has_error for side in sides):
            continue
        if _substr(source, sides[0]) is None:
            sides.reverse()
        part = _substr(source, sides[0])
        if part is None:
            continue
        other = _substr(source, sides[1])
        whole = ", ".join(other) if other else source.text(sides[1])
        edits.append(source.replace(node, f"{part[0]}.compare({part[1]}, {whole}) {operator} 0"))
    if edits:
        yield Rewrite(source.data[: edits[0].start].count(b"\n") + 1, tuple(edits))


def _substr(source: SourceFile, node: Node) -> tuple[str, str] | None:
    """The string and the range of `s.substr(from, count)`."""
    if node.type != "call_expression":
        return None
    match = _SUBSTR.fullmatch(source.text(node))
    given = field(node, "arguments").named_children
    if not match or not 1 <= len(given) <= 2:
        return None
    count = source.text(given[1]) if len(given) == 2 else f"{source.std}string::npos"
    return match[1], f"{source.text(given[0])}, {count}"


TRANSFORMATIONS = (
    Transformation(
        name="append-in-place",
        family="library",
        summary="Appends to a string with += where s = s + t copies all of it each time.",
        find=_append,
        example=RewriteExample(
            before="""
#include <iostream>
#include <string>
using namespace std;
int main() {
    string text = "";
    for (int i = 0; i < 3; i++) {
        text = text + to_string(i) + "\\n";
    }
    cout << text;
}
""",
            after="""
#include <iostream>
#include <string>
using namespace std;
int main() {
    string text = "";
    for (int i = 0; i < 3; i++) {
        text += to_string(i);
        text += "\\n";
    }
    cout << text;
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        prior=3.0,
        refusals=(
            "int main() { int a = 0, b = 2; a = a + b; return a; }\n",
            '#include <string>\nint main() { std::string s = "a"; s = s + "b" + s; }\n',
        ),
    ),
    Transformation(
        name="append-then-reverse",
        family="library",
        summary="Appends characters and reverses once where each was put in front of a string.",
        find=_prepend,
        example=RewriteExample(
            before="""
#include <iostream>
#include <string>
std::string binary(int number) {
    std::string digits = "";
    while (number > 0) {
        digits = static_cast<char>('0' + number % 2) + digits;
        number /= 2;
    }
    return digits;
}
int main() {
    std::cout << binary(10) << "\\n";
}
""",
            after="""
#include <algorithm>
#include <iostream>
#include <string>
std::string binary(int number) {
    std::string digits = "";
    while (number > 0) {
        digits += static_cast<char>('0' + number % 2);
        number /= 2;
    }
    std::reverse(digits.begin(), digits.end());
    return digits;
}
int main() {
    std::cout << binary(10) << "\\n";
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        prior=2.0,
        refusals=(
            "#include <string>\nstd::string f(std::string w) {\n    std::string r;\n"
            "    for (char c : w) { r = c + r; if (r.size() > 2) break; }\n    return r;\n}\n",
        ),
    ),
    Transformation(
        name="compare-for-substr",
        family="library",
        summary="Compares a part of a string in place where substr made a copy of it.",
        find=_compare,
        example=RewriteExample(
            before="""
#include <iostream>
#include <string>
int main() {
    std::string text = "dreameraser";
    int found = 0;
    for (int i = 0; i + 5 <= (int)text.size(); i++) {
        if (text.substr(i, 5) == "erase" || text.substr(i, 2) != text.substr(0, 2)) {
            found++;
        }
    }
    std::cout << found;
}
""",
            after="""
#include <iostream>
#include <string>
int main() {
    std::string text = "dreameraser";
    int found = 0;
    for (int i = 0; i + 5 <= (int)text.size(); i++) {
        if (text.compare(i, 5, "erase") == 0 || text.compare(i, 2, text, 0, 2) != 0) {
            found++;
        }
    }
    std::cout << found;
}
""",
        ),
        languages=CPP,
        answers=("allocation",),
        prior=1.5,
        refusals=('#include <string>\nint f(std::string s) { return s.substr(0, 2) < "ab"; }\n',),
    ),
)
