"""Running several turns of an outer loop side by side, all the way in.

A loop over v becomes one that takes several v at a time. Loops inside it stay single; each statement that depends on v
is done for every lane, and what it keeps in a local variable gets one element per lane.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.loops import JUMPS, LOOPS, base_name, declared, statements, used, written
from maxcode.policy.rewrite.analysis.writing import Lines, block, braced, lines_of, otherwise, renaming
from maxcode.policy.rewrite.source import SourceFile, inside

_ZERO = re.compile(r"0+(?:\.0*)?[fFuUlL]*|\{\s*(?:0(?:\.0*)?[fF]?)?\s*\}")


class CannotJam(Exception):
    """The body has something that does not run side by side."""


@dataclass(frozen=True)
class Lanes:
    """Variable whose turns run side by side, and how the lanes are written."""

    variable: str
    lane: str
    count: int
    test: str
    """The condition of the loop over the lanes, such as `y < 24`."""
    sums: bool = False
    """Whether updates of one element by all the lanes may be added up first."""
    copies: bool = False
    """Write each statement once per lane instead of a loop over the lanes."""


def jammed(source: SourceFile, body: Node, lanes: Lanes) -> Lines:
    """The lines of a body for all lanes at once. Whether turns are free of each other is the caller's question."""
    if next(source.find(*JUMPS, "switch_statement", "do_statement", within=body), None) is not None:
        raise CannotJam
    return _Jam(source, body, lanes).lines()


@dataclass(frozen=True)
class _Jam:
    source: SourceFile
    body: Node
    lanes: Lanes
    dependent: frozenset[str] = frozenset()
    """The variable and the local names that are different in different lanes."""
    expanded: frozenset[str] = frozenset()
    """Names in `dependent` that live longer than one group of statements."""

    def lines(self) -> Lines:
        known = replace(self, dependent=_dependent(self.source, self.body, self.lanes.variable))
        groups = [part for part in known._parts(statements(self.body)) if len(part) > 0]
        expanded = frozenset(name for name in known.dependent if known._outlives(name, groups))
        return replace(known, expanded=expanded)._block(statements(self.body))

    def _outlives(self, name: str, groups: list[list[Node]]) -> bool:
        if name == self.lanes.variable:
            return False
        home = [group for group in groups if any(name in declared(self.source, node) for node in group)]
        uses = [each for each in self.source.find("identifier", within=self.body) if self.source.text(each) == name]
        return not all(any(inside(use, node) for group in home for node in group) for use in uses)

    def _splits(self, node: Node) -> bool:
        return bool(self.dependent & used(self.source, node)) or self._leaves_traces(node)

    def _leaves_traces(self, node: Node) -> bool:
        """Whether a statement changes something outside the body, so that every lane has to do it."""
        local = declared(self.source, self.body)
        for each in self.source.find("assignment_expression", "update_expression", within=node):
            target = each.child_by_field_name("left") or each.child_by_field_name("argument")
            if target is not None and base_name(self.source, target) not in local:
                return True
        return False

    def _nests(self, node: Node) -> bool:
        """Whether a statement stays as it is, and only the statements inside it are done for every lane."""
        if node.type == "compound_statement":
            return True
        if node.type not in (*LOOPS, "if_statement"):
            return False
        held = node.child_by_field_name("body") or node.child_by_field_name("consequence")
        control = [
            child for child in node.named_children if child not in (held, node.child_by_field_name("alternative"))
        ]
        free = not any(self.dependent & used(self.source, child) for child in control)
        if not free and (node.type != "if_statement" or next(self.source.find(*LOOPS, within=node), None) is not None):
            raise CannotJam
        return free

    def _parts(self, nodes: list[Node]) -> Iterator[list[Node]]:
        """Runs of statements that every lane does, here and in nested blocks; an empty list between them."""
        group: list[Node] = []
        for node in nodes:
            if self._splits(node) and not self._nests(node):
                group.append(node)
                continue
            if self._may_come_first(node, group):
                continue
            yield group
            group = []
            for held in _held(node):
                yield from self._parts(statements(held))
        yield group

    def _may_come_first(self, node: Node, group: list[Node]) -> bool:
        """Whether a declaration that is the same for all lanes may move before a group, which then stays whole."""
        changed = {name for each in group for name in written(self.source, each)}
        return node.type == "declaration" and not self._splits(node) and not changed & used(self.source, node)

    def _block(self, nodes: list[Node]) -> Lines:
        lines: Lines = []
        group: list[Node] = []
        for node in [*nodes, None]:
            if node is not None and self._splits(node) and not self._nests(node):
                group.append(node)
                continue
            if node is not None and self._may_come_first(node, group):
                lines += lines_of(self.source, node)
                continue
            lines += self._grouped(group)
            group = []
            if node is not None:
                lines += self._nested(node) if self._splits(node) else lines_of(self.source, node)
        return lines

    def _nested(self, node: Node) -> Lines:
        if node.type == "compound_statement":
            return braced(self.source, self._block(statements(node)))
        held = _held(node)
        head = self.source.data[node.start_byte : held[0].start_byte].decode().rstrip()
        lines = block(self.source, head, self._block(statements(held[0])))
        for other in held[1:]:
            lines = otherwise(lines, block(self.source, "else", self._block(statements(other))))
        return lines

    def _grouped(self, group: list[Node]) -> Lines:
        if not group:
            return []
        lines = [line for node in group if node.type == "declaration" for line in self._room(node)]
        rest = [node for node in group if not (node.type == "declaration" and self._becomes_zero(node))]
        if self.lanes.copies:
            return lines + self._copied(rest)
        inner = [line for node in rest for line in self._for_lane(node, self.lanes.lane)]
        head = f"for (int {self.lanes.lane} = 0; {self.lanes.test}; {self.lanes.lane}++)"
        return lines + (block(self.source, head, inner) if inner else [])

    def _copied(self, group: list[Node]) -> Lines:
        added = self._added_up(group)
        if added is not None:
            return added
        local = any(node.type == "declaration" and not self._long_lived(node) for node in group)
        lines: Lines = []
        for lane in range(self.lanes.count):
            inner = [line for node in group for line in self._for_lane(node, str(lane))]
            lines += braced(self.source, inner) if local else inner
        return lines

    def _added_up(self, group: list[Node]) -> Lines | None:
        """`x += a0 + a1 + a2;` where all the lanes add to one element."""
        if not self.lanes.sums or len(group) != 1 or group[0].type != "expression_statement":
            return None
        update = group[0].named_children[0] if group[0].named_children else group[0]
        left, right = update.child_by_field_name("left"), update.child_by_field_name("right")
        if left is None or right is None or update.type != "assignment_expression":
            return None
        if self.source.text(update.children[1]) not in ("+=",) or self.dependent & used(self.source, left):
            return None
        terms = [" ".join(self._for_lane(right, str(lane))) for lane in range(self.lanes.count)]
        terms = [term if re.fullmatch(r"[^?:<>=&|^]+", term) else f"({term})" for term in terms]
        target = self.source.text(left)
        return [f"{target} += {terms[0]}", *(f"    + {term}" for term in terms[1:-1]), f"    + {terms[-1]};"]

    def _for_lane(self, node: Node, lane: str) -> Lines:
        """A statement for one lane: v is v + lane, and a variable with an element per lane is that element."""
        if node.type == "declaration" and self._long_lived(node):
            name, _, value = self._parts_of(node)
            return [f"{name}[{lane}] = {' '.join(self._for_lane(value, lane))};"] if value is not None else []
        shifted = self.lanes.variable if lane == "0" else f"{self.lanes.variable} + {lane}"
        edits = renaming(self.source, node, {self.lanes.variable: shifted})
        for each in self.source.find("identifier", within=node):
            if self.source.text(each) in self.expanded:
                edits.append(self.source.after(_element(each), f"[{lane}]"))
        return lines_of(self.source, node, edits)

    def _long_lived(self, node: Node) -> bool:
        return bool(declared(self.source, node) & self.expanded)

    def _becomes_zero(self, node: Node) -> bool:
        if not self._long_lived(node):
            return False
        value = self._parts_of(node)[2]
        return value is None or _ZERO.fullmatch(self.source.text(value)) is not None

    def _room(self, node: Node) -> Lines:
        """The declaration of a variable with an element per lane."""
        if not self._long_lived(node):
            return []
        kind = node.child_by_field_name("type")
        if kind is None or "auto" in self.source.text(kind):
            raise CannotJam
        name, sizes, value = self._parts_of(node)
        zero = " = {0}" if self.source.language == "c" else " = {}"
        zeroed = zero if value is not None and self._becomes_zero(node) else ""
        return [f"{self.source.text(kind)} {name}{sizes}[{self.lanes.count}]{zeroed};"]

    def _parts_of(self, node: Node) -> tuple[str, str, Node | None]:
        """Name, array sizes and value of a declaration of one variable."""
        declarators = node.children_by_field_name("declarator")
        if len(declarators) != 1:
            raise CannotJam
        found, value = declarators[0], None
        if found.type == "init_declarator":
            value = found.child_by_field_name("value")
            found = found.child_by_field_name("declarator") or found
        text = re.fullmatch(r"(\w+)((?:\[\w+\])*)", self.source.text(found))
        if text is None or (value is not None and text[2] and not _ZERO.fullmatch(self.source.text(value))):
            raise CannotJam
        return text[1], text[2], value


def _held(node: Node) -> list[Node]:
    """Bodies of a statement: the block itself, or the branches and bodies that it has."""
    if node.type == "compound_statement":
        return [node]
    body = node.child_by_field_name("body") or node.child_by_field_name("consequence")
    alternative = node.child_by_field_name("alternative")
    other = [child for child in alternative.named_children if child.type != "comment"] if alternative else []
    return [each for each in (body, *other) if each is not None]


def _element(name: Node) -> Node:
    """The whole chain of subscripts that a name is the array of."""
    while name.parent is not None and name.parent.type == "subscript_expression" and name.parent.children[0] == name:
        name = name.parent
    return name


def _dependent(source: SourceFile, body: Node, variable: str) -> frozenset[str]:
    """The variable, and the local names whose values follow from it."""
    local = declared(source, body)
    found: set[str] = set()
    more = {variable}
    while more != found:
        found = set(more)
        for each in source.find("init_declarator", "assignment_expression", within=body):
            target = next(source.find("identifier", within=each), None)
            if target is not None and found & used(source, each):
                more |= {source.text(target)} & local
        for each in source.find("if_statement", within=body):
            condition = each.child_by_field_name("condition")
            if condition is not None and found & used(source, condition):
                more |= written(source, each) & local
    return frozenset(found)
