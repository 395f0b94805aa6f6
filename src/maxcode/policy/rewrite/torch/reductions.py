"""Torch: softmax, norms and losses written out, as the one operator that they are."""

from __future__ import annotations

from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.rules import Found, TorchRule, finding
from maxcode.policy.rewrite.transformation import PYTHON, Transformation

SHIFTED = "torch.exp(_x - torch.amax(_x, _d, keepdim=True))"
SOFTMAX = TorchRule(
    tuple(f"{part} / torch.sum({part}, _d, keepdim=True)" for part in (SHIFTED, "torch.exp(_x)")),
    "torch.softmax({x}, dim={d})",
    lambda found: found.number("d") is not None,
)
LOG_SOFTMAX = TorchRule(
    ("torch.log(torch.softmax(_x, _d))", "_x - torch.logsumexp(_x, _d, keepdim=True)"),
    "torch.log_softmax({x}, dim={d})",
    lambda found: found.number("d") is not None,
)
LOG_SUM_EXP = TorchRule(
    ("torch.log(torch.sum(torch.exp(_x), _d, keepdim=_k))",),
    "torch.logsumexp({x}, dim={d}, keepdim={k})",
)
PLAIN_LOG_SUM_EXP = TorchRule(("torch.log(torch.sum(torch.exp(_x), _d))",), "torch.logsumexp({x}, dim={d})")


def _over_classes(found: Found) -> bool:
    """Whether a softmax goes over the dimension that the loss takes for the classes."""
    tensor = found.tensor("x")
    return found.number("d") == 1 or (found.number("d") == -1 and tensor is not None and len(tensor.shape) == 2)


CROSS_ENTROPY = TorchRule(("F.nll_loss(torch.log_softmax(_x, _d), _t)",), "{F}.cross_entropy({x}, {t})", _over_classes)
GATHERED = TorchRule(
    tuple(
        f"-torch.mean({inner})"
        for inner in (
            "torch.gather(torch.log_softmax(_x, 1), 1, torch.unsqueeze(_t, 1))",
            "torch.squeeze(torch.gather(torch.log_softmax(_x, 1), 1, torch.unsqueeze(_t, 1)), 1)",
        )
    ),
    "{F}.cross_entropy({x}, {t})",
)


def _same_shape(found: Found) -> bool:
    one, other = found.tensor("a"), found.tensor("b")
    return one is not None and other is not None and one == other


MSE = TorchRule(
    ("torch.mean(torch.pow(_a - _b, 2))", "torch.mean((_a - _b) * (_a - _b))"), "{F}.mse_loss({a}, {b})", _same_shape
)
L1 = TorchRule(("torch.mean(torch.abs(_a - _b))",), "{F}.l1_loss({a}, {b})", _same_shape)

NORMS = (
    TorchRule(
        ("torch.sqrt(torch.sum(torch.pow(_x, 2), _d, keepdim=True))",),
        "torch.linalg.vector_norm({x}, dim={d}, keepdim=True)",
    ),
    TorchRule(("torch.sqrt(torch.sum(torch.pow(_x, 2), _d))",), "torch.linalg.vector_norm({x}, dim={d})"),
    TorchRule(
        ("torch.sum(torch.abs(_x), _d, keepdim=True)",), "torch.linalg.vector_norm({x}, 1, dim={d}, keepdim=True)"
    ),
    TorchRule(("torch.sum(torch.abs(_x), _d)",), "torch.linalg.vector_norm({x}, 1, dim={d})"),
)
CENTRED = "_x - torch.mean(_x, _d, keepdim=True)"
VARIANCES = (
    "torch.var(_x, _d, unbiased=False, keepdim=True)",
    f"torch.mean(torch.pow({CENTRED}, 2), _d, keepdim=True)",
)
NORMALS = tuple(
    pattern
    for variance in VARIANCES
    for pattern in (
        f"({CENTRED}) / torch.sqrt({variance} + _e)",
        f"({CENTRED}) * torch.rsqrt({variance} + _e)",
        f"({CENTRED}) / torch.pow({variance} + _e, 0.5)",
    )
)


def _over_last(found: Found) -> bool:
    epsilon = found.number("e")
    is_small = epsilon is None or 0 < epsilon < 0.1
    return found.is_last("d", "x") and is_small


def _with_weight(found: Found) -> bool:
    """Whether weight and bias have one number for each feature."""
    shapes = [found.tensor(name) for name in ("w", "b") if f"_{name}" in found.match.names]
    return _over_last(found) and all(each is not None and len(each.shape) == 1 for each in shapes)


LAYER_NORMS = (
    TorchRule(
        tuple(f"{normal} * _w + _b" for normal in NORMALS),
        "{F}.layer_norm({x}, {x_}.shape[-1:], {w}, {b}, {e})",
        _with_weight,
    ),
    TorchRule(
        tuple(f"{normal} * _w" for normal in NORMALS),
        "{F}.layer_norm({x}, {x_}.shape[-1:], {w}, None, {e})",
        _with_weight,
    ),
    TorchRule(NORMALS, "{F}.layer_norm({x}, {x_}.shape[-1:], None, None, {e})", _over_last),
)
SQUARES = "torch.mean(torch.pow(_x, 2), _d, keepdim=True) + _e"
ROOTS = (f"_x * torch.rsqrt({SQUARES})", f"_x / torch.sqrt({SQUARES})", f"_x * torch.pow({SQUARES}, -0.5)")
RMS_NORMS = (
    TorchRule(tuple(f"{each} * _w" for each in ROOTS), "{F}.rms_norm({x}, {x_}.shape[-1:], {w}, {e})", _with_weight),
    TorchRule(ROOTS, "{F}.rms_norm({x}, {x_}.shape[-1:], None, {e})", _over_last),
)
WEIGHTS = "self.weight = nn.Parameter(torch.rand(8))\nself.bias = nn.Parameter(torch.rand(8))"

TRANSFORMATIONS = (
    Transformation(
        name="softmax-for-exponentials",
        family="torch",
        summary="Takes the softmax operator where exponentials are divided by their sum.",
        find=finding(SOFTMAX),
        example=example(
            "m = x.max(dim=-1, keepdim=True)[0]\ne = torch.exp(x - m)\nreturn e / e.sum(dim=-1, keepdim=True)",
            "return torch.softmax(x, dim=-1)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=3.0,
        refusals=(
            model("e = torch.exp(x)\nreturn e / e.sum(dim=-1, keepdim=True), e"),
            model("e = torch.exp(x)\nreturn e / (e.sum(dim=-1, keepdim=True) + 1)"),
        ),
    ),
    Transformation(
        name="log-softmax-for-log",
        family="torch",
        summary="Takes the logarithm inside of the softmax.",
        find=finding(LOG_SOFTMAX),
        example=example(
            "p = F.softmax(x, dim=1)\nreturn torch.log(p)",
            "return torch.log_softmax(x, dim=1)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(
            model("p = F.softmax(x, dim=1)\nreturn torch.log(p), p"),
            model("return torch.log(F.softmax(x, dim=1) + 1)"),
        ),
    ),
    Transformation(
        name="logsumexp-for-log",
        family="torch",
        summary="Takes the operator for the logarithm of a sum of exponentials.",
        find=finding(LOG_SUM_EXP, PLAIN_LOG_SUM_EXP),
        example=example(
            "return torch.log(torch.exp(x).sum(dim=1, keepdim=True))",
            "return torch.logsumexp(x, dim=1, keepdim=True)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return torch.log(torch.exp(x).mean(dim=1, keepdim=True))"),),
    ),
    Transformation(
        name="cross-entropy-for-log-softmax",
        family="torch",
        summary="Takes the cross-entropy operator for log-softmax with the negative log likelihood.",
        find=finding(CROSS_ENTROPY, GATHERED),
        example=example(
            "logs = F.log_softmax(x, dim=1)\nreturn F.nll_loss(logs, t)",
            "return F.cross_entropy(x, t)",
            args="x, t",
            inputs="torch.randn(4, 8), torch.randint(0, 8, (4,))",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(model("return F.nll_loss(F.log_softmax(x, dim=0), t)", args="x, t"),),
    ),
    Transformation(
        name="mse-for-squares",
        family="torch",
        summary="Takes the loss operator for the mean of squared, or absolute, differences of equal shapes.",
        find=finding(MSE, L1),
        example=example(
            "return torch.mean((x - y) ** 2)",
            "return F.mse_loss(x, y)",
            args="x, y",
            inputs="torch.randn(4, 8), torch.randn(4, 8)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(
            model("return torch.mean((x - y) ** 2)", args="x, y", inputs="torch.randn(4, 8), torch.randn(8)"),
            model("return torch.mean((x - y) ** 2, dim=1)", args="x, y", inputs="torch.randn(4, 8), torch.randn(4, 8)"),
        ),
    ),
    Transformation(
        name="norm-for-sum",
        family="torch",
        summary="Takes the norm operator for sums of squares under a root, and of absolute values.",
        find=finding(*NORMS),
        example=example("return torch.sqrt(torch.sum(x * x, dim=1))", "return torch.linalg.vector_norm(x, dim=1)"),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=2.0,
        refusals=(model("return torch.sqrt(torch.sum(x * x, dim=1) + 1)"), model("return torch.sum(x * x, dim=1)")),
    ),
    Transformation(
        name="layer-norm-for-mean-and-variance",
        family="torch",
        summary="Takes the layer-norm operator where mean and variance of the last dimension are taken out by hand.",
        find=finding(*LAYER_NORMS),
        example=example(
            "mean = x.mean(dim=-1, keepdim=True)\n"
            "var = x.var(dim=-1, keepdim=True, unbiased=False)\n"
            "x = (x - mean) / torch.sqrt(var + 1e-5)\n"
            "return x * self.weight + self.bias",
            "return F.layer_norm(x, x.shape[-1:], self.weight, self.bias, 1e-5)",
            init=WEIGHTS,
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=3.0,
        refusals=(
            model(
                "mean = x.mean(dim=-1, keepdim=True)\nvar = x.var(dim=-1, keepdim=True)\n"
                "return (x - mean) / torch.sqrt(var + 1e-5)"
            ),
            model(
                "mean = x.mean(dim=0, keepdim=True)\nvar = x.var(dim=0, keepdim=True, unbiased=False)\n"
                "return (x - mean) / torch.sqrt(var + 1e-5)"
            ),
        ),
    ),
    Transformation(
        name="rms-norm-for-squares",
        family="torch",
        summary="Takes the RMS-norm operator where the last dimension is divided by the root of its mean square.",
        find=finding(*RMS_NORMS),
        example=example(
            "rms = torch.sqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)\nreturn x / rms * self.weight",
            "return F.rms_norm(x, x.shape[-1:], self.weight, 1e-6)",
            init=WEIGHTS,
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        prior=3.0,
        refusals=(model("rms = torch.sqrt(x.pow(2).mean(0, keepdim=True) + 1e-6)\nreturn x / rms"),),
    ),
)
