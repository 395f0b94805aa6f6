"""Runs of small pieces of C and C++ on small data, to see what they do whatever way they are written.

Only plain code can be run: whole numbers, elements of arrays, loops, conditions, assignments and swaps. For all else
there is `Unclear`, which means that nothing is known.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tree_sitter import Node

from maxcode.policy.rewrite.analysis.known_values import value_of
from maxcode.policy.rewrite.analysis.loops import statements
from maxcode.policy.rewrite.source import SourceFile
from maxcode.policy.rewrite.source import field as child

Value = object
_MOST_STEPS = 5000
LARGE = 10**6
"""Number that stands for the largest one, whatever it is called."""
_LARGEST = re.compile(r"_MAX$|^inf|^INF|^Inf|MAX|infinity")


class Unclear(Exception):
    """The code does something that a small run does not know."""


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


@dataclass(frozen=True, order=True)
class Element:
    """What an array holds where it is more than a number: compared by its key, told apart by its tag."""

    key: int
    tag: int = field(compare=False)


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: int(a / b),
    "%": lambda a, b: a - b * int(a / b),
}
_COMPARISONS: dict[str, Callable[..., bool]] = {
    "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


@dataclass
class Run:
    """A state of named numbers and arrays, and the code that changes it."""

    source: SourceFile
    names: dict[str, Value]
    arrays: dict[str, list[Value]]
    members: set[str] = field(default_factory=set)
    """The paths to members of elements that were read, such as ".score"."""
    steps: int = 0

    def do(self, node: Node) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Unclear
        match node.type:
            case "compound_statement":
                for each in statements(node):
                    self.do(each)
            case "expression_statement":
                if node.named_children:
                    self.value(node.named_children[0])
            case "declaration":
                self._declare(node)
            case "if_statement":
                self._branch(node)
            case "for_statement" | "while_statement" | "do_statement":
                self._loop(node)
            case "break_statement":
                raise _Break
            case "continue_statement":
                raise _Continue
            case _:
                raise Unclear

    def turn(self, body: Node) -> None:
        """One turn of a loop that the body may end, but not the loop."""
        try:
            self.do(body)
        except _Continue:
            return
        except _Break:
            raise Unclear from None

    def _declare(self, node: Node) -> None:
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type == "identifier":
                self.names[self.source.text(declarator)] = None
                continue
            if declarator.type != "init_declarator" or child(declarator, "declarator").type != "identifier":
                raise Unclear
            self.names[self.source.text(child(declarator, "declarator"))] = self.value(child(declarator, "value"))

    def _branch(self, node: Node) -> None:
        if self.value(child(node, "condition")):
            self.do(child(node, "consequence"))
        elif (clause := node.child_by_field_name("alternative")) is not None:
            self.do(next(each for each in clause.named_children if each.type != "comment"))

    def _loop(self, node: Node) -> None:
        parts = [node.child_by_field_name(name) for name in ("initializer", "condition", "update")]
        begin, test, step = parts if node.type == "for_statement" else (None, parts[1], None)
        if begin is not None:
            self.do(begin) if begin.type == "declaration" else self.value(begin)
        first = node.type == "do_statement"
        while first or test is None or self.value(test):
            first = False
            try:
                self.do(child(node, "body"))
            except _Break:
                return
            except _Continue:
                pass
            if step is not None:
                self.value(step)

    def value(self, node: Node) -> Value:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise Unclear
        text = self.source.text(node)
        match node.type:
            case "number_literal":
                return _literal(text)
            case "true" | "false":
                return int(node.type == "true")
            case "parenthesized_expression" | "condition_clause":
                return self.value(node.named_children[-1])
            case "cast_expression":
                return self._cast(node)
            case "identifier":
                return self._named(text)
            case "qualified_identifier" | "call_expression" if text.endswith("::max()"):
                return LARGE
            case "subscript_expression":
                array, at = self._place(node)
                return array[at]
            case "field_expression":
                return self._member(node)
            case "binary_expression":
                return self._binary(node)
            case "unary_expression" if text.startswith(("!", "-")):
                value = self._number(node.named_children[0])
                return int(not value) if text.startswith("!") else -value
            case "assignment_expression" | "update_expression":
                return self._assign(node)
            case "comma_expression":
                return [self.value(each) for each in node.named_children][-1]
            case "call_expression":
                return self._call(node)
            case _:
                raise Unclear

    def _named(self, name: str) -> Value:
        value = self.names.get(name)
        if value is not None:
            return value
        known = value_of(self.source, name) if name not in self.names else None
        if known is None and (name in self.names or not _LARGEST.search(name)):
            raise Unclear
        return LARGE if known is None else min(known, LARGE)

    def _number(self, node: Node) -> int:
        value = self.value(node)
        if not isinstance(value, int):
            raise Unclear
        return int(value)

    def _cast(self, node: Node) -> Value:
        if self.source.text(child(node, "type")) not in ("int", "long", "long long", "size_t"):
            raise Unclear
        return self._number(child(node, "value"))

    def _place(self, node: Node) -> tuple[list[Value], int]:
        name, index = (
            self.source.text(node.children[0]),
            child(node, "indices" if "indices" in _fields(node) else "index"),
        )
        inner = index.named_children[0] if index.type == "subscript_argument_list" else index
        array, at = self.arrays.get(name), self._number(inner)
        if array is None or not 0 <= at < len(array):
            raise Unclear
        return array, at

    def _member(self, node: Node) -> Value:
        value = self.value(child(node, "argument"))
        if not isinstance(value, Element) or "->" in self.source.text(node):
            raise Unclear
        self.members.add(self.source.text(child(node, "field")))
        return value.key

    def _binary(self, node: Node) -> Value:
        sign, left, right = self.source.text(child(node, "operator")), child(node, "left"), child(node, "right")
        if sign in ("&&", "||"):
            first = bool(self.value(left))
            return int(bool(self.value(right))) if first == (sign == "&&") else int(first)
        if sign in _ARITHMETIC:
            a, b = self._number(left), self._number(right)
            if sign in "/%" and b == 0:
                raise Unclear
            return _ARITHMETIC[sign](a, b)
        one, other = self.value(left), self.value(right)
        if sign not in _COMPARISONS or type(one) is not type(other):
            raise Unclear
        if isinstance(one, Element):
            self.members.add("")
            if sign in ("==", "!="):
                raise Unclear
        return int(_COMPARISONS[sign](one, other))

    def _assign(self, node: Node) -> Value:
        target = node.child_by_field_name("left") or child(node, "argument")
        if node.type == "update_expression":
            before, text = self._number(target), self.source.text(node)
            after = before + (1 if "++" in text else -1)
            self._store(target, after)
            return after if text.startswith(("++", "--")) else before
        sign, value = self.source.text(child(node, "operator")), self.value(child(node, "right"))
        if sign != "=":
            if sign[:-1] not in _ARITHMETIC or not isinstance(value, int):
                raise Unclear
            value = _ARITHMETIC[sign[:-1]](self._number(target), value)
        self._store(target, value)
        return value

    def _store(self, target: Node, value: Value) -> None:
        if target.type == "subscript_expression":
            array, at = self._place(target)
            if type(array[at]) is not type(value):
                raise Unclear
            array[at] = value
        elif target.type == "identifier" and self.source.text(target) in self.names:
            self.names[self.source.text(target)] = value
        else:
            raise Unclear

    def _call(self, node: Node) -> Value:
        name = self.source.text(child(node, "function"))
        given = child(node, "arguments").named_children
        if name in ("swap", "std::swap") and len(given) == 2:
            one, other = self.value(given[0]), self.value(given[1])
            self._store(given[0], other)
            self._store(given[1], one)
            return 0
        if name.endswith((".size", ".length")) and not given and name.rpartition(".")[0] in self.arrays:
            return len(self.arrays[name.rpartition(".")[0]])
        raise Unclear


def _literal(text: str) -> int:
    plain = text.rstrip("uUlLfF").replace("'", "")
    try:
        number = float(plain)
    except ValueError:
        raise Unclear from None
    if number != int(number):
        raise Unclear
    return min(int(number), LARGE)


def _fields(node: Node) -> set[str | None]:
    return {node.field_name_for_child(at) for at in range(node.child_count)}
