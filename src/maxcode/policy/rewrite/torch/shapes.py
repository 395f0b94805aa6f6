"""Shapes and kinds of the tensors in a model's forward, as far as the text tells, without running it."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from maxcode.policy.rewrite.torch.flow import names_set
from maxcode.policy.rewrite.torch.layers import Layer, layer_shape, weight_shape
from maxcode.policy.rewrite.torch.operations import (
    ARITHMETIC,
    attribute_of_self,
    constant,
    dotted,
    modules_of,
    operation,
)
from maxcode.policy.rewrite.torch.program import Function, TorchSource
from maxcode.policy.rewrite.torch.tensors import Tensor, applied, made
from maxcode.policy.rewrite.transformation import Setting

LAYERS = ("nn.", "torch.nn.")
UNKNOWN = None


@dataclass(eq=False)
class KnownShapes:
    """What is known of each expression of forward."""

    known: dict[ast.expr, Any] = field(default_factory=dict)
    inputs: tuple[Any, ...] | None = None
    """Values that forward is given; None where they are not known."""
    before: dict[ast.stmt, dict[str, Any]] = field(default_factory=dict)
    """What each name holds before a statement."""
    attributes: dict[str, Any] = field(default_factory=dict)
    """What __init__ makes of the model's attributes."""

    def tensor(self, node: ast.expr) -> Tensor | None:
        found = self.known.get(node)
        return found if isinstance(found, Tensor) else None

    def rank(self, node: ast.expr) -> int | None:
        found = self.tensor(node)
        return len(found.shape) if found else None

    def value(self, node: ast.expr) -> Any:
        return self.known.get(node)


def shapes_of(whole: TorchSource, setting: Setting) -> KnownShapes:
    return _shapes(whole, setting.torch.problem if setting.torch else "")


@lru_cache(maxsize=256)
def _shapes(whole: TorchSource, problem: str) -> KnownShapes:
    """Shapes in the model for the problem's inputs."""
    tree = _tree(problem) if problem else whole.tree
    shapes = KnownShapes()
    inputs, arguments = (_returned(tree, name) for name in ("get_inputs", "get_init_inputs"))
    if not isinstance(inputs, list):
        return shapes
    own = ShapeEvaluator(_module_names(whole.tree))
    own.layers = frozenset(modules_of(whole.model))
    init, forward = whole.method("__init__"), whole.method("forward")
    if init is not None and isinstance(arguments, list):
        own.run(init, arguments)
        own.names = _module_names(whole.tree)
    if forward is not None:
        own.seen, own.before = shapes.known, shapes.before
        own.run(forward, inputs)
    shapes.inputs, shapes.attributes = tuple(inputs), own.attributes
    return shapes


@lru_cache(maxsize=64)
def _tree(code: str) -> ast.Module:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def _module_names(tree: ast.Module) -> dict[str, Any]:
    evaluator = ShapeEvaluator({})
    for statement in tree.body:
        evaluator.statement(statement)
    return evaluator.names


def _returned(tree: ast.Module, name: str) -> Any:
    """Value that a function without arguments returns; UNKNOWN where there is no such function."""
    function = next((each for each in tree.body if isinstance(each, Function) and each.name == name), None)
    if function is None:
        return UNKNOWN
    return ShapeEvaluator(_module_names(tree)).run(function, [])


class ShapeEvaluator:
    """Runs straight-line code on shapes and numbers; everything else is UNKNOWN."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = dict(names)
        self.attributes: dict[str, Any] = {}
        self.seen: dict[ast.expr, Any] = {}
        self.before: dict[ast.stmt, dict[str, Any]] = {}
        self.layers: frozenset[str] = frozenset()
        self.result: Any = UNKNOWN

    def run(self, function: Function, arguments: list[Any]) -> Any:
        given = [each.arg for each in function.args.args if each.arg != "self"]
        defaults = function.args.defaults
        for name, value in zip(given[len(given) - len(defaults) :], defaults, strict=True):
            self.names[name] = self.value(value)
        self.names |= dict(zip(given, arguments, strict=False))
        self.result = UNKNOWN
        for statement in function.body:
            self.statement(statement)
        return self.result

    def statement(self, statement: ast.stmt) -> None:
        self.before[statement] = dict(self.names)
        if isinstance(statement, ast.Assign):
            value = self.value(statement.value)
            for target in statement.targets:
                self.assign(target, value)
        elif isinstance(statement, ast.Return) and statement.value is not None:
            self.result = self.value(statement.value)
        elif isinstance(statement, ast.Expr):
            self.value(statement.value)
        else:
            self.names |= dict.fromkeys(names_set(statement), UNKNOWN)

    def assign(self, target: ast.expr, value: Any) -> None:
        name = attribute_of_self(target)
        if isinstance(target, ast.Name):
            self.names[target.id] = value
        elif name is not None:
            self.attributes[name] = value
        elif isinstance(target, ast.Tuple | ast.List):
            parts = (
                value
                if isinstance(value, tuple | list) and len(value) == len(target.elts)
                else [UNKNOWN] * len(target.elts)
            )
            for each, part in zip(target.elts, parts, strict=True):
                self.assign(each, part)

    def value(self, node: ast.expr) -> Any:
        try:
            found = self._value(node)
        except (TypeError, ValueError, IndexError, ZeroDivisionError, KeyError, OverflowError, AttributeError):
            found = UNKNOWN
        self.seen[node] = found
        return found

    def _value(self, node: ast.expr) -> Any:
        number = constant(node)
        if number is not None and not isinstance(node, ast.Tuple | ast.List):
            return number
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Tuple | ast.List):
            parts = [self.value(each) for each in node.elts]
            return tuple(parts) if isinstance(node, ast.Tuple) else parts
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.Subscript):
            return self._item(self.value(node.value), node.slice)
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Attribute):
            return self._built_in(node)
        return self._operator(node)

    def _attribute(self, node: ast.Attribute) -> Any:
        name = attribute_of_self(node)
        if name is not None:
            return self.attributes.get(name)
        owner = self.value(node.value)
        if isinstance(owner, Layer):
            return weight_shape(owner, node.attr)
        if isinstance(owner, Tensor) and node.attr == "shape":
            return owner.shape
        return applied(node.attr, [owner], {}) if isinstance(owner, Tensor) else UNKNOWN

    def _item(self, owner: Any, index: ast.expr) -> Any:
        if isinstance(owner, tuple | list):
            if isinstance(index, ast.Slice):
                bounds = [self.value(each) if each else None for each in (index.lower, index.upper)]
                return owner[bounds[0] : bounds[1]]
            return owner[self.value(index)]
        at = self.value(index)
        if isinstance(owner, Tensor) and isinstance(at, Tensor) and at.kind == "int":
            return Tensor((*at.shape, *owner.shape[1:]), owner.kind)
        return UNKNOWN

    def _built_in(self, node: ast.Call) -> Any:
        values = [self.value(each) for each in node.args]
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if UNKNOWN in values or node.keywords or any(isinstance(each, Tensor) for each in values):
            return UNKNOWN
        known: dict[str, Callable[..., Any]] = {"int": int, "float": float, "len": len, "tuple": tuple, "list": list}
        return known[name](*values) if name in known else UNKNOWN

    def _operator(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.BinOp):
            left, right = self.value(node.left), self.value(node.right)
            found = operation(node, {})
            if isinstance(left, Tensor) or isinstance(right, Tensor):
                return applied(found.name, [left, right], {}) if found else UNKNOWN
            return _number(node.op, left, right)
        if isinstance(node, ast.UnaryOp):
            inner = self.value(node.operand)
            return inner if isinstance(inner, Tensor) else -inner if isinstance(node.op, ast.USub) else UNKNOWN
        if isinstance(node, ast.Compare):
            parts = [self.value(each) for each in (node.left, *node.comparators)]
            return applied("compare", parts, {}) if any(isinstance(each, Tensor) for each in parts) else UNKNOWN
        return UNKNOWN

    def _call(self, node: ast.Call) -> Any:
        assert isinstance(node.func, ast.Attribute)
        values = [self.value(each) for each in node.args]
        given = {str(each.arg): self.value(each.value) for each in node.keywords}
        name, base = dotted(node.func) or "", node.func.value
        attribute = attribute_of_self(node.func)
        if attribute is not None:
            layer = self.attributes.get(attribute)
            return layer_shape(layer, values) if isinstance(layer, Layer) and attribute in self.layers else UNKNOWN
        if name in ("math.sqrt", "math.log", "math.exp", "math.prod"):
            return getattr(math, node.func.attr)(*values)
        if name.endswith("Parameter") and name.startswith(LAYERS):
            return values[0]
        if name.startswith(LAYERS) and "functional" not in name:
            return Layer(node.func.attr, tuple(values), tuple(given.items()))
        if dotted(base) in ("torch", "F", "torch.nn.functional", "nn.functional"):
            found = made(node.func.attr, values, given)
            return found if found is not None else applied(node.func.attr, values, given)
        owner = self.value(base)
        return applied(node.func.attr, [owner, *values], given) if isinstance(owner, Tensor) else UNKNOWN


def _number(operator: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(operator, ast.Mult) and isinstance(left, tuple | list):
        return left * right
    found = ARITHMETIC.get(type(operator))
    too_large = isinstance(operator, ast.Pow) and isinstance(right, int | float) and abs(right) > 64
    return found(left, right) if found and not too_large and left is not UNKNOWN and right is not UNKNOWN else UNKNOWN
