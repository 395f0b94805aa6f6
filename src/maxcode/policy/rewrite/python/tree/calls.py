"""Python: what calls do to the kinds of values: arguments reach parameters, and results the call."""

from __future__ import annotations

import ast
from collections.abc import Callable

from maxcode.policy.rewrite.python.tree.kinds import HOLDERS, ValueCell, ValueKinds, flow, taint
from maxcode.policy.rewrite.python.tree.library import (
    built_in,
    elements,
    method_of_container,
    method_of_library,
    unknown,
)

LIBRARY = frozenset({"match", "pattern", "time", "exact", "none"})
"""Kinds of objects of the standard library whose methods are known."""
_MOST = 20


def made_elsewhere(kinds: ValueKinds, made: ast.ClassDef) -> None:
    """Marks a class as one of which objects are made where nobody sees."""
    for each in made.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            escapes(kinds, each)
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            taint(kinds.attribute(each.target.id))


def escapes(kinds: ValueKinds, function: ast.FunctionDef | ast.Lambda) -> None:
    """Marks a function as one that is called from where nobody sees."""
    arguments = function.args
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        if each is not None:
            taint(kinds.of(each))


class CallInference:
    """The calls of one pass over a program; `visit` finds the cell of an expression."""

    def __init__(self, kinds: ValueKinds, visit: Callable[[ast.expr], ValueCell]) -> None:
        self.kinds = kinds
        self.visit = visit

    def call(self, node: ast.Call, cell: ValueCell) -> None:
        """Adds what this pass learns about a call to its cell."""
        arguments = self._given(node)
        keywords = {each.arg: self.visit(each.value) for each in node.keywords}
        self._keyed(node)
        odd = None in keywords
        function = node.func
        if isinstance(function, ast.Attribute):
            owner = self.visit(function.value)
            self.visit(function)
            receiver = owner.root().kinds
            if receiver & (HOLDERS | {"str", "bytes", "bytearray"}):
                method_of_container(function.attr, owner, arguments, cell)
            known = self.kinds.callee(node)
            if function.attr == "__new__" and receiver == {"class"}:
                cell.kinds.add(f"object {ast.unparse(function.value)}")
            elif "module" in receiver or (
                isinstance(function.value, ast.Name) and function.value.id in ("sys", "math")
            ):
                built_in(function.attr, arguments, keywords, cell)
            elif known is not None:
                for each in known:
                    self._enter(each, [owner, *arguments], keywords, cell, odd)
            elif receiver and receiver <= LIBRARY:
                method_of_library(function.attr, receiver, arguments, cell)
            elif receiver - HOLDERS - {"str", "bytes", "bytearray"}:
                unknown([*arguments, *keywords.values(), owner], cell)
            return
        name = function.id if isinstance(function, ast.Name) else None
        if name is not None:
            self.visit(function)
        callee = self.kinds.callee(node)
        if callee is not None:
            of = [self.visit(function.args[0])] if isinstance(function, ast.Call) else []
            for each in callee:
                self._enter(each, [*of, *arguments], keywords, cell, odd)
        elif name == "getattr" and (attributes := self.kinds.texts(node.args[1])) is not None:
            self._attributes(attributes, node, cell)
        elif name in self.kinds.classes and name is not None:
            self._instance(self.kinds.classes[name], arguments, keywords, cell, odd)
        elif name is not None and (
            function not in self.kinds.program.variable
            or not self.kinds.program.stores(self.kinds.program.variable[function])
            or self.kinds.of(function).kinds == {"module"}
        ):
            built_in(name, arguments, keywords, cell)
        else:
            bound = self.visit(function).root()
            for owner, method in bound.bound:
                method_of_container(method, owner, arguments, cell)
            if bound.kinds != {"bound"}:
                unknown([*arguments, *keywords.values()], cell)

    def _attributes(self, names: set[str], node: ast.Call, cell: ValueCell) -> None:
        """The attributes of some names, which are methods where the program has such."""
        for name in names:
            for each in self.kinds.methods.get(name, ()):
                escapes(self.kinds, each)
            flow(self.kinds.attribute(name), cell)
        if not all(each.startswith("object ") for each in self.kinds.of(node.args[0]).kinds):
            cell.kinds.add("?")
        for default in node.args[2:]:
            flow(self.visit(default), cell)

    def _given(self, node: ast.Call) -> list[ValueCell]:
        """Cells of the arguments; `*rest` stands for as many as a call may have."""
        found: list[ValueCell] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                rest = elements(self.visit(each.value))
                return [*found, *([rest] * _MOST)]
            found.append(self.visit(each))
        return found

    def _keyed(self, node: ast.Call) -> None:
        """Lets the elements of what is sorted or searched reach the parameter of its key."""
        key = next((each.value for each in node.keywords if each.arg == "key"), None)
        if not isinstance(key, ast.Lambda):
            return
        function = node.func
        ordered = isinstance(function, ast.Name) and function.id in ("sorted", "min", "max") and len(node.args) == 1
        in_place = isinstance(function, ast.Attribute) and function.attr == "sort" and not node.args
        over = node.args[0] if ordered else function.value if isinstance(function, ast.Attribute) and in_place else None
        if over is not None and len(key.args.args) == 1:
            flow(elements(self.kinds.of(over)), self.kinds.of(key.args.args[0]))
        else:
            escapes(self.kinds, key)

    def _enter(
        self,
        function: ast.FunctionDef,
        given: list[ValueCell],
        keywords: dict[str | None, ValueCell],
        cell: ValueCell,
        odd: bool,
    ) -> None:
        """Lets arguments reach the parameters of a function, and its results the call."""
        names = [*function.args.posonlyargs, *function.args.args]
        static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in function.decorator_list)
        if static and isinstance(self.kinds.program.above[function], ast.ClassDef):
            given = given[1:]
        if odd or len(names) < len(given) < _MOST:
            for name in names:
                taint(self.kinds.of(name))
            for value in given:
                taint(value)
        for name, value in zip(names, given, strict=False):
            flow(value, self.kinds.of(name))
        for name in (*names, *function.args.kwonlyargs):
            if name.arg in keywords:
                flow(keywords[name.arg], self.kinds.of(name))
        flow(self.kinds.result(function), cell)

    def _instance(
        self,
        made: ast.ClassDef,
        given: list[ValueCell],
        keywords: dict[str | None, ValueCell],
        cell: ValueCell,
        odd: bool,
    ) -> None:
        start = next((e for e in made.body if isinstance(e, ast.FunctionDef) and e.name == "__init__"), None)
        if (made.bases and [ast.unparse(each) for each in made.bases] != ["object"]) or made.keywords:
            unknown([*given, *keywords.values()], cell)
        cell.kinds.add(f"object {made.name}")
        if start is not None:
            self._enter(start, [cell, *given], keywords, ValueCell(), odd)
            return
        fields = [e.target.id for e in made.body if isinstance(e, ast.AnnAssign) and isinstance(e.target, ast.Name)]
        for each in made.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                attribute = self.kinds.attribute(each.target.id)
                if isinstance(each.value, ast.Call):
                    taint(attribute)
                elif each.value is not None:
                    flow(self.visit(each.value), attribute)
        for name, value in [*zip(fields, given, strict=False), *((str(k), v) for k, v in keywords.items())]:
            flow(value, self.kinds.attribute(name))
        if odd:
            for name in fields:
                taint(self.kinds.attribute(name))
