"""How good an answer is beside the others of its group.

A group whose rewards are all alike says nothing about what to prefer: it is dropped, and its answers move nothing, not
even by the KL term. An answer without a reward (None: it could not be measured) is left out of its group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from maxcode.train.grpo.config import Advantage

EPSILON = 1e-4
SAME = 1e-9
"""Rewards that differ by less are alike."""


@dataclass(frozen=True)
class Weighed:
    """An answer's advantage; `kept` is false where it must not move the model."""

    advantage: float
    kept: bool


DROPPED = Weighed(0.0, kept=False)


def weighed(rewards: Sequence[float | None], group: int, kind: Advantage) -> list[Weighed]:
    """One for each reward; groups are consecutive runs of `group` rewards."""
    if len(rewards) % group:
        raise ValueError(f"{len(rewards)} rewards do not make groups of {group}")
    return [each for start in range(0, len(rewards), group) for each in _of_group(rewards[start : start + group], kind)]


def _of_group(rewards: Sequence[float | None], kind: Advantage) -> list[Weighed]:
    known = [reward for reward in rewards if reward is not None]
    if len(known) < 2 or max(known) - min(known) < SAME:
        return [DROPPED] * len(rewards)
    advantage = _leave_one_out if kind is Advantage.LEAVE_ONE_OUT else _standardised
    found = iter(advantage(known))
    return [DROPPED if reward is None else Weighed(next(found), kept=True) for reward in rewards]


def _standardised(rewards: list[float]) -> list[float]:
    """(R - mean) / (std + eps): arXiv 2402.03300, with the sample's standard deviation."""
    mean = math.fsum(rewards) / len(rewards)
    deviation = math.sqrt(math.fsum((reward - mean) ** 2 for reward in rewards) / (len(rewards) - 1))
    return [(reward - mean) / (deviation + EPSILON) for reward in rewards]


def _leave_one_out(rewards: list[float]) -> list[float]:
    """R_i minus the mean of the others = n / (n - 1) times (R_i - mean), over the spread to be free of the scale."""
    total, others = math.fsum(rewards), len(rewards) - 1
    spread = max(rewards) - min(rewards)
    return [(reward - (total - reward) / others) / (spread + EPSILON) for reward in rewards]
