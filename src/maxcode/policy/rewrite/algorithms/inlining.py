"""Programs as they look with their functions written out where loops call them, so that a loop and its data meet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.loops import LOOPS
from maxcode.policy.rewrite.analysis.read_only import only_read
from maxcode.policy.rewrite.analysis.support import arguments, functions
from maxcode.policy.rewrite.analysis.symbols import changes_in, parameters_of, resolve
from maxcode.policy.rewrite.analysis.writing import edited
from maxcode.policy.rewrite.source import Edit, SourceFile, apply, enclosing, field
from maxcode.policy.rewrite.transformation import Find, Rewrite, Setting

MOST_CALLS = 6
_LONGEST = 3000


def with_calls_written_out(find: Find) -> Find:
    """A search that also looks at the program with its calls written out, for what they do to data of the caller."""

    def found(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
        yield from find(source, setting)
        if source.language is not Language.CPP or source.broken:
            return
        view = written_out(source)
        if view is source:
            return
        inlined = [(node.start_byte, node.end_byte) for node in view.find("lambda_expression")]
        bodies = [(node.start_byte, node.end_byte) for node in view.find("function_definition")]
        for rewrite in find(view, setting):
            within = [any(start <= edit.start < end for start, end in inlined) for edit in rewrite.edits]
            beside = [any(start <= edit.start < end for start, end in bodies) for edit in rewrite.edits]
            joins = any(one and not other for one, other in zip(beside, within, strict=True))
            if not any(within) or not joins:
                continue
            whole = Edit(0, len(source.data), apply(view, rewrite.edits).code)
            yield Rewrite(rewrite.line, (whole,), rewrite.options, rewrite.weight)

    return found


@lru_cache(maxsize=64)
def written_out(source: SourceFile) -> SourceFile:
    """The program with functions that have loops put in place of their calls, as lambdas."""
    edits: list[Edit] = []
    for call in source.find("call_expression"):
        text = _lambda_for(source, call) if enclosing(call, *LOOPS) is not None else None
        if text is not None and not any(edit.start <= call.start_byte < edit.end for edit in edits):
            edits.append(source.replace(call, text))
    return apply(source, tuple(edits[:MOST_CALLS])) if edits else source


def _lambda_for(source: SourceFile, call: Node) -> str | None:
    definition = functions(source).get(source.text(field(call, "function")))
    if definition is None or definition.end_byte - definition.start_byte > _LONGEST:
        return None
    kind, body = source.text(field(definition, "type")), field(definition, "body")
    declarator = field(definition, "declarator")
    given, wanted = arguments(call), parameters_of(source, definition)
    if declarator.type != "function_declarator" or len(given) != len(wanted) or kind == "auto":
        return None
    if not _movable(source, definition, call) or next(source.find(*LOOPS, within=body), None) is None:
        return None
    kept, passed, edits = list[str](), list[str](), list[Edit]()
    for parameter, value in zip(wanted, given, strict=True):
        name = _name(source, parameter)
        if name is not None and _same_thing(source, parameter, name, body, value):
            edits += _renamed(source, body, name, source.text(value))
        else:
            kept.append(source.text(parameter))
            passed.append(source.text(value))
    result = "" if kind == "void" else f" -> {kind}"
    text = f"[&]({', '.join(kept)}){result} {edited(source, body, edits)}({', '.join(passed)})"
    index = call.parent is not None and "subscript" in call.parent.type
    return f"({text})" if index else text  # `[[` would begin an attribute


def _movable(source: SourceFile, definition: Node, call: Node) -> bool:
    """Whether a body means the same at a call: it is no recursion, and no variable of the caller hides a name."""
    caller = enclosing(call, "function_definition")
    body, name = field(definition, "body"), source.text(field(call, "function"))
    text = source.text(body)
    if caller is None or caller == definition or re.search(rf"\b{name}\b|\bstatic\b|\bgoto\b|#|\bthis\b", text):
        return False
    if definition.parent is not None and definition.parent.type == "template_declaration":
        return False
    free = {
        source.text(node) for node in source.find("identifier", within=body)
        if (symbol := resolve(source, node)) is None or symbol.is_global
    }  # fmt: skip
    local = {
        source.text(node) for node in source.find("identifier", within=caller)
        if (symbol := resolve(source, node)) is not None and not symbol.is_global
    }  # fmt: skip
    return not free & local


def _name(source: SourceFile, parameter: Node) -> str | None:
    declarator = parameter.child_by_field_name("declarator")
    found = next(source.find("identifier", within=declarator), None) if declarator is not None else None
    return source.text(found) if found is not None else None


def _same_thing(source: SourceFile, parameter: Node, name: str, body: Node, value: Node) -> bool:
    """Whether a parameter can be the caller's variable itself."""
    if value.type != "identifier" or resolve(source, value) is None:
        return False
    text, taken = source.text(parameter), {source.text(node) for node in source.find("identifier", within=body)}
    if source.text(value) in taken - {name}:
        return False
    use = next((node for node in source.find("identifier", within=body) if source.text(node) == name), None)
    symbol = resolve(source, use) if use is not None else None
    if symbol is None:
        return False
    if "&" in text:
        return "&&" not in text
    if "*" in text or "[" in text:
        moved = re.search(rf"(?<![\w.])\*?{name}\s*(?:=(?!=)|\+\+|--|[-+]=)|(?:\+\+|--)\s*{name}\b", source.text(body))
        return moved is None
    kind = source.text(field(parameter, "type"))
    large = re.match(r"(?:std::)?(?:vector|string|map|set)", kind) is not None
    return large and only_read(source, name, body, kind) and not changes_in(source, symbol, body)


def _renamed(source: SourceFile, body: Node, name: str, value: str) -> list[Edit]:
    nodes = source.find("identifier", within=body)
    return [source.replace(node, value) for node in nodes if source.text(node) == name]
