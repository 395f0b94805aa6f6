"""Rounds that go on from their own fastest program (CUDA-LLM / FSR, arXiv 2506.09092)."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.selection import Expansion, Select, Values, last_round, top
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree


def fastest_of_round(samples: int, depth: int) -> Select:
    """Expands the most promising correct program of the last round, even if it is slower than the best (CUDA-LLM).

    When none is correct, each failed one is refined with one sample until one is. Repair rounds count against depth.
    When it asks ahead, the last round is made up of the programs judged last (`Tree.latest`).
    """

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        round_ = [node for node in tree.latest() if node.depth < depth]
        if not round_:
            return [Expansion(tree.root, samples)]
        correct = [node for node in round_ if node.correct]
        if not correct:
            return [Expansion(node, 1) for node in round_]
        return [Expansion(top(correct, values, 1)[0], samples)]

    return select


STRATEGIES = (
    Strategy(
        "cuda-llm",
        partial(fastest_of_round, samples=8, depth=8),
        about="the fastest correct one of the last round, even when slower than the best; when none is correct, each "
        "failed one is refined with one sample until one is; repair rounds count against the depth",
        paper="CUDA-LLM / FSR, arXiv 2506.09092",
        contenders=last_round(1, depth=8),
    ),
)
