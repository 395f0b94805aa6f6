"""One program after the other, each from the last (Effi-Learner, arXiv 2405.15189)."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree


def single_path(depth: int) -> Select:
    """Refines the last program, one sample at a time; at `depth` a new path begins at the root (Effi-Learner)."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        last = tree.nodes[-1]
        return [Expansion(tree.root if last.depth >= depth else last, 1)]

    return select


STRATEGIES = (
    Strategy(
        "effi-learner",
        partial(single_path, depth=2),
        about="the last program; a new path from the root at the end",
        paper="Effi-Learner, arXiv 2405.15189",
        profile=True,
        by_value=False,
        single_path=True,
    ),
    Strategy(
        "paths",
        partial(single_path, depth=6),
        about="as `effi-learner`, longer",
        paper="to learn from: single paths",
        profile=True,
        by_value=False,
        single_path=True,
    ),
)
