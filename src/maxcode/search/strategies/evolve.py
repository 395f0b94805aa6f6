"""Evolution on islands, with archives of elites (MAP-Elites)."""

from __future__ import annotations

import random
from functools import partial
from itertools import groupby

from maxcode.search.archive import Cell, Describe, ProgramArchive, by_size_and_loops
from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree


def islands(count: int, samples: int, migration_every: int, describe: Describe) -> Select:
    """Islands that evolve apart, each with an archive of elites of different kinds; the best migrate now and then."""
    cells: dict[int, Cell] = {}

    def cell(node: Node) -> Cell:
        """Kind of a node, which never changes, so that it is described once."""
        return cells[node.id] if node.id in cells else cells.setdefault(node.id, describe(node))

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        del values
        island = tree.last_step % count
        elites = _evolved(tree, count, migration_every, cell)[island]
        return [Expansion(elites.sample(rng), 1, island) for _ in range(samples)]

    return select


def _evolved(tree: Tree, count: int, migration_every: int, describe: Describe) -> list[ProgramArchive]:
    """The islands' archives, filled round by round: rewards change with what is found out later."""
    archives = [ProgramArchive(describe) for _ in range(count)]
    for step, made in groupby(tree, key=lambda node: node.step):
        for node in made:
            for island in range(count) if node.parent is None else (node.island,):
                archives[island].add(node)
        if step and step % migration_every == 0:
            for island, migrant in enumerate([each.best for each in archives]):
                archives[(island + 1) % count].add(migrant)
    return archives


STRATEGIES = (
    Strategy(
        "evolve",
        partial(islands, count=3, samples=8, migration_every=6, describe=by_size_and_loops),
        about="elites of a MAP-Elites archive per island; the best migrate every 6 rounds",
        paper="MAP-Elites, islands",
        by_value=False,
    ),
)
