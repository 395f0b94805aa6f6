"""Torch: tensors and weights in the order in which the operators read them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.examples import TORCH, model
from maxcode.policy.rewrite.torch.flow import StatementFlow
from maxcode.policy.rewrite.torch.operations import linear_call, modules_of
from maxcode.policy.rewrite.torch.program import Function, TorchSource, indent_of, parameters, program, returned
from maxcode.policy.rewrite.torch.running import attribute
from maxcode.policy.rewrite.torch.shapes import KnownShapes, shapes_of
from maxcode.policy.rewrite.torch.tensors import Tensor
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, RewriteExample, Setting, Transformation

REORDERING = re.compile(
    r"\.view\(|permute|transpose|channels_last|\.T\b|\.mT\b|as_strided|expand|unfold|load_inline|triton|CUDAGraph|_fused|Conv3d|ConvTranspose3d"
)
"""What needs, or makes, another order of dimensions than the usual one."""
LAST = "memory_format=torch.channels_last"


def _channels_last(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    whole = program(source, setting)
    forward = whole.method("forward") if whole is not None else None
    if whole is None or forward is None or not re.search(r"Conv(Transpose)?2d\(", whole.computing):
        return
    names, inputs, values = parameters(forward), shapes_of(whole, setting).inputs, returned(forward)
    if names is None or inputs is None or len(names) != len(inputs) or REORDERING.search(whole.computing):
        return
    images = [name for name, value in zip(names, inputs, strict=True) if _is_image(value)]
    plain = all(value is not None and not isinstance(value, ast.Tuple | ast.List | ast.Dict) for value in values)
    if not images or not values or not plain or not whole.alone(forward.body[0]):
        return
    first = forward.body[0]
    at, indent = whole.line_start(first), indent_of(whole, first)
    lines = "".join(f"{indent}{name} = {name}.contiguous({LAST})\n" for name in images)
    texts = {value: whole.text(value) for value in values if value is not None}
    back = [
        whole.replace(value, f"({text}).contiguous()" if _loose(value) else f"{text}.contiguous()")
        for value, text in texts.items()
    ]
    yield whole.rewrite(forward.lineno, (*attribute(whole, f"self.to({LAST})"), Edit(at, at, lines), *back))


def _is_image(value: object) -> bool:
    return isinstance(value, Tensor) and len(value.shape) == 4 and value.kind == "float"


def _loose(node: ast.expr) -> bool:
    return not isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript)


def _transposed(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """Products of matrices with the weights of linear layers."""
    whole = program(source, setting)
    forward = whole.method("forward") if whole is not None else None
    if whole is None or forward is None or "_columns" in source.names or "torch.compile" in source.code:
        return
    shapes, flow = shapes_of(whole, setting), StatementFlow(forward, modules_of(whole.model))
    calls = [node for node in ast.walk(forward) if isinstance(node, ast.Call)]
    for call in calls:
        text = _product(whole, shapes, flow, call)
        if text is not None:
            edits = (whole.replace(call, text), *attribute(whole, "self._kept = {}"), _keeping(whole, forward))
            yield whole.rewrite(call.lineno, edits)


def _product(whole: TorchSource, shapes: KnownShapes, flow: StatementFlow, call: ast.Call) -> str | None:
    """A linear layer, or the operator on parameters, as a product with columns."""
    found = linear_call(call, flow.modules)
    if found is None or shapes.rank(found.given) != 2:
        return None
    if not all(re.fullmatch(r"self(\.\w+)+", each) for each in (found.weight, found.bias or found.weight)):
        return None
    columns, text = f'self._columns("{found.weight.removeprefix("self.")}", {found.weight})', whole.text(found.given)
    return f"torch.addmm({found.bias}, {text}, {columns})" if found.bias else f"torch.mm({text}, {columns})"


def _keeping(whole: TorchSource, forward: Function) -> Edit:
    """The method that transposes weights anew when they have changed."""
    indent, at = indent_of(whole, forward), whole.line_start(forward)
    lines = [
        "def _columns(self, name, weight):",
        "    version, columns = self._kept.get(name, (None, None))",
        "    if version != weight._version:",
        "        columns = weight.detach().t().contiguous()",
        "        self._kept[name] = (weight._version, columns)",
        "    return columns",
    ]
    return Edit(at, at, "".join(f"{indent}{line}\n" for line in lines) + "\n")


CONV = "self.conv = nn.Conv2d(3, 8, 3)"
IMAGES = "torch.randn(2, 3, 16, 16)"
LINEAR = "self.linear = nn.Linear(8, 4)"

TRANSFORMATIONS = (
    Transformation(
        name="channels-last",
        family="torch",
        summary="Keeps images and the weights of convolutions with the channels next to each other.",
        find=_channels_last,
        example=RewriteExample(
            before=model("return torch.relu(self.conv(x))", init=CONV, inputs=IMAGES),
            after=model(
                f"x = x.contiguous({LAST})\nreturn torch.relu(self.conv(x)).contiguous()",
                init=f"{CONV}\nself.to({LAST})",
                inputs=IMAGES,
            ),
            setting=TORCH,
        ),
        languages=PYTHON,
        answers=("convolution", "layout"),
        prior=2.0,
        refusals=(
            model("return torch.relu(self.linear(x))", init=LINEAR),
            model("return self.conv(x).permute(0, 2, 3, 1)", init=CONV, inputs=IMAGES),
        ),
    ),
    Transformation(
        name="transposed-weights",
        family="torch",
        summary="Keeps the weights of a linear layer transposed, in the order in which a product reads them.",
        find=_transposed,
        example=RewriteExample(
            before=model("return torch.relu(self.linear(x))", init=LINEAR),
            after=model(
                "return torch.relu(torch.addmm(self.linear.bias, x, "
                'self._columns("linear.weight", self.linear.weight)))',
                init=f"{LINEAR}\nself._kept = {{}}",
            ).replace(
                "    def forward",
                """\
    def _columns(self, name, weight):
        version, columns = self._kept.get(name, (None, None))
        if version != weight._version:
            columns = weight.detach().t().contiguous()
            self._kept[name] = (weight._version, columns)
        return columns

    def forward""",
            ),
            setting=TORCH,
        ),
        languages=PYTHON,
        answers=("layout",),
        prior=0.4,
        refusals=(model("return torch.relu(self.linear(x))", init=LINEAR, inputs="torch.randn(2, 4, 8)"),),
    ),
)
