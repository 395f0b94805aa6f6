"""Chains of elementwise operators over tensors, as straight code of simple steps that a kernel can be written from."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from maxcode.policy.rewrite.torch.matching import Bound, Matcher
from maxcode.policy.rewrite.torch.operations import SIGNATURES, Op, constant
from maxcode.policy.rewrite.torch.shapes import KnownShapes
from maxcode.policy.rewrite.torch.tensors import Tensor

Value = str | float
"""A variable of the kernel, or a number."""
ROOT_HALF, ROOT_2_PI = math.sqrt(0.5), math.sqrt(2 / math.pi)
PRIMITIVE = frozenset("add sub mul div neg exp log log1p expm1 sqrt rsqrt abs tanh erf sin cos floor ceil".split())
MOST_STEPS = 64


class NoKernel(Exception):
    """The chain has something that a kernel of ours cannot do."""


@dataclass(frozen=True, eq=False)
class Leaf:
    """A tensor that a kernel reads, or a number that it is given."""

    name: str
    bound: Bound
    shape: tuple[int, ...] | None
    """Shape of the tensor; None for a number."""


@dataclass(eq=False)
class Chain:
    """Steps of the form (name, operator, operands); the last one is the result."""

    shape: tuple[int, ...]
    leaves: list[Leaf] = field(default_factory=list)
    steps: list[tuple[str, str, tuple[Value, ...]]] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    nodes: set[int] = field(default_factory=set)
    """Identities of the expressions that became steps."""

    def emit(self, operator: str, *operands: Value) -> str:
        """The variable that holds a step's result; equal steps are made once."""
        for name, *step in self.steps:
            if step == [operator, operands]:
                return name
        if all(isinstance(each, float) for each in operands):
            raise NoKernel
        name = f"v{len(self.steps)}"
        self.steps.append((name, operator, operands))
        return name

    @property
    def tensors(self) -> list[Leaf]:
        return [each for each in self.leaves if each.shape is not None]

    @property
    def numbers(self) -> list[Leaf]:
        return [each for each in self.leaves if each.shape is None]


def chain_of(matcher: Matcher, shapes: KnownShapes, root: Bound) -> Chain | None:
    """The largest chain that ends in an expression; None where there is none or its shapes are not known."""
    tensor = shapes.tensor(root.node)
    if tensor is None or tensor.kind != "float" or not tensor.shape:
        return None
    chain, result, excluded = Chain(tensor.shape), None, frozenset[int]()
    for _ in range(5):
        chain = Chain(tensor.shape)
        try:
            result = _Builder(matcher, shapes, chain, excluded).value(root, top=True)
        except NoKernel:
            return None
        needed = {at for at in chain.used if not set(matcher.flow.readers(at)) <= {*chain.used, root.at}}
        if not needed:
            break
        excluded |= needed
    full = [each for each in chain.tensors if each.shape == chain.shape]
    if not chain.steps or result != chain.steps[-1][0] or not full or len(chain.leaves) > 12:
        return None
    return chain if all(block(each.shape or (), chain.shape) for each in chain.tensors) else None


def block(shape: tuple[int, ...], whole: tuple[int, ...]) -> tuple[int, int] | None:
    """Range of the whole's dimensions that a smaller tensor has: first, one behind the last; (0, 0) for one element."""
    padded = (1,) * (len(whole) - len(shape)) + shape
    there = [at for at, size in enumerate(padded) if size != 1]
    if not there:
        return 0, 0
    first, last = there[0], there[-1] + 1
    fits = len(padded) == len(whole) and padded[first:last] == whole[first:last]
    return (first, last) if fits else None


@dataclass(frozen=True, eq=False)
class _Builder:
    matcher: Matcher
    shapes: KnownShapes
    chain: Chain
    excluded: frozenset[int]
    """Assignments that are also read outside the chain."""
    known: dict[int, Value] = field(default_factory=dict)
    """Values of the assignments that are steps already."""

    def value(self, bound: Bound, top: bool = False) -> Value:
        number = constant(bound.node)
        if number is not None:
            if not math.isfinite(number):
                raise NoKernel
            return float(number)
        found = self._through_name(bound)
        if found is not None:
            return found
        operator = self.matcher.view(bound.node)
        tensor = self.shapes.tensor(bound.node)
        inside = tensor is not None and tensor.shape == self.chain.shape
        if operator is not None and operator.name in OPERATORS and (inside or top):
            self.chain.nodes.add(id(bound.node))
            return self._step(operator, bound.at)
        return self._leaf(bound, tensor)

    def _through_name(self, bound: Bound) -> Value | None:
        """Value of a name's assignment, if that is a step and nothing outside the chain reads it; else None."""
        flow = self.matcher.flow
        found = flow.definition(bound.node.id, bound.at) if isinstance(bound.node, ast.Name) else None
        if found is None:
            return None
        where, value = found
        tensor, operator = self.shapes.tensor(value), self.matcher.view(value)
        inside = tensor is not None and tensor.shape == self.chain.shape
        if not inside or operator is None or operator.name not in OPERATORS:
            return None
        if where in flow.barriers or where in self.excluded:
            return None
        self.chain.used.add(where)
        if where not in self.known:
            if len(self.chain.steps) > MOST_STEPS:
                raise NoKernel
            self.known[where] = self.value(Bound(value, where))
        return self.known[where]

    def _step(self, operator: Op, at: int) -> Value:
        arguments = [self.value(Bound(each, at)) if each is not None else None for each in self._operands(operator)]
        return OPERATORS[operator.name](self.chain, arguments)

    def _operands(self, operator: Op) -> list[ast.expr | None]:
        """The arguments that are values; others must have the value that is assumed here."""
        for name, value in zip(_signature(operator), operator.args, strict=True):
            is_true = not (isinstance(value, ast.Constant) and value.value in (False, None))
            if value is not None and name in ("inplace", "rounding_mode") and is_true:
                raise NoKernel
        return [
            value
            for name, value in zip(_signature(operator), operator.args, strict=True)
            if name not in ("inplace", "rounding_mode")
        ]

    def _leaf(self, bound: Bound, tensor: Tensor | None) -> Value:
        for each in self.chain.leaves:
            if self.matcher.same(each.bound, bound):
                return each.name
        known = self.shapes.value(bound.node)
        is_number = isinstance(known, int | float) and not isinstance(known, bool)
        if not is_number and (tensor is None or tensor.kind != "float"):
            raise NoKernel
        kind = "s" if is_number else "a"
        name = f"{kind}{sum(each.name[0] == kind for each in self.chain.leaves)}"
        self.chain.leaves.append(Leaf(name, bound, tensor.shape if tensor is not None and not is_number else None))
        return name


def _signature(operator: Op) -> tuple[str, ...]:
    return SIGNATURES[operator.name]


Lowering = Callable[[Chain, list[Value | None]], Value]


def _given(value: Value | None, default: float) -> Value:
    return default if value is None else value


def _plain(name: str) -> Lowering:
    def lowered(chain: Chain, values: list[Value | None]) -> Value:
        operands = [each for each in values if each is not None]
        return chain.emit(name, *operands)

    return lowered


def _x(values: list[Value | None]) -> Value:
    if values[0] is None:
        raise NoKernel
    return values[0]


def _select(chain: Chain, greater: Value, than: Value, then: Value, otherwise: Value) -> str:
    """`then` where one value is greater than another; not-a-number is not greater."""
    return chain.emit("select", greater, than, then, otherwise)


def _sum(chain: Chain, values: list[Value | None], operator: str) -> Value:
    alpha, other = values[2], values[1]
    if other is None:
        raise NoKernel
    scaled = other if alpha is None else chain.emit("mul", alpha, other)
    return chain.emit(operator, _x(values), scaled)


def _power(chain: Chain, values: list[Value | None]) -> Value:
    x, power = _x(values), values[1]
    if power == 2.0:
        return chain.emit("mul", x, x)
    if power == 3.0:
        return chain.emit("mul", chain.emit("mul", x, x), x)
    if power == 0.5:
        return chain.emit("sqrt", x)
    if power == -0.5:
        return chain.emit("rsqrt", x)
    raise NoKernel


def _sigmoid(chain: Chain, x: Value) -> Value:
    return chain.emit("div", 1.0, chain.emit("add", 1.0, chain.emit("exp", chain.emit("neg", x))))


def _clamp(chain: Chain, x: Value, low: Value | None, high: Value | None) -> Value:
    raised = x if low is None else _select(chain, low, x, low, x)
    return raised if high is None else _select(chain, raised, high, high, raised)


def _gelu(chain: Chain, values: list[Value | None]) -> Value:
    x = _x(values)
    inner = chain.emit("add", 1.0, chain.emit("erf", chain.emit("mul", x, ROOT_HALF)))
    return chain.emit("mul", chain.emit("mul", 0.5, x), inner)


def _softplus(chain: Chain, values: list[Value | None]) -> Value:
    if values[1:] != [None, None]:
        raise NoKernel
    x = _x(values)
    return _select(chain, x, 20.0, x, chain.emit("log1p", chain.emit("exp", x)))


def _maximum(chain: Chain, values: list[Value | None], lesser: bool) -> Value:
    one, other = values
    if one is None or other is None:
        raise NoKernel
    return chain.emit("min" if lesser else "max", one, other)


def _hard_sigmoid(chain: Chain, x: Value) -> Value:
    return chain.emit("div", _clamp(chain, chain.emit("add", x, 3.0), 0.0, 6.0), 6.0)


OPERATORS: dict[str, Lowering] = {
    **{name: _plain(name) for name in PRIMITIVE - {"add", "sub"}},
    "add": lambda chain, values: _sum(chain, values, "add"),
    "sub": lambda chain, values: _sum(chain, values, "sub"),
    "pow": _power,
    "maximum": lambda chain, values: _maximum(chain, values, False),
    "minimum": lambda chain, values: _maximum(chain, values, True),
    "relu": lambda chain, values: _clamp(chain, _x(values), 0.0, None),
    "relu6": lambda chain, values: _clamp(chain, _x(values), 0.0, 6.0),
    "clamp": lambda chain, values: _clamp(chain, _x(values), values[1], values[2]),
    "hardtanh": lambda chain, values: _clamp(chain, _x(values), _given(values[1], -1.0), _given(values[2], 1.0)),
    "sigmoid": lambda chain, values: _sigmoid(chain, _x(values)),
    "silu": lambda chain, values: chain.emit("mul", _x(values), _sigmoid(chain, _x(values))),
    "gelu": _gelu,
    "softplus": _softplus,
    "mish": lambda chain, values: chain.emit(
        "mul", _x(values), chain.emit("tanh", _softplus(chain, [_x(values), None, None]))
    ),
    "hardsigmoid": lambda chain, values: _hard_sigmoid(chain, _x(values)),
    "hardswish": lambda chain, values: chain.emit("mul", _x(values), _hard_sigmoid(chain, _x(values))),
    "leaky_relu": lambda chain, values: _select(
        chain, _x(values), 0.0, _x(values), chain.emit("mul", _x(values), _given(values[1], 0.01))
    ),
    "elu": lambda chain, values: _select(
        chain, _x(values), 0.0, _x(values), chain.emit("mul", _given(values[1], 1.0), chain.emit("expm1", _x(values)))
    ),
    "reciprocal": lambda chain, values: chain.emit("div", 1.0, _x(values)),
}
