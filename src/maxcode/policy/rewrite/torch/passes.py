"""Torch: elementwise operators that go over the data fewer times."""

from __future__ import annotations

from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.rules import Found, TorchRule, finding
from maxcode.policy.rewrite.transformation import PYTHON, Transformation


def _all_tensors(found: Found, *names: str) -> bool:
    tensors = [found.tensor(name) for name in names]
    return all(each is not None and each.kind == "float" and len(each.shape) > 0 for each in tensors)


def _numbers(found: Found) -> bool:
    return all(found.number(name) is not None for name in ("c", "d"))


ADDCMUL = TorchRule(("_a + _b * _c",), "torch.addcmul({a}, {b}, {c})", lambda found: _all_tensors(found, "a", "b", "c"))
SCALED_SUM = TorchRule(
    ("_a + _s * _b",),
    "torch.add({a}, {b}, alpha={s})",
    lambda found: found.number("s") is not None and _all_tensors(found, "a", "b"),
)
SCALED_DIFFERENCE = TorchRule(
    ("_a - _s * _b",),
    "torch.sub({a}, {b}, alpha={s})",
    lambda found: found.number("s") is not None and _all_tensors(found, "a", "b"),
)
NUMBERS = (
    TorchRule(("(_x * _c) * _d",), "{x_} * ({c_} * {d_})", _numbers),
    TorchRule(("(_x + _c) + _d",), "{x_} + ({c_} + {d_})", _numbers),
    TorchRule(("(_x / _c) / _d",), "{x_} / ({c_} * {d_})", _numbers),
    TorchRule(("(_x - _c) - _d",), "{x_} - ({c_} + {d_})", _numbers),
)
RSQRT = (
    TorchRule(("1 / torch.sqrt(_x)",), "torch.rsqrt({x})"),
    TorchRule(("_a / torch.sqrt(_x)",), "{a_} * torch.rsqrt({x})", lambda found: _all_tensors(found, "a", "x")),
)
TWO = "torch.randn(4, 8), torch.randn(4, 8)"

TRANSFORMATIONS = (
    Transformation(
        name="fewer-passes",
        family="torch",
        summary="Adds products and multiples in one pass, and multiplies where it would divide or multiply twice.",
        find=finding(ADDCMUL, SCALED_SUM, SCALED_DIFFERENCE, *NUMBERS, *RSQRT),
        example=example(
            "y = x * self.scale\nreturn y + self.shift",
            "return torch.addcmul(self.shift, x, self.scale)",
            init="self.scale = nn.Parameter(torch.randn(8))\nself.shift = nn.Parameter(torch.randn(8))",
        ),
        variants=(
            example("y = 0.5 * y\nreturn x + y", "return torch.add(x, y, alpha=0.5)", args="x, y", inputs=TWO),
            example("x = x * 2.0\nx = x * 3.0\nreturn torch.tanh(x)", "x = x * (2.0 * 3.0)\nreturn torch.tanh(x)"),
            example(
                "var = x.var(dim=0, keepdim=True)\nreturn x / torch.sqrt(var)",
                "var = x.var(dim=0, keepdim=True)\nreturn x * torch.rsqrt(var)",
            ),
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=1.5,
        refusals=(
            model("return 1.0 + 2.0 * x"),
            model("y = x * x\nreturn y + x, y"),
            model("return x / torch.exp(x)"),
        ),
    ),
)
