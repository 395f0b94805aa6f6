"""PyTorch models: operators that do more at once, kernels of their own, and ways to run a model."""

from __future__ import annotations

from maxcode.policy.rewrite.torch import (
    activations,
    attention,
    batching,
    kernels,
    layout,
    moments,
    passes,
    products,
    reductions,
    running,
    tidying,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *activations.TRANSFORMATIONS,
    *attention.TRANSFORMATIONS,
    *batching.TRANSFORMATIONS,
    *kernels.TRANSFORMATIONS,
    *layout.TRANSFORMATIONS,
    *moments.TRANSFORMATIONS,
    *passes.TRANSFORMATIONS,
    *products.TRANSFORMATIONS,
    *reductions.TRANSFORMATIONS,
    *running.TRANSFORMATIONS,
    *tidying.TRANSFORMATIONS,
)
