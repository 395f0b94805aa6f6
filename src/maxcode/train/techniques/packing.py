"""Packing: elements of an operand copied to a buffer of the program's own, in another order, and read from there."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from maxcode.policy.rewrite.source import SourceFile, enclosing
from maxcode.train.techniques.arrays import local_arrays, scratch_names
from maxcode.train.techniques.blocking import LARGEST_TILE_IN_REGISTERS
from maxcode.train.techniques.live import LiveCode
from maxcode.train.techniques.nests import assignments, loops_around, mentions, root_name, walks

SMALL = 32
"""Elements of a local array that stands for registers rather than for a buffer."""
_COPIES = {"memcpy": 0, "memmove": 0, "__builtin_memcpy": 0, "copy": -1, "copy_n": -1}
_FREES = re.compile(r"\b(?:free|_mm_free|delete)\b")


def packs(program: LiveCode) -> bool:
    source, buffers = program.source, scratch_names(program, SMALL)
    tiles = {a.name for a in local_arrays(program) if (a.elements or 10**9) <= LARGEST_TILE_IN_REGISTERS}
    variables = {walk.variable for walk in walks(program)}
    for name, function in program.functions.items():
        own = buffers[name]
        for target, statement in _copied(source, function, own, tiles, variables):
            if _read_elsewhere(program, target, statement, name, buffers) and not _worked_on(source, target, function):
                return True
    return False


def _copied(
    source: SourceFile, function: Node, own: set[str], tiles: set[str], variables: set[str]
) -> Iterator[tuple[str, Node]]:
    """Buffers that a loop fills with elements from elsewhere, and the statement that does."""
    for node, left, operator, right in assignments(source, function):
        target, loaded = root_name(source, left), _loaded(source, right)
        if operator != "=" or target not in own or left.type == "identifier" or loaded is None:
            continue
        if root_name(source, loaded) not in {target, *tiles} and _moved(source, left, loaded) and loops_around(node):
            yield target, node
    for call in source.find("call_expression", within=function):
        found = _copy_call(source, call, own, variables)
        if found is not None and loops_around(call):
            yield found, call


def _loaded(source: SourceFile, node: Node) -> Node | None:
    """The one element that an expression reads: itself, times a factor, or else a constant."""
    while node.type in ("parenthesized_expression", "cast_expression"):
        node = node.named_children[-1]
    if node.type == "assignment_expression":
        right = node.child_by_field_name("right")
        return _loaded(source, right) if right is not None else None
    if node.type == "conditional_expression":
        sides = [node.child_by_field_name(name) for name in ("consequence", "alternative")]
        found = [each for side in sides if side is not None and (each := _loaded(source, side)) is not None]
        return found[0] if len(found) == 1 else None
    if node.type == "binary_expression" and "*" in [source.text(each) for each in node.children]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return None
        factors = [side for side in (left, right) if side.type in ("identifier", "number_literal")]
        loads = [each for side in (left, right) if (each := _loaded(source, side)) is not None]
        return loads[0] if len(factors) == len(loads) == 1 else None
    if node.type == "subscript_expression" or (node.type == "pointer_expression" and source.text(node)[0] == "*"):
        return node
    return None


def _moved(source: SourceFile, left: Node, right: Node) -> bool:
    """Whether the place in the buffer is another than the place it came from, and plain."""
    here, there = _place(source.text(left)), _place(source.text(right))
    return "[" not in there.strip("[]").replace("][", "") and here != there


def _place(text: str) -> str:
    text = re.sub(r"\s+", "", text)
    return text[text.find("[") :] if "[" in text else f"*{text}"


def _copy_call(source: SourceFile, call: Node, own: set[str], variables: set[str]) -> str | None:
    called, arguments = call.child_by_field_name("function"), call.child_by_field_name("arguments")
    if called is None or arguments is None or len(arguments.named_children) < 2:
        return None
    name, given = source.text(called).split("::")[-1], [source.text(each) for each in arguments.named_children]
    if "store" in name and "load" in given[-1]:
        into, out_of = given[0], given[-1]
    elif name in _COPIES:
        into, out_of = given[_COPIES[name]], given[1 if _COPIES[name] == 0 else 0]
    else:
        return None
    target = next((word for word in re.findall(r"[A-Za-z_]\w*", into) if word in own), None)
    return target if target is not None and mentions(out_of, *variables) and not mentions(out_of, target) else None


def _read_elsewhere(program: LiveCode, target: str, statement: Node, name: str, buffers: dict[str, set[str]]) -> bool:
    """Whether a loop reads the buffer where it is filled, or, as a parameter, it was given by a function that does."""
    source, function = program.source, program.functions[name]
    for node in source.find("identifier", within=function):
        elsewhere = not statement.start_byte <= node.start_byte < statement.end_byte
        if source.text(node) == target and elsewhere and loops_around(node) and not _only_managed(source, node):
            return True
        if source.text(node) == target and enclosing(node, "return_statement") is not None:
            return True
    others = any(buffers[other] for other in program.functions if other != name)
    return others and _is_parameter(source, function, target)


def _only_managed(source: SourceFile, node: Node) -> bool:
    """Whether a use only declares, allocates or frees the buffer."""
    around = enclosing(node, "expression_statement", "declaration", "delete_expression")
    if around is None:
        return False
    text = source.text(around)
    if _FREES.search(text):
        return True
    return (
        around.type == "declaration"
        and enclosing(node, "init_declarator", "array_declarator") is not None
        and (_is_declared(node))
    )


def _is_declared(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type in ("pointer_declarator", "array_declarator"):
        above = above.parent
    if above is None or above.type not in ("init_declarator", "declaration"):
        return False
    value = above.child_by_field_name("value")
    return value is None or node.end_byte <= value.start_byte


def _is_parameter(source: SourceFile, function: Node, name: str) -> bool:
    listed = next(source.find("parameter_list", within=function), None)
    return listed is not None and mentions(source.text(listed), name)


def _worked_on(source: SourceFile, target: str, function: Node) -> bool:
    """Whether the buffer is changed other than by copies and constants: it is then where the work is done."""
    for _, left, operator, right in assignments(source, function):
        if left.type != "identifier" and root_name(source, left) == target:
            plain = _loaded(source, right) is not None or re.fullmatch(r"[\d.]+f?", source.text(right))
            if operator != "=" or not plain:
                return True
    return False
