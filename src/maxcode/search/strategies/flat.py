"""Repeated sampling."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree


def flat(samples: int) -> Select:
    """Always from the root."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        return [Expansion(tree.root, samples)]

    return select


STRATEGIES = (
    Strategy("flat", partial(flat, samples=8), about="always the root", paper="repeated sampling", by_value=False),
)
