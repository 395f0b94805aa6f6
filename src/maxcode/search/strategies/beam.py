"""Beam search."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values, last_round, top
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree


def beam(width: int, samples: int, depth: int) -> Select:
    """Expands the most promising programs of the last layer; failed ones come after all correct ones."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        layer = [node for node in tree.latest() if node.depth < depth]
        if layer in ([], [tree.root]):
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
        contenders=last_round(3, depth=8),
    ),
)
