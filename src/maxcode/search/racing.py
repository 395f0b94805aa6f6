"""Races: programs that are too close to choose from are measured further, before one of them is expanded or reported.

Successive elimination: the one in the lead and its rivals get a few more pairs each until, with probability 0.9, none
of the others is faster by more than a tie, or until the pairs that races may take are used up. Pairs are the search's
own, exclusive and interleaved with the baseline. They are kept in the journal, so a replay has the same races.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from maxcode.core import Candidate, Outcome, Status
from maxcode.evaluate.measure.further import with_more
from maxcode.evaluate.measure.posterior import undecided
from maxcode.search.budget import Budget, Spent
from maxcode.search.parts import Parts
from maxcode.search.rewards import looks_faster, posteriors_of, rescore
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree

BATCH = 4
"""Number of pairs that each program of a race gets at a time."""
LAST_PAIRS = 60
"""Number of pairs that the race for what a search reports may take, beyond those of other races."""


async def raced(tree: Tree, strategy: Strategy, parts: Parts, budget: Budget, spent: Spent) -> Spent:
    """Brings all rewards up to date, and holds the race that the next decision needs, if it needs one.

    Called whenever a search is about to choose. Once the budget is used up, the choice is which program to report.
    """
    rescore(tree, strategy.ranking)
    if strategy.ranking != "posterior" or parts.further is None:
        return spent
    if spent.room(budget) == 0:
        return await _race(tree, [node for node in tree.nodes[1:] if looks_faster(node)], 1, LAST_PAIRS, parts, spent)
    if strategy.contenders is None or strategy.value != "reward":
        return spent
    nodes, count = strategy.contenders(tree)
    return await _race(tree, nodes, count, budget.pairs_to_race(spent), parts, spent)


async def _race(tree: Tree, nodes: Sequence[Node], count: int, pairs: int, parts: Parts, spent: Spent) -> Spent:
    """Races the nodes' programs for `count` places, with no more pairs than given."""
    while (close := _close(tree, nodes, count)) and BATCH * len(close) <= pairs:
        later = await asyncio.gather(*(_further(tree, node.candidate, parts) for node in close))
        for node, outcome in zip(close, later, strict=True):
            tree.remeasure(node.candidate, _joined(node.outcome, outcome))
        rescore(tree)
        pairs -= BATCH * len(close)
        spent = spent.model_copy(
            update={
                "race_pairs": spent.race_pairs + BATCH * len(close),
                "race_seconds": spent.race_seconds + sum(outcome.seconds for outcome in later),
            }
        )
    return spent


def _close(tree: Tree, nodes: Sequence[Node], count: int) -> list[Node]:
    """Those of the nodes that have to be measured further; one of each program."""
    found = posteriors_of(tree)
    now = [tree.nodes[each.id] for each in reversed(nodes)]
    racing = list({node.candidate.id: node for node in now if node.correct and node.candidate.id in found}.values())
    racing.sort(key=lambda node: node.id)
    return [racing[i] for i in undecided([found[node.candidate.id] for node in racing], count)]


async def _further(tree: Tree, candidate: Candidate, parts: Parts) -> Outcome:
    """Further pairs of a program: from the journal, or from the evaluator."""
    further, key = parts.further, f"{candidate.id}/{tree.batches[candidate.id]}"
    assert further is not None

    async def ask() -> Outcome:
        return await further(tree.task, candidate, BATCH)

    return Outcome.model_validate(await parts.journal.remembered("race", key, ask))


def _joined(known: Outcome, later: Outcome) -> Outcome:
    """What is known of a program, with its further pairs. One that fails in these fails."""
    if later.status is not Status.OK or known.measurement is None or later.measurement is None:
        return later
    return known.model_copy(update={"measurement": with_more(known.measurement, later.measurement)})
