"""Copies that a program makes of values which it only reads."""

from __future__ import annotations

import re

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.support import functions
from maxcode.policy.rewrite.analysis.variables import masked, resolved
from maxcode.policy.rewrite.source import SourceFile, field

_LARGE = re.compile(
    r"(?:vector|string|map|unordered_map|set|unordered_set|multiset|deque|array|queue|list|tuple|shared_ptr|function)\b"
)
_READING = (
    "size length empty substr find rfind find_first_of find_last_of c_str data back front at count compare begin end "
    "rbegin rend cbegin cend lower_bound upper_bound top first second real imag norm"
).split()
_ELEMENTS = ("back", "front", "at", "top")
_ITERATORS = ("begin", "end", "rbegin", "rend", "lower_bound", "upper_bound")
_CHANGERS = (
    "swap sort reverse getline scanf fill iota memset chmin chmax next_permutation ref tie exchange move".split()
)
_READERS = (
    "max min accumulate count count_if find find_if max_element min_element lower_bound upper_bound binary_search "
    "all_of any_of none_of equal is_sorted string vector set to_string stoi stol stoll stod push_back emplace_back "
    "push emplace insert append make_pair abs sqrt printf puts"
).split()


def large_types(source: SourceFile) -> set[str]:
    """The program's structures that hold a container or at least three members."""
    found = set()
    for node in source.find("struct_specifier", "class_specifier"):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None:
            continue
        members = [each for each in body.named_children if each.type == "field_declaration"]
        count = sum(len(each.children_by_field_name("declarator")) for each in members)
        kinds = [resolved(source, source.text(field(each, "type"))) for each in members]
        if count >= 3 or any(_LARGE.match(kind) for kind in kinds):
            found.add(source.text(name))
    return found


def is_large(source: SourceFile, kind: str, structures: set[str]) -> bool:
    plain = resolved(source, kind)
    held = re.match(r"(?:pair|tuple)<(.*)>$", plain)
    inner = held is not None and any(each in structures or _LARGE.match(each) for each in re.findall(r"\w+", held[1]))
    return inner or bool(_LARGE.match(plain)) or plain in structures


def only_read(source: SourceFile, name: str, body: Node, kind: str) -> bool:
    """Whether every use of a name in a piece of code would also do with a const reference."""
    uses = [node for node in source.find("identifier", within=body) if source.text(node) == name]
    text = masked(source)[body.start_byte : body.end_byte]
    if len(uses) != len(re.findall(rf"(?<![\w.])(?<!->)(?<!::){name}\b", text)):
        return False
    subscripts = not re.match(r"(?:unordered_)?map\b", resolved(source, kind))
    return all(_reads(source, use, subscripts) for use in uses)


def _reads(source: SourceFile, node: Node, subscripts: bool) -> bool:
    """Whether a use only reads the variable. It walks outwards until a node decides that."""
    parent = node.parent
    while parent is not None:
        if parent.type == "field_expression" and parent.parent is not None and parent.parent.type == "call_expression":
            member, call = source.text(field(parent, "field")), parent.parent
            if member not in _ELEMENTS:
                return member in _READING and (member not in _ITERATORS or _given_to_reader(source, call))
            node = call
        elif parent.type == "subscript_expression" and parent.children[0] != node:
            return True
        elif parent.type in ("field_expression", "parenthesized_expression") or (
            parent.type == "subscript_expression" and subscripts
        ):
            node = parent
        else:
            return _read_by(source, node, parent)
        parent = node.parent
    return False


def _given_to_reader(source: SourceFile, call: Node) -> bool:
    """Whether a call such as `x.begin()` is an argument of something that only reads."""
    outer = call.parent
    while outer is not None and outer.type in ("binary_expression",):
        outer = outer.parent
    return outer is not None and outer.type == "argument_list" and _read_by(source, call, outer)


def _read_by(source: SourceFile, node: Node, parent: Node) -> bool:
    if parent.type == "argument_list":
        call = parent.parent
        return call is not None and _passes_by_value(source, call, parent, node)
    if parent.type == "assignment_expression":
        return field(parent, "right") == node
    if parent.type == "binary_expression":
        operator = source.text(field(parent, "operator"))
        return operator != ">>" or field(parent, "left") == node
    if parent.type == "for_range_loop":
        declarator = field(parent, "declarator")
        constant = any(child.type == "type_qualifier" for child in parent.children)
        return field(parent, "right") == node and (declarator.type != "reference_declarator" or constant)
    if parent.type == "init_declarator":
        declarator = field(parent, "declarator")
        return declarator.type == "identifier"
    return parent.type in (
        "return_statement", "unary_expression", "conditional_expression", "condition_clause", "cast_expression",
        "initializer_list", "subscript_argument_list",
    ) and not re.match(r"&", source.text(parent))  # fmt: skip


def _passes_by_value(source: SourceFile, call: Node, given: Node, node: Node) -> bool:
    """Whether a call leaves its argument alone: a function here that says so, or a known reader."""
    function = call.child_by_field_name("function") or call.children[0]
    name = re.split(r"\.|->|::", source.text(function).split("<")[0])[-1].strip()
    definition = functions(source).get(name)
    if definition is None:
        element = node.type in ("subscript_expression", "field_expression") and name not in _CHANGERS
        return name in _READERS or (element and name not in source_macros(source))
    at = next((i for i, each in enumerate(given.named_children) if each == node), 0)
    kinds = [source.text(each) for each in parameters(source, definition)]
    return at < len(kinds) and (kinds[at].startswith("const ") or not re.search(r"[&*]", kinds[at]))


def source_macros(source: SourceFile) -> set[str]:
    nodes = source.find("preproc_def", "preproc_function_def")
    return {source.text(field(node, "name")) for node in nodes}


def parameters(source: SourceFile, function: Node) -> list[Node]:
    """The parameters of a function, of its declaration or of a lambda."""
    found = next(source.find("parameter_list", within=field(function, "declarator")), None)
    return [node for node in found.named_children if "parameter_declaration" in node.type] if found else []
