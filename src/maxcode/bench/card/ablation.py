"""Ablation of the reward-to-go model: the light model with one thing changed at a time.

Every variant is trained on the training split and judged in the same way: by the best reward of the next few
programs, on states of held-out tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from maxcode.bench.card.card import CLASSES, RANKING, figures_of, judged
from maxcode.bench.tables import Table
from maxcode.core import InputError
from maxcode.value.data import STATE_TARGET, StateRow, Target
from maxcode.value.light import Keep, LightModel, train_forest

OF_U = ("u", "behind-u", "since-best")
FEEDBACK = ("status:", "reward", "gain", "passed", "width", "behind-u")


@dataclass(frozen=True)
class TrainingVariant:
    """Settings that a training changes."""

    name: str
    target: Target = STATE_TARGET
    keep: Keep = lambda _: True
    rows: Callable[[StateRow], bool] = lambda _: True


VARIANTS = (
    TrainingVariant("as it ships: max, u, future only"),
    TrainingVariant("sum return", target=Target(returns="sum")),
    TrainingVariant("whole path", target=Target(whole_path=True)),
    TrainingVariant("all that came, not the next 3", target=Target(budget=None)),
    TrainingVariant("without u", keep=lambda name: name not in OF_U),
    TrainingVariant("without feedback among the features", keep=lambda name: not name.startswith(FEEDBACK)),
    TrainingVariant("without features of the code", keep=lambda name: not name.startswith("code:")),
    TrainingVariant("without names of transformations", keep=lambda name: not name.startswith(("last:", "path:"))),
    TrainingVariant("prefixes up to 2", rows=lambda row: row.depth <= 2),
    TrainingVariant("single paths only", rows=lambda row: row.source == "single-path"),
    TrainingVariant("on-policy only", rows=lambda row: row.source == "on-policy"),
)


def ablation_tables(rows: Sequence[StateRow], seed: int = 0) -> list[Table]:
    """One table for each source of states."""
    states = [row for row in rows if not row.masked]
    training = [row for row in states if row.split == "train" and not row.repeated]
    models = {variant.name: _trained(variant, training, seed) for variant in VARIANTS}
    return [
        _table(source, chosen, models)
        for source in ("single-path", "on-policy")
        if (chosen := [row for row in states if row.split == "held-out" and row.source == source])
    ]


def _trained(variant: TrainingVariant, rows: Sequence[StateRow], seed: int) -> LightModel | None:
    """The trained variant; None where the data has too few rows for it."""
    try:
        used = [row for row in rows if variant.rows(row)]
        return LightModel(train_forest(used, variant.target, keep=variant.keep, seed=seed))
    except InputError:
        return None


def _table(source: str, rows: Sequence[StateRow], models: dict[str, LightModel | None]) -> Table:
    scored = {name: judged(rows, model.scores(rows)) for name, model in models.items() if model}
    tasks, missing = len({row.task for row in rows}), [name for name, model in models.items() if not model]
    note = f"{tasks} held-out tasks; means over tasks with 95% bootstrap intervals."
    note += f" Too few rows for: {', '.join(missing)}." if missing else ""
    title, shown = f"Trained otherwise: {source} states", RANKING | {"AUC 1": CLASSES["AUC 1"]}
    return Table(title=title, columns=("variant", *shown), rows=figures_of(scored, shown), note=note)
