"""Siblings with a future of equal length, to learn a value model from."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values, top
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree


def rolled_out(samples: int, length: int, depth: int) -> Select:
    """Every sample of a round is refined alone, the same number of times; then on from the most promising of them.

    So all siblings have a future at equal budget, and it can be told which one would have been the best to expand:
    that is what a value model is learnt from and judged by. At the end, a new round from the root.
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
    """A node's last round of samples; the first child of any but the root is where its own refinement began."""
    children = tree.children(node) if node.parent is None else tree.children(node)[1:]
    return [child for child in children if child.step == children[-1].step]


def _end(tree: Tree, node: Node, length: int) -> Node:
    """Where the refinement of a node has got to."""
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
    ),
)
