"""The max-reward view of search (MaxCode, arXiv 2601.05475; backups as in "To the Max", arXiv 2402.01361).

A path of rewards r_1, r_2, ... has the return G = max_k gamma^(k-1) r_k: the best reward ever reached, not the sum.
That is not Markov in the program alone, so a state carries u, the best reward so far, itself included, in units of its
own step. With G_t the return of what follows step t:

    max(u, gamma G_t) = gamma max(u', gamma G_(t+1))        where  u' = max(u / gamma, r_(t+1))
    V(s, u) = E[max(u, gamma G)] = E[gamma V(s', u')]

The papers count u in units of the next reward, which is ours divided by gamma. Everything is a pure function of
numbers: the tree (tree.py) calls the recursions with its strategy's settings, rewards.py makes the rewards of a whole
tree, and the data of value models (value/data.py) call the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Literal

from maxcode.core import Outcome, Status
from maxcode.evaluate.measure.posterior import BEFORE_ANY, evidence, posterior
from maxcode.evaluate.measure.statistics import TIE

Return = Literal["max", "sum"]
"""What a path is worth: its best reward, or for ablation the sum of them."""


TIE_REWARD = exp(TIE)
"""Reward up to which a program is as fast as the baseline, for all that matters."""


def reward(outcome: Outcome) -> float:
    """Speedup over the baseline, by the posterior's mean: near 1 where it may be noise; 0 when not acceptable."""
    m = outcome.measurement
    if outcome.status is not Status.OK or m is None:
        return 0.0
    return m.speedup if m.noise is None else posterior(evidence(m), BEFORE_ANY).speedup


def best_so_far(u: float, r: float, gamma: float) -> float:
    """u of a state, from its parent's u and its own reward."""
    return max(u / gamma, r)


def max_backup(r: float, child_values: Sequence[float], gamma: float) -> float:
    """Value of a tree node: its own reward or the best to be had below it."""
    return max([r, *(gamma * v for v in child_values)])


def sum_backup(r: float, child_values: Sequence[float], gamma: float) -> float:
    """The usual value, for ablation: own reward plus the mean of what follows."""
    return r + (gamma * sum(child_values) / len(child_values) if child_values else 0.0)


def reward_to_go(later: Sequence[float], returns: Return) -> float:
    """Label of a state: the return of the rewards strictly later than it, undiscounted; 0 when there are none."""
    return max(later, default=0.0) if returns == "max" else sum(later)
