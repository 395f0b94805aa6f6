"""Torch: attention written out, as the fused operator."""

from __future__ import annotations

from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.rules import Found, TorchRule, finding
from maxcode.policy.rewrite.transformation import PYTHON, Transformation

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


RULES = tuple(_rule(score, scale, mask, masked) for mask, masked in MASKS for score, scale in SCORES)
INPUTS = "torch.randn(2, 2, 4, 8), torch.randn(2, 2, 4, 8), torch.randn(2, 2, 4, 8)"

TRANSFORMATIONS = (
    Transformation(
        name="fused-attention",
        family="torch",
        summary="Takes the attention operator for softmax(q @ k^T * scale) @ v, masked or not.",
        find=finding(*RULES),
        example=example(
            "att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))\n"
            "att = F.softmax(att, dim=-1)\n"
            "y = att @ v\n"
            "return y.transpose(1, 2)",
            "y = F.scaled_dot_product_attention(q, k, v, scale=1.0 / math.sqrt(k.size(-1)))\nreturn y.transpose(1, 2)",
            args="q, k, v",
            inputs=INPUTS,
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound", "attention"),
        prior=4.0,
        refusals=(
            model("return F.softmax(q @ k.transpose(-2, -1), dim=1) @ v", args="q, k, v", inputs=INPUTS),
            model(
                "att = F.softmax(q @ k.transpose(-2, -1), dim=-1)\nreturn att @ v, att", args="q, k, v", inputs=INPUTS
            ),
        ),
    ),
)
