"""Torch: products of matrices with what stands around them in one operator."""

from __future__ import annotations

from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.rules import Found, TorchRule, finding
from maxcode.policy.rewrite.transformation import PYTHON, Transformation


def _rank(found: Found, name: str) -> int | None:
    tensor = found.tensor(name)
    return len(tensor.shape) if tensor is not None else None


def _vector_bias(found: Found) -> bool:
    return _rank(found, "w") == 2 and _rank(found, "b") == 1 and (_rank(found, "x") or 0) >= 2


def _is_matrix_weight(found: Found) -> bool:
    return _rank(found, "w") == 2 and (_rank(found, "x") or 0) >= 2


LINEARS = (
    TorchRule(("torch.matmul(_x, _w.t()) + _b",), "{F}.linear({x}, {w}, {b})", _vector_bias),
    TorchRule(("torch.matmul(_x, _w.t())",), "{F}.linear({x}, {w})", _is_matrix_weight),
)


def _matrices(found: Found) -> bool:
    """Whether two factors are matrices and the summand has, or broadcasts to, the shape of their product."""
    one, other, added = (found.tensor(name) for name in ("a", "b", "c"))
    if one is None or other is None or added is None or len(one.shape) != 2 or len(other.shape) != 2:
        return False
    rows, columns = one.shape[0], other.shape[1]
    return len(added.shape) in (1, 2) and all(
        size in (1, whole) for size, whole in zip(added.shape[::-1], (columns, rows), strict=False)
    )


def _scaled(found: Found) -> bool:
    return found.number("s") is not None


ADDMMS = (
    TorchRule(
        ("_s * torch.matmul(_a, _b) + _c",),
        "torch.addmm({c}, {a}, {b}, alpha={s})",
        lambda found: _scaled(found) and _matrices(found),
    ),
    TorchRule(("torch.matmul(_a, _b) + _c",), "torch.addmm({c}, {a}, {b})", _matrices),
)
WEIGHT = "self.weight = nn.Parameter(torch.randn(5, 8))\nself.bias = nn.Parameter(torch.randn(5))"
TWO = "torch.randn(4, 8), torch.randn(8, 5)"

TRANSFORMATIONS = (
    Transformation(
        name="operator-for-product",
        family="torch",
        summary="Takes one operator for a product of matrices with what is added to it.",
        find=finding(*LINEARS, *ADDMMS),
        example=example(
            "x = torch.matmul(x, self.weight.t())\nreturn x + self.bias",
            "return F.linear(x, self.weight, self.bias)",
            init=WEIGHT,
        ),
        variants=(
            example(
                "return torch.matmul(x, y) + self.bias",
                "return torch.addmm(self.bias, x, y)",
                init="self.bias = nn.Parameter(torch.randn(5))",
                args="x, y",
                inputs=TWO,
            ),
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound", "compute-bound"),
        prior=2.0,
        refusals=(
            model("return torch.matmul(x, self.weight)", init="self.weight = nn.Parameter(torch.randn(8, 5))"),
            model("return torch.matmul(x, y) + z", args="x, y, z", inputs=f"{TWO}, torch.randn(3, 4, 5)"),
            model("return torch.matmul(x, y) + 1.0", args="x, y", inputs=TWO),
        ),
    ),
)
