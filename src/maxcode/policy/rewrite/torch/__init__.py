"""PyTorch models: operators that do more at once, kernels of their own, and ways to run a model."""

from __future__ import annotations

from maxcode.policy.rewrite.transformation import transformations_in

TRANSFORMATIONS = transformations_in(__name__, __path__)
