"""Vectorisation, compiler options and threads."""

from __future__ import annotations

from maxcode.policy.rewrite.compiler import (
    checks,
    hints,
    loop_pragmas,
    options,
    pure_math,
    signatures,
    threads,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *checks.TRANSFORMATIONS,
    *hints.TRANSFORMATIONS,
    *loop_pragmas.TRANSFORMATIONS,
    *options.TRANSFORMATIONS,
    *pure_math.TRANSFORMATIONS,
    *signatures.TRANSFORMATIONS,
    *threads.TRANSFORMATIONS,
)
