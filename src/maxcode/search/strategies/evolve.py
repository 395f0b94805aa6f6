"""Evolution on islands, with archives of elites (MAP-Elites)."""

from __future__ import annotations

import random
from functools import partial

from maxcode.search.archive import Archive, Describe, by_size_and_loops
from maxcode.search.selection import Expansion, Select, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree


def islands(count: int, samples: int, migration_every: int, describe: Describe) -> Select:
    """Islands that evolve apart, each with an archive of elites of different kinds; the best migrate now and then."""
    archives = [Archive(describe) for _ in range(count)]
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


STRATEGIES = (
    Strategy(
        "evolve",
        partial(islands, count=3, samples=8, migration_every=6, describe=by_size_and_loops),
        about="elites of a MAP-Elites archive per island; the best migrate every 6 rounds",
        paper="MAP-Elites, islands",
        by_value=False,
    ),
)
