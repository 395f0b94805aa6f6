"""What nothing uses: functions that are called nowhere any more, inserted definitions, and members of inserted classes.

What comes out is judged like any other program, and dropped where it fails, so usual is enough here, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.core import Candidate, Language
from maxcode.policy.rewrite.actions import language_of
from maxcode.policy.rewrite.source import Edit, SourceFile, apply
from maxcode.task.model import Task

_WORD = re.compile(r"[A-Za-z_]\w*")
_DEFINITIONS = ("function_definition", "template_declaration")
_CLASSES = ("struct_specifier", "class_specifier")
_NEEDS: tuple[tuple[str, str], ...] = (
    (r"is_floating_point", r"\b(double|float)\b"),
    (r"\bconst char ?\*", r'"'),
    (r"\bchar ?\*", r"\bchar\b"),
    (r"\bchar ?&", r"\bchar\b"),
    (r"\(char \w+\)", r"\bchar\b|'"),
    (r"\bbool \w+\)", r"\bbool\b"),
    (r"\bstring\b", r"\bstring\b"),
)
"""What the rest must have somewhere (second) for an operator with such parameters (first that fits) to be of use."""


def without_unused(task: Task, candidate: Candidate) -> Candidate:
    """The candidate without what nothing uses any more; itself if there is no such thing."""
    if task.language is Language.PYTHON:
        return candidate
    before = task.baseline_candidate.files
    files = {
        name: trimmed(before.get(name, ""), text, language_of(name, task)) for name, text in candidate.files.items()
    }
    return candidate if files == candidate.files else candidate.model_copy(update={"files": files})


def trimmed(before: str, after: str, language: Language) -> str:
    """C or C++ text without what nothing uses any more. `before` is the original."""
    for _ in range(8):
        source = SourceFile(after, language)
        if source.broken:
            return after
        unused = [*_uncalled(before, source), *_idle(before, source)] or [*_members(before, source)]
        if not unused:
            return after
        after = apply(source, tuple(_cut(source, node) for node in unused)).code
    return after


def _uncalled(before: str, source: SourceFile) -> Iterator[Node]:
    """Functions of the original that were called there and are named nowhere else now."""
    then, now = Counter(_WORD.findall(before)), Counter(_WORD.findall(source.code))
    for node in source.root.named_children:
        if node.type == "function_definition" and source.text(node) in before:
            name = _name(source, node)
            if name and name != "main" and now[name] == 1 < then[name]:
                yield node


def _idle(before: str, source: SourceFile) -> Iterator[Node]:
    """Inserted definitions that nothing else names. An object with a constructor may be there for what that does."""
    now = Counter(_WORD.findall(source.code))
    for node in source.root.named_children:
        text = source.text(node)
        name = _declared(source, node)
        if name is None or "__attribute__" in text or text in before or re.search(rf"\b{re.escape(name)}\b", before):
            continue  # a constructor or destructor of the program is called by nobody
        kind = node.child_by_field_name("type") if node.type == "declaration" else None
        constructed = kind is not None and re.search(rf"(?<!~)\b{re.escape(source.text(kind))}\(", source.code)
        if not constructed and now[name] == _WORD.findall(text).count(name):
            yield node


def _declared(source: SourceFile, node: Node) -> str | None:
    """Name of the one thing that a definition at the outer level defines."""
    if node.type == "template_declaration":
        node = node.named_children[-1]
    if node.type in _CLASSES:
        inner = node.child_by_field_name("name")
    elif node.type == "function_definition":
        return _name(source, node)
    elif node.type == "declaration":
        found = node.children_by_field_name("declarator")
        inner = found[0] if len(found) == 1 and found[0].type == "identifier" else None
    else:
        inner = None
    return source.text(inner) if inner is not None else None


def _members(before: str, source: SourceFile) -> Iterator[Node]:
    """Member functions of inserted classes that nothing names, and operators for types that the original lacks."""
    now = Counter(_WORD.findall(source.code))
    bodies = [
        body
        for each in source.find(*_CLASSES)
        if _inserted(source, each, before) and (body := each.child_by_field_name("body")) is not None
    ]
    rest = apply(source, tuple(Edit(body.start_byte, body.end_byte, "{}") for body in bodies)).code
    for node in (node for body in bodies for node in body.named_children):
        if node.type in _DEFINITIONS and _needless(rest, source, node, now):
            yield node


def _inserted(source: SourceFile, node: Node, before: str) -> bool:
    name = node.child_by_field_name("name")
    outer = node.parent is None or node.parent.type in ("translation_unit", "template_declaration")
    return outer and name is not None and not re.search(rf"\b{re.escape(source.text(name))}\b", before)


def _needless(rest: str, source: SourceFile, node: Node, now: Counter[str]) -> bool:
    head = source.text(node).split("{", 1)[0]
    if "operator>>" in head or "operator<<" in head:
        needed = next((needed for has, needed in _NEEDS if re.search(has, head)), "")
        return re.search(needed, rest) is None
    name = _name(source, node)
    return name is not None and now[name] == 1


def _name(source: SourceFile, node: Node) -> str | None:
    """Name of a plain function; None for operators, constructors and destructors."""
    declarator = next(source.find("function_declarator", within=node), None)
    inner = declarator.child_by_field_name("declarator") if declarator is not None else None
    if inner is None or inner.type not in ("identifier", "field_identifier"):
        return None
    around = node.parent.parent if node.parent is not None else None
    owner = around.child_by_field_name("name") if around is not None else None
    name = source.text(inner)
    return None if owner is not None and source.text(owner) == name else name


def _cut(source: SourceFile, node: Node) -> Edit:
    """The definition, the comment right above it, its line ends and one blank line."""
    start, end = node.start_byte, node.end_byte
    above = node.prev_sibling
    if above is not None and above.type == "comment" and above.end_point[0] == node.start_point[0] - 1:
        start = above.start_byte
    start = source.data.rfind(b"\n", 0, start) + 1
    while source.data[end : end + 1] in (b" ", b"\t", b";"):
        end += 1
    end += source.data[end : end + 1] == b"\n"
    if source.data[max(start - 2, 0) : start] in (b"", b"\n\n") and source.data[end : end + 1] == b"\n":
        end += 1
    return Edit(start, end, "")
