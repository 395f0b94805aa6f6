"""Arrays and buffers that a function has for itself: how large they are, and which names stand for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from maxcode.policy.rewrite.source import SourceFile, enclosing
from maxcode.train.techniques.live import LiveCode
from maxcode.train.techniques.nests import callees, mentions

_ALLOCATED = re.compile(
    r"\b(?:malloc|calloc|realloc|aligned_alloc|alloca|__builtin_alloca\w*|_mm_malloc|memalign|valloc|make_unique)\b|\bnew\b"
)
_CONTAINER = re.compile(r"\b(?:vector|array|unique_ptr|valarray)\s*<")
TEMPLATE_SIZE = 4
"""Assumed size of a dimension that is a template's parameter: such arrays are made for registers."""


@dataclass(frozen=True)
class LocalArray:
    name: str
    node: Node
    """The declaration."""
    elements: int | None
    """Number of elements; None where the size is not plain."""


@lru_cache(maxsize=8)
def local_arrays(program: LiveCode) -> tuple[LocalArray, ...]:
    return tuple(array for node in program.source.find("declaration") for array in _arrays_of(program, node))


def _arrays_of(program: LiveCode, node: Node) -> Iterator[LocalArray]:
    source = program.source
    parameters = _template_parameters(source, node)
    for each in source.find("array_declarator", within=node):
        if each.parent is not None and each.parent.type == "array_declarator":
            continue
        text = source.text(each)
        name = re.match(r"\W*(\w+)", text)
        if name is not None and enclosing(each, "parameter_list") is None:
            yield LocalArray(name[1], node, _elements(program, re.findall(r"\[([^\]]*)\]", text), parameters))
    if _CONTAINER.search(source.text(node)) and enclosing(node, "function_definition") is not None:
        given = re.search(r"\barray\s*<[^,<>]+,([^<>]+)>", source.text(node))
        size = program.value(given[1]) if given else None
        for declarator in node.children_by_field_name("declarator"):
            found = re.match(r"\w+", source.text(declarator))
            if found:
                yield LocalArray(found[0], node, size)


def _elements(program: LiveCode, sizes: list[str], parameters: set[str]) -> int | None:
    total = 1
    for size in sizes:
        for name in parameters:
            size = re.sub(rf"\b{name}\b", str(TEMPLATE_SIZE), size)
        value = program.value(size)
        if value is None:
            return None
        total *= value
    return total


def _template_parameters(source: SourceFile, node: Node) -> set[str]:
    template = enclosing(node, "template_declaration")
    if template is None:
        return set()
    listed = template.child_by_field_name("parameters")
    return set(re.findall(r"\w+", source.text(listed))) if listed is not None else set()


def scratch_names(program: LiveCode, small: int) -> dict[str, set[str]]:
    """Per function, the names of buffers that belong to the program: local and global arrays larger than `small`,
    allocated memory, pointers into either, and parameters that are given one."""
    shared = {array.name for array in local_arrays(program) if _is_buffer(array, small) and _outside(array.node)}
    found = {name: shared | _own_buffers(program, node, small) for name, node in program.functions.items()}
    changed = True
    while changed:
        changed = False
        for name, node in program.functions.items():
            before = sum(map(len, found.values()))
            found[name] |= _pointers_into(program.source, node, found[name])
            _give_to_callees(program, node, found, found[name])
            changed = changed or sum(map(len, found.values())) > before
    return found


def _is_buffer(array: LocalArray, small: int) -> bool:
    return array.elements is None or array.elements > small


def _outside(node: Node) -> bool:
    return enclosing(node, "function_definition") is None


def _own_buffers(program: LiveCode, function: Node, small: int) -> set[str]:
    source = program.source
    inside = {
        array.name
        for array in local_arrays(program)
        if _is_buffer(array, small) and function.start_byte <= array.node.start_byte < function.end_byte
    }
    for name, value in _given(source, function):
        if _ALLOCATED.search(value):
            inside.add(name)
    inside |= _of_types(source, function, _types_with_buffers(program, small))
    inside |= set(re.findall(r"\bposix_memalign\s*\(\s*(?:\([^()]*\)\s*)?&\s*(\w+)", source.text(function)))
    return inside


@lru_cache(maxsize=8)
def _types_with_buffers(program: LiveCode, small: int) -> frozenset[str]:
    """Structures of the program that hold an array larger than `small`."""
    source = program.source
    found: set[str] = set()
    for node in source.find("struct_specifier", "class_specifier"):
        body, name = node.child_by_field_name("body"), node.child_by_field_name("name")
        if body is None:
            continue
        sizes = [
            re.findall(r"\[([^\]]*)\]", source.text(each)) for each in source.find("array_declarator", within=body)
        ]
        large = any((_elements(program, size, set()) or small + 1) > small for size in sizes)
        if large or _CONTAINER.search(source.text(body)):
            found |= {source.text(name)} if name is not None else set()
            if node.parent is not None and node.parent.type == "type_definition":
                found |= {source.text(each) for each in node.parent.children_by_field_name("declarator")}
    return frozenset(found)


def _of_types(source: SourceFile, function: Node, types: frozenset[str]) -> set[str]:
    found = set()
    for node in source.find("declaration", within=function):
        kind = node.child_by_field_name("type")
        if kind is not None and re.sub(r"<.*|\bstruct\b", "", source.text(kind)).strip() in types:
            texts = (source.text(each) for each in node.children_by_field_name("declarator"))
            found |= {match[0] for text in texts if (match := re.search(r"[A-Za-z_]\w*", text))}
    return found


def _pointers_into(source: SourceFile, function: Node, buffers: set[str]) -> set[str]:
    return {
        name
        for name, value in _given(source, function)
        if re.match(r"\s*(?:\([^()]*\*\s*\)\s*)?&?\s*\(*\s*(\w+)", value)
        and re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*", "", re.sub(r"^\s*\([^()]*\*\s*\)", "", value)))[:1]
        and re.findall(r"[A-Za-z_]\w*", re.sub(r"^\s*\([^()]*\*\s*\)", "", value))[0] in buffers
        and (not re.search(r"\[", value) or value.strip().startswith("&"))
    }


def _give_to_callees(program: LiveCode, function: Node, found: dict[str, set[str]], buffers: set[str]) -> None:
    source = program.source
    named = {node.start_byte: name for name, node in program.functions.items()}
    for call, called in callees(program, function):
        arguments = call.child_by_field_name("arguments")
        given = arguments.named_children if arguments is not None else []
        for parameter, argument in zip(_parameters(source, called), given, strict=False):
            text = source.text(argument)
            if mentions(text, *buffers) and not (text.endswith("]") and not text.startswith("&")):
                found[named[called.start_byte]].add(parameter)


def _parameters(source: SourceFile, function: Node) -> list[str]:
    listed = next(source.find("parameter_list", within=function), None)
    texts = [source.text(each) for each in listed.named_children] if listed is not None else []
    return [(re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*", "", text)) or [""])[-1] for text in texts]


def _given(source: SourceFile, function: Node) -> Iterator[tuple[str, str]]:
    """Names and what they are set to, by declarations and plain assignments."""
    for node in source.find("init_declarator", within=function):
        name, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        if name is not None and value is not None and name.type in ("pointer_declarator", "identifier"):
            yield source.text(name).strip("*& ").split()[-1].strip("*&"), source.text(value)
    for node in source.find("assignment_expression", within=function):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is not None and right is not None and left.type == "identifier":
            yield source.text(left), source.text(right)
