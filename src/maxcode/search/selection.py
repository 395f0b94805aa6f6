"""Selection: which nodes to expand next. A rule makes a `Select`, a function of tree, values and randomness.

The rules are in strategies/, each with the methods that use it. Sizes are arguments of the rule. An empty answer ends
the search. A rule keeps no state of its own: everything it needs is in the tree.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from maxcode.search.tree import Node, Tree


@dataclass(frozen=True)
class Expansion:
    """Ask for this many new programs from this node."""

    node: Node
    samples: int
    island: int = 0


Values = Callable[[list[Node]], Mapping[int, float]]
"""How promising given nodes are to expand, by node id."""


class Select(Protocol):
    def __call__(self, tree: Tree, values: Values, rng: random.Random) -> list[Expansion]: ...


Contenders = Callable[[Tree], tuple[list[Node], int]]
"""Nodes of which a rule is about to expand the best, and how many of them; no nodes where it does something else."""


def last_round(count: int, depth: int) -> Contenders:
    """The correct programs of the last round contend for `count` places, unless it is so deep that none is expanded."""

    def contenders(tree: Tree) -> tuple[list[Node], int]:
        round_ = tree.made_in(tree.last_step)
        return [node for node in round_ if node.correct and node.depth < depth], count

    return contenders


def top(nodes: list[Node], values: Values, count: int) -> list[Node]:
    """The `count` nodes of highest value, best first; of equals, the earlier one."""
    found = values(nodes)
    return sorted(nodes, key=lambda node: (-found[node.id], node.id))[:count]
