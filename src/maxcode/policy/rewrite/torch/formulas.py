"""Torch: activations, norms, losses and attention written out, as the one operator that they are."""

from __future__ import annotations

from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.rules import Found, TorchRule, finding
from maxcode.policy.rewrite.transformation import PYTHON, Transformation

CUBE = ("torch.pow(_x, 3.0)", "_x * _x * _x")
ROOT_2_PI = "0.7978845608028654"

ACTIVATIONS = (
    TorchRule(("_x * torch.sigmoid(_x)", "_x / (1 + torch.exp(-_x))"), "{F}.silu({x})"),
    TorchRule(
        ("0.5 * _x * (1 + torch.erf(_x / 1.4142135623730951))", "0.5 * _x * (1 + torch.erf(_x * 0.7071067811865476))"),
        "{F}.gelu({x})",
    ),
    TorchRule(
        tuple(
            pattern
            for cube in CUBE
            for pattern in (
                f"0.5 * _x * (1 + torch.tanh({ROOT_2_PI} * (_x + 0.044715 * {cube})))",
                f"0.5 * _x * (1 + torch.tanh({ROOT_2_PI} * _x * (1 + 0.044715 * torch.pow(_x, 2))))",
            )
        ),
        '{F}.gelu({x}, approximate="tanh")',
    ),
    TorchRule(("torch.log(1 + torch.exp(_x))", "torch.log1p(torch.exp(_x))"), "{F}.softplus({x})"),
    TorchRule(("_x * torch.tanh(F.softplus(_x))",), "{F}.mish({x})"),
    TorchRule(
        (
            "_x * F.relu6(_x + 3) / 6",
            "_x * torch.clamp(_x + 3, 0, 6) / 6",
            "_x * F.hardtanh(_x + 3, 0, 6) / 6",
            "_x * torch.clamp(_x / 6 + 0.5, 0, 1)",
            "_x * torch.clamp((_x + 3) / 6, 0, 1)",
            "_x * F.hardsigmoid(_x)",
        ),
        "{F}.hardswish({x})",
    ),
    TorchRule(
        (
            "F.relu6(_x + 3) / 6",
            "torch.clamp(_x + 3, 0, 6) / 6",
            "torch.clamp(_x / 6 + 0.5, 0, 1)",
            "torch.clamp((_x + 3) / 6, 0, 1)",
        ),
        "{F}.hardsigmoid({x})",
    ),
    TorchRule(("torch.log(torch.sigmoid(_x))", "-torch.log(1 + torch.exp(-_x))"), "{F}.logsigmoid({x})"),
    TorchRule(
        ("torch.maximum(_x, _s * _x)", "torch.where(_x > 0, _x, _s * _x)"),
        "{F}.leaky_relu({x}, {s})",
        lambda found: 0 < (found.number("s") or 0) < 1,
    ),
)
SHIFTED = "torch.exp(_x - torch.amax(_x, _d, keepdim=True))"
SOFTMAXES = (
    TorchRule(
        tuple(f"{part} / torch.sum({part}, _d, keepdim=True)" for part in (SHIFTED, "torch.exp(_x)")),
        "torch.softmax({x}, dim={d})",
        lambda found: found.number("d") is not None,
    ),
    TorchRule(
        ("torch.log(torch.softmax(_x, _d))", "_x - torch.logsumexp(_x, _d, keepdim=True)"),
        "torch.log_softmax({x}, dim={d})",
        lambda found: found.number("d") is not None,
    ),
    TorchRule(
        ("torch.log(torch.sum(torch.exp(_x), _d, keepdim=_k))",),
        "torch.logsumexp({x}, dim={d}, keepdim={k})",
    ),
    TorchRule(("torch.log(torch.sum(torch.exp(_x), _d))",), "torch.logsumexp({x}, dim={d})"),
)


def _over_classes(found: Found) -> bool:
    """Whether a softmax goes over the dimension that the loss takes for the classes."""
    tensor = found.tensor("x")
    return found.number("d") == 1 or (found.number("d") == -1 and tensor is not None and len(tensor.shape) == 2)


def _same_shape(found: Found) -> bool:
    one, other = found.tensor("a"), found.tensor("b")
    return one is not None and other is not None and one == other


LOSSES = (
    TorchRule(("F.nll_loss(torch.log_softmax(_x, _d), _t)",), "{F}.cross_entropy({x}, {t})", _over_classes),
    TorchRule(
        tuple(
            f"-torch.mean({inner})"
            for inner in (
                "torch.gather(torch.log_softmax(_x, 1), 1, torch.unsqueeze(_t, 1))",
                "torch.squeeze(torch.gather(torch.log_softmax(_x, 1), 1, torch.unsqueeze(_t, 1)), 1)",
            )
        ),
        "{F}.cross_entropy({x}, {t})",
    ),
    TorchRule(
        ("torch.mean(torch.pow(_a - _b, 2))", "torch.mean((_a - _b) * (_a - _b))"),
        "{F}.mse_loss({a}, {b})",
        _same_shape,
    ),
    TorchRule(("torch.mean(torch.abs(_a - _b))",), "{F}.l1_loss({a}, {b})", _same_shape),
)
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

SCORES = (
    ("torch.matmul(_q, _k.mT) * _s", "{s}"),
    ("torch.matmul(_q, _k.mT) / _c", "1 / {c_}"),
    ("torch.matmul(_q * _s, _k.mT)", "{s}"),
    ("torch.matmul(_q / _c, _k.mT)", "1 / {c_}"),
    ("torch.matmul(_q, _k.mT)", "1.0"),
)
MASKS = (
    ("torch.masked_fill({0}, _m == 0, -math.inf)", ", attn_mask={m_} != 0"),
    ("torch.masked_fill({0}, _m, -math.inf)", ", attn_mask=torch.logical_not({m})"),
    ("{0}", ""),
)


def _becomes(scale: str, mask: str) -> str:
    return "{F}.scaled_dot_product_attention({q}, {k}, {v}" + mask + f", scale={scale})"


def _contiguous(template: str, found: Found) -> str:
    """The template made contiguous where it is the result: the operator may lay out its result in another order."""
    return f"{template}.contiguous()" if found.is_result() else template


def _is_scale(found: Found) -> bool:
    """Whether what the scores are multiplied with is a number, not a tensor."""
    given = [name for name in ("_s", "_c") if name in found.match.names]
    return all(found.shapes.tensor(found.match.names[name].node) is None for name in given) and _is_batched(found)


def _is_batched(found: Found) -> bool:
    ranks = [found.shapes.rank(found.node(name)) for name in ("q", "k", "v")]
    return all(rank is None or rank in (3, 4) for rank in ranks) and len(set(ranks) - {None}) <= 1


def _rule(score: str, scale: str, mask: str, masked: str) -> TorchRule:
    pattern = f"torch.matmul(torch.softmax({mask.format(score)}, -1), _v)"
    template = _becomes(scale, masked)
    return TorchRule((pattern,), lambda found: _contiguous(template, found), _is_scale)


ATTENTION = tuple(_rule(score, scale, mask, masked) for mask, masked in MASKS for score, scale in SCORES)
INPUTS = "torch.randn(2, 2, 4, 8), torch.randn(2, 2, 4, 8), torch.randn(2, 2, 4, 8)"

TRANSFORMATIONS = (
    Transformation(
        name="operator-for-formula",
        family="torch",
        summary="Takes the one operator for an activation, softmax, norm, loss or attention that is written out.",
        find=finding(*ATTENTION, *LAYER_NORMS, *RMS_NORMS, *SOFTMAXES, *LOSSES, *NORMS, *ACTIVATIONS),
        example=example("x = x * torch.sigmoid(x)\nreturn x", "x = F.silu(x)\nreturn x"),
        variants=(
            example(
                "att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))\n"
                "att = F.softmax(att, dim=-1)\n"
                "y = att @ v\n"
                "return y.transpose(1, 2)",
                "y = F.scaled_dot_product_attention(q, k, v, scale=1.0 / math.sqrt(k.size(-1)))\n"
                "return y.transpose(1, 2)",
                args="q, k, v",
                inputs=INPUTS,
            ),
            example(
                "m = x.max(dim=-1, keepdim=True)[0]\ne = torch.exp(x - m)\nreturn e / e.sum(dim=-1, keepdim=True)",
                "return torch.softmax(x, dim=-1)",
            ),
            example(
                "p = F.softmax(x, dim=1)\nreturn torch.log(p)",
                "return torch.log_softmax(x, dim=1)",
            ),
            example(
                "return torch.log(torch.exp(x).sum(dim=1, keepdim=True))",
                "return torch.logsumexp(x, dim=1, keepdim=True)",
            ),
            example(
                "logs = F.log_softmax(x, dim=1)\nreturn F.nll_loss(logs, t)",
                "return F.cross_entropy(x, t)",
                args="x, t",
                inputs="torch.randn(4, 8), torch.randint(0, 8, (4,))",
            ),
            example(
                "return torch.mean((x - y) ** 2)",
                "return F.mse_loss(x, y)",
                args="x, y",
                inputs="torch.randn(4, 8), torch.randn(4, 8)",
            ),
            example("return torch.sqrt(torch.sum(x * x, dim=1))", "return torch.linalg.vector_norm(x, dim=1)"),
            example(
                "mean = x.mean(dim=-1, keepdim=True)\n"
                "var = x.var(dim=-1, keepdim=True, unbiased=False)\n"
                "x = (x - mean) / torch.sqrt(var + 1e-5)\n"
                "return x * self.weight + self.bias",
                "return F.layer_norm(x, x.shape[-1:], self.weight, self.bias, 1e-5)",
                init=WEIGHTS,
            ),
            example(
                "rms = torch.sqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)\nreturn x / rms * self.weight",
                "return F.rms_norm(x, x.shape[-1:], self.weight, 1e-6)",
                init=WEIGHTS,
            ),
            example("return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))", "return F.gelu(x)"),
            example(
                "return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))",
                'return F.gelu(x, approximate="tanh")',
            ),
            example("return torch.log(1.0 + torch.exp(x))", "return F.softplus(x)"),
            example("y = F.softplus(x)\ny = torch.tanh(y)\nreturn x * y", "return F.mish(x)"),
            example("return x * torch.clamp((x + 3) / 6, min=0, max=1)", "return F.hardswish(x)"),
            example("return F.relu6(x + 3) / 6", "return F.hardsigmoid(x)"),
            example("return torch.log(torch.sigmoid(x))", "return F.logsigmoid(x)"),
            example("return torch.maximum(x, 0.1 * x)", "return F.leaky_relu(x, 0.1)"),
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound", "attention"),
        prior=3.0,
        refusals=(
            model("return F.softmax(q @ k.transpose(-2, -1), dim=1) @ v", args="q, k, v", inputs=INPUTS),
            model(
                "att = F.softmax(q @ k.transpose(-2, -1), dim=-1)\nreturn att @ v, att", args="q, k, v", inputs=INPUTS
            ),
            model("e = torch.exp(x)\nreturn e / e.sum(dim=-1, keepdim=True), e"),
            model("e = torch.exp(x)\nreturn e / (e.sum(dim=-1, keepdim=True) + 1)"),
            model("p = F.softmax(x, dim=1)\nreturn torch.log(p), p"),
            model("return torch.log(F.softmax(x, dim=1) + 1)"),
            model("return torch.log(torch.exp(x).mean(dim=1, keepdim=True))"),
            model("return F.nll_loss(F.log_softmax(x, dim=0), t)", args="x, t"),
            model("return torch.mean((x - y) ** 2)", args="x, y", inputs="torch.randn(4, 8), torch.randn(8)"),
            model("return torch.mean((x - y) ** 2, dim=1)", args="x, y", inputs="torch.randn(4, 8), torch.randn(4, 8)"),
            model("return torch.sqrt(torch.sum(x * x, dim=1) + 1)"),
            model("return torch.sum(x * x, dim=1)"),
            model(
                "mean = x.mean(dim=-1, keepdim=True)\nvar = x.var(dim=-1, keepdim=True)\n"
                "return (x - mean) / torch.sqrt(var + 1e-5)"
            ),
            model(
                "mean = x.mean(dim=0, keepdim=True)\nvar = x.var(dim=0, keepdim=True, unbiased=False)\n"
                "return (x - mean) / torch.sqrt(var + 1e-5)"
            ),
            model("rms = torch.sqrt(x.pow(2).mean(0, keepdim=True) + 1e-6)\nreturn x / rms"),
            model("return x * torch.sigmoid(x + 1)"),
            model("y = torch.sigmoid(x)\nreturn x * y, y"),
            model("return x * 0.5 * (1.0 + torch.erf(x / 2.0))"),
            model("return 0.5 * x * (1.0 + torch.tanh(x))"),
            model("return torch.log(2.0 + torch.exp(x))"),
            model("return x * torch.tanh(F.softplus(x, beta=2))"),
            model("return x * torch.tanh(x)"),
            model("return x * torch.clamp((x + 3) / 6, min=0, max=2)"),
            model("return F.relu6(x + 2) / 6"),
            model("return torch.log(torch.sigmoid(x) + 1)"),
            model("return torch.maximum(x, 2.0 * x)"),
        ),
    ),
)
