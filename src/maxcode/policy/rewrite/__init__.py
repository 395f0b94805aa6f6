"""The embedded policy: optimises C, C++ and Python by rewriting them, with no model.

Transformations are usually right, not proven: the evaluator decides. Each module has one family, or part of one, and
lists what it offers in `TRANSFORMATIONS`.
"""

from __future__ import annotations

from maxcode.policy.rewrite import input, output, stdio, strings
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *input.TRANSFORMATIONS,
    *output.TRANSFORMATIONS,
    *stdio.TRANSFORMATIONS,
    *strings.TRANSFORMATIONS,
)
