"""Memory: layout, copies, storage."""

from __future__ import annotations

from maxcode.policy.rewrite.memory import (
    bits,
    copies,
    getters,
    grids,
    growth,
    lasting,
    layout,
    packing,
    records,
    reuse,
    rolling,
    storage,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *bits.TRANSFORMATIONS,
    *copies.TRANSFORMATIONS,
    *getters.TRANSFORMATIONS,
    *grids.TRANSFORMATIONS,
    *growth.TRANSFORMATIONS,
    *lasting.TRANSFORMATIONS,
    *layout.TRANSFORMATIONS,
    *packing.TRANSFORMATIONS,
    *records.TRANSFORMATIONS,
    *reuse.TRANSFORMATIONS,
    *rolling.TRANSFORMATIONS,
    *storage.TRANSFORMATIONS,
)
