"""Python."""

from __future__ import annotations

from maxcode.policy.rewrite.python import (
    algorithms,
    arithmetic,
    cache,
    containers,
    counting,
    folds,
    functions,
    loops,
    names,
    splitting,
    text,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *algorithms.TRANSFORMATIONS,
    *arithmetic.TRANSFORMATIONS,
    *cache.TRANSFORMATIONS,
    *containers.TRANSFORMATIONS,
    *counting.TRANSFORMATIONS,
    *folds.TRANSFORMATIONS,
    *functions.TRANSFORMATIONS,
    *loops.TRANSFORMATIONS,
    *names.TRANSFORMATIONS,
    *splitting.TRANSFORMATIONS,
    *text.TRANSFORMATIONS,
)
