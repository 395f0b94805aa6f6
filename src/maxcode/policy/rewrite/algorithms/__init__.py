"""Algorithms: fewer steps for the same answer, recognised by what depends on what."""

from __future__ import annotations

from maxcode.policy.rewrite.algorithms import (
    deciding,
    hand_sorting,
    keyed_sorting,
    memo,
    nearest,
    ordering,
    places,
    remainders,
    remembering,
    sums,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *deciding.TRANSFORMATIONS,
    *hand_sorting.TRANSFORMATIONS,
    *keyed_sorting.TRANSFORMATIONS,
    *memo.TRANSFORMATIONS,
    *nearest.TRANSFORMATIONS,
    *ordering.TRANSFORMATIONS,
    *places.TRANSFORMATIONS,
    *remainders.TRANSFORMATIONS,
    *remembering.TRANSFORMATIONS,
    *sums.TRANSFORMATIONS,
)
