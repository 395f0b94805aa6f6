"""Beam search."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values, top
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree


def beam(width: int, samples: int, depth: int) -> Select:
    """Expands the most promising programs of the last layer; failed ones come after all correct ones."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        layer = tree.made_in(tree.last_step)
        if layer[0].depth >= depth:
            return [Expansion(tree.root, samples * width)]
        if layer == [tree.root]:
            return [Expansion(tree.root, samples * width)]
        correct = [node for node in layer if node.correct]
        failed = [node for node in layer if not node.correct]
        kept = [*top(correct, values, width), *top(failed, values, width)][:width]
        return [Expansion(node, samples) for node in kept]

    return select


STRATEGIES = (
    Strategy(
        "beam",
        partial(beam, width=3, samples=3, depth=8),
        about="the most promising of the last layer",
        paper="beam search",
    ),
)
