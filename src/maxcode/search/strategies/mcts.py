"""Monte Carlo tree search with the backup of the tree (arXiv 2402.01361)."""

from __future__ import annotations

import math
import random
from collections import Counter
from functools import partial

from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree


def puct(samples: int, depth: int, exploration: float, batch: int) -> Select:
    """Goes down the tree by PUCT with the max backup, and expands the node where the path ends (MCTS).

    Several nodes of one round are picked one after the other, each counted as visited for the next pick. So are
    programs that were asked for and are not judged yet (virtual loss).
    """

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        visited: Counter[int] = Counter()
        for expanded, count in tree.expected.items():
            visited.update({each.id: count for each in tree.path(tree.nodes[expanded])} if count else {})
        picked: list[Node] = []
        for _ in range(batch):
            node = _descend(tree, values, visited, samples, depth, exploration)
            picked.append(node)
            visited.update({each.id: samples for each in tree.path(node)})
        return [Expansion(node, samples) for node in {node.id: node for node in picked}.values()]

    return select


def _descend(tree: Tree, values: Values, visited: Counter[int], samples: int, depth: int, exploration: float) -> Node:
    """The node where the best path ends: one that may still have children and has not as many as its visits earn it."""
    node = tree.root
    while True:
        total = tree.visits(node) + visited[node.id]
        children = [child for child in tree.children(node) if child.depth < depth]
        earned = samples * max(1, math.isqrt(total // samples))
        if not children or len(tree.children(node)) + (samples if visited[node.id] else 0) < earned:
            return node
        priors, scale = _priors(children, values), tree.best.reward or 1.0
        scores = {
            child.id: tree.value(child) / scale
            + exploration * priors[child.id] * math.sqrt(total) / (1 + tree.visits(child) + visited[child.id])
            for child in children
        }
        node = max(children, key=lambda child: (scores[child.id], -child.id))


def _priors(children: list[Node], values: Values) -> dict[int, float]:
    found = values(children)
    total = sum(found.values())
    return {i: (v / total if total > 0 else 1 / len(children)) for i, v in found.items()}


STRATEGIES = (
    Strategy(
        "mcts",
        partial(puct, samples=3, depth=8, exploration=1.0, batch=2),
        about="down the tree by PUCT with the max backup, widening with visits",
        paper="MCTS with the backup of arXiv 2402.01361",
        by_backup=True,
    ),
)
