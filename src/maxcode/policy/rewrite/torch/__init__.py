"""PyTorch models: operators that do more at once, kernels of their own, and ways to run a model."""

from __future__ import annotations

from maxcode.policy.rewrite.torch import (
    formulas,
    kernels,
    layout,
    passes,
    products,
    running,
    tidying,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *formulas.TRANSFORMATIONS,
    *kernels.TRANSFORMATIONS,
    *layout.TRANSFORMATIONS,
    *passes.TRANSFORMATIONS,
    *products.TRANSFORMATIONS,
    *running.TRANSFORMATIONS,
    *tidying.TRANSFORMATIONS,
)
