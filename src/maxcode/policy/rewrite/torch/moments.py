"""Torch: mean and variance of the same values in one operator."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from maxcode.policy.rewrite.source import Edit, SourceFile
from maxcode.policy.rewrite.torch.examples import example, model
from maxcode.policy.rewrite.torch.flow import StatementFlow, assigned
from maxcode.policy.rewrite.torch.matching import Bound, Matcher
from maxcode.policy.rewrite.torch.operations import Op, modules_of, operation
from maxcode.policy.rewrite.torch.program import TorchSource, program
from maxcode.policy.rewrite.transformation import PYTHON, Rewrite, Setting, Transformation


def _moments(source: SourceFile, setting: Setting) -> Iterator[Rewrite]:
    """`mean` and `var` of the same tensor over the same dimensions."""
    whole = program(source, setting)
    if whole is None:
        return
    for owner, function in whole.functions:
        matcher = Matcher(StatementFlow(function, modules_of(owner)), lambda _: None)
        found: dict[str, list[tuple[int, str, Op]]] = {"mean": [], "var": []}
        for at, statement in enumerate(function.body):
            target = assigned(statement)
            made = operation(target[1], matcher.flow.modules) if target else None
            if target and made is not None and made.name in found:
                found[made.name].append((at, target[0], made))
        for mean in found["mean"]:
            for variance in found["var"]:
                edits = _together(whole, matcher, mean, variance)
                if edits is not None:
                    yield whole.rewrite(function.body[mean[0]].lineno, edits)


def _together(
    whole: TorchSource, matcher: Matcher, mean: tuple[int, str, Op], variance: tuple[int, str, Op]
) -> tuple[Edit, ...] | None:
    flow, statements = matcher.flow, matcher.flow.statements
    first, second = sorted((mean[0], variance[0]))
    pairs = [(mean[2].arg(name), variance[2].arg(name)) for name in ("input", "dim", "keepdim")]
    same = all(_alike(matcher, one, mean[0], other, variance[0]) for one, other in pairs)
    later = variance[1] if variance[0] == second else mean[1]
    between = statements[first : second + 1]
    touched = any(
        isinstance(each, ast.Name) and each.id == later for statement in between[:-1] for each in ast.walk(statement)
    )
    own = {mean[1], variance[1]} & {
        each.id for each in ast.walk(pairs[0][0] or statements[0]) if isinstance(each, ast.Name)
    }
    if not same or touched or own or mean[1] == variance[1] or any(at in flow.barriers for at in range(first, second)):
        return None
    if not all(whole.alone(statements[at]) for at in (first, second)):
        return None
    given, dim, keepdim = (pair[0] for pair in pairs)
    unbiased = variance[2].arg("unbiased")
    if given is None or dim is None:
        return None
    options = [f"dim={whole.text(dim)}"]
    options += [f"unbiased={ast.unparse(unbiased)}"] if unbiased is not None else []
    options += [f"keepdim={whole.text(keepdim)}"] if keepdim is not None else []
    line = f"{variance[1]}, {mean[1]} = torch.var_mean({whole.text(given)}, {', '.join(options)})"
    return whole.replace(statements[first], line), whole.remove(statements[second])


def _alike(matcher: Matcher, one: ast.expr | None, at: int, other: ast.expr | None, there: int) -> bool:
    if one is None or other is None:
        return one is other
    return matcher.same(Bound(one, at), Bound(other, there))


TRANSFORMATIONS = (
    Transformation(
        name="var-mean-together",
        family="torch",
        summary="Computes mean and variance of the same values together.",
        find=_moments,
        example=example(
            "mean = x.mean(dim=1, keepdim=True)\nvar = x.var(dim=1, unbiased=False, keepdim=True)\n"
            "return (x - mean) / (var + 1.0)",
            "var, mean = torch.var_mean(x, dim=1, unbiased=False, keepdim=True)\nreturn (x - mean) / (var + 1.0)",
        ),
        languages=PYTHON,
        answers=("many-kernels", "memory-bound"),
        refusals=(
            model("mean = x.mean(dim=1, keepdim=True)\nvar = x.var(dim=0, keepdim=True)\nreturn (x - mean) / var"),
            model("mean = x.mean(dim=1, keepdim=True)\nx = x - mean\nreturn x / x.var(dim=1, keepdim=True)"),
        ),
    ),
)
