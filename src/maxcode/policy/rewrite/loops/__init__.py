"""Loops: order, shape, bounds, bodies and sums."""

from __future__ import annotations

from maxcode.policy.rewrite.transformation import transformations_in

TRANSFORMATIONS = transformations_in(__name__, __path__)
