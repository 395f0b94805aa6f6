"""Torch: copies that nobody needs, and results written over what is no longer read."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.flow import StatementFlow, assigned, changes_in_place
from maxcode.policy.rewrite.torch.layers import Layer
from maxcode.policy.rewrite.torch.matching import Bound, Matcher
from maxcode.policy.rewrite.torch.operations import (
    ELEMENTWISE,
    SIGNATURES,
    Op,
    attribute_of_self,
    modules_of,
    operation,
)
from maxcode.policy.rewrite.torch.program import TorchSource, program
from maxcode.policy.rewrite.torch.rules import places, written
from maxcode.policy.rewrite.torch.shapes import KnownShapes, shapes_of
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, Setting, Transformation

PRODUCTS = frozenset("matmul mm bmm linear".split())
"""Operators that take any order of dimensions and give the usual one."""
READING = PRODUCTS | ELEMENTWISE | frozenset("softmax log_softmax sum mean amax amin var std logsumexp".split())
METHODS = frozenset("relu sigmoid tanh exp sqrt rsqrt abs neg floor ceil log sin cos erf".split())
OPTIONS = frozenset("silu leaky_relu elu hardtanh relu6".split())
ARITHMETIC = frozenset("add sub mul div".split())
OWNED_LAYERS = ("Linear", "Conv", "BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm")
"""Layers whose result is a new tensor that nothing else refers to."""


def _parent(statement: ast.stmt, node: ast.expr) -> ast.AST | None:
    for each in ast.walk(statement):
        if any(child is node for child in ast.iter_child_nodes(each)):
            return each
    return None


def consumers(flow: StatementFlow, place: Bound) -> list[Op | None]:
    """The operators that read an expression, directly or by the name it is assigned to; None for anything else."""
    statement = flow.statements[place.at]
    target = assigned(statement)
    if target is None or target[1] is not place.node:
        above = _parent(statement, place.node)
        return [operation(above, flow.modules) if isinstance(above, ast.expr) else None]
    found: list[Op | None] = []
    for at in sorted(set(flow.readers(place.at))):
        reader = flow.statements[at]
        names = [each for each in ast.walk(reader) if isinstance(each, ast.Name) and each.id == target[0]]
        above_each = [_parent(reader, each) for each in names if isinstance(each.ctx, ast.Load)]
        found += [operation(each, flow.modules) if isinstance(each, ast.expr) else None for each in above_each]
    return found


def _copies(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    if whole is None:
        return
    for matcher, shapes, root in places(whole, setting):
        found = operation(root.node, matcher.flow.modules)
        if found is None or found.args[0] is None or len(found.args) != 1 or not isinstance(root.node, ast.Call):
            continue
        if _needless(matcher, shapes, root, found):
            text = written(whole, found.args[0], True)
            yield whole.rewrite(root.node.lineno, (whole.replace(root.node, text),))


def _needless(matcher: Matcher, shapes: KnownShapes, root: Bound, found: Op) -> bool:
    assert found.args[0] is not None
    if found.name == "float":
        tensor = shapes.tensor(found.args[0])
        return tensor is not None and tensor.kind == "float"
    if found.name not in ("clone", "contiguous", "detach") or changes_in_place(matcher.flow.function):
        return False
    readers = consumers(matcher.flow, root)
    allowed = PRODUCTS if found.name == "contiguous" else READING
    return bool(readers) and all(each is not None and each.name in allowed for each in readers)


def _in_place(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Makes all operators that can write over their operand do so, in one rewrite."""
    whole = program(source, setting)
    forward = whole.method("forward") if whole is not None else None
    if whole is None or forward is None or "torch.compile" in source.code:
        return
    flow, shapes = StatementFlow(forward, modules_of(whole.model)), shapes_of(whole, setting)
    edits, lines = [], []
    for at, statement in enumerate(flow.statements):
        value = statement.value if isinstance(statement, ast.Assign | ast.Return) else None
        edit = _overwriting(whole, flow, shapes, Bound(value, at)) if value is not None else None
        if edit is not None:
            edits.append(edit)
            lines.append(statement.lineno)
    if edits:
        yield whole.rewrite(lines[0], edits)


def _overwriting(whole: TorchSource, flow: StatementFlow, shapes: KnownShapes, place: Bound) -> Edit | None:
    """An operator that writes its result over its operand, where that is a new tensor that nobody else reads."""
    found = operation(place.node, flow.modules)
    known = METHODS | ARITHMETIC | OPTIONS | {"clamp"}
    if found is None or not isinstance(place.node, ast.BinOp | ast.Call) or found.name not in known:
        return None
    operands = [each for each in found.args if each is not None]
    if found.name in ("add", "mul") and len(operands) == 2 and not _owned(flow, shapes, operands[0], place.at):
        operands.reverse()
    result = shapes.tensor(place.node)
    if not _owned(flow, shapes, operands[0], place.at) or result is None or result != shapes.tensor(operands[0]):
        return None
    name = whole.text(operands[0])
    if found.name in METHODS and len(operands) == 1:
        return whole.replace(place.node, f"{name}.{found.name}_()")
    if found.name in ARITHMETIC and len(operands) == 2:
        return whole.replace(place.node, f"{name}.{found.name}_({whole.text(operands[1])})")
    layer = attribute_of_self(getattr(place.node, "func", place.node))
    given = [
        f"{parameter}={whole.text(each)}"
        for parameter, each in zip(SIGNATURES[found.name][1:], found.args[1:], strict=True)
        if each is not None and parameter != "inplace"
    ]
    if found.name == "clamp":
        return whole.replace(place.node, f"{name}.clamp_({', '.join(given)})")
    if found.name in OPTIONS and layer is None:
        text = f"{whole.functional}.{found.name}({', '.join([name, *given, 'inplace=True'])})"
        return whole.replace(place.node, text)
    return None


def _owned(flow: StatementFlow, shapes: KnownShapes, node: ast.expr, at: int) -> bool:
    """Whether a name holds a new tensor, made by an operator or layer that keeps nothing of it, and read only here."""
    found = flow.definition(node.id, at) if isinstance(node, ast.Name) else None
    if found is None or flow.readers(found[0]) != [at]:
        return False
    where, value = found
    tensor, made = shapes.tensor(value), operation(value, flow.modules)
    if tensor is None or tensor.kind != "float":
        return False
    if isinstance(value, ast.Call):
        layer = shapes.attributes.get(attribute_of_self(value.func) or "")
        if isinstance(layer, Layer) and layer.name.startswith(OWNED_LAYERS):
            return True
    is_new = made is not None and made.name in (ELEMENTWISE | PRODUCTS | {"softmax"}) and where not in flow.barriers
    return is_new and not changes_in_place(value)


LINEAR = "self.linear = nn.Linear(8, 8)"
TWO = "torch.randn(2, 4, 8), torch.randn(2, 4, 8)"

TRANSFORMATIONS = (
    Transformation(
        name="needless-copy",
        family="torch",
        summary="Leaves out copies and conversions whose result is only read, by operators that take any order.",
        find=_copies,
        example=example(
            "y = y.transpose(1, 2).contiguous()\nreturn torch.bmm(x, y)",
            "y = y.transpose(1, 2)\nreturn torch.bmm(x, y)",
            args="x, y",
            inputs=TWO,
        ),
        languages=PYTHON,
        answers=("memory-bound",),
        prior=2.0,
        refusals=(
            model("return x.transpose(0, 1).contiguous()"),
            model("return x.transpose(0, 1).contiguous().view(-1)"),
            model("y = x.clone()\ny += 1\nreturn y * x"),
        ),
    ),
    Transformation(
        name="in-place",
        family="torch",
        summary="Writes the results of elementwise operators over tensors that forward made itself and reads no more.",
        find=_in_place,
        example=example(
            "x = self.linear(x)\nx = F.elu(x, alpha=0.5)\nx = x * 2.0\nreturn torch.clamp(x, max=1.0)",
            "x = self.linear(x)\nx = F.elu(x, alpha=0.5, inplace=True)\nx = x.mul_(2.0)\nreturn x.clamp_(max=1.0)",
            init=LINEAR,
        ),
        languages=PYTHON,
        answers=("memory-bound",),
        prior=1.5,
        refusals=(
            model("x = torch.relu(x)\nreturn x"),
            model("y = self.linear(x)\nz = torch.relu(y)\nreturn z, y", init=LINEAR),
            model("y = x.view(-1)\nreturn torch.relu(y)"),
        ),
    ),
)
