"""Advantages: how good an answer is compared with the others of its group.

A group whose rewards are all equal does not say what to prefer. It is dropped: its answers do not change the model, not
even by the KL term. An entropy term in the loss still acts on it, or a model that gives one answer to everything would
never change. An answer without a reward (None: it could not be measured) is left out of its group.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from maxcode.train.grpo.config import BEST_OF, Advantage

EPSILON = 1e-4
SAME = 1e-9
"""Rewards that differ by less count as equal."""


@dataclass(frozen=True)
class Weighed:
    """An answer's advantage; `kept` is false where it must not move the model."""

    advantage: float
    kept: bool


DROPPED = Weighed(0.0, kept=False)


def weighed(rewards: Sequence[float | None], group: int, kind: Advantage, best_of: int = BEST_OF) -> list[Weighed]:
    """Advantage of each reward; groups are consecutive runs of `group` rewards."""
    if len(rewards) % group:
        raise ValueError(f"{len(rewards)} rewards do not make groups of {group}")
    groups = (rewards[start : start + group] for start in range(0, len(rewards), group))
    return [each for alike in groups for each in _of_group(alike, kind, best_of)]


def _of_group(rewards: Sequence[float | None], kind: Advantage, best_of: int) -> list[Weighed]:
    known = [reward for reward in rewards if reward is not None]
    if len(known) < 2 or max(known) - min(known) < SAME:
        return [DROPPED] * len(rewards)
    found = iter(_advantages(known, kind, best_of))
    return [DROPPED if reward is None else Weighed(next(found), kept=True) for reward in rewards]


def _advantages(rewards: list[float], kind: Advantage, best_of: int) -> list[float]:
    match kind:
        case Advantage.GROUP:
            return _standardised(rewards)
        case Advantage.LEAVE_ONE_OUT:
            return _leave_one_out(rewards)
        case Advantage.BEST:
            return _centred(gains_of_best(rewards, min(best_of, len(rewards))), max(rewards) - min(rewards))


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


def gains_of_best(rewards: Sequence[float], best_of: int) -> list[float]:
    """Gain of each reward over the best of `best_of` - 1 others: the mean over all choices of these others.

    These are weights of an unbiased estimate of the gradient of the expected best (each set of answers has the best of
    the others as its baseline; PKPO, arXiv 2505.15201). Answers that are no better than the others gain nothing, so a
    policy that finds the best often enough is not pushed to find nothing else.
    """
    ranked = sorted(range(len(rewards)), key=rewards.__getitem__)
    sets = math.comb(len(rewards) - 1, best_of - 1)
    gains = [0.0] * len(rewards)
    below = 0.0
    for rank, answer in enumerate(ranked):
        gains[answer] = (math.comb(rank, best_of - 1) * rewards[answer] - below) / sets
        below += math.comb(rank, best_of - 2) * rewards[answer]
    return gains


def _centred(gains: list[float], spread: float) -> list[float]:
    mean = math.fsum(gains) / len(gains)
    return [(gain - mean) / (spread + EPSILON) for gain in gains]
