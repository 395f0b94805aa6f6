"""From a verdict to a number: the ladder of failures, and above it the reward of a success.

The ladder is that of arXiv 2602.12049: -100 for an answer without a program or one that breaks a rule, -40 for one that
does not build, -30 for one that does not end, -20 for one that crashes, -10 for one that is wrong. How a success was
scaled there is not published; ours is

    reward = 100 * log(1 + s) / log(1 + S), at most 100

s is how many times the GFLOPS of the naive baseline the program reaches, S how many times the machine could reach at
most under the same mask: its roofline (the lower of peak FLOP/s, of scalar code where SIMD is not permitted, and of
bandwidth times operations per byte; of one core where threads are not) over the baseline's GFLOPS.

Why this function:
- s is measured in pairs with the baseline, minutes of a slow host hit both, so that answers of one group that were
  timed one after the other compare as if timed together. It is GFLOPS over a constant, hence the reward rises with it.
- It is above 0 for every success however slow, and failures are below: every success beats every failure.
- It is concave: each doubling earns about the same, from a slow program as from a fast one, so that early progress
  (a better loop order) is not drowned by what a few experts' tricks would earn, and the last doubling still counts.
- It lies in (0, 100] for every mask, whatever its best GFLOPS: a problem without SIMD weighs as much as one with.
- S is a property of problem and machine, found once and kept, not the best seen so far: a program's reward never
  changes because another was found, neither within a group nor between steps.
"""

from __future__ import annotations

from math import log1p
from typing import Literal

from maxcode.core import Status

Tier = Literal["format", "rule", "build_error", "timeout", "crashed", "wrong", "ok"]

LADDER: dict[Tier, float] = {
    "format": -100.0,
    "rule": -100.0,
    "build_error": -40.0,
    "timeout": -30.0,
    "crashed": -20.0,
    "wrong": -10.0,
}
"""Rewards of the failures. `ok` is not among them: its reward depends on the speed."""

MOST = 100.0
LEAST_CEILING = 2.0
"""Least ceiling, for baselines that are near the roof already: doubling their speed earns the full reward."""

_TIERS: dict[Status, Tier] = {
    Status.REJECTED: "rule",
    Status.BUILD_ERROR: "build_error",
    Status.TIMEOUT: "timeout",
    Status.CRASHED: "crashed",
    Status.WRONG: "wrong",
    Status.OK: "ok",
}


def tier_of(status: Status) -> Tier:
    return _TIERS[status]


def success_reward(speedup: float, ceiling: float) -> float:
    """Reward of a correct program, given its speed and the highest possible one, both in units of the baseline's."""
    if speedup <= 0:
        raise ValueError(f"a speedup is above 0, not {speedup}")
    return min(MOST, MOST * log1p(speedup) / log1p(max(ceiling, LEAST_CEILING)))
