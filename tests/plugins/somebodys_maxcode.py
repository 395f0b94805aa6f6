"""A strategy and a critic that MaxCode does not have: from the best program on, and a limit on a program's length."""

from __future__ import annotations

import random
from functools import partial

from maxcode.config import Config
from maxcode.core import Critique
from maxcode.plugins import Choice
from maxcode.search.parts import Critic
from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree


def from_best(samples: int) -> Select:
    """Always from the best program so far."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        return [Expansion(tree.best, samples)]

    return select


def length_critic(limit: str, config: Config) -> Critic:
    """Tells how many lines a program is over the limit."""
    del config

    async def criticise(tree: Tree, node: Node) -> Critique:
        del tree
        lines = sum(len(text.splitlines()) for text in node.candidate.files.values())
        return Critique(text=f"{lines} lines; {limit} are enough.")

    return criticise


FROM_BEST = Strategy("from-best", partial(from_best, samples=2), about="the best program so far", by_value=False)
LENGTH = Choice("complains about long programs", length_critic, argument="LINES")
