"""Memory: references where large values are copied only to be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.read_only import is_large, large_types, only_read, parameters
from maxcode.policy.rewrite.analysis.support import function_name
from maxcode.policy.rewrite.analysis.symbols import changed_by_calls
from maxcode.policy.rewrite.analysis.variables import changes, masked, type_of
from maxcode.policy.rewrite.source import Edit, SourceFile, enclosing, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation


def _as_reference(source: SourceFile, parameter: Node) -> list[Edit]:
    kind, name = field(parameter, "type"), field(parameter, "declarator")
    gap = (
        []
        if any(child.type == "type_qualifier" for child in parameter.children)
        else [source.before(parameter, "const ")]
    )
    return [*gap, Edit(kind.end_byte, name.start_byte, " &")]


def _copied(source: SourceFile, parameter: Node, structures: set[str]) -> str | None:
    """The name of a parameter that is passed by value and large."""
    declarator = parameter.child_by_field_name("declarator")
    if parameter.type != "parameter_declaration" or declarator is None or declarator.type != "identifier":
        return None
    return source.text(declarator) if is_large(source, source.text(field(parameter, "type")), structures) else None


def _parameter_edits(source: SourceFile, function: Node, structures: set[str]) -> Iterator[Edit]:
    body = function.child_by_field_name("body")
    if (
        body is None
        or body.type != "compound_statement"
        or re.search(r"\bvirtual\b|\boverride\b", source.text(function))
    ):
        return
    name = function_name(source, function) if function.type == "function_definition" else None
    prototypes = _prototypes(source, name) if name else []
    given = [parameters(source, each) for each in (function, *prototypes)]
    for at, parameter in enumerate(given[0]):
        variable = _copied(source, parameter, structures)
        kind = source.text(field(parameter, "type"))
        if variable is None or not only_read(source, variable, body, kind) or _aliased(source, function, name, at):
            continue
        same = [each[at] for each in given if at < len(each) and each[at].child_by_field_name("declarator") is not None]
        if len(same) == len(given):
            yield from (edit for each in same for edit in _as_reference(source, each))


def _prototypes(source: SourceFile, name: str) -> list[Node]:
    found = []
    for node in source.root.children:
        if node.type == "declaration" and re.search(rf"\b{name}\s*\(", source.text(node)):
            declarator = node.child_by_field_name("declarator")
            if declarator is not None and declarator.type == "function_declarator":
                found.append(node)
    return found


def _aliased(source: SourceFile, function: Node, name: str | None, at: int) -> bool:
    """Whether some caller passes a variable that the function changes under its own name."""
    if name is None:
        return False
    text = masked(source)[function.start_byte : function.end_byte]
    for call in source.find("call_expression"):
        given = field(call, "arguments").named_children if source.text(call.children[0]) == name else []
        if at < len(given):
            words = re.findall(r"[A-Za-z_]\w*", source.text(given[at]))
            if changed_by_calls(source, given[at], function.start_byte, function.end_byte):
                return True
            outside = enclosing(call, "function_definition") != function
            if outside and any(changes(text, word) for word in words):
                return True
    return False


def _range_edits(source: SourceFile, structures: set[str]) -> Iterator[list[Edit]]:
    """Range loops that copy each element, where the type says that it is large."""
    for loop in source.find("for_range_loop"):
        kind, declarator, body = (field(loop, name) for name in ("type", "declarator", "body"))
        text = source.text(kind)
        if declarator.type != "identifier" or loop.has_error:
            continue
        over, name = field(loop, "right"), source.text(declarator)
        large = _element_is_large(source, over, structures) if text == "auto" else is_large(source, text, structures)
        if not large or not only_read(source, name, body, text):
            continue
        owner = re.match(r"\w*", source.text(over))
        if owner and owner[0] and changes(masked(source)[body.start_byte : body.end_byte], owner[0]):
            continue
        if changed_by_calls(source, over, body.start_byte, body.end_byte):
            continue
        gap = [] if source.text(loop).find("const ") in range(10) else [source.before(kind, "const ")]
        yield [*gap, Edit(kind.end_byte, declarator.start_byte, " &")]


def _element_is_large(source: SourceFile, over: Node, structures: set[str]) -> bool:
    """Whether the elements of a range are large; so they are held to be where the range's type is not to be seen."""
    kind = type_of(source, over) if over.type == "identifier" else ""
    match = re.match(r"(?:vector|set|unordered_set|multiset|deque|list|array)<(.*)>$", kind)
    if match:
        return is_large(source, match[1], structures)
    return bool(re.match(r"(?:unordered_)?(?:multi)?map<", kind)) or over.type == "field_expression"


def _by_reference(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    structures, found = large_types(source), []
    for node in source.find("function_definition", "lambda_expression"):
        if node.type == "function_definition" and function_name(source, node) in (setting.entry, "main", None):
            continue
        if node.child_by_field_name("declarator") is not None:
            found.append(list(_parameter_edits(source, node, structures)))
    found = [edits for edits in (*found, *_range_edits(source, structures)) if edits]
    if len(found) > 1:
        first = min(edit.start for edit in found[0])
        every = tuple(edit for edits in found for edit in edits)
        yield Rewrite(source.data[:first].count(b"\n") + 1, every, "all", 2.0)
    for edits in found:
        yield Rewrite(source.data[: edits[0].start].count(b"\n") + 1, tuple(edits))


TRANSFORMATIONS = (
    Transformation(
        name="const-reference",
        family="memory",
        summary="Passes containers, strings and large structures by const reference where they are only read.",
        find=_by_reference,
        example=RewriteExample(
            before="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
struct Record {
    int key;
    std::string name;
};
bool before(Record a, Record b) {
    return a.key != b.key ? a.key < b.key : a.name < b.name;
}
int main() {
    std::vector<Record> records = {{2, "b"}, {1, "c"}, {2, "a"}};
    std::sort(records.begin(), records.end(), before);
    for (Record record : records) {
        std::cout << record.key << record.name << "\\n";
    }
}
""",
            after="""
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>
struct Record {
    int key;
    std::string name;
};
bool before(const Record &a, const Record &b) {
    return a.key != b.key ? a.key < b.key : a.name < b.name;
}
int main() {
    std::vector<Record> records = {{2, "b"}, {1, "c"}, {2, "a"}};
    std::sort(records.begin(), records.end(), before);
    for (const Record &record : records) {
        std::cout << record.key << record.name << "\\n";
    }
}
""",
        ),
        languages=CPP,
        answers=("by-value", "allocation"),
        prior=2.5,
        refusals=(
            "#include <algorithm>\n#include <vector>\nint median(std::vector<int> v) {\n"
            "    std::sort(v.begin(), v.end());\n    return v[v.size() / 2];\n}\n",
            "#include <string>\nint f(std::string s) {\n    s += 'x';\n    return s.size();\n}\n",
            "#include <vector>\nstd::vector<int> all;\nint f(std::vector<int> v) {\n"
            "    all.push_back(1);\n    return v.size();\n}\nint main() { return f(all); }\n",
        ),
    ),
)
