"""Selection rules. Each makes a `Select`: a function of tree, values and randomness, with its sizes closed over.

An empty answer ends the search. A rule may only look at the tree: what it needs to remember, it reads there.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from maxcode.search.select.archive import Archive
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


def flat(samples: int) -> Select:
    """Always from the root."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        return [Expansion(tree.root, samples)]

    return select


def single_path(depth: int) -> Select:
    """One sample after the other, each from the last; a new path from the root at the end (Effi-Learner)."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values, rng
        last = tree.nodes[-1]
        return [Expansion(tree.root if last.depth >= depth else last, 1)]

    return select


def rolled_out(samples: int, length: int, depth: int) -> Select:
    """Every sample of a round is refined alone, the same number of times; then on from the most promising of them.

    So all siblings have a future at equal budget, and it can be told which one would have been the best to expand:
    that is what a value model is learnt from and judged by. At the end, a new round from the root.
    """

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        node = tree.root
        while node.depth < depth:
            siblings = _siblings(tree, node)
            if not siblings:
                return [Expansion(node, samples)]
            ends = [_end(tree, each, length) for each in siblings]
            if short := [end for end, each in zip(ends, siblings, strict=True) if end.depth < each.depth + length]:
                return [Expansion(end, 1) for end in short]
            node = _top([each for each in siblings if each.correct] or siblings, values, 1)[0]
        return [Expansion(tree.root, samples)]

    return select


def _siblings(tree: Tree, node: Node) -> list[Node]:
    """A node's last round of samples; the first child of any but the root is where its own refinement began."""
    children = tree.children(node) if node.parent is None else tree.children(node)[1:]
    return [child for child in children if child.step == children[-1].step]


def _end(tree: Tree, node: Node, length: int) -> Node:
    """Where the refinement of a node has got to."""
    for _ in range(length):
        node = next(iter(tree.children(node)), node)
    return node


def fastest_of_round(samples: int, depth: int) -> Select:
    """From the most promising correct program of the last round, even when it is slower than the best (CUDA-LLM).

    When none is correct, each failed one is refined with one sample until one is. Repair rounds count against depth.
    """

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        round_ = tree.made_in(tree.last_step)
        if round_[0].depth >= depth:
            return [Expansion(tree.root, samples)]
        correct = [node for node in round_ if node.correct]
        if not correct:
            return [Expansion(node, 1) for node in round_]
        return [Expansion(_top(correct, values, 1)[0], samples)]

    return select


def beam(width: int, samples: int, depth: int) -> Select:
    """From the most promising programs of the last layer, failed ones after all correct ones."""

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        layer = tree.made_in(tree.last_step)
        if layer[0].depth >= depth:
            return [Expansion(tree.root, samples * width)]
        if layer == [tree.root]:
            return [Expansion(tree.root, samples * width)]
        correct = [node for node in layer if node.correct]
        failed = [node for node in layer if not node.correct]
        kept = [*_top(correct, values, width), *_top(failed, values, width)][:width]
        return [Expansion(node, samples) for node in kept]

    return select


def puct(samples: int, depth: int, exploration: float, batch: int) -> Select:
    """Down the tree by PUCT with the max backup, then new children of the node where it ends (MCTS).

    Several nodes of one round are picked one after the other, each counted as visited for the next pick.
    """

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del rng
        visited: dict[int, int] = {}
        picked: list[Node] = []
        for _ in range(batch):
            node = _descend(tree, values, visited, samples, depth, exploration)
            picked.append(node)
            for each in tree.path(node):
                visited[each.id] = visited.get(each.id, 0) + samples
        return [Expansion(node, samples) for node in {node.id: node for node in picked}.values()]

    return select


def _descend(
    tree: Tree, values: Values, visited: Mapping[int, int], samples: int, depth: int, exploration: float
) -> Node:
    """The node where the best path ends: one that may still have children and has not as many as its visits earn it."""
    node = tree.root
    while True:
        total = tree.visits(node) + visited.get(node.id, 0)
        children = [child for child in tree.children(node) if child.depth < depth]
        earned = samples * max(1, math.isqrt(total // samples))
        if not children or len(tree.children(node)) + (samples if node.id in visited else 0) < earned:
            return node
        priors, scale = _priors(children, values), tree.best.reward or 1.0
        scores = {
            child.id: tree.value(child) / scale
            + exploration * priors[child.id] * math.sqrt(total) / (1 + tree.visits(child) + visited.get(child.id, 0))
            for child in children
        }
        node = max(children, key=lambda child: (scores[child.id], -child.id))


def _priors(children: list[Node], values: Values) -> dict[int, float]:
    found = values(children)
    total = sum(found.values())
    return {i: (v / total if total > 0 else 1 / len(children)) for i, v in found.items()}


def islands(count: int, samples: int, migration_every: int, archive: Callable[[], Archive]) -> Select:
    """Islands that evolve apart, each with an archive of elites of different kinds; the best migrate now and then."""
    archives = [archive() for _ in range(count)]
    seen = [0]

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values
        for node in tree.nodes[seen[0] :]:
            for island in range(count) if node.parent is None else (node.island,):
                archives[island].add(node)
        seen[0] = len(tree)
        step = tree.last_step
        if step and step % migration_every == 0:
            for island, migrant in enumerate([each.best for each in archives]):
                archives[(island + 1) % count].add(migrant)
        island = step % count
        return [Expansion(archives[island].sample(rng), 1, island) for _ in range(samples)]

    return select


def _top(nodes: list[Node], values: Values, count: int) -> list[Node]:
    found = values(nodes)
    return sorted(nodes, key=lambda node: (-found[node.id], node.id))[:count]
