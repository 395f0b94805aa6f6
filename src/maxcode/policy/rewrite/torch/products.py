"""Torch: products of matrices with what stands around them in one operator."""

from __future__ import annotations

import ast
import re

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


def _batches(found: Found) -> bool:
    one, other, added = (found.tensor(name) for name in ("a", "b", "c"))
    if one is None or other is None or added is None or len(one.shape) != 3 or len(other.shape) != 3:
        return False
    whole = (one.shape[0], one.shape[1], other.shape[2])
    fits = all(size in (1, full) for size, full in zip(added.shape[::-1], whole[::-1], strict=False))
    return one.shape[0] == other.shape[0] and 1 <= len(added.shape) <= 3 and fits


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
BADDBMM = TorchRule(("torch.matmul(_a, _b) + _c",), "torch.baddbmm({c}, {a}, {b})", _batches)
DIAGONAL = TorchRule(
    ("torch.matmul(torch.diag(_a), _b)",),
    "{a_}.unsqueeze(1) * {b_}",
    lambda found: _rank(found, "a") == 1 and _rank(found, "b") == 2,
)


def _einsum(found: Found) -> str | None:
    """The product of two operands that an equation stands for."""
    equation = found.node("e")
    written = equation.value if isinstance(equation, ast.Constant) and isinstance(equation.value, str) else ""
    parts = re.fullmatch(r"([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)", written.replace(" ", ""))
    if parts is None or any(len(each) < 2 or len(set(each)) != len(each) for each in parts.groups()):
        return None
    one, other, result = parts.groups()
    batch, rows, columns = result[:-2], result[-2], result[-1]
    for inner in set(one) & set(other) - set(result):
        lefts = {batch + rows + inner: "{a}", batch + inner + rows: "{a_}.mT"}
        rights = {inner + columns: "{b}", columns + inner: "{b_}.mT"}
        if batch:
            rights = {
                batch + inner + columns: "{b}",
                batch + columns + inner: "{b_}.mT",
                **(rights if one in lefts else {}),
            }
        if one in lefts and other in rights and set(one) | set(other) == set(result) | {inner}:
            return f"torch.matmul({lefts[one]}, {rights[other]})"
    return None


EINSUM = TorchRule(("torch.einsum(_e, _a, _b)",), _einsum)


def _outer_product(found: Found) -> bool:
    return _rank(found, "a") == 2 and _rank(found, "b") == 2


BROADCAST_PRODUCT = TorchRule(
    ("torch.sum(torch.unsqueeze(_a, 2) * torch.unsqueeze(_b, 0), 1)",), "torch.matmul({a}, {b})", _outer_product
)


def _summed(found: Found) -> bool:
    return found.is_last("d", "x") or (_rank(found, "x") == 2 and found.number("d") == 1)


SUM_OF_PRODUCT = TorchRule(
    (
        "torch.sum(torch.matmul(_x, _w.t()), _d, keepdim=True)",
        "torch.sum(F.linear(_x, _w), _d, keepdim=True)",
    ),
    "torch.matmul({x}, {w_}.sum(dim=0).unsqueeze(1))",
    lambda found: _is_matrix_weight(found) and _summed(found),
)
MEAN_OF_PRODUCT = TorchRule(
    ("torch.mean(torch.matmul(_x, _w.t()), _d, keepdim=True)", "torch.mean(F.linear(_x, _w), _d, keepdim=True)"),
    "torch.matmul({x}, {w_}.mean(dim=0).unsqueeze(1))",
    lambda found: _is_matrix_weight(found) and _summed(found),
)
WEIGHT = "self.weight = nn.Parameter(torch.randn(5, 8))\nself.bias = nn.Parameter(torch.randn(5))"
TWO = "torch.randn(4, 8), torch.randn(8, 5)"

TRANSFORMATIONS = (
    Transformation(
        name="linear-for-transposed-product",
        family="torch",
        summary="Takes the linear operator, with its bias, for a product with transposed weights.",
        find=finding(*LINEARS),
        example=example(
            "x = torch.matmul(x, self.weight.t())\nreturn x + self.bias",
            "return F.linear(x, self.weight, self.bias)",
            init=WEIGHT,
        ),
        languages=PYTHON,
        answers=("many-kernels",),
        prior=2.0,
        refusals=(model("return torch.matmul(x, self.weight)", init="self.weight = nn.Parameter(torch.randn(8, 5))"),),
    ),
    Transformation(
        name="addmm-for-sum",
        family="torch",
        summary="Adds to a product of matrices while it is computed.",
        find=finding(*ADDMMS),
        example=example(
            "return torch.matmul(x, y) + self.bias",
            "return torch.addmm(self.bias, x, y)",
            init="self.bias = nn.Parameter(torch.randn(5))",
            args="x, y",
            inputs=TWO,
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(
            model("return torch.matmul(x, y) + z", args="x, y, z", inputs=f"{TWO}, torch.randn(3, 4, 5)"),
            model("return torch.matmul(x, y) + 1.0", args="x, y", inputs=TWO),
        ),
    ),
    Transformation(
        name="baddbmm-for-sum",
        family="torch",
        summary="Adds to a batch of products of matrices while they are computed.",
        find=finding(BADDBMM),
        example=example(
            "y = torch.bmm(x, y)\nreturn y + z",
            "return torch.baddbmm(z, x, y)",
            args="x, y, z",
            inputs="torch.randn(2, 4, 8), torch.randn(2, 8, 5), torch.randn(4, 5)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return torch.matmul(x, y) + x", args="x, y", inputs="torch.randn(4, 4), torch.randn(4, 4)"),),
    ),
    Transformation(
        name="rows-for-diagonal",
        family="torch",
        summary="Scales the rows of a matrix instead of multiplying it with a diagonal one.",
        find=finding(DIAGONAL),
        example=example(
            "return torch.diag(x) @ y",
            "return x.unsqueeze(1) * y",
            args="x, y",
            inputs="torch.randn(4), torch.randn(4, 5)",
        ),
        languages=PYTHON,
        answers=("compute-bound",),
        prior=4.0,
        refusals=(model("return torch.diag(x) @ y", args="x, y", inputs="torch.randn(4, 4), torch.randn(4)"),),
    ),
    Transformation(
        name="matmul-for-einsum",
        family="torch",
        summary="Takes the product that an einsum of two operands stands for.",
        find=finding(EINSUM),
        example=example(
            'return torch.einsum("bik,bjk->bij", x, y)',
            "return torch.matmul(x, y.mT)",
            args="x, y",
            inputs="torch.randn(2, 4, 8), torch.randn(2, 5, 8)",
        ),
        languages=PYTHON,
        answers=("eager-overhead",),
        refusals=(
            model(
                'return torch.einsum("bik,bjk->ij", x, y)',
                args="x, y",
                inputs="torch.randn(2, 4, 8), torch.randn(2, 5, 8)",
            ),
            model('return torch.einsum("ij,ij->ij", x, x)'),
        ),
    ),
    Transformation(
        name="matmul-for-sum-of-products",
        family="torch",
        summary="Multiplies two matrices instead of adding up a three-dimensional array of products.",
        find=finding(BROADCAST_PRODUCT),
        example=example(
            "products = x.unsqueeze(2) * y.unsqueeze(0)\nreturn products.sum(dim=1)",
            "return torch.matmul(x, y)",
            args="x, y",
            inputs=TWO,
        ),
        languages=PYTHON,
        answers=("memory-bound",),
        prior=4.0,
        refusals=(model("return (x.unsqueeze(2) * y.unsqueeze(0)).sum(dim=2)", args="x, y", inputs=TWO),),
    ),
    Transformation(
        name="sum-before-product",
        family="torch",
        summary="Adds up the weights before a product whose columns are all added up, instead of the product.",
        find=finding(SUM_OF_PRODUCT, MEAN_OF_PRODUCT),
        example=example(
            "x = torch.matmul(x, self.weight.T)\nreturn torch.sum(x, dim=1, keepdim=True)",
            "return torch.matmul(x, self.weight.sum(dim=0).unsqueeze(1))",
            init=WEIGHT,
        ),
        languages=PYTHON,
        answers=("compute-bound",),
        prior=3.0,
        refusals=(model("return torch.sum(torch.matmul(x, self.weight.T), dim=0, keepdim=True)", init=WEIGHT),),
    ),
)
