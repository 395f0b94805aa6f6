"""Python: finding the kinds of values by following them through a program until nothing new is learned."""

from __future__ import annotations

import ast
from functools import lru_cache

from maxcode.policy.rewrite.python.tree.calls import LIBRARY, CallInference, escapes, made_elsewhere
from maxcode.policy.rewrite.python.tree.kinds import HOLDERS, NUMBERS, ValueCell, ValueKinds, flow, taint
from maxcode.policy.rewrite.python.tree.library import elements
from maxcode.policy.rewrite.python.tree.program import program
from maxcode.policy.rewrite.source import SourceFile

_PASSES = 12


@lru_cache(maxsize=128)
def kinds_of(source: SourceFile) -> ValueKinds | None:
    """The kinds of a program; None where its tree is not to be had."""
    found = program(source)
    if found is None:
        return None
    kinds = ValueKinds(found)
    before = -1
    for _ in range(_PASSES):
        if (size := kinds.size()) == before:
            return kinds
        before = size
        inference = _Inference(kinds)
        for each in found.tree.body:
            inference.statement(each)
    return None


class _Inference:
    """One pass over a program."""

    def __init__(self, kinds: ValueKinds) -> None:
        self.kinds = kinds
        self.calls = CallInference(kinds, self.visit)

    def statement(self, node: ast.stmt) -> None:
        of, visit = self.kinds.of, self.visit
        match node:
            case ast.FunctionDef():
                self._function(node)
            case ast.ClassDef():
                of(node).kinds.add("class")
                for each in node.body:
                    self.statement(each)
            case ast.Assign():
                for target in node.targets:
                    self.assign(target, visit(node.value))
                    if isinstance(target, ast.Name) and isinstance(self.kinds.program.above[node], ast.ClassDef):
                        flow(visit(node.value), self.kinds.attribute(target.id))
            case ast.AnnAssign():
                if node.value is not None:
                    self.assign(node.target, visit(node.value))
            case ast.AugAssign():
                self.assign(node.target, self._operation(node.op, visit(node.target), visit(node.value), node))
            case ast.For():
                self.assign(node.target, elements(visit(node.iter)))
            case ast.Return():
                function = self.kinds.program.function(node)
                flow(visit(node.value) if node.value is not None else ValueCell("none"), self.kinds.result(function))
            case ast.With():
                for item in node.items:
                    made = visit(item.context_expr)
                    if item.optional_vars is not None:
                        self.assign(item.optional_vars, made)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    of(alias).kinds.add("module")
            case ast.Delete():
                for target in node.targets:
                    visit(target)
            case ast.Try():
                for handler in node.handlers:
                    of(handler).kinds.add("?")
            case _:
                pass
        for name in ("value", "test", "exc", "msg", "cause"):
            inner = getattr(node, name, None)
            if isinstance(inner, ast.expr):
                visit(inner)
        for name in ("body", "orelse", "finalbody"):
            if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                for each in getattr(node, name, []):
                    self.statement(each)
        for handler in getattr(node, "handlers", []):
            for each in handler.body:
                self.statement(each)

    def _function(self, node: ast.FunctionDef) -> None:
        self.kinds.of(node).kinds.add("function")
        arguments = node.args
        names = [*arguments.posonlyargs, *arguments.args]
        for name, default in zip(names[len(names) - len(arguments.defaults) :], arguments.defaults, strict=True):
            flow(self.visit(default), self.kinds.of(name))
        for name, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if given is not None:
                flow(self.visit(given), self.kinds.of(name))
        for rest in (arguments.vararg, arguments.kwarg):
            if rest is not None:
                taint(self.kinds.of(rest))
        plain = all(ast.unparse(each).partition("(")[0].rpartition(".")[2] in ("lru_cache", "cache", "staticmethod")
                    for each in node.decorator_list)  # fmt: skip
        above = self.kinds.program.above[node]
        if isinstance(above, ast.ClassDef) and names and "staticmethod" not in map(ast.unparse, node.decorator_list):
            self.kinds.of(names[0]).kinds.add(f"object {above.name}")
        elif not plain:
            for name in names:
                taint(self.kinds.of(name))
        if not self.kinds.closed:
            escapes(self.kinds, node)
        if _falls_through(node.body):
            self.kinds.result(node).kinds.add("none")
        if any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node)):
            taint(self.kinds.result(node))
        for each in node.body:
            self.statement(each)

    def assign(self, target: ast.expr, value: ValueCell) -> None:
        match target:
            case ast.Name():
                flow(value, self.kinds.of(target))
            case ast.Attribute():
                self.visit(target.value)
                flow(value, self.kinds.attribute(target.attr))
                flow(self.kinds.attribute(target.attr), self.kinds.of(target))
            case ast.Subscript():
                self._store(self.visit(target.value), target.slice, value)
            case ast.Starred():
                inner = self.kinds.of(target.value)
                inner.kinds.add("list")
                flow(value, inner.held())
            case ast.Tuple() | ast.List():
                starred = any(isinstance(each, ast.Starred) for each in target.elts)
                parts = None if starred else value.parts(len(target.elts))
                if parts is not None and value.root().kinds <= {"tuple", "none"}:
                    for each, part in zip(target.elts, parts, strict=True):
                        self.assign(each, part)
                else:
                    for each in target.elts:
                        self.assign(each, elements(value))
            case _:
                pass

    def _store(self, owner: ValueCell, index: ast.expr, value: ValueCell) -> None:
        self.visit(index)
        if isinstance(index, ast.Slice):
            flow(elements(value), owner.held())
            return
        if "dict" in owner.root().kinds:
            flow(self.kinds.of(index), owner.held())
            flow(value, owner.values())
        if owner.root().kinds - {"dict"}:
            flow(value, owner.held())

    def visit(self, node: ast.expr) -> ValueCell:
        """The cell of an expression, with what this pass learns about it."""
        cell = self.kinds.of(node)
        match node:
            case ast.Name():
                self._name(node, cell)
            case ast.Constant():
                cell.kinds.add("none" if node.value is None else type(node.value).__name__)
            case ast.JoinedStr():
                cell.kinds.add("str")
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        self.visit(part.value)
            case ast.List() | ast.Set():
                cell.kinds.add(type(node).__name__.lower())
                for each in node.elts:
                    starred = isinstance(each, ast.Starred)
                    inner = each.value if isinstance(each, ast.Starred) else each
                    flow(elements(self.visit(inner)) if starred else self.visit(inner), cell.held())
            case ast.Tuple():
                self._tuple(node, cell)
            case ast.Dict():
                cell.kinds.add("dict")
                for key, value in zip(node.keys, node.values, strict=True):
                    if key is None:
                        taint(cell)
                        continue
                    flow(self.visit(key), cell.held())
                    flow(self.visit(value), cell.values())
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._comprehension(node, cell)
            case ast.BinOp():
                flow(self._operation(node.op, self.visit(node.left), self.visit(node.right), node), cell)
            case ast.UnaryOp():
                kinds = self.visit(node.operand).root().kinds
                number = {"int" if each == "bool" else each for each in kinds}
                cell.kinds |= {"bool"} if isinstance(node.op, ast.Not) else number
            case ast.BoolOp():
                for each in node.values:
                    flow(self.visit(each), cell)
            case ast.Compare():
                for each in (node.left, *node.comparators):
                    self.visit(each)
                cell.kinds.add("bool")
            case ast.IfExp():
                self.visit(node.test)
                flow(self.visit(node.body), cell)
                flow(self.visit(node.orelse), cell)
            case ast.NamedExpr():
                self.assign(node.target, self.visit(node.value))
                flow(self.visit(node.value), cell)
            case ast.Subscript():
                self._subscript(node, cell)
            case ast.Attribute():
                self._attribute(node, cell)
            case ast.Call():
                self.calls.call(node, cell)
            case ast.Lambda():
                cell.kinds.add("lambda")
                flow(self.visit(node.body), self.kinds.result(node))
                above = self.kinds.program.above[node]
                if not (isinstance(above, ast.keyword) and above.arg == "key"):
                    escapes(self.kinds, node)
            case _:
                for inner_node in ast.iter_child_nodes(node):
                    if isinstance(inner_node, ast.expr):
                        self.visit(inner_node)
                cell.kinds.add("?")
        return self.kinds.of(node)

    def _name(self, node: ast.Name, cell: ValueCell) -> None:
        variable = self.kinds.program.variable[node]
        if variable not in self.kinds.bound:
            cell.kinds.add(f"type {node.id}")
        above = self.kinds.program.above[node]
        function = self.kinds.defined.get(variable)
        if function is not None and not (isinstance(above, ast.Call) and above.func is node):
            escapes(self.kinds, function)

        made = self.kinds.classes.get(node.id)
        asked = isinstance(above, ast.Call) and (
            above.func is node or ast.unparse(above.func) in ("isinstance", f"{node.id}.__new__")
        )
        if made is not None and not asked and not isinstance(above, (ast.Attribute, ast.Raise)):
            made_elsewhere(self.kinds, made)

    def _tuple(self, node: ast.Tuple, cell: ValueCell) -> None:
        cell.kinds.add("tuple")
        given = [self.visit(each.value if isinstance(each, ast.Starred) else each) for each in node.elts]
        if any(isinstance(each, ast.Starred) for each in node.elts):
            taint(cell)
        if cell._parts is None:
            cell._parts = [ValueCell() for _ in node.elts]
        if len(cell._parts) == len(given):
            for value, part in zip(given, cell._parts, strict=True):
                flow(value, part)
        else:
            for value in given:
                flow(value, cell.held())

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, cell: ValueCell
    ) -> None:
        for clause in node.generators:
            self.assign(clause.target, elements(self.visit(clause.iter)))
            for test in clause.ifs:
                self.visit(test)
        if isinstance(node, ast.DictComp):
            cell.kinds.add("dict")
            flow(self.visit(node.key), cell.held())
            flow(self.visit(node.value), cell.values())
            return
        cell.kinds.add({ast.ListComp: "list", ast.SetComp: "set"}.get(type(node), "iter"))
        flow(self.visit(node.elt), cell.held())

    def _operation(self, op: ast.operator, left: ValueCell, right: ValueCell, node: ast.AST) -> ValueCell:
        a, b = left.root().kinds, right.root().kinds
        found = ValueCell()
        if "?" in a | b:
            found.kinds.add("?")
        holders = (a | b) & HOLDERS
        if holders:
            for side in (left, right):
                if side.root().kinds & HOLDERS:
                    found.kinds |= side.root().kinds & HOLDERS
                    flow(elements(side), found.held())
        if "str" in a and isinstance(op, ast.Mod | ast.Add | ast.Mult):
            found.kinds.add("str")
        if "str" in b and isinstance(op, ast.Mult):
            found.kinds.add("str")
        if a & NUMBERS and b & NUMBERS:
            found.kinds |= _number(op, a, b, node)
        of_library = (a | b) & {"exact", "time"}
        if "str" not in a:
            found.kinds |= of_library | ({"float"} if of_library and "float" in a | b else set())
        between = "time" in a & b and not isinstance(op, ast.Add | ast.Sub)
        if between or (a | b) - NUMBERS - HOLDERS - {"str", "?", "none", "exact", "time"}:
            found.kinds.add("?")
        return found

    def _subscript(self, node: ast.Subscript, cell: ValueCell) -> None:
        owner = self.visit(node.value)
        kinds = owner.root().kinds
        if isinstance(node.slice, ast.Slice):
            for each in (node.slice.lower, node.slice.upper, node.slice.step):
                if each is not None:
                    self.visit(each)
            cell.kinds |= kinds & {"str", "list", "tuple", "bytes", "bytearray", "range", "?"}
            if kinds & {"list", "tuple"}:
                flow(owner.held(), cell.held())
            return
        self.visit(node.slice)
        place = node.slice.value if isinstance(node.slice, ast.Constant) else None
        parts, whole = owner.root()._parts, kinds - {"none"} == {"tuple"}
        if whole and isinstance(place, int) and parts is not None and -len(parts) <= place < len(parts):
            flow(parts[place], cell)
            return
        if "str" in kinds:
            cell.kinds.add("str")
        if kinds & {"range", "bytes", "bytearray"}:
            cell.kinds.add("int")
        if "dict" in kinds:
            flow(owner.values(), cell)
        if kinds - {"dict", "str", "range", "bytes", "bytearray"}:
            flow(owner.held(), cell)
        if kinds - HOLDERS - {"str", "bytes", "bytearray", "none"}:
            cell.kinds.add("?")

    def _attribute(self, node: ast.Attribute, cell: ValueCell) -> None:
        owner = self.visit(node.value)
        name = node.attr
        if isinstance(node.value, ast.Name) and node.value.id == "sys" and name in ("stdin", "stdout"):
            cell.kinds.add("file")
        elif "module" in owner.root().kinds:
            cell.kinds.add({"inf": "float", "pi": "float", "e": "float", "maxsize": "int"}.get(name, "module"))
        elif name in self.kinds.methods:
            cell.kinds.add("method")
            above = self.kinds.program.above[node]
            if not (isinstance(above, ast.Call) and above.func is node):
                for each in self.kinds.methods[name]:
                    escapes(self.kinds, each)
        elif any(each.startswith("object ") or each in ("class", "?") for each in owner.root().kinds):
            flow(self.kinds.attribute(name), cell)
            cell.kinds |= {"?"} if owner.root().kinds & {"class", "?"} else set()
        elif owner.root().kinds & (HOLDERS | {"str"}):
            cell.kinds.add("bound")
            if (owner, name) not in cell.bound:
                cell.bound.append((owner, name))
        elif owner.root().kinds and not owner.root().kinds <= LIBRARY:
            cell.kinds.add("?")
        elif "time" in owner.root().kinds:
            cell.kinds.add("int")


def _number(op: ast.operator, a: set[str], b: set[str], node: ast.AST) -> set[str]:
    """Kinds of the result of arithmetic on numbers."""
    if isinstance(op, ast.Div):
        return {"float"}
    found = {"float"} if "float" in a | b else set()
    if (a - {"float"}) & NUMBERS and (b - {"float"}) & NUMBERS:
        found.add("int")
        power = node.right if isinstance(node, ast.BinOp) else None
        if isinstance(op, ast.Pow) and not (isinstance(power, ast.Constant) and isinstance(power.value, int)):
            found.add("float")
        if isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and {"bool"} <= a & b:
            found.add("bool")
    return found


def _falls_through(body: list[ast.stmt]) -> bool:
    """Whether a function may end without a return statement."""
    last = body[-1]
    if isinstance(last, ast.If) and last.orelse:
        return _falls_through(last.body) or _falls_through(last.orelse)
    return not isinstance(last, (ast.Return, ast.Raise)) and not (
        isinstance(last, ast.While) and isinstance(last.test, ast.Constant) and bool(last.test.value)
    )
