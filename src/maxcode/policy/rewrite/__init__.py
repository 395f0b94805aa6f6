"""The embedded policy: optimises C, C++, Python and PyTorch models by rewriting them, with no model.

Transformations are usually right, not proven: the evaluator decides. Each package has a family, and
every module in it lists what it offers in `TRANSFORMATIONS`.
"""

from __future__ import annotations

from maxcode.policy.rewrite import algorithms, compiler, library, loops, memory, python, torch
from maxcode.policy.rewrite.transformation import Transformation

TRANSFORMATIONS: tuple[Transformation, ...] = (
    *loops.TRANSFORMATIONS,
    *compiler.TRANSFORMATIONS,
    *memory.TRANSFORMATIONS,
    *library.TRANSFORMATIONS,
    *algorithms.TRANSFORMATIONS,
    *python.TRANSFORMATIONS,
    *torch.TRANSFORMATIONS,
)
