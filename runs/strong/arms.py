"""The arms: strategies of the house with rounds of 3 programs and paths of 4 steps."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategies import strategy
from maxcode.search.strategies.cuda_llm import fastest_of_round
from maxcode.search.strategies.flat import flat
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree

ARMS = ("flat", "cuda-llm", "cuda-llm+maxcode", "effi-learner", "effi-learner+maxcode")
SAMPLES, DEPTH = 3, 4
ANSWERS = SAMPLES * DEPTH


def paths_abreast(samples: int, depth: int) -> Select:
    """As `effi-learner`, with several paths side by side, so that its rounds are as large as those of other arms."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        ends = [node for node in tree.latest() if 0 < node.depth < depth]
        return [Expansion(node, 1) for node in ends] or [Expansion(tree.root, samples)]

    return select


SELECT: dict[str, Callable[[], Select]] = {
    "flat": partial(flat, samples=SAMPLES),
    "cuda-llm": partial(fastest_of_round, samples=SAMPLES, depth=DEPTH),
    "effi-learner": partial(paths_abreast, samples=SAMPLES, depth=DEPTH),
}


def arm(name: str) -> Strategy:
    return replace(strategy(name), select=SELECT[name.partition("+")[0]], contenders=None)
