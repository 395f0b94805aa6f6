"""Scores that need no model: from rewards, visits, changed lines, or chance."""

from __future__ import annotations

import math

from maxcode.core import Cost, Frozen, Proposal, content_hash
from maxcode.search.tree import Node, Tree


class Scored(Frozen):
    """Scores in the order of the input, and their cost."""

    scores: tuple[float, ...]
    cost: Cost = Cost()


async def own_reward(tree: Tree, nodes: list[Node]) -> Scored:
    """Scores each node by its own reward (greedy)."""
    del tree
    return Scored(scores=tuple(node.reward for node in nodes))


def upper_confidence(tree: Tree, nodes: list[Node], exploration: float = 0.5) -> list[float]:
    """UCB1 over the best below each node: rarely tried nodes get the benefit of the doubt."""
    total = math.log(1 + len(tree))
    return [tree.value(node) + exploration * math.sqrt(total / tree.visits(node)) for node in nodes]


async def novelty(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
    """Screen without a model: the share of changed lines; -1 for no program or one that the tree already has."""
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
    """Random screen, as a control for others. Equal programs score the same; an answer without a program scores -1."""
    del tree, node
    return Scored(scores=tuple(map(chance_of, proposals)))


def chance_of(proposal: Proposal) -> float:
    return _chance(proposal.candidate.id) if proposal.candidate else -1.0


async def any_state(tree: Tree, nodes: list[Node]) -> Scored:
    """Random values of states, as a control for others. Equal programs score the same."""
    del tree
    return Scored(scores=tuple(_chance(node.candidate.id) for node in nodes))


def _chance(candidate: str) -> float:
    return int(content_hash("chance", candidate)[:12], 16) / 16**12


def _lines(files: dict[str, str]) -> set[str]:
    return {line.strip() for text in files.values() for line in text.splitlines()}
