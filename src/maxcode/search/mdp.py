"""The max-reward view of search (MaxCode, arXiv 2601.05475; backups as in "To the Max", arXiv 2402.01361).

A path of rewards r_1, r_2, ... has the return G = max_k gamma^(k-1) r_k: the best reward ever reached, not the sum.
That is not Markov in the program alone, so a state carries u, the best so far, in units of the present step:

    max(u, G_t) = gamma * max(max(u, r_(t+1)) / gamma, G_(t+1))        hence  u' = max(u, r) / gamma
    V(s, u) = E[gamma V(s', max(u, r) / gamma)]

The sum-return and u-free variants are here for ablation. Everything is a pure function of numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from maxcode.core import Outcome, Status, Verdict


def reward(outcome: Outcome) -> float:
    """Speedup over the baseline, by its interval's lower bound; exactly 1 for a tie; 0 when not acceptable."""
    m = outcome.measurement
    if outcome.status is not Status.OK or m is None:
        return 0.0
    return 1.0 if m.verdict in (Verdict.TIE, Verdict.UNCLEAR) else m.ci_low


def max_return(rewards: Sequence[float], gamma: float = 1.0) -> float:
    """G = max_k gamma^(k-1) r_k of the rewards that follow; 0 when none do."""
    return max((gamma**k * r for k, r in enumerate(rewards)), default=0.0)


def sum_return(rewards: Sequence[float], gamma: float = 1.0) -> float:
    return sum(gamma**k * r for k, r in enumerate(rewards))


def next_best(u: float, r: float, gamma: float = 1.0) -> float:
    """u after one more reward, in units of the next step."""
    return max(u, r) / gamma


def best_along(rewards: Sequence[float], gamma: float = 1.0) -> list[float]:
    """u of every node of a path from the root's reward on: the best so far, the node itself included."""
    found: list[float] = []
    for r in rewards:
        found.append(r if not found else max(found[-1] / gamma, r))
    return found


def max_backup(r: float, child_values: Sequence[float], gamma: float = 1.0) -> float:
    """Value of a tree node: its own reward or the best to be had below it."""
    return max([r, *(gamma * v for v in child_values)])


def sum_backup(r: float, child_values: Sequence[float], gamma: float = 1.0) -> float:
    """The usual value, for ablation: own reward plus the mean of what follows."""
    return r + (gamma * sum(child_values) / len(child_values) if child_values else 0.0)


def reward_to_go(rewards: Sequence[float], gamma: float = 1.0) -> list[float]:
    """Label of every node of a path: the best reward reached strictly later on it (future only)."""
    return [max_return(rewards[t + 1 :], gamma) for t in range(len(rewards))]


def value_of(u: float, future: float) -> float:
    """V(s, u) when the future's best reward is known: u counts when nothing better follows."""
    return max(u, future)
