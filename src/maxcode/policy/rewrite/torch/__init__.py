"""PyTorch models: operators that do more at once, and ways to run a model."""

from __future__ import annotations

from maxcode.policy.rewrite.torch import (
    activations,
    attention,
    layout,
    passes,
    products,
    reductions,
    running,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *activations.TRANSFORMATIONS,
    *attention.TRANSFORMATIONS,
    *layout.TRANSFORMATIONS,
    *passes.TRANSFORMATIONS,
    *products.TRANSFORMATIONS,
    *reductions.TRANSFORMATIONS,
    *running.TRANSFORMATIONS,
)
