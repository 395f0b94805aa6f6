"""Loops whose variable is declared above them but means nothing outside them: it becomes the loop's own."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.effects import INTEGRAL
from maxcode.policy.rewrite.analysis.symbols import Symbol, resolve, type_text, uses
from maxcode.policy.rewrite.source import Edit, SourceFile, ancestors, apply, field, inside


def with_own_variables(source: SourceFile) -> SourceFile:
    """The program with `int` in front of `i = 0` in the loops that give `i` all its values, where there are some."""
    edits = list(_declarations(source))
    return apply(source, tuple(edits)) if edits else source


def _declarations(source: SourceFile) -> Iterator[Edit]:
    loops: dict[Symbol, list[Node]] = {}
    for loop in source.find("for_statement"):
        symbol = _set_by(source, loop)
        if symbol is not None:
            loops.setdefault(symbol, []).append(loop)
    for symbol, found in loops.items():
        kind = type_text(source, symbol)
        if INTEGRAL.fullmatch(kind) and _is_plain(source, symbol) and _only_in(source, symbol, found):
            yield from (source.before(field(loop, "initializer"), f"{kind} ") for loop in found)


def _set_by(source: SourceFile, loop: Node) -> Symbol | None:
    """The local variable to which a loop's head gives a first value, where it does nothing else."""
    head = loop.child_by_field_name("initializer")
    if head is None or head.type != "assignment_expression" or loop.has_error:
        return None
    name = field(head, "left")
    plain = name.type == "identifier" and source.text(field(head, "operator")) == "="
    symbol = resolve(source, name) if plain else None
    local = symbol is not None and symbol.scope.type == "compound_statement"
    again = [each for each in source.find("identifier", within=field(head, "right"))
             if symbol is not None and source.text(each) == symbol.name]  # fmt: skip
    return symbol if local and not again else None


def _is_plain(source: SourceFile, symbol: Symbol) -> bool:
    """Whether a variable is declared without more than its name, or a first value that nobody reads."""
    words = {source.text(each) for each in symbol.declaration.children}
    return not words & {"static", "volatile", "const", "register", "extern"}


def _only_in(source: SourceFile, symbol: Symbol, loops: list[Node]) -> bool:
    """Whether every use is inside one of the loops, and none of them lies in another or gives the address away."""
    nested = any(inside(one, other) for one in loops for other in loops if one != other)
    return not nested and all(
        any(inside(use, loop) for loop in loops) and not _address(source, use) and not _captured(use)
        for use in uses(source, symbol)
    )


def _address(source: SourceFile, use: Node) -> bool:
    parent = use.parent
    return parent is not None and parent.type == "pointer_expression" and source.text(parent).startswith("&")


def _captured(use: Node) -> bool:
    return any(each.type in ("lambda_expression", "preproc_if", "preproc_ifdef") for each in ancestors(use))
