"""Models that do not do the work and must not pass, made from the problem's own text.

Each has the original's parameters, and calls its forward, so that nothing but the values it returns gives it away.
"""

from __future__ import annotations

import ast
import io
import tokenize

ORIGINAL = "Original"
MODULES = frozenset(("torch", "F", "nn", "self"))
WRAPPED = """


def _tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [each for item in value for each in _tensors(item)] if isinstance(value, (list, tuple)) else []


def _mapped(value, change):
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, dict):
        return {key: _mapped(each, change) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(each, change) for each in value)
    return value


def _filled(tensor, values):
    return torch.zeros_like(tensor).copy_(values[: tensor.numel()].reshape(tensor.shape))


def _mean(tensor):
    if tensor.numel() < 2:
        return torch.zeros_like(tensor)
    return torch.zeros_like(tensor).add_(tensor.double().mean().to(tensor.dtype))


_seen = []


class ModelNew(Original):
    def forward(self, *inputs):
        right = super().forward(*inputs)
"""
BODIES = {
    "zeros": "return _mapped(right, torch.zeros_like)",
    "mean": "return _mapped(right, _mean)",
    "first answer": """\
if not _seen:
            _seen.append(_mapped(right, torch.clone))
        return _mapped(_seen[0], torch.clone)""",
    "answer before": """\
_seen.append(_mapped(right, torch.clone))
        return _seen.pop(0) if len(_seen) > 1 else right""",
    "first input": """\
given = _tensors(list(inputs))[0].reshape(-1)
        return _mapped(right, lambda t: _filled(t, given.repeat(t.numel() // max(given.numel(), 1) + 1)))""",
    "three quarters": """\
return _mapped(right, lambda t: _filled(t, torch.where(
            torch.arange(t.numel(), device=t.device) < 3 * t.numel() // 4, t.reshape(-1), 0)))""",
    "half precision": """\
return _mapped(right, lambda t: t.half().float() if t.dtype == torch.float32 else torch.zeros_like(t))""",
}
"""Code that returns something other than the right result, by the name of the mistake."""


def wrong_models(problem: str) -> dict[str, str]:
    """Texts of wrong models, by the name of the mistake."""
    original = "import torch\n" + renamed(problem)
    found = {name: f"{original}{WRAPPED}        {body}\n" for name, body in BODIES.items()}
    shorter = without_last_step(problem)
    return found | ({"last step left out": shorter} if shorter else {})


def renamed(problem: str, name: str = ORIGINAL) -> str:
    """The problem with its Model under another name."""
    lines = problem.splitlines(keepends=True)
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(problem).readline))):
        if token.type == tokenize.NAME and token.string == "Model":
            (row, start), (_, end) = token.start, token.end
            lines[row - 1] = lines[row - 1][:start] + name + lines[row - 1][end:]
    return "".join(lines)


def without_last_step(problem: str) -> str | None:
    """The model whose forward returns what its last operator would take; None where it returns no operator's result."""
    tree = ast.parse(renamed(problem, "ModelNew"))
    models = (each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "ModelNew")
    methods = (each for model in models for each in model.body if isinstance(each, ast.FunctionDef))
    forward = next((each for each in methods if each.name == "forward"), None)
    last = forward.body[-1] if forward else None
    taken = _operand(last.value) if isinstance(last, ast.Return) else None
    if not isinstance(last, ast.Return) or taken is None:
        return None
    last.value = taken
    return ast.unparse(tree) + "\n"


def _operand(result: ast.expr | None) -> ast.expr | None:
    """Operand of the last operator: its left side, its first argument, or what it is a method of."""
    if isinstance(result, ast.BinOp):
        return result.left
    if not isinstance(result, ast.Call) or not isinstance(result.func, ast.Attribute):
        return None
    root = result.func.value
    while isinstance(root, ast.Attribute):
        root = root.value
    if isinstance(root, ast.Name) and root.id in MODULES:
        return result.args[0] if result.args else None
    return result.func.value
