"""Expressions as operators of torch, however they are written: `x.exp()`, `torch.exp(x)` and `a @ b` alike."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from maxcode.policy.rewrite.torch.program import Function

FUNCTIONS = ("torch", "F", "functional", "torch.nn.functional", "nn.functional", "torch.special", "torch.linalg")
FOREIGN = ("math", "np", "numpy", "nn", "os", "sys", "self", "torch.cuda", "torch.nn", "torch.nn.init", "nn.init")
BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow", ast.MatMult: "matmul",
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
"""What operators do to numbers."""
UNARY = frozenset(
    "exp exp2 expm1 log log1p log2 sqrt rsqrt abs sigmoid tanh erf relu neg square relu6 silu hardswish mish "
    "hardsigmoid sin cos floor ceil sign selu logsigmoid softsign reciprocal celu tanhshrink".split()
)
ELEMENTWISE = UNARY | frozenset(
    "add sub mul div pow maximum minimum gelu softplus leaky_relu elu hardtanh clamp where masked_fill lerp "
    "addcmul".split()
)
SIGNATURES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(UNARY, ("input",)),
    **dict.fromkeys(("matmul", "maximum", "minimum"), ("input", "other")),
    **dict.fromkeys(("sum", "mean", "amax", "amin", "max", "min", "logsumexp", "prod"), ("input", "dim", "keepdim")),
    **dict.fromkeys(("var", "std"), ("input", "dim", "unbiased", "keepdim")),
    **dict.fromkeys(("softmax", "log_softmax", "unsqueeze", "squeeze", "cumsum", "softmin"), ("input", "dim")),
    "add": ("input", "other", "alpha"),
    "sub": ("input", "other", "alpha"),
    "mul": ("input", "other"),
    "div": ("input", "other", "rounding_mode"),
    "pow": ("input", "exponent"),
    "mm": ("input", "mat2"),
    "bmm": ("input", "mat2"),
    "addmm": ("input", "mat1", "mat2", "beta", "alpha"),
    "relu": ("input", "inplace"),
    "relu6": ("input", "inplace"),
    "silu": ("input", "inplace"),
    "gelu": ("input", "approximate"),
    "softplus": ("input", "beta", "threshold"),
    "leaky_relu": ("input", "negative_slope", "inplace"),
    "elu": ("input", "alpha", "inplace"),
    "hardtanh": ("input", "min_val", "max_val", "inplace"),
    "clamp": ("input", "min", "max"),
    "lerp": ("input", "end", "weight"),
    "norm": ("input", "p", "dim", "keepdim"),
    "transpose": ("input", "dim0", "dim1"),
    "t": ("input",),
    "T": ("input",),
    "mT": ("input",),
    "diag": ("input", "diagonal"),
    "flatten": ("input", "start_dim", "end_dim"),
    "masked_fill": ("input", "mask", "value"),
    "where": ("condition", "input", "other"),
    "linear": ("input", "weight", "bias"),
    "nll_loss": ("input", "target"),
    "gather": ("input", "dim", "index"),
    "stack": ("tensors", "dim"),
    "cat": ("tensors", "dim"),
    "contiguous": ("input",),
    "clone": ("input",),
    "detach": ("input",),
    "float": ("input",),
    "size": ("input", "dim"),
    "type_as": ("input", "other"),
}
FREE = frozenset("permute view reshape repeat expand einsum to".split())
"""Operators whose further arguments are sizes or operands, as many as there are."""
ALIASES = {
    "multiply": "mul", "divide": "div", "true_divide": "div", "subtract": "sub", "swapaxes": "transpose",
    "clip": "clamp", "absolute": "abs", "negative": "neg", "concat": "cat", "clamp_min": "clamp", "expit": "sigmoid",
    "swapdims": "transpose", "dot": "vecdot", "softmax_": "softmax",
}  # fmt: skip
MODULES = {
    "ReLU": "relu", "Sigmoid": "sigmoid", "Tanh": "tanh", "SiLU": "silu", "Softmax": "softmax", "GELU": "gelu",
    "LogSoftmax": "log_softmax", "Softplus": "softplus", "Mish": "mish", "Hardswish": "hardswish", "ReLU6": "relu6",
    "LeakyReLU": "leaky_relu", "ELU": "elu", "Hardtanh": "hardtanh", "Hardsigmoid": "hardsigmoid", "SELU": "selu",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Op:
    name: str
    args: tuple[ast.expr | None, ...]
    """Arguments in the order of the signature; None where one is not given."""

    def arg(self, name: str) -> ast.expr | None:
        return self.args[SIGNATURES[self.name].index(name)]


Modules = Mapping[str, ast.Call]
"""Calls that a class's __init__ assigns to its attributes, by name of the attribute."""


def modules_of(model: ast.ClassDef | None) -> dict[str, ast.Call]:
    """Calls such as nn.Linear(3, 4) that are assigned to attributes, once each and at the top of __init__."""
    init = (
        next((each for each in model.body if isinstance(each, Function) and each.name == "__init__"), None)
        if model
        else None
    )
    found: dict[str, ast.Call] = {}
    twice = set()
    for node in ast.walk(init) if init else ():
        if isinstance(node, ast.Assign):
            for target in node.targets:
                name = attribute_of_self(target)
                if name is not None and name in found:
                    twice.add(name)
                if name is not None and isinstance(node.value, ast.Call) and node in init.body:  # type: ignore[union-attr]
                    found[name] = node.value
                elif name is not None:
                    twice.add(name)
    return {name: call for name, call in found.items() if name not in twice}


def attribute_of_self(node: ast.expr) -> str | None:
    is_such = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return node.attr if is_such and isinstance(node, ast.Attribute) else None


def dotted(node: ast.expr) -> str | None:
    """`a.b.c` as text."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else None
    return None


def operation(node: ast.expr, modules: Modules) -> Op | None:
    """The operator of an expression; None where it is something else, or written in a way that is not understood."""
    if isinstance(node, ast.BinOp):
        name = BINARY.get(type(node.op))
        return _bound(name, [node.left, node.right], {}) if name else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return Op("neg", (node.operand,))
    if isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        return Op(node.attr, (node.value,))
    if isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr == "values"):
        return _largest(node, modules)
    return _call(node, modules) if isinstance(node, ast.Call) else None


def _largest(node: ast.Subscript | ast.Attribute, modules: Modules) -> Op | None:
    """The operator amax or amin for `x.max(dim, keepdim=True)[0]` and the like."""
    inner = operation(node.value, modules)
    first = not isinstance(node, ast.Subscript) or constant(node.slice) == 0
    if inner is None or inner.name not in ("max", "min") or not first or inner.args[1] is None:
        return None
    return Op(f"a{inner.name}", inner.args)


def _call(node: ast.Call, modules: Modules) -> Op | None:
    keywords = {each.arg: each.value for each in node.keywords}
    if None in keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    given = {str(name): value for name, value in keywords.items()}
    attribute = attribute_of_self(node.func)
    if attribute is not None:
        return _module(node, modules.get(attribute), given)
    if not isinstance(node.func, ast.Attribute):
        return None
    base, name = dotted(node.func.value), ALIASES.get(node.func.attr, node.func.attr)
    if node.func.attr == "clamp_min" and len(node.args) != 1 + (base in FUNCTIONS):
        return None
    if base in FOREIGN:
        return None
    return _bound(name, [*([] if base in FUNCTIONS else [node.func.value]), *node.args], given)


def _module(node: ast.Call, made: ast.Call | None, given: dict[str, ast.expr]) -> Op | None:
    """A call of a layer without weights that is the same as a function."""
    kind = (dotted(made.func) or "").rsplit(".", 1)[-1] if made else ""
    if (
        kind not in MODULES
        or len(node.args) != 1
        or given
        or made is None
        or None in {each.arg for each in made.keywords}
    ):
        return None
    name = MODULES[kind]
    own = {str(each.arg): each.value for each in made.keywords}
    fixed = all(constant(each) is not None or isinstance(each, ast.Constant) for each in (*made.args, *own.values()))
    in_place = any(isinstance(each, ast.Constant) and each.value is True for each in (*made.args, *own.values()))
    if not fixed or in_place:
        return None
    return _bound(name, [node.args[0], *made.args], own)


def _bound(name: str, args: list[ast.expr], given: dict[str, ast.expr]) -> Op | None:
    if name in FREE and not given and args:
        rest = args[1].elts if len(args) == 2 and isinstance(args[1], ast.Tuple | ast.List) else args[1:]
        return Op(name, (args[0], *rest))
    signature = SIGNATURES.get(name)
    if signature is None or len(args) > len(signature):
        return None
    if name in ("max", "min") and len(args) == 2 and constant(args[1]) is None:
        return Op(f"{name}imum", tuple(args))
    if name in ("var", "std") and "correction" in given:
        correction = constant(given.pop("correction"))
        if correction not in (0, 1):
            return None
        given["unbiased"] = ast.Constant(value=bool(correction))
    given = {{"axis": "dim", "keepdims": "keepdim"}.get(key, key): value for key, value in given.items()}
    if name == "softmax":
        given.pop("_stacklevel", None)
    if name == "norm" and len(args) > 1 and isinstance(args[1], ast.Constant) and isinstance(args[1].value, str):
        return None
    bound = dict(zip(signature, args, strict=False))
    if set(given) - set(signature) or set(given) & set(bound):
        return None
    bound |= given
    if name == "square":
        return Op("pow", (bound["input"], ast.Constant(value=2)))
    return Op(name, tuple(bound.get(each) for each in signature))


def constant(node: ast.expr | None) -> float | None:
    """The number that an expression of literals and the math module is."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = constant(node.operand)
        return None if inner is None else -inner
    if isinstance(node, ast.Tuple | ast.List) and len(node.elts) == 1:
        return constant(node.elts[0])
    if isinstance(node, ast.Attribute) and dotted(node) in ("math.pi", "np.pi", "torch.pi", "numpy.pi"):
        return math.pi
    if isinstance(node, ast.Attribute) and dotted(node) in ("math.inf", "np.inf", "torch.inf"):
        return math.inf
    try:
        return _computed(node)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError):
        return None


def _computed(node: ast.expr | None) -> float | None:
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        name, value = dotted(node.func), constant(node.args[0])
        if name == "float" and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
            return float(node.args[0].value)
        known = {
            "math.sqrt": math.sqrt,
            "np.sqrt": math.sqrt,
            "math.log": math.log,
            "math.exp": math.exp,
            "float": float,
        }
        return known[name](value) if name in known and value is not None else None
    if isinstance(node, ast.BinOp):
        left, right = constant(node.left), constant(node.right)
        if left is None or right is None or (isinstance(node.op, ast.Pow) and abs(right) > 100):
            return None
        found = ARITHMETIC.get(type(node.op))
        value = found(float(left) if isinstance(node.op, ast.Pow) else left, right) if found else None
        return value if isinstance(value, int | float) else None
    return None


def truth(node: ast.expr | None, default: bool) -> bool | None:
    """A literal True or False; the default where nothing is given."""
    if node is None:
        return default
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


@dataclass(frozen=True, eq=False)
class LinearCall:
    """A linear layer, or the operator, on what it is given. Weight and bias are texts."""

    given: ast.expr
    weight: str
    bias: str | None


def linear_call(node: ast.expr, modules: Modules) -> LinearCall | None:
    """The linear layer or operator that an expression calls; None for anything else, or with a bias not known ahead."""
    layer = attribute_of_self(node.func) if isinstance(node, ast.Call) else None
    made = modules.get(layer) if layer else None
    if made is not None and isinstance(node, ast.Call):
        return _linear_layer(node, f"self.{layer}", made)
    found = operation(node, modules)
    if found is None or found.name != "linear" or found.args[0] is None or found.args[1] is None:
        return None
    bias = found.args[2]
    return LinearCall(found.args[0], ast.unparse(found.args[1]), ast.unparse(bias) if bias is not None else None)


def _linear_layer(call: ast.Call, layer: str, made: ast.Call) -> LinearCall | None:
    options = {each.arg: each.value for each in made.keywords}
    bias = options.get("bias", ast.Constant(True))
    one = len(call.args) == 1 and not call.keywords and not isinstance(call.args[0], ast.Starred)
    plain = (dotted(made.func) or "").endswith("nn.Linear") and len(made.args) == 2 and set(options) <= {"bias"}
    if not one or not plain or not isinstance(bias, ast.Constant):
        return None
    return LinearCall(call.args[0], f"{layer}.weight", f"{layer}.bias" if bias.value is True else None)
