"""Which part of the reward-to-go model does the work: the light model with one thing changed at a time.

Every variant is trained on the training split and judged in the same way: by the best reward of the next few
programs, on states of held-out tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from maxcode.bench.card import FIGURES, Judged, judged, mean_over_tasks
from maxcode.bench.report import interval
from maxcode.bench.tables import Table
from maxcode.core import InputError
from maxcode.value.data import STATE_TARGET, Row, Target
from maxcode.value.light import Keep, LightModel, train_forest

OF_U = ("u", "behind-u", "since-best")
FEEDBACK = ("status:", "reward", "gain", "passed", "width", "behind-u")
SHOWN = ("Spearman", "Kendall", "AUC 1", "regret@1", "regret@3")


@dataclass(frozen=True)
class Variant:
    """What is different about a training."""

    name: str
    target: Target = STATE_TARGET
    keep: Keep = lambda _: True
    rows: Callable[[Row], bool] = lambda _: True


VARIANTS = (
    Variant("as it ships: max, u, future only"),
    Variant("sum return", target=Target(returns="sum")),
    Variant("whole path", target=Target(whole_path=True)),
    Variant("all that came, not the next 3", target=Target(budget=None)),
    Variant("without u", keep=lambda name: name not in OF_U),
    Variant("without feedback", keep=lambda name: not name.startswith(FEEDBACK)),
    Variant("without code", keep=lambda name: not name.startswith("code:")),
    Variant("without transformations", keep=lambda name: not name.startswith(("last:", "path:"))),
    Variant("prefixes up to 2", rows=lambda row: row.depth <= 2),
    Variant("single paths only", rows=lambda row: row.source == "single-path"),
    Variant("on-policy only", rows=lambda row: row.source == "on-policy"),
)


def ablation_tables(rows: Sequence[Row], seed: int = 0) -> list[Table]:
    """One table for each source of states."""
    states = [row for row in rows if not row.masked]
    training = [row for row in states if row.split == "train"]
    models = {variant.name: _trained(variant, training, seed) for variant in VARIANTS}
    return [
        _table(source, chosen, models)
        for source in ("single-path", "on-policy")
        if (chosen := [row for row in states if row.split == "held-out" and row.source == source])
    ]


def _trained(variant: Variant, rows: Sequence[Row], seed: int) -> LightModel | None:
    """None where the data has too few rows of the kind."""
    try:
        used = [row for row in rows if variant.rows(row)]
        return LightModel(train_forest(used, variant.target, keep=variant.keep, seed=seed))
    except InputError:
        return None


def _table(source: str, rows: Sequence[Row], models: dict[str, LightModel | None]) -> Table:
    made = []
    for name, model in models.items():
        made.append((name, *(_figures(rows, model) if model else ("-",) * len(SHOWN))))
    note = f"{len({row.task for row in rows})} held-out tasks; means over tasks with 95% bootstrap intervals."
    return Table(title=f"Trained otherwise: {source} states", columns=("variant", *SHOWN), rows=tuple(made), note=note)


def _figures(rows: Sequence[Row], model: LightModel) -> tuple[str, ...]:
    by_task: dict[str, list[Judged]] = {}
    for each in judged(rows, model.scores(rows)):
        by_task.setdefault(each.row.task, []).append(each)
    found = (mean_over_tasks(by_task, FIGURES[name]) for name in SHOWN)
    return tuple(interval(each) if each else "-" for each in found)
