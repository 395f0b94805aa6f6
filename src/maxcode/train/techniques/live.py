"""The part of a program that can run: without functions nobody calls and statements nobody reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tree_sitter import Node

from maxcode.core import Language
from maxcode.policy.rewrite.analysis.loops import written
from maxcode.policy.rewrite.source import SourceFile, ancestors, enclosing
from maxcode.train.techniques.integers import integer
from maxcode.train.techniques.preprocess import Text

_ENDS = ("return_statement", "break_statement", "continue_statement", "goto_statement")
_LABELS = ("labeled_statement", "case_statement")


@dataclass(frozen=True)
class LiveCode:
    """Code that a detector looks at."""

    source: SourceFile
    includes: tuple[str, ...]
    readable: bool

    @cached_property
    def functions(self) -> dict[str, Node]:
        return {name: node for name, node in _functions(self.source) if name}

    @cached_property
    def constants(self) -> Mapping[str, int]:
        return _constants(self.source)

    @cached_property
    def pragmas(self) -> list[str]:
        return [" ".join(found.split()) for found in re.findall(r"^\s*#pragma (.*)$", self.source.code, re.MULTILINE)]

    def value(self, text: str) -> int | None:
        return integer(text, self.constants)


def live_program(text: Text, entry: str | None) -> LiveCode:
    """The program without what cannot run. `entry` is the function that is called from outside, if that is known."""
    source = _parsed(text.code)
    source = _without(source, _never_run(source))
    while (dead := _uncalled(source, entry)) != []:
        source = _without(source, dead)
    return LiveCode(source, text.includes, text.readable)


def _parsed(code: str) -> SourceFile:
    """The code parsed as C++; as C where only that parses without errors."""
    readings = (SourceFile(code, Language.CPP), SourceFile(code, Language.C))
    return readings[0] if not readings[0].broken or readings[1].broken else readings[1]


def _without(source: SourceFile, dead: list[Node]) -> SourceFile:
    data = bytearray(source.data)
    for node in dead:
        data[node.start_byte : node.end_byte] = re.sub(rb"[^\n]", b" ", bytes(data[node.start_byte : node.end_byte]))
    return _parsed(data.decode(errors="replace")) if dead else source


def _never_run(source: SourceFile) -> list[Node]:
    """Branches whose condition is a plain false, and what follows a jump in the same block."""
    constants = _constants(source)
    found: list[Node] = []
    for node in source.find("if_statement", "while_statement"):
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        if condition is None:
            continue
        value = integer(source.text(condition).removeprefix("constexpr"), constants)
        other = node.child_by_field_name("alternative")
        if value == 0 and (dead := body or node.child_by_field_name("body")) is not None:
            found.append(dead)
        elif value and node.type == "if_statement" and other is not None:
            found.append(other)
    for block in source.find("compound_statement"):
        found += _after_a_jump(source, block)
    return found


def _after_a_jump(source: SourceFile, block: Node) -> Iterator[Node]:
    gone = False
    for node in block.named_children:
        gone = gone and next(source.find(*_LABELS, within=node), None) is None
        if gone:
            yield node
        gone = gone or node.type in _ENDS


def _functions(source: SourceFile) -> Iterator[tuple[str, Node]]:
    for node in source.find("function_definition"):
        declarator = node.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator") or next(
                (each for each in declarator.named_children if each.type.endswith("declarator")), None
            )
        named = declarator.child_by_field_name("declarator") if declarator is not None else None
        yield (source.text(named).split("::")[-1].strip() if named is not None else ""), node


def _uncalled(source: SourceFile, entry: str | None) -> list[Node]:
    """Functions that nothing reaches from where the program is entered."""
    functions = list(_functions(source))
    names = {name for name, _ in functions}
    outside = set(re.findall(r"[A-Za-z_]\w*", _without_bodies(source, [node for _, node in functions])))
    entered = {entry} if entry in names else {"main"} if "main" in names else None
    reached = {name for name, node in functions if _is_root(source, name, node, entered)} | (outside & names)
    while True:
        inside = {
            word for name, node in functions if name in reached for word in re.findall(r"\w+", _body(source, node))
        }
        if (inside & names) <= reached:
            break
        reached |= inside & names
    return [node for name, node in functions if name not in reached and name in names]


def _is_root(source: SourceFile, name: str, node: Node, entered: set[str] | None) -> bool:
    head = source.data[node.start_byte : node.end_byte].decode(errors="replace").split("{")[0]
    if not re.fullmatch(r"[A-Za-z_]\w*", name) or re.search(r"\b(?:constructor|ifunc|used)\b", head):
        return True  # operators and destructors have no name to be called by
    if any(each.type in ("class_specifier", "struct_specifier") for each in ancestors(node)):
        return True
    if entered is not None:
        return name in entered
    hidden = re.search(r"\bstatic\b|\binline\b", head) or enclosing(node, "template_declaration")
    unnamed = (space for space in ancestors(node) if space.type == "namespace_definition")
    return not hidden and all(space.child_by_field_name("name") is not None for space in unnamed)


def _without_bodies(source: SourceFile, functions: list[Node]) -> str:
    """The text outside functions, declarations of functions left out: they call nothing."""
    data = bytearray(source.data)
    for node in functions:
        data[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    for node in source.find("function_declarator"):
        data[node.start_byte : node.end_byte] = b" " * (node.end_byte - node.start_byte)
    return data.decode(errors="replace")


def _body(source: SourceFile, node: Node) -> str:
    body = node.child_by_field_name("body")
    return source.text(body) if body is not None else source.text(node)


def _constants(source: SourceFile) -> dict[str, int]:
    """Names with one plain integer value that nothing changes."""
    changed = written(source, source.root)
    found: dict[str, int] = {}
    twice: set[str] = set()
    for name, text in _given_values(source):
        value = integer(text, found)
        if name in found and found[name] != value:
            twice.add(name)
        if value is not None:
            found[name] = value
        else:
            twice.add(name)
    return {name: value for name, value in found.items() if name not in changed | twice}


def _given_values(source: SourceFile) -> Iterator[tuple[str, str]]:
    for node in source.find("init_declarator", "enumerator"):
        name = node.child_by_field_name("declarator") or node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        if name is not None and value is not None and name.type == "identifier":
            yield source.text(name), source.text(value).strip("{}")
