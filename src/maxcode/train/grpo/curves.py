"""Training curves of runs as one page that needs nothing else: a small plot for each figure, a colour for each method.

Runs with the same label are seeds of one method: each is a thin line, their mean a thick one.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from maxcode.bench.tables import Table
from maxcode.bench.tables import page as table_page
from maxcode.store.journal import Store
from maxcode.train.grpo.metrics import KIND, StepRecord

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 340, 220, 46, 30, 10
COLOURS = ("#2563eb", "#dc2626", "#059669", "#9333ea", "#d97706", "#0891b2")
FIGURES = {
    "reward": "reward, mean of the step",
    "success": "share of correct answers",
    "gflops": "GFLOPS, mean of the correct",
    "best": "GFLOPS, best so far",
    "coverage": "archive: coverage",
    "qd_score": "archive: QD-score",
    "entropy": "entropy of a choice",
    "kl": "KL from the start",
    "loss": "loss",
    "groups_dropped": "groups dropped",
    "seconds": "seconds per step",
    "idle": "share of the step spent waiting for rewards",
}
_STYLE = (
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:75em;padding:0 1em;color:#111;background:#fff}"
    "figure{display:inline-block;margin:0 .7em 1.2em 0}figcaption{font-size:13px}text{font:11px system-ui,sans-serif;"
    "fill:#555}table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;border-bottom:1px solid #ccc;"
    "text-align:right}td:first-child,th:first-child{text-align:left}caption{text-align:left;font-weight:bold}"
    ".key span{margin-right:1.5em}.key b{display:inline-block;width:1.4em;height:.25em;margin:0 .4em .2em 0}"
)


@dataclass(frozen=True)
class Curve:
    """One run."""

    label: str
    records: tuple[StepRecord, ...]

    def points(self, figure: str) -> list[tuple[float, float]]:
        """Points of a figure against the number of answers so far; methods are compared at equal numbers."""
        if figure == "best":
            return self._best_so_far()
        found = [(each.samples, getattr(each, figure)) for each in self.records]
        return [(float(x), float(y)) for x, y in found if y is not None and math.isfinite(y)]

    def _best_so_far(self) -> list[tuple[float, float]]:
        best, found = 0.0, []
        for each in self.records:
            best = max(best, each.gflops_best or 0.0)
            found.append((float(each.samples), best))
        return found


def curve_of(store: Store, run: str, label: str | None = None) -> Curve:
    info = store.info(run)
    by_step = {e.payload["step"]: StepRecord.model_validate(e.payload) for e in store.read(info.id, KIND)}
    name = label or f"{info.settings.get('curriculum', info.id)}"
    return Curve(name, tuple(by_step[step] for step in sorted(by_step)))  # a resumed run has some steps twice


def curves_page(curves: Sequence[Curve], tables: Sequence[Table] = ()) -> str:
    """Plots of what the runs have, then the tables."""
    colours = {label: COLOURS[i % len(COLOURS)] for i, label in enumerate(dict.fromkeys(c.label for c in curves))}
    key = "".join(f'<span><b style="background:{c}"></b>{html.escape(label)}</span>' for label, c in colours.items())
    plots = "".join(
        f"<figure>{plot([(c.label, c.points(name)) for c in curves], colours)}"
        f"<figcaption>{html.escape(words)}</figcaption></figure>\n"
        for name, words in FIGURES.items()
        if any(c.points(name) for c in curves)
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Training curves</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>\n'
        f'<body><h1>Training curves</h1>\n<p class="key">{key}</p>\n<p>Across: answers so far.</p>\n{plots}'
        f"{''.join(map(table_page, tables))}</body></html>\n"
    )


Points = list[tuple[float, float]]


def plot(lines: Sequence[tuple[str, Points]], colours: dict[str, str]) -> str:
    """Lines over a common frame; the labels' means are thick."""
    every = [point for _, points in lines for point in points]
    right = max(x for x, _ in every) or 1.0
    low, high = min(min(y for _, y in every), 0.0), max(y for _, y in every)
    high = high if high > low else low + 1.0

    def place(x: float, y: float) -> str:
        across = LEFT + x / right * (WIDTH - LEFT - 8)
        return f"{across:.1f},{HEIGHT - BOTTOM - (y - low) / (high - low) * (HEIGHT - BOTTOM - TOP):.1f}"

    def line(points: Points, colour: str, width: float, opacity: float) -> str:
        path = " ".join(place(x, y) for x, y in points)
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>'

    drawn = []
    for label, colour in colours.items():
        seeds = [points for name, points in lines if name == label and points]
        drawn += [line(points, colour, 1, 0.35) for points in seeds if len(seeds) > 1]
        drawn.append(line(mean_line(seeds), colour, 2.2, 1.0))
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">'
        f'<path d="M{LEFT},{TOP}V{HEIGHT - BOTTOM}H{WIDTH - 8}" fill="none" stroke="#999"/>'
        f'<text x="{LEFT - 5}" y="{TOP + 8}" text-anchor="end">{high:.3g}</text>'
        f'<text x="{LEFT - 5}" y="{HEIGHT - BOTTOM}" text-anchor="end">{low:.3g}</text>'
        f'<text x="{WIDTH - 8}" y="{HEIGHT - 12}" text-anchor="end">{right:.0f}</text>{"".join(drawn)}</svg>'
    )


def mean_line(seeds: Sequence[Points]) -> Points:
    """The mean over seeds at every place that all of them have."""
    if not seeds:
        return []
    shared = set.intersection(*({x for x, _ in points} for points in seeds))
    by_seed = [dict(points) for points in seeds]
    return [(x, fmean(points[x] for points in by_seed)) for x in sorted(shared)]


def summary_table(curves: Sequence[Curve], last: int = 5) -> Table:
    """Table of each run's end: means over its last steps."""
    rows = []
    for each in curves:
        end = each.records[-last:]
        if not end:
            continue
        speeds = [record.gflops for record in end if record.gflops is not None]
        rows.append(
            (
                each.label,
                str(end[-1].samples),
                f"{fmean(record.reward for record in end):.1f}",
                f"{fmean(record.success for record in end):.0%}",
                f"{fmean(speeds):.3g}" if speeds else "-",
                f"{each.points('best')[-1][1]:.3g}",
                "-" if end[-1].coverage is None else f"{end[-1].coverage:.1%}",
                "-" if end[-1].qd_score is None else f"{end[-1].qd_score:.4g}",
                f"{fmean(record.seconds for record in end):.1f}",
                f"{fmean(record.idle for record in end):.0%}",
                f"{end[-1].per_busy_core:.2f}" if end[-1].per_busy_core else "-",
            )
        )
    figures = ("reward", "correct", "GFLOPS", "best", "coverage", "QD-score", "s/step", "idle", "per core")
    return Table(
        title=f"The last {last} steps of each run",
        columns=("run", "answers", *figures),
        rows=tuple(rows),
        note="Best: of the whole run. Idle: share of a step that the model's processor waited for rewards. Per core: "
        "programs judged per second in which a core was busy with it.",
    )
