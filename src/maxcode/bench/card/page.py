"""A report card as one page: its tables, and a plot of predictions against targets. The page loads nothing else."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

from maxcode.bench.card.card import JudgedStates, calibration
from maxcode.bench.tables import Table, page

SIZE, MARGIN = 320, 40
_STYLE = (
    "body{font:15px sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse;margin:1em 0}"
    "td,th{padding:.2em .7em;border-bottom:1px solid #ccc;text-align:right}td:first-child,th:first-child"
    "{text-align:left}caption{text-align:left;font-weight:bold}figure{display:inline-block;margin:0 1em 1em 0}"
)


def card_page(tables: Sequence[Table], drawn: dict[str, list[JudgedStates]]) -> str:
    figures = "".join(
        f"<figure>{_plot(found)}<figcaption>{html.escape(name)}</figcaption></figure>\n"
        for name, found in drawn.items()
    )
    body = "".join(map(page, tables))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Value model: report card</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>Report card</h1>\n{figures}{body}</body></html>\n"
    )


def _plot(found: Sequence[JudgedStates]) -> str:
    """Each state as a dot, predicted against came, both logarithmic; fifths as circles; the diagonal is perfect."""
    points = [(each.score, math.log(max(each.target, 0.25))) for each in found]
    low = min(min(point) for point in points)
    high = max(max(max(point) for point in points), low + 0.1)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x, y = ((value - low) / (high - low) * (SIZE - 2 * MARGIN) for value in point)
        return MARGIN + x, SIZE - MARGIN - y

    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2" fill="#36c3"/>' for x, y in map(place, points))
    fifths = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="#c30" stroke-width="2"/>'
        for x, y in map(place, calibration(found))
    )
    (left, bottom), (right, top) = place((low, low)), place((high, high))
    line = f'<line x1="{left:.1f}" y1="{bottom:.1f}" x2="{right:.1f}" y2="{top:.1f}" stroke="#999"/>'
    words = (
        f'<text x="{MARGIN}" y="{SIZE - 12}">predicted, {math.exp(low):.2g}x to {math.exp(high):.2g}x</text>'
        f'<text x="{MARGIN}" y="20">came</text>'
    )
    return f'<svg width="{SIZE}" height="{SIZE}" font-size="13">{line}{dots}{fifths}{words}</svg>'
