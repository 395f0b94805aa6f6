"""Running small models before and after a rewrite, with the same seeds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch import TRANSFORMATIONS
from maxcode.policy.rewrite.transformation import Setting, Transformation

SLOW = ("compile", "triton-kernel", "inline-kernel")
"""Transformations whose results start a compiler; they have tests of their own."""


def transformation(name: str) -> Transformation:
    return next(each for each in TRANSFORMATIONS if each.name == name)


def names_of(code: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "candidate"}
    exec(compile(code, "model.py", "exec"), names)
    return names


def results(code: str, problem: str) -> tuple[Any, dict[str, Any], list[Any]]:
    """What a model makes of the problem's inputs, its weights, and the inputs after it."""
    import torch

    given, names = names_of(problem), names_of(code)
    torch.manual_seed(1)
    inputs = given["get_inputs"]()
    torch.manual_seed(2)
    model = (names.get("ModelNew") or names["Model"])(*given["get_init_inputs"]())
    weights = {name: value.clone() for name, value in model.state_dict().items()}
    with torch.no_grad():
        output = model(*inputs)
    return output, weights, inputs


@contextmanager
def with_wide_sums(code: str) -> Iterator[None]:
    """Products whose sums may have another type than their factors, where a model has them; torch has none on CPUs."""
    import torch

    usual = {name: getattr(torch, name) for name in ("mm", "bmm")} if "out_dtype" in code else {}
    for name, product in usual.items():
        setattr(torch, name, partial(_wide, product))
    try:
        yield
    finally:
        for name, product in usual.items():
            setattr(torch, name, product)


def _wide(product: Callable[[Any, Any], Any], a: Any, b: Any, out_dtype: Any = None) -> Any:
    return product(a, b) if out_dtype is None else product(a.to(out_dtype), b.to(out_dtype))


def assert_same(code: str, problem: str) -> None:
    """Equal results with equal strides, equal weights under equal names, inputs as they were."""
    import torch

    expected, weights, inputs = results(problem, problem)
    with with_wide_sums(code):
        found, own, after = results(code, problem)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5, check_stride=True)
    torch.testing.assert_close(after, inputs, rtol=0, atol=0)
    assert list(own) == list(weights)
    torch.testing.assert_close(own, weights, rtol=0, atol=0)


def rewritten(name: str, code: str, setting: Setting, options: str | None = None) -> str:
    """The code after the first rewrite, or the first with these options."""
    source = SourceFile(code, Language.PYTHON)
    found = [each for each in transformation(name).find(source, setting) if options in (None, each.options)]
    return apply(source, found[0].edits).code


def assert_runs_in_one_way(code: str) -> None:
    """At most one compilation and one recording, neither of the other, and no inference mode around a recording."""
    functions = [each for each in ast.walk(ast.parse(code)) if isinstance(each, ast.FunctionDef)]
    compiled = [each for each in functions if any("torch.compile" in ast.unparse(d) for d in each.decorator_list)]
    assert code.count("torch.compile") == len(compiled) <= 1, code
    assert code.count("CUDAGraph") <= 1, code
    if "CUDAGraph" in code:
        assert {each.name for each in compiled} <= {"_computed"}, code
        for each in ("reduce-overhead", '"max-autotune"', "inference_mode"):
            assert each not in code, code
