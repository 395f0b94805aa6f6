"""Figures over steps, whatever a run writes down: losses and rewards of training, or anything else with numbers in it.

Every event of a kind is a point; every number in its payload is a curve, named by its place there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from maxcode.report.nodes import figure
from maxcode.store.journal import Event

MOST_CURVES = 60
MOST_POINTS = 1000
SEARCHING = (
    "policy",
    "evaluate",
    "race",
    "profile",
    "critic",
    "screen",
    "value",
    "clock",
    "confirm",
    "reduce",
    "claim",
    "examples",
    "cell",
)
"""Kinds of events of searches, whose numbers are shown elsewhere."""


def series_of(events: Iterable[Event]) -> list[dict[str, Any]]:
    """Curves by kind of event and name, thinned out evenly where there are too many points.

    A step that was done again after a stop counts as it was done last.
    """
    curves: dict[tuple[str, str], dict[float, float]] = {}
    counts: dict[str, int] = {}
    for event in events:
        kind = event.kind.removesuffix(".answered")
        if kind in SEARCHING or event.kind.endswith(".asked"):
            continue
        counts[kind] = counts.get(kind, 0) + 1
        step = event.payload.get("step")
        at = float(step) if step is not None and _number(step) else float(counts[kind])
        for name, value in _numbers(event.payload):
            if (kind, name) in curves or len(curves) < MOST_CURVES:
                curves.setdefault((kind, name), {})[at] = value
    return [
        {"kind": kind, "name": name, "points": [[figure(x), figure(y)] for x, y in _thinned(sorted(points.items()))]}
        for (kind, name), points in curves.items()
        if len(points) > 1
    ]


def _numbers(payload: dict[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, float]]:
    for name, value in payload.items():
        if name == "step" and not prefix:
            continue
        if _number(value):
            yield prefix + name, float(value)
        elif isinstance(value, dict) and depth < 2:
            yield from _numbers(value, f"{prefix}{name}.", depth + 1)


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    if len(points) <= MOST_POINTS:
        return points
    every = len(points) / MOST_POINTS
    return [*(points[int(i * every)] for i in range(MOST_POINTS - 1)), points[-1]]
