"""What the value of a piece of code of C or C++ depends on, where it does nothing but compute a value.

In doubt there is no answer: code that calls something unknown has no known dependencies.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import PURE
from maxcode.policy.rewrite.analysis.support import functions
from maxcode.policy.rewrite.analysis.symbols import (
    ALGORITHMS,
    CHANGERS,
    READING,
    Symbol,
    callee,
    changes_it,
    const_methods,
    declared_by,
    parameters_of,
    resolve,
    type_text,
    uses,
)
from maxcode.policy.rewrite.source import SourceFile, field, inside

_CONSTANTS = re.compile(r"(?:U?INT|U?LONG|LLONG|U?CHAR|SHRT)_M(?:AX|IN)|M_PI|NULL|SIZE_MAX|DBL_MAX|INFINITY|EOF")
_CHANGING = frozenset(
    "sort stable_sort reverse fill iota unique swap rotate transform copy partial_sort nth_element "
    "back_inserter".split()
)
"""Functions of the library that change what they are given, and nothing else."""


def dependencies(source: SourceFile, node: Node, own: tuple[Symbol, ...] = ()) -> frozenset[Symbol] | None:
    """Variables from outside that the value of code depends on; None where it may do more than compute a value.

    The code may change `own` and what it declares itself.
    """
    found = _dependencies(source, node, own, frozenset())
    return None if found is None or any(symbol.is_member for symbol in found) else found


def _dependencies(
    source: SourceFile, node: Node, own: tuple[Symbol, ...], active: frozenset[str]
) -> frozenset[Symbol] | None:
    bad = ("lambda_expression", "new_expression", "delete_expression", "throw_statement", "goto_statement",
           "gnu_asm_expression", "preproc_if", "preproc_ifdef", "try_statement", "ERROR")  # fmt: skip
    if node.has_error or next(source.find(*bad, within=node), None) is not None:
        return None
    if any(_lasts(source, each) for each in source.find("storage_class_specifier", within=node)):
        return None
    found: set[Symbol] = set()
    for call in source.find("call_expression", within=node):
        inner = frozenset() if _changes_own(source, call, node, own) else _call_dependencies(source, call, active)
        if inner is None:
            return None
        found |= inner
    for each in source.find("identifier", within=node):
        symbol = resolve(source, each)
        if symbol is None:
            if not _harmless(source, each):
                return None
        elif inside(symbol.identifier, node) or symbol in own:
            if symbol not in own and _aliases(source, symbol, node, own):
                return None
        elif changes_it(source, each):
            return None
        else:
            found.add(symbol)
    return frozenset(found)


def _lasts(source: SourceFile, specifier: Node) -> bool:
    """Whether a variable lasts longer than the code that declares it, and is more than a table of literals."""
    declaration, word = specifier.parent, source.text(specifier)
    if declaration is None or word not in ("static", "extern", "thread_local"):
        return False
    constant = any(source.text(each) in ("const", "constexpr") for each in declaration.children)
    values = [each.child_by_field_name("value") for each in declaration.children_by_field_name("declarator")]
    literal = all(each is not None and next(source.find("identifier", within=each), None) is None for each in values)
    return word != "static" or not constant or not literal


def _changes_own(source: SourceFile, call: Node, region: Node, own: tuple[Symbol, ...]) -> bool:
    """Whether a call is of the library and changes nothing but a variable of the code itself."""
    function, name = field(call, "function"), callee(source, call)
    if function.type != "field_expression":
        return name in _CHANGING and name not in functions(source)
    place = field(function, "argument")
    while place.type in ("subscript_expression", "field_expression") and "->" not in source.text(place):
        place = place.children[0]
    symbol = resolve(source, place) if place.type == "identifier" else None
    local = symbol is not None and (symbol in own or inside(symbol.identifier, region))
    return local and source.text(field(function, "field")) in CHANGERS and "->" not in source.text(function)


def _aliases(source: SourceFile, symbol: Symbol, region: Node, own: tuple[Symbol, ...]) -> bool:
    """Whether a local is another name of something from outside that its uses may change."""
    marks = type_text(source, symbol)
    if not ("&" in marks or "*" in marks) or not any(changes_it(source, use) for use in uses(source, symbol)):
        return False
    return "*" in marks or not _bound_to_own(source, symbol, region, own)


def _bound_to_own(source: SourceFile, symbol: Symbol, region: Node, own: tuple[Symbol, ...]) -> bool:
    """Whether a reference is bound to a variable of the code itself, which is no reference."""
    holder = symbol.identifier.parent
    while holder is not None and holder.type not in ("for_range_loop", "init_declarator"):
        holder = None if holder == symbol.declaration else holder.parent
    bound = None if holder is None else holder.child_by_field_name("right") or holder.child_by_field_name("value")
    while bound is not None and bound.type in ("subscript_expression", "field_expression"):
        bound = bound.children[0] if bound.children[1].type != "->" else None
    target = resolve(source, bound) if bound is not None and bound.type == "identifier" else None
    local = target is not None and (target in own or inside(target.identifier, region))
    return local and target is not None and not re.search(r"[&*]", type_text(source, target))


def _call_dependencies(source: SourceFile, call: Node, active: frozenset[str]) -> frozenset[Symbol] | None:
    function, name = field(call, "function"), callee(source, call)
    if function.type == "field_expression":
        return _method_dependencies(source, source.text(field(function, "field")), active)
    if name in PURE or name in ALGORITHMS or "_cast" in name or name in active:
        return frozenset()
    definition = functions(source).get(name)
    if definition is None:
        return None
    if any(re.search(r"[&*\[]", source.text(each)) and "const" not in source.text(each)
           for each in parameters_of(source, definition)):  # fmt: skip
        return None
    own = tuple(symbol for symbols in declared_by(source, definition).values() for symbol in symbols)
    return _dependencies(source, field(definition, "body"), own, active | {name})


def _method_dependencies(source: SourceFile, name: str, active: frozenset[str]) -> frozenset[Symbol] | None:
    """What a method depends on beside its object and arguments; None where it is unknown or may change something."""
    bodies = const_methods(source).get(name)
    if bodies is None:
        return frozenset() if name in READING else None
    found = [frozenset[Symbol]() if name in active else _method_reads(source, body, active | {name}) for body in bodies]
    known = [each for each in found if each is not None]
    return frozenset().union(*known) if len(known) == len(found) else None


def _method_reads(source: SourceFile, body: Node, active: frozenset[str]) -> frozenset[Symbol] | None:
    method = body.parent
    own = [] if method is None else [each for found in declared_by(source, method).values() for each in found]
    if any(
        re.search(r"[&*]", type_text(source, each)) and "const" not in source.text(each.declaration) for each in own
    ):
        return None
    found = _dependencies(source, body, tuple(own), active)
    return None if found is None else frozenset(symbol for symbol in found if not symbol.is_member)


def _harmless(source: SourceFile, node: Node) -> bool:
    """Whether a name that is no variable is a function that is called, or a constant."""
    parent, text = node.parent, source.text(node)
    if parent is not None and parent.type == "qualified_identifier":
        parent = parent.parent
    if parent is not None and (parent.type == "call_expression" or "template" in parent.type):
        return True
    return bool(_CONSTANTS.fullmatch(text)) or text in constants(source) or text == "npos"


@lru_cache(maxsize=64)
def constants(source: SourceFile) -> frozenset[str]:
    """Macros that stand for a number, and enumerators."""
    plain = re.findall(
        r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+\(?-?[\d.eE+xXa-fA-FuUlL* ]+\)?[ \t]*\r?$", source.code, re.M
    )
    return frozenset(plain) | {source.text(field(each, "name")) for each in source.find("enumerator")}
