"""Torch: activations written out, as the one operator that they are."""

from __future__ import annotations

from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.rules import TorchRule, finding
from maxcode.policy.rewrite.transformation import PYTHON, Transformation

CUBE = ("torch.pow(_x, 3.0)", "_x * _x * _x")
ROOT_2_PI = "0.7978845608028654"


SILU = TorchRule(("_x * torch.sigmoid(_x)", "_x / (1 + torch.exp(-_x))"), "{F}.silu({x})")
GELU = TorchRule(
    ("0.5 * _x * (1 + torch.erf(_x / 1.4142135623730951))", "0.5 * _x * (1 + torch.erf(_x * 0.7071067811865476))"),
    "{F}.gelu({x})",
)
TANH_GELU = TorchRule(
    tuple(
        pattern
        for cube in CUBE
        for pattern in (
            f"0.5 * _x * (1 + torch.tanh({ROOT_2_PI} * (_x + 0.044715 * {cube})))",
            f"0.5 * _x * (1 + torch.tanh({ROOT_2_PI} * _x * (1 + 0.044715 * torch.pow(_x, 2))))",
        )
    ),
    '{F}.gelu({x}, approximate="tanh")',
)
SOFTPLUS = TorchRule(("torch.log(1 + torch.exp(_x))", "torch.log1p(torch.exp(_x))"), "{F}.softplus({x})")
MISH = TorchRule(("_x * torch.tanh(F.softplus(_x))",), "{F}.mish({x})")
HARDSWISH = TorchRule(
    (
        "_x * F.relu6(_x + 3) / 6", "_x * torch.clamp(_x + 3, 0, 6) / 6", "_x * F.hardtanh(_x + 3, 0, 6) / 6",
        "_x * torch.clamp(_x / 6 + 0.5, 0, 1)", "_x * torch.clamp((_x + 3) / 6, 0, 1)", "_x * F.hardsigmoid(_x)",
    ),
    "{F}.hardswish({x})",
)  # fmt: skip
HARDSIGMOID = TorchRule(
    (
        "F.relu6(_x + 3) / 6", "torch.clamp(_x + 3, 0, 6) / 6", "torch.clamp(_x / 6 + 0.5, 0, 1)",
        "torch.clamp((_x + 3) / 6, 0, 1)",
    ),
    "{F}.hardsigmoid({x})",
)  # fmt: skip
LOGSIGMOID = TorchRule(("torch.log(torch.sigmoid(_x))", "-torch.log(1 + torch.exp(-_x))"), "{F}.logsigmoid({x})")
LEAKY = TorchRule(
    ("torch.maximum(_x, _s * _x)", "torch.where(_x > 0, _x, _s * _x)"),
    "{F}.leaky_relu({x}, {s})",
    lambda found: 0 < (found.number("s") or 0) < 1,
)

TRANSFORMATIONS = (
    Transformation(
        name="silu-for-product",
        family="torch",
        summary="Computes x * sigmoid(x) in one pass.",
        find=finding(SILU),
        example=example("x = x * torch.sigmoid(x)\nreturn x", "x = F.silu(x)\nreturn x"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return x * torch.sigmoid(x + 1)"), model("y = torch.sigmoid(x)\nreturn x * y, y")),
    ),
    Transformation(
        name="gelu-for-erf",
        family="torch",
        summary="Takes the GELU operator where it is written out with the error function.",
        find=finding(GELU),
        example=example("return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))", "return F.gelu(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return x * 0.5 * (1.0 + torch.erf(x / 2.0))"),),
    ),
    Transformation(
        name="gelu-for-tanh",
        family="torch",
        summary="Takes the GELU operator where its approximation is written out with tanh.",
        find=finding(TANH_GELU),
        example=example(
            "return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))",
            'return F.gelu(x, approximate="tanh")',
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return 0.5 * x * (1.0 + torch.tanh(x))"),),
    ),
    Transformation(
        name="softplus-for-log",
        family="torch",
        summary="Takes the softplus operator for log(1 + exp(x)).",
        find=finding(SOFTPLUS),
        example=example("return torch.log(1.0 + torch.exp(x))", "return F.softplus(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return torch.log(2.0 + torch.exp(x))"),),
    ),
    Transformation(
        name="mish-for-product",
        family="torch",
        summary="Computes x * tanh(softplus(x)) in one pass.",
        find=finding(MISH),
        example=example("y = F.softplus(x)\ny = torch.tanh(y)\nreturn x * y", "return F.mish(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return x * torch.tanh(F.softplus(x, beta=2))"), model("return x * torch.tanh(x)")),
    ),
    Transformation(
        name="hardswish-for-product",
        family="torch",
        summary="Computes x * relu6(x + 3) / 6 in one pass.",
        find=finding(HARDSWISH),
        example=example("return x * torch.clamp((x + 3) / 6, min=0, max=1)", "return F.hardswish(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return x * torch.clamp((x + 3) / 6, min=0, max=2)"),),
    ),
    Transformation(
        name="hardsigmoid-for-clamp",
        family="torch",
        summary="Computes clamp(x / 6 + 1 / 2, 0, 1) in one pass.",
        find=finding(HARDSIGMOID),
        example=example("return F.relu6(x + 3) / 6", "return F.hardsigmoid(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return F.relu6(x + 2) / 6"),),
    ),
    Transformation(
        name="logsigmoid-for-log",
        family="torch",
        summary="Takes the operator for log(sigmoid(x)).",
        find=finding(LOGSIGMOID),
        example=example("return torch.log(torch.sigmoid(x))", "return F.logsigmoid(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return torch.log(torch.sigmoid(x) + 1)"),),
    ),
    Transformation(
        name="leaky-relu-for-maximum",
        family="torch",
        summary="Takes the operator for max(x, s * x) with s between 0 and 1.",
        find=finding(LEAKY),
        example=example("return torch.maximum(x, 0.1 * x)", "return F.leaky_relu(x, 0.1)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return torch.maximum(x, 2.0 * x)"),),
    ),
)
