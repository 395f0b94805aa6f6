"""Rollouts: siblings that are each refined equally often, as training data for value models."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values, top
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree


def rolled_out(samples: int, length: int, depth: int) -> Select:
    """Refines every sample of a round `length` times, then makes the next round from the most promising sample.

    All siblings get the same budget, so the data shows which one was the best to expand. Value models are trained on
    that and judged by it. At `depth` it begins again at the root.
    """

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        node = tree.root
        while node.depth < depth:
            siblings = _siblings(tree, node)
            if not siblings:
                return [Expansion(node, samples)]
            ends = [_end(tree, each, length) for each in siblings]
            if short := [end for end, each in zip(ends, siblings, strict=True) if end.depth < each.depth + length]:
                return [Expansion(end, 1) for end in short]
            node = top([each for each in siblings if each.correct] or siblings, values, 1)[0]
        return [Expansion(tree.root, samples)]

    return select


def _siblings(tree: Tree, node: Node) -> list[Node]:
    """Samples of a node's last round. The first child of a node other than the root is its refinement, not a sample."""
    children = tree.children(node) if node.parent is None else tree.children(node)[1:]
    return [child for child in children if child.step == children[-1].step]


def _end(tree: Tree, node: Node, length: int) -> Node:
    """The last node so far of the refinement that begins at a node."""
    for _ in range(length):
        node = next(iter(tree.children(node)), node)
    return node


STRATEGIES = (
    Strategy(
        "rollouts",
        partial(rolled_out, samples=6, length=3, depth=3),
        about="every sample of a round is refined alone three times, then on from the fastest",
        paper="to learn from: siblings at equal budget",
        profile=True,
        whole_rounds=True,
    ),
)
