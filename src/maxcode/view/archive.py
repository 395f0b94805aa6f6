"""Which kinds of programs a search has tried, and the best of each: the archive as a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from maxcode.report.nodes import figure
from maxcode.search.archive import by_size_and_loops
from maxcode.search.tree import Node


@dataclass
class _Kind:
    best: Node
    programs: int = 1


class Kinds:
    """Programs counted by kind: island, length of the text and number of loops, as in the archives of `evolve`."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[int, ...], _Kind] = {}

    def add(self, node: Node) -> None:
        if not node.candidate.files:
            return
        place = (node.island, *by_size_and_loops(node)[1:])
        known = self._kinds.get(place)
        if known is None:
            self._kinds[place] = _Kind(node)
            return
        known.programs += 1
        if node.reward > known.best.reward:
            known.best = node

    def map(self) -> dict[str, Any]:
        """Cells of the map, as data for the page. Lengths of texts are powers of 1.3, in characters."""
        cells = [
            {
                "island": island,
                "size": size,
                "loops": loops,
                "reward": figure(kind.best.reward),
                "node": kind.best.id,
                "programs": kind.programs,
            }
            for (island, size, loops), kind in list(self._kinds.items())
        ]
        return {
            "cells": cells,
            "islands": len({cell["island"] for cell in cells}),
            "quality": figure(sum(float(cell["reward"] or 0.0) for cell in cells)),
        }
