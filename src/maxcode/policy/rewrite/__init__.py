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
    python_algorithms,
    python_containers,
    python_counting,
    python_folds,
    python_functions,
    python_loops,
    python_names,
    python_splitting,
    python_text,
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
    *python_algorithms.TRANSFORMATIONS,
    *python_containers.TRANSFORMATIONS,
    *python_counting.TRANSFORMATIONS,
    *python_folds.TRANSFORMATIONS,
    *python_functions.TRANSFORMATIONS,
    *python_loops.TRANSFORMATIONS,
    *python_names.TRANSFORMATIONS,
    *python_splitting.TRANSFORMATIONS,
    *python_text.TRANSFORMATIONS,
)
