"""Rewards of a whole tree, made anew from what all of its programs have shown so far.

The prior of the posterior is the run's own, so every program changes it a little, and with it the rewards of all. They
are made anew whenever the search is about to choose, from the outcomes in the tree and nothing else: a replay has the
same rewards at the same places.
"""

from __future__ import annotations

from typing import Literal

from maxcode.core import Outcome, Status, Verdict
from maxcode.evaluate.measure.posterior import Posterior, fitted, posteriors
from maxcode.search.mdp import TIE_REWARD
from maxcode.search.tree import Node, Tree

Ranking = Literal["posterior", "lower-bound"]
"""Number that programs are ranked by. The lower bound is for runs that were recorded when it was in use."""


def rescore(tree: Tree, ranking: Ranking = "posterior") -> None:
    """Sets all rewards, and with them u and the values, to what is known now."""
    if ranking == "lower-bound":
        tree.reward_all([tree.root.reward, *(lower_bound(node.outcome) for node in tree.nodes[1:])])
        return
    found = posteriors_of(tree)
    tree.reward_all([tree.root.reward, *(_reward(node, found) for node in tree.nodes[1:])])


def posteriors_of(tree: Tree) -> dict[str, Posterior]:
    """Posteriors of the correct programs, by candidate; a program that was made twice counts once."""
    known = {node.candidate.id: tree.evidence(node) for node in tree.nodes[1:] if node.correct}
    measured = {candidate: found for candidate, found in known.items() if found is not None}
    prior = fitted(list(measured.values()))
    return dict(zip(measured, posteriors(list(measured.values()), prior), strict=True))


def _reward(node: Node, found: dict[str, Posterior]) -> float:
    known, m = found.get(node.candidate.id), node.outcome.measurement
    if not node.correct or known is None or m is None:
        return 0.0
    return known.speedup if known.deviation else m.speedup


def lower_bound(outcome: Outcome) -> float:
    """Reward as it was defined before: the lower end of the interval, and exactly 1 for a tie."""
    m = outcome.measurement
    if outcome.status is not Status.OK or m is None:
        return 0.0
    return 1.0 if m.verdict in (Verdict.TIE, Verdict.UNCLEAR) else m.ci_low


def looks_faster(node: Node) -> bool:
    """True if a program may be worth a claim: clearly faster, or by the posterior faster than a tie."""
    m = node.outcome.measurement
    clear = m is not None and m.verdict is Verdict.FASTER
    return node.correct and node.reward > (1.0 if clear else TIE_REWARD)
