"""The embedded policy: optimises C, C++ and Python by rewriting them, with no model.

Transformations are usually right, not proven: the evaluator decides. Each module has one family, or part of one, and
lists what it offers in `TRANSFORMATIONS`.
"""

from __future__ import annotations

from maxcode.policy.rewrite import (
    arithmetic,
    compiler,
    containers,
    copies,
    grids,
    growth,
    input,
    loop_blocking,
    loop_guards,
    loop_order,
    loop_pragmas,
    loop_tiling,
    output,
    primes,
    rolling,
    signatures,
    stdio,
    strings,
    tables,
)
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *primes.TRANSFORMATIONS,
    *arithmetic.TRANSFORMATIONS,
    *tables.TRANSFORMATIONS,
    *containers.TRANSFORMATIONS,
    *input.TRANSFORMATIONS,
    *loop_blocking.TRANSFORMATIONS,
    *loop_order.TRANSFORMATIONS,
    *loop_tiling.TRANSFORMATIONS,
    *output.TRANSFORMATIONS,
    *stdio.TRANSFORMATIONS,
    *strings.TRANSFORMATIONS,
    *copies.TRANSFORMATIONS,
    *growth.TRANSFORMATIONS,
    *compiler.TRANSFORMATIONS,
    *loop_pragmas.TRANSFORMATIONS,
    *signatures.TRANSFORMATIONS,
    *loop_guards.TRANSFORMATIONS,
    *grids.TRANSFORMATIONS,
    *rolling.TRANSFORMATIONS,
)
