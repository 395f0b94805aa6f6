"""How fast a problem's programs could be at most: the roofline of where they are measured, over the baseline's speed.

Found once per problem and kind of machine, then kept for good, so that the same program earns the same in a training
that is resumed, or started anew, as it did before.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from pydantic import ValidationError

from maxcode.bench.roofline.roofs import baseline_rate, roofs_of, work_of
from maxcode.core import EvaluatorError, Frozen, content_hash
from maxcode.evaluate.pool import Evaluator
from maxcode.system.home import cache_folder, write_atomically
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.scale import LEAST_CEILING
from maxcode.train.techniques import Technique

VERSION = "1"
WITHOUT_FLOPS = 64.0
"""Ceiling of tasks that do not state their operations: few kernels can be made faster than this."""


class Ceiling(Protocol):
    """Highest speed that a problem's programs could reach, in units of the baseline's; the same at every call."""

    async def __call__(self, problem: MaskedTask) -> float: ...


def fixed_ceiling(value: float) -> Ceiling:
    """One ceiling for every problem, where the machine's roofs are of no interest."""

    async def ceiling(problem: MaskedTask) -> float:  # noqa: ARG001 - the same for all
        return value

    return ceiling


class _Kept(Frozen):
    ceiling: float


def roofline_ceiling(evaluate: Evaluator) -> Ceiling:
    known: dict[str, float] = {}
    one_at_a_time = asyncio.Lock()

    async def ceiling(problem: MaskedTask) -> float:
        if problem.id not in known:
            async with one_at_a_time:
                if problem.id not in known:
                    known[problem.id] = await _ceiling(evaluate, problem)
        return known[problem.id]

    return ceiling


async def _ceiling(evaluate: Evaluator, problem: MaskedTask) -> float:
    task = problem.judged
    if work_of(task) is None:
        return WITHOUT_FLOPS
    naive, machine = await baseline_rate(evaluate, task)
    file = cache_folder("ceilings") / f"{content_hash(VERSION, problem.id, machine)}.json"
    try:
        return _Kept.model_validate_json(file.read_bytes()).ceiling
    except (OSError, ValidationError):
        pass
    roofs = await roofs_of(evaluate, task.limits.cpus, machine=machine)
    roof = roofs.roof(task, vectors=Technique.SIMD in problem.mask.permitted)
    if roof is None:
        raise EvaluatorError(f"{problem.name}: has operations but no roof")
    found = max(roof / naive, LEAST_CEILING)
    write_atomically(file, _Kept(ceiling=found).model_dump_json().encode())
    return found
