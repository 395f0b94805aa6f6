"""How promising a state is to expand."""

from __future__ import annotations

from typing import Protocol

from maxcode.core import Cost, Frozen, Proposal
from maxcode.search.tree import Node, Tree


class Scored(Frozen):
    """Scores in the order of what was to be scored, and what it took to find them."""

    scores: tuple[float, ...]
    cost: Cost = Cost()


class Value(Protocol):
    """Values new nodes, all of a round at once, so that a model can serve it."""

    async def __call__(self, tree: Tree, nodes: list[Node]) -> Scored: ...


class Screen(Protocol):
    """Ranks proposals before anything is run: the higher, the sooner."""

    async def __call__(self, tree: Tree, node: Node, proposals: list[Proposal]) -> Scored: ...
