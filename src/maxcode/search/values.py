"""Values that need no model: what was measured, and how often it was tried."""

from __future__ import annotations

import math

from maxcode.core import Cost, Frozen, Proposal, content_hash
from maxcode.search.tree import Node, Tree


class Scored(Frozen):
    """Scores in the order of what was to be scored, and what it took to find them."""

    scores: tuple[float, ...]
    cost: Cost = Cost()


async def own_reward(tree: Tree, nodes: list[Node]) -> Scored:
    """Greedy: a state is worth what its program reached."""
    del tree
    return Scored(scores=tuple(node.reward for node in nodes))


def upper_confidence(tree: Tree, nodes: list[Node], exploration: float = 0.5) -> list[float]:
    """UCB1 over the best below each node: rarely tried nodes get the benefit of the doubt."""
    total = math.log(1 + len(tree))
    return [tree.value(node) + exploration * math.sqrt(total / tree.visits(node)) for node in nodes]


async def novelty(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
    """A screen without a model: programs that are not in the tree yet first, then those that change more lines."""
    known = {each.candidate.id for each in tree}
    before = _lines(node.candidate.files)
    scores = []
    for proposal in proposals:
        if proposal.candidate is None or proposal.candidate.id in known:
            scores.append(-1.0)
        else:
            after = _lines(proposal.candidate.files)
            scores.append(len(before ^ after) / max(len(before | after), 1))
    return Scored(scores=tuple(scores))


async def any_proposal(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
    """Chance, the same for the same program: what a screen has to beat is running fewer programs a round."""
    del tree, node
    return Scored(scores=tuple(map(chance_of, proposals)))


def chance_of(proposal: Proposal) -> float:
    return _chance(proposal.candidate.id) if proposal.candidate else -1.0


async def any_state(tree: Tree, nodes: list[Node]) -> Scored:
    """Chance, for states."""
    del tree
    return Scored(scores=tuple(_chance(node.candidate.id) for node in nodes))


def _chance(candidate: str) -> float:
    return int(content_hash("chance", candidate)[:12], 16) / 16**12


def _lines(files: dict[str, str]) -> set[str]:
    return {line.strip() for text in files.values() for line in text.splitlines()}
