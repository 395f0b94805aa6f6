"""A growing tree as columns: what the picture of it needs of every node, in pages that never change once full."""

from __future__ import annotations

import json
from typing import Any

from maxcode.report.nodes import figure
from maxcode.search.tree import Node

PAGE = 2000
MOST_REASON = 160
NAMES = ("parent", "step", "status", "verdict", "speedup", "low", "high", "reward", "reason")


class Columns:
    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._pages: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, node: Node) -> None:
        m = node.outcome.measurement
        figures = (figure(m.speedup), figure(m.ci_low), figure(m.ci_high)) if m else (None, None, None)
        reason = node.outcome.first_line[:MOST_REASON]
        verdict = m.verdict.value if m else None
        self._rows.append(
            (node.parent, node.step, node.outcome.status.value, verdict, *figures, figure(node.reward), reason)
        )

    def page(self, since: int) -> str:
        """The columns from a node on as JSON, up to the end of its page."""
        start, end = since, (since // PAGE + 1) * PAGE
        if start % PAGE == 0 and end <= len(self._rows):
            if start not in self._pages:
                self._pages[start] = _text(self._rows[start:end])
            return self._pages[start]
        return _text(self._rows[start:end])


def _text(rows: list[tuple[Any, ...]]) -> str:
    columns = zip(*rows, strict=True) if rows else ((),) * len(NAMES)
    return json.dumps(dict(zip(NAMES, columns, strict=True)), allow_nan=False, separators=(",", ":"))
