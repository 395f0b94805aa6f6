"""Memory: methods that hand out a member by reference, where every call copied it only to read it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import statements
from maxcode.policy.rewrite.analysis.read_only import is_large, large_types
from maxcode.policy.rewrite.analysis.support import entered
from maxcode.policy.rewrite.analysis.symbols import Symbol, changes_in, changes_it, const_methods, resolve, type_text
from maxcode.policy.rewrite.analysis.variables import resolved
from maxcode.policy.rewrite.source import Edit, SourceFile, field
from maxcode.policy.rewrite.transformation import CPP, Rewrite, RewriteExample, Setting, Transformation

_READING = frozenset("size length empty begin end cbegin cend find count at front back substr c_str compare".split())
_COPIED_ROW = re.compile(r"vector<(?!bool)(.*)>")


def _getters(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    del setting
    structures, found = large_types(source), list[tuple[Node, tuple[Edit, ...]]]()
    for definition in source.find("function_definition"):
        member = _handed_out(source, definition, structures)
        name = source.text(_name(definition)) if member is not None else ""
        calls = _calls(source, name)
        if member is not None and calls and all(_only_reads(source, call, member) for call in calls):
            found.append((definition, tuple(_by_reference(source, definition))))
    if len(found) > 1:
        every = tuple(edit for _, edits in found for edit in edits)
        yield Rewrite(source.line(found[0][0]), every, "all", 2.0)
    for definition, edits in found:
        yield Rewrite(source.line(definition), edits)


def _name(definition: Node) -> Node:
    return field(field(definition, "declarator"), "declarator")


def _handed_out(source: SourceFile, definition: Node, structures: set[str]) -> Symbol | None:
    """The member that is all that a method of a class returns, itself or an element of it, by value."""
    declarator, body = field(definition, "declarator"), definition.child_by_field_name("body")
    if declarator.type != "function_declarator" or body is None or definition.child_by_field_name("type") is None:
        return None
    head = source.text(declarator) + source.data[definition.start_byte : declarator.start_byte].decode()
    inner = statements(body)
    if re.search(r"\b(?:virtual|override|final|static)\b", head) or len(inner) != 1 or definition.has_error:
        return None
    if inner[0].type != "return_statement" or not inner[0].named_children:
        return None
    place = inner[0].named_children[0]
    owner = place.children[0] if place.type == "subscript_expression" else place
    member = resolve(source, owner) if owner.type == "identifier" else None
    if member is None or not member.is_member:
        return None
    held = type_text(source, member).removeprefix("const ")
    row = _COPIED_ROW.fullmatch(held)
    kind = held if place == owner else row[1] if row else ""
    wanted = resolved(source, source.text(field(definition, "type")))
    return member if kind == wanted and is_large(source, kind, structures) else None


def _calls(source: SourceFile, name: str) -> list[Node]:
    """Calls of methods and functions by the last part of their name."""
    found = []
    for call in source.find("call_expression"):
        function = field(call, "function")
        last = function.child_by_field_name("field") if function.type == "field_expression" else function
        if last is not None and source.text(last) == name:
            found.append(call)
    return found


def _only_reads(source: SourceFile, call: Node, member: Symbol) -> bool:
    """Whether a call's value is read at once, or by a range loop in which the member stays as it is."""
    node, parent = call, call.parent
    while parent is not None and not parent.type.endswith(("statement", "declaration", "definition")):
        if parent.type == "for_range_loop":
            return field(parent, "right") == node and _stays(source, call, member, parent)
        if parent.type == "init_declarator":
            return field(parent, "declarator").type == "identifier"
        if _passed_on(source, node, parent, member):
            return False
        node, parent = parent, parent.parent
    return True


def _passed_on(source: SourceFile, node: Node, parent: Node, member: Symbol) -> bool:
    """Whether a value goes to what may change it, or to what changes the member while it has the value."""
    if parent.type == "argument_list" and parent.parent is not None:
        called = entered(source, [parent.parent.children[0]])
        return any(_changes(source, body, member) for body in called)
    if parent.type == "field_expression" and parent.parent is not None and parent.parent.type == "call_expression":
        method = source.text(field(parent, "field"))
        return method not in _READING and method not in const_methods(source) and "->" not in source.text(parent)
    written = parent.type == "assignment_expression" and field(parent, "left") == node
    return written or parent.type in ("update_expression", "pointer_expression", "lambda_expression")


def _stays(source: SourceFile, call: Node, member: Symbol, loop: Node) -> bool:
    """Whether a loop changes neither the member nor what has it, and that is no temporary value."""
    body, function = field(loop, "body"), field(call, "function")
    if function.type == "field_expression":
        owner = field(function, "argument")
        if next(source.find("call_expression", within=owner), None) is not None:
            return False
        symbols = [resolve(source, each) for each in source.find("identifier", within=owner)]
        if any(each is None or changes_in(source, each, body) for each in symbols if source.text(owner) != "this"):
            return False
    return not any(_changes(source, code, member) for code in (body, *entered(source, [body])))


def _changes(source: SourceFile, code: Node, member: Symbol) -> bool:
    """Whether code may change a member of that name, of whatever object."""
    named = [node for node in source.find("identifier", "field_identifier", within=code)
             if source.text(node) == member.name]  # fmt: skip
    return any(_alters(source, node) for node in named if not _is_call_name(node))


def _is_call_name(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "call_expression"


def _alters(source: SourceFile, node: Node) -> bool:
    whole = node.parent if node.type == "field_identifier" and node.parent is not None else node
    return whole.type in ("identifier", "field_expression") and changes_it(source, whole)


def _by_reference(source: SourceFile, definition: Node) -> Iterator[Edit]:
    kind, declarator = field(definition, "type"), field(definition, "declarator")
    front = source.data[definition.start_byte : kind.start_byte].decode()
    if not re.search(r"\bconst\b", front):
        yield source.before(kind, "const ")
    yield Edit(kind.end_byte, declarator.start_byte, " &")


_SHOP = """
#include <iostream>
#include <string>
#include <vector>
class Shop {
    std::string name = "corner";
    std::vector<int> prices = {3, 1, 4};

public:
    std::string getName() const { return name; }
    std::vector<int> getPrices() const { return prices; }
    int total() const {
        int sum = 0;
        for (int price : getPrices()) sum += price;
        return sum;
    }
};
int main() {
    Shop shop;
    for (size_t i = 0; i < shop.getPrices().size(); i++) std::cout << shop.getPrices()[i] << "\\n";
    if (shop.getName() == "corner") std::cout << shop.total() << "\\n";
}
"""

TRANSFORMATIONS = (
    Transformation(
        name="reference-getter",
        family="memory",
        summary="Returns a member by const reference where every call only reads the copy that it got.",
        find=_getters,
        example=RewriteExample(
            before=_SHOP,
            after=_SHOP.replace("std::string getName", "const std::string &getName").replace(
                "std::vector<int> getPrices", "const std::vector<int> &getPrices"
            ),
        ),
        languages=CPP,
        answers=("by-value", "allocation"),
        prior=2.5,
        refusals=(
            "#include <vector>\nclass Queue {\n    std::vector<int> items = {1, 2};\n\npublic:\n"
            "    std::vector<int> all() const { return items; }\n    void add(int x) { items.push_back(x); }\n};\n"
            "int main() {\n    Queue queue;\n    for (int x : queue.all()) queue.add(x);\n}\n",
            '#include <string>\nclass Tag {\n    std::string text = "a";\n\npublic:\n'
            "    std::string get() const { return text; }\n    void set(std::string s) { text = s; }\n};\n"
            'int main() {\n    Tag tag;\n    const std::string &old = tag.get();\n    tag.set("b");\n'
            "    return old.size();\n}\n",
            '#include <string>\nclass Tag {\n    std::string text = "a";\n\npublic:\n'
            "    std::string get() const { return text; }\n"
            "    void set(const std::string &s) {\n        text.clear();\n        text += s;\n    }\n};\n"
            "int main() {\n    Tag tag;\n    tag.set(tag.get());\n}\n",
        ),
    ),
)
