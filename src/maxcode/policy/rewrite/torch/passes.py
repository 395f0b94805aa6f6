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
LERP = TorchRule(
    ("_a + _w * (_b - _a)",),
    "torch.lerp({a}, {b}, {w})",
    lambda found: (
        _all_tensors(found, "a", "b") and found.tensor("a") == found.tensor("b") and found.number("w") is not None
    ),
)
NUMBERS = (
    TorchRule(("(_x * _c) * _d",), "{x_} * ({c_} * {d_})", _numbers),
    TorchRule(("(_x + _c) + _d",), "{x_} + ({c_} + {d_})", _numbers),
    TorchRule(("(_x / _c) / _d",), "{x_} / ({c_} * {d_})", _numbers),
    TorchRule(("(_x - _c) - _d",), "{x_} - ({c_} + {d_})", _numbers),
)
CLAMPS = (
    TorchRule(
        ("torch.clamp(torch.clamp(_x, min=_c), max=_d)",),
        "torch.clamp({x}, min={c}, max={d})",
        lambda found: _numbers(found) and (found.number("c") or 0) <= (found.number("d") or 0),
    ),
    TorchRule(
        ("torch.clamp(torch.clamp(_x, max=_d), min=_c)",),
        "torch.clamp({x}, min={c}, max={d})",
        lambda found: _numbers(found) and (found.number("c") or 0) <= (found.number("d") or 0),
    ),
    TorchRule(("torch.clamp(torch.relu(_x), max=_d)",), "torch.clamp({x}, min=0.0, max={d})",
         lambda found: (found.number("d") or -1) >= 0),
)  # fmt: skip
RSQRT = (
    TorchRule(("1 / torch.sqrt(_x)",), "torch.rsqrt({x})"),
    TorchRule(("_a / torch.sqrt(_x)",), "{a_} * torch.rsqrt({x})", lambda found: _all_tensors(found, "a", "x")),
)
TWO = "torch.randn(4, 8), torch.randn(4, 8)"

TRANSFORMATIONS = (
    Transformation(
        name="addcmul-for-sum",
        family="torch",
        summary="Adds a product of tensors in one pass.",
        find=finding(ADDCMUL),
        example=example(
            "y = x * self.scale\nreturn y + self.shift",
            "return torch.addcmul(self.shift, x, self.scale)",
            init="self.scale = nn.Parameter(torch.randn(8))\nself.shift = nn.Parameter(torch.randn(8))",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=1.2,
        refusals=(model("return x + 2.0 * x"), model("y = x * x\nreturn y + x, y")),
    ),
    Transformation(
        name="alpha-for-scaling",
        family="torch",
        summary="Scales a summand while it is added.",
        find=finding(SCALED_SUM, SCALED_DIFFERENCE),
        example=example("y = 0.5 * y\nreturn x + y", "return torch.add(x, y, alpha=0.5)", args="x, y", inputs=TWO),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=1.2,
        refusals=(model("return 1.0 + 2.0 * x"), model("return x + y * y", args="x, y", inputs=TWO)),
    ),
    Transformation(
        name="lerp-for-mix",
        family="torch",
        summary="Mixes two tensors in one pass.",
        find=finding(LERP),
        example=example("return x + 0.25 * (y - x)", "return torch.lerp(x, y, 0.25)", args="x, y", inputs=TWO),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return x + 0.25 * (x - y)", args="x, y", inputs=TWO),),
    ),
    Transformation(
        name="one-number-for-two",
        family="torch",
        summary="Multiplies with, or adds, one number instead of two.",
        find=finding(*NUMBERS),
        example=example("x = x * 2.0\nx = x * 3.0\nreturn torch.tanh(x)", "x = x * (2.0 * 3.0)\nreturn torch.tanh(x)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=1.5,
        refusals=(model("return x * 2.0 + 3.0"),),
    ),
    Transformation(
        name="one-clamp-for-two",
        family="torch",
        summary="Limits values from both sides in one pass.",
        find=finding(*CLAMPS),
        example=example(
            "x = torch.clamp(x, min=-0.5)\nx = torch.clamp(x, max=0.5)\nreturn x",
            "x = torch.clamp(x, min=-0.5, max=0.5)\nreturn x",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=1.5,
        refusals=(model("return torch.clamp(torch.clamp(x, min=0.5), max=-0.5)"),),
    ),
    Transformation(
        name="rsqrt-for-division",
        family="torch",
        summary="Multiplies with the reciprocal root instead of dividing by the root.",
        find=finding(*RSQRT),
        example=example(
            "var = x.var(dim=0, keepdim=True)\nreturn x / torch.sqrt(var)",
            "var = x.var(dim=0, keepdim=True)\nreturn x * torch.rsqrt(var)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return x / torch.exp(x)"),),
    ),
)
