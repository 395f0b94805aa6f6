"""An archive of elites (MAP-Elites): the best program of each kind, so that a search keeps different ideas.

It is a dictionary. An archive of pyribs keeps vectors of fixed length, so it would hold only indices of programs, and
it would need numba and scikit-learn.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from maxcode.search.tree import Node

Cell = tuple[int, ...]
Describe = Callable[[Node], Cell]


class ProgramArchive:
    def __init__(self, describe: Describe) -> None:
        self._describe = describe
        self._cells: dict[Cell, Node] = {}

    def add(self, node: Node) -> bool:
        """Adds a node if it is the best of its kind. Returns whether it was added."""
        cell = self._describe(node)
        known = self._cells.get(cell)
        if known is not None and (known.reward, -known.id) >= (node.reward, -node.id):
            return False
        self._cells[cell] = node
        return True

    @property
    def best(self) -> Node:
        return max(self._cells.values(), key=lambda node: (node.reward, -node.id))

    @property
    def coverage(self) -> int:
        return len(self._cells)

    def sample(self, rng: random.Random) -> Node:
        """An elite, half of the time one of the best quarter."""
        elites = sorted(self._cells.values(), key=lambda node: (-node.reward, node.id))
        right = [node for node in elites if node.reward > 0] or elites
        return rng.choice(right[: max(1, len(right) // 4)] if rng.random() < 0.5 else right)


def by_size_and_loops(node: Node) -> Cell:
    """Kind of a program: whether it works, the length of its text (in powers of 1.3), and its number of loops."""
    text = "\n".join(node.candidate.files.values())
    loops = text.count("for (") + text.count("for(") + text.count("while")
    return (int(node.correct), round(math.log(max(len(text), 1), 1.3)), min(loops, 8))
