"""What a name of C or C++ stands for, and whether a use changes it.

In doubt the answer is the careful one: a use whose meaning is not plain changes the variable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import PURE
from maxcode.policy.rewrite.analysis.support import arguments, entered, functions, macros
from maxcode.policy.rewrite.analysis.variables import resolved
from maxcode.policy.rewrite.source import SourceFile, ancestors, enclosing, field, inside

_BLOCKS = ("compound_statement", "translation_unit", "declaration_list", "case_statement")
READING = frozenset(
    "size length empty substr find rfind find_first_of find_last_of c_str data back front at count compare begin end "
    "rbegin rend cbegin cend lower_bound upper_bound top contains starts_with".split()
)
_ELEMENTS = frozenset("back front at top".split())
_ITERATORS = frozenset("begin end rbegin rend data find lower_bound upper_bound".split())
CHANGERS = frozenset(
    "push_back pop_back push_front pop_front push pop insert emplace emplace_back emplace_front erase clear resize "
    "reserve assign append swap merge splice sort reverse unique remove remove_if extract fill str replace".split()
)
"""Methods of the library's containers that change them."""
ALGORITHMS = frozenset(
    "max min accumulate count count_if find find_if max_element min_element lower_bound upper_bound binary_search "
    "all_of any_of none_of equal is_sorted string vector to_string stoi stol stoll stod make_pair distance "
    "strlen strcmp strncmp memcmp strchr strstr get clamp atoi atol".split()
)
"""Functions of the library that only read what they are given."""
_FINDING = frozenset("find find_if max_element min_element lower_bound upper_bound".split())
_PLACES = ("subscript_expression", "field_expression", "parenthesized_expression", "pointer_expression")


@dataclass(frozen=True)
class Symbol:
    """A variable: the identifier that declares it, and the node in which it can be seen."""

    name: str
    identifier: Node
    declaration: Node
    scope: Node

    @property
    def is_global(self) -> bool:
        return self.scope.type in ("translation_unit", "declaration_list")

    @property
    def is_member(self) -> bool:
        return self.scope.type == "field_declaration_list"


def resolve(source: SourceFile, node: Node) -> Symbol | None:
    """The variable that an identifier stands for; None for functions, macros and names from headers."""
    name = source.text(node)
    for above in (node, *ancestors(node)):
        found = None
        for symbol in declared_by(source, above).get(name, ()):
            if above.type not in _BLOCKS or symbol.identifier.start_byte <= node.start_byte:
                found = symbol
        if found is not None:
            return found
    return None


@lru_cache(maxsize=8192)
def declared_by(source: SourceFile, above: Node) -> dict[str, list[Symbol]]:
    found: dict[str, list[Symbol]] = {}
    for declaration in _declarations(source, above):
        for declarator in declaration.children_by_field_name("declarator"):
            for name in _names(declarator):
                symbol = Symbol(source.text(name), name, declaration, above)
                found.setdefault(symbol.name, []).append(symbol)
    return found


def _declarations(source: SourceFile, above: Node) -> Iterator[Node]:
    if above.type in _BLOCKS:
        yield from (child for child in above.children if child.type == "declaration")
    elif above.type == "field_declaration_list":
        yield from (child for child in above.children if child.type == "field_declaration")
    elif above.type in ("function_definition", "lambda_expression"):
        declarator = above.child_by_field_name("declarator")
        if declarator is not None:
            kinds = ("parameter_declaration", "optional_parameter_declaration")
            yield from source.find(*kinds, within=declarator)
    elif above.type == "for_range_loop":
        yield above
    elif above.type in ("for_statement", "if_statement", "while_statement", "switch_statement", "catch_clause"):
        body = above.child_by_field_name("body") or above.child_by_field_name("consequence")
        heads = [child for child in above.children if child != body and child.type != "else_clause"]
        for head in heads:
            yield from source.find("declaration", "parameter_declaration", within=head)


def _names(declarator: Node) -> list[Node]:
    """The identifiers that a declarator declares: one, or those of a structured binding; none for a function."""
    while True:
        if declarator.type in ("identifier", "field_identifier"):
            return [declarator]
        if declarator.type == "structured_binding_declarator":
            return [child for child in declarator.children if child.type == "identifier"]
        inner = declarator.child_by_field_name("declarator")
        if declarator.type == "function_declarator" and not _builds_variable(declarator):
            return []
        if inner is None and not declarator.named_children:
            return []
        declarator = inner if inner is not None else declarator.named_children[0]


def _builds_variable(declarator: Node) -> bool:
    """Whether what looks like a function is a variable with arguments: `vector<int> v(n);` in a block."""
    declaration = declarator.parent
    return (
        declaration is not None and declaration.parent is not None and declaration.parent.type == "compound_statement"
    )


def uses(source: SourceFile, symbol: Symbol) -> list[Node]:
    """Every mention of a variable but its declaration, in the order of the text."""
    return [
        node
        for node in source.identifiers.get(symbol.name, [])
        if node != symbol.identifier and inside(node, symbol.scope) and resolve(source, node) == symbol
    ]


def type_text(source: SourceFile, symbol: Symbol) -> str:
    """The resolved type in a declaration, with `*`, `&` and `[]` of the declarator behind it, or ""."""
    kind = symbol.declaration.child_by_field_name("type")
    if kind is None:
        return ""
    marks, node = "", symbol.identifier.parent
    while node is not None and node != symbol.declaration:
        marks += {"pointer_declarator": "*", "reference_declarator": "&", "array_declarator": "[]"}.get(node.type, "")
        node = node.parent
    return resolved(source, source.text(kind)) + marks


def whole_place(node: Node) -> Node:
    """The largest expression such as `a[i].b` that starts from a node and names a place in it."""
    while (parent := node.parent) is not None and parent.type in _PLACES and parent.named_children[0] == node:
        node = parent
    return node


def _method_call(node: Node) -> Node | None:
    """The call whose function a member is."""
    call = node.parent if node.type == "field_expression" else None
    is_call = call is not None and call.type == "call_expression"
    return call if call is not None and is_call and call.child_by_field_name("function") == node else None


def changes_it(source: SourceFile, use: Node) -> bool:
    """Whether a use of a variable may change it, or lets something else change it later."""
    node = use
    while (parent := node.parent) is not None:
        if parent.type == "pointer_expression" and source.text(parent).startswith("&"):
            return True
        call = _method_call(parent)
        if call is not None:
            method = source.text(field(parent, "field"))
            if method in _ELEMENTS:
                node = call
                continue
            if method in const_methods(source):
                return False
            return method not in READING or (method in _ITERATORS and _handed_on(source, call))
        if parent.type in _PLACES and parent.named_children[0] == node:
            node = parent
            continue
        break
    return parent is None or _changed_by(source, node, parent)


def _handed_on(source: SourceFile, call: Node) -> bool:
    """Whether an iterator or pointer goes to something that may write through it."""
    node, outer = call, call.parent
    while outer is not None and outer.type in ("binary_expression", "parenthesized_expression"):
        sign = source.text(field(outer, "operator")) if outer.type == "binary_expression" else ""
        if sign in ("==", "!=") or (sign == "-" and field(outer, "right") == node):
            return False
        node, outer = outer, outer.parent
    if outer is None or outer.parent is None:
        return True
    if outer.type == "pointer_expression":
        return _is_target(whole_place(outer))
    if outer.type == "init_declarator" and field(outer, "declarator").type == "identifier":
        return _changed_through(source, field(outer, "declarator"))
    if outer.type != "argument_list":
        return True
    if outer.parent.type != "call_expression":
        return outer.parent.type != "init_declarator"
    name = callee(source, outer.parent)
    if name in _FINDING:
        return _handed_on(source, outer.parent)
    return name not in ALGORITHMS and name not in PURE and name.split(".")[-1] not in ("insert", "assign")


def _is_target(place: Node) -> bool:
    parent = place.parent
    if parent is None or parent.type not in ("assignment_expression", "update_expression"):
        return parent is None or parent.type in ("argument_list", "reference_declarator")
    return parent.child_by_field_name("left") in (place, None)


def _changed_through(source: SourceFile, declarator: Node) -> bool:
    """Whether an iterator that is kept in a variable is used for more than reading."""
    symbol = resolve(source, declarator)
    if symbol is None:
        return True
    return any(not _reads_through(use) for use in uses(source, symbol))


def _reads_through(use: Node) -> bool:
    place = whole_place(use)
    parent = place.parent
    if parent is None or (_is_target(place) and parent.type != "update_expression"):
        return False
    if parent.type == "update_expression":
        return place == use
    return parent.type in ("binary_expression", "init_declarator", "return_statement", "assignment_expression")


def callee(source: SourceFile, call: Node) -> str:
    return source.text(field(call, "function")).split("<")[0].removeprefix("std::").strip()


def _changed_by(source: SourceFile, node: Node, parent: Node) -> bool:
    if parent.type == "assignment_expression":
        return parent.child_by_field_name("left") == node
    if parent.type == "argument_list":
        return _may_change_argument(source, node, parent)
    if parent.type == "binary_expression":
        return source.text(field(parent, "operator")) == ">>" and "cin" in source.text(parent)
    if parent.type == "init_declarator":
        return _binds_reference(source, node, parent)
    if parent.type == "for_range_loop":
        return bool(_changes_of_alias(source, node))
    return parent.type not in (
        "return_statement", "unary_expression", "conditional_expression", "condition_clause", "cast_expression",
        "subscript_argument_list", "subscript_expression", "parenthesized_expression", "for_statement",
        "expression_statement", "if_statement", "while_statement", "initializer_list", "sizeof_expression",
        "comma_expression", "do_statement", "switch_statement",
    )  # fmt: skip


def _binds_reference(source: SourceFile, node: Node, parent: Node) -> bool:
    """Whether a declaration gives another name or a pointer to what it is initialised with."""
    declaration = parent.parent
    constant = declaration is not None and any(child.type == "type_qualifier" for child in declaration.children)
    declarator = field(parent, "declarator")
    kind = declaration.child_by_field_name("type") if declaration is not None else None
    if declarator.type == "identifier":
        plain = kind is not None and source.text(kind) != "auto"
        return not plain and node.type == "identifier" and _decays(source, node)
    if declarator.type == "reference_declarator" and not constant:
        return bool(_changes_of_alias(source, node))
    return not (constant and declarator.type == "reference_declarator")


def _changes_of_alias(source: SourceFile, node: Node) -> list[Node]:
    """The uses that change a place through the reference that a declaration or range loop binds to it."""
    parent = node.parent
    if parent is None or parent.type not in ("for_range_loop", "init_declarator"):
        return []
    declarator = field(parent, "declarator")
    holder = parent if parent.type == "for_range_loop" else parent.parent
    constant = holder is not None and any(child.type == "type_qualifier" for child in holder.children)
    if constant or declarator.type != "reference_declarator":
        return []
    symbols = [resolve(source, name) for name in _names(declarator)]
    return [change for symbol in symbols if symbol is not None for change in _changing_uses(source, symbol)]


def _changing_uses(source: SourceFile, symbol: Symbol) -> list[Node]:
    """The uses that change a variable, those through its references in place of where they are bound."""
    found = []
    for use in uses(source, symbol):
        if changes_it(source, use):
            found += _changes_of_alias(source, whole_place(use)) or [use]
    return found


def _decays(source: SourceFile, node: Node) -> bool:
    symbol = resolve(source, node)
    return symbol is None or "[]" in type_text(source, symbol) or "*" in type_text(source, symbol)


def _may_change_argument(source: SourceFile, node: Node, given: Node) -> bool:
    call = given.parent
    if call is None or call.type != "call_expression":
        return call is None or call.type not in ("init_declarator", "compound_literal_expression")
    name = callee(source, call)
    if name in ALGORITHMS or name in PURE or "_cast" in name or name.split(".")[-1] in ("push_back", "push", "insert"):
        return False
    if name == "printf":
        return False
    definition = functions(source).get(name)
    if definition is None:
        return True
    kinds = [source.text(each) for each in parameters_of(source, definition)]
    at = next((i for i, each in enumerate(arguments(call)) if each == node), len(kinds))
    if at >= len(kinds):
        return True
    return "const" not in kinds[at] and (re.search(r"[&*\[]", kinds[at]) is not None or _decays(source, node))


def parameters_of(source: SourceFile, function: Node) -> list[Node]:
    found = next(source.find("parameter_list", within=field(function, "declarator")), None)
    return [node for node in found.named_children if "parameter_declaration" in node.type] if found else []


@lru_cache(maxsize=256)
def _written_globals(source: SourceFile) -> dict[str, frozenset[str]]:
    """Names of the file's own variables that each function may change, itself or by what it calls."""
    direct: dict[str, set[str]] = {}
    called: dict[str, set[str]] = {}
    for name, definition in functions(source).items():
        direct[name] = {
            symbol.name for node in source.find("identifier", within=field(definition, "body"))
            if (symbol := resolve(source, node)) is not None and symbol.is_global and changes_it(source, node)
        }  # fmt: skip
        calls = source.find("call_expression", within=definition)
        called[name] = {callee(source, call) for call in calls} & set(functions(source))
    for _ in direct:
        for name, others in called.items():
            direct[name] |= {each for other in others for each in direct[other]}
    return {name: frozenset(found) for name, found in direct.items()}


def changes_in(source: SourceFile, symbol: Symbol, region: Node) -> list[Node]:
    """The places of a region that may change a variable: uses, and calls of functions that change it."""
    found = [use for use in _changing_uses(source, symbol) if inside(use, region)]
    if symbol.is_global:
        calls = source.find("call_expression", within=region)
        found += [call for call in calls if symbol.name in _written_globals(source).get(callee(source, call), ())]
    return found


def changed_by_calls(source: SourceFile, place: Node, start: int, end: int) -> bool:
    """Whether functions that are entered between two offsets may change a variable that a piece of code mentions."""
    function = enclosing(place, "function_definition") or source.root
    code = [node for node in source.find(*_LEAVES, within=function) if start <= node.start_byte < end]
    named = {source.text(node): resolve(source, node) for node in source.find("identifier", within=place)}
    for body in entered(source, code):
        for use in source.find("identifier", "field_identifier", within=body):
            name = source.text(use)
            if name in named and _may_be(source, use, named[name]) and changes_it(source, use):
                return True
    return False


_LEAVES = ("identifier", "field_identifier", "type_identifier")


def _may_be(source: SourceFile, use: Node, symbol: Symbol | None) -> bool:
    """Whether a name stands for a variable; members of an object are seen by name only."""
    member = symbol is None or symbol.is_member
    if use.type == "field_identifier":
        owner = use.parent.child_by_field_name("argument") if use.parent is not None else None
        return member and owner is not None and source.text(owner) == "this"
    other = resolve(source, use)
    return member if other is None or other.is_member else other == symbol


@lru_cache(maxsize=64)
def const_methods(source: SourceFile) -> dict[str, list[Node]]:
    """Bodies of the methods whose every definition is const and written inside its class, by name."""
    found: dict[str, list[Node | None]] = {}
    for declarator in source.find("function_declarator"):
        name, method = declarator.child_by_field_name("declarator"), declarator.parent
        if name is None or name.type not in ("field_identifier", "qualified_identifier"):
            continue
        while method is not None and method.type in ("reference_declarator", "pointer_declarator"):
            method = method.parent
        body = method.child_by_field_name("body") if method is not None else None
        constant = any(source.text(each) == "const" for each in declarator.children) and "mutable" not in source.names
        whole = constant and name.type == "field_identifier"
        found.setdefault(source.text(name).split("::")[-1], []).append(body if whole else None)
    return {name: [each for each in bodies if each is not None]
            for name, bodies in found.items() if None not in bodies and name not in CHANGERS}  # fmt: skip


def library_names(source: SourceFile, wanted: Iterable[str]) -> set[str]:
    """Which names of the library a program mentions: not in comments and literals, and not as names of its own."""
    found = {name for value in macros(source) for name in re.findall(r"[A-Za-z_]\w*", source.text(value))}
    unseen = set(wanted) - found
    for node in source.find("identifier", "type_identifier", "primitive_type"):
        if (name := source.text(node)) not in unseen:
            continue
        own = node.type == "identifier" and (name in functions(source) or resolve(source, node) is not None)
        if not own:
            found.add(name)
            unseen.remove(name)
    return found & set(wanted)


def in_lambda(node: Node, outer: Node) -> bool:
    """Whether a lambda stands between a node and what is around it."""
    found = enclosing(node, "lambda_expression")
    return found is not None and inside(found, outer)
