"""Loops: order, shape, bounds, bodies and sums."""

from __future__ import annotations

from maxcode.policy.rewrite.loops import (
    accumulators,
    blocking,
    body,
    buffer_swap,
    clamping,
    edges,
    guards,
    induction,
    interior,
    invariants,
    order,
    peeling,
    selects,
    shape,
    tiling,
    unrolling,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *accumulators.TRANSFORMATIONS,
    *blocking.TRANSFORMATIONS,
    *body.TRANSFORMATIONS,
    *buffer_swap.TRANSFORMATIONS,
    *clamping.TRANSFORMATIONS,
    *edges.TRANSFORMATIONS,
    *guards.TRANSFORMATIONS,
    *induction.TRANSFORMATIONS,
    *interior.TRANSFORMATIONS,
    *invariants.TRANSFORMATIONS,
    *order.TRANSFORMATIONS,
    *peeling.TRANSFORMATIONS,
    *selects.TRANSFORMATIONS,
    *shape.TRANSFORMATIONS,
    *tiling.TRANSFORMATIONS,
    *unrolling.TRANSFORMATIONS,
)
