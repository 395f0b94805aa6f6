"""The report card of a value model: does it know which states are worth expanding?

Every figure is computed within each task and averaged over tasks, with bootstrap intervals over tasks: a search only
ever compares states of one task, and rows of one task are not independent evidence.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maxcode.bench.statistics import Estimate, bootstrap_interval
from maxcode.bench.tables import Table
from maxcode.core import InputError
from maxcode.value.data import SCREEN_TARGET, STATE_TARGET, StateRow, class_of, quartiles, target_of
from maxcode.value.features import log_reward
from maxcode.value.model import Models
from maxcode.value.state import greedy_score

Floats = NDArray[np.float64]
Scores = Sequence[float]
FEWEST = 5
"""Rows that a task needs for figures of ranks."""
PARTS = 5
"""Groups of equal size into which predictions are split for calibration."""


@dataclass(frozen=True)
class JudgedStates:
    """A row with its target, its class, and the score that was predicted for it."""

    row: StateRow
    target: float
    label: int
    score: float


Figure = Callable[[list[JudgedStates]], float | None]
"""Computes one figure from the rows of one task; None where they are too few or all alike."""


@dataclass(frozen=True)
class Graded:
    """Rows of tasks that no model has seen, all of one kind, and what each model says of them."""

    name: str
    rows: list[StateRow]
    scores: dict[str, Scores]
    """Scores of the rows, by name of the model."""


def graded(rows: Sequence[StateRow], models: Mapping[str, Models]) -> list[Graded]:
    """Held-out rows by kind (states or proposals, and their source), scored by every model once."""
    fresh = held_out(rows, models)
    found = []
    for masked in (False, True):
        for source in ("single-path", "on-policy"):
            chosen = [row for row in fresh if row.masked == masked and row.source == source]
            if chosen:
                judges = {name: each.screen if masked else each.state for name, each in models.items()}
                scores: dict[str, Scores] = {name: judge.scores(chosen) for name, judge in judges.items()}
                found.append(Graded(f"{'Proposals before they run' if masked else 'States'}, {source}", chosen, scores))
    return found


def rankers(rows: Sequence[StateRow], models: Mapping[str, Scores]) -> dict[str, Scores]:
    """Scores of the models and of the baselines that they are compared with.

    Proposals have no reward yet, so their parent's is used. They are also ranked by how much they change, as the
    screen without a model does.
    """
    masked = rows[0].masked
    rng = random.Random(0)
    found: dict[str, Scores] = {
        **models,
        "parent's reward" if masked else "own reward": [greedy_score(row) for row in rows],
        "u": [row.u for row in rows],
        "depth": [float(row.depth) for row in rows],
        "random": [rng.random() for _ in rows],
    }
    novelty = {"novelty": [row.features.get("differs-from-parent", 0.0) for row in rows]} if masked else {}
    return found | novelty


def judged(rows: Sequence[StateRow], scores: Scores) -> list[JudgedStates]:
    """Rows that have a target. A row without a label gets its class by the quartiles of the faster targets."""
    targets = [target_of(row, SCREEN_TARGET if row.masked else STATE_TARGET) for row in rows]
    cuts = quartiles([target for target in targets if target is not None])
    return [
        JudgedStates(row, target, class_of(target, cuts) if row.label is None else row.label, score)
        for row, target, score in zip(rows, targets, scores, strict=True)
        if target is not None
    ]


def held_out(rows: Sequence[StateRow], models: Mapping[str, Models]) -> list[StateRow]:
    """Rows of tasks that no model was trained on; only of the held-out split if a model does not list its tasks."""
    seen = frozenset().union(*(each.trained_on for each in models.values()))
    unsaid = not all(each.trained_on for each in models.values())
    found = [row for row in rows if not {row.task, row.origin} & seen and (row.split == "held-out" or not unsaid)]
    if not found:
        raise InputError("the data has no rows of tasks that the model was not trained on: nothing to judge it by.")
    return found


def card(found: Sequence[Graded]) -> list[Table]:
    """Tables for each kind of rows: ranking and classes, then the calibration of each model."""
    tables = []
    for each in found:
        scored = {who: judged(each.rows, scores) for who, scores in rankers(each.rows, each.scores).items()}
        tables += [ranking_table(each.name, scored), classes_table(each.name, scored)]
        for who in each.scores:
            name = each.name if len(each.scores) == 1 else f"{each.name}, {who}"
            tables.append(calibration_table(name, scored[who]))
    return tables


def ranking_table(name: str, scored: dict[str, list[JudgedStates]]) -> Table:
    some = next(iter(scored.values()))
    groups, tasks = len(_siblings(some)), len({each.row.task for each in some})
    note = (
        f"{len(some)} rows of {tasks} held-out tasks, {groups} groups of siblings; means over tasks with 95% bootstrap "
        "intervals. Regret: the best sibling's future over the chosen one's (over the best of the three highest), 1 is "
        "perfect."
    )
    return Table(title=name, columns=("ranked by", *RANKING), rows=figures_of(scored, RANKING), note=note)


def classes_table(name: str, scored: dict[str, list[JudgedStates]]) -> Table:
    note = "AUC: telling class k and above from those below; chance is 0.5."
    return Table(title=f"Classes: {name}", columns=("ranked by", *CLASSES), rows=figures_of(scored, CLASSES), note=note)


def figures_of(scored: dict[str, list[JudgedStates]], figures: dict[str, Figure]) -> tuple[tuple[str, ...], ...]:
    """A row for each ranker, with the means over tasks."""
    rows = []
    for who, found in scored.items():
        by_task = _by(found, lambda each: each.row.task)
        means = (mean_over_tasks(by_task, figure) for figure in figures.values())
        rows.append((who, *(f"{m.value:.2f} ({m.low:.2f} to {m.high:.2f})" if m else "-" for m in means)))
    return tuple(rows)


def mean_over_tasks(by_task: dict[str, list[JudgedStates]], figure: Figure) -> Estimate | None:
    """Mean of a figure over tasks, with its interval; None where no task has it.

    `bootstrap_interval` takes the logarithm of its values. Regrets are ratios, so that suits them. Other figures are
    exponentiated before and their logarithm is taken after, which leaves an arithmetic mean.
    """
    found = [value for each in by_task.values() if (value := figure(each)) is not None]
    if not found:
        return None
    ratio = figure in (_regret_1, _regret_3)
    tasks = [[value if ratio else math.exp(value)] for value in found]
    mean = bootstrap_interval(tasks, lambda logs: logs.mean(axis=1))
    return mean if ratio else Estimate(math.log(mean.value), math.log(mean.low), math.log(mean.high))


def calibration_table(name: str, found: list[JudgedStates]) -> Table:
    """Calibration: mean prediction and mean target in each fifth of the predictions."""
    parts = calibration(found)
    rows = tuple((str(i + 1), f"{math.exp(said):.2f}x", f"{math.exp(was):.2f}x") for i, (said, was) in enumerate(parts))
    error = math.exp(float(np.mean([abs(said - was) for said, was in parts]))) - 1 if parts else 0.0
    note = f"Geometric means of the rewards to come; off by {error:.0%} on average."
    return Table(title=f"Calibration: {name}", columns=("fifth", "predicted", "came"), rows=rows, note=note)


def calibration(found: Sequence[JudgedStates]) -> list[tuple[float, float]]:
    ranked = sorted(_once(found), key=lambda each: each.score)
    parts = [ranked[len(ranked) * i // PARTS : len(ranked) * (i + 1) // PARTS] for i in range(PARTS)]
    return [
        (float(np.mean([e.score for e in part])), float(np.mean([log_reward(e.target) for e in part])))
        for part in parts
        if part
    ]


def ranks(values: Floats) -> Floats:
    """Ranks from 1 upwards; equal values share the mean of their places."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    places: Floats = (ends - (counts - 1) / 2)[inverse]
    return places


def correlation(one: Floats, other: Floats) -> float:
    """Pearson's correlation; 0 where one side is constant."""
    a, b = one - one.mean(), other - other.mean()
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else 0.0


def spearman(scores: Floats, targets: Floats) -> float:
    return correlation(ranks(scores), ranks(targets))


def kendall(scores: Floats, targets: Floats) -> float:
    """Kendall's tau-b over all pairs."""
    upper = np.triu_indices(len(scores), 1)
    a, b = (np.sign(np.subtract.outer(x, x))[upper] for x in (scores, targets))
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else 0.0


def auc(scores: Floats, positive: NDArray[np.bool_]) -> float | None:
    """Chance that one of the class scores higher than one of the others; None where either is absent."""
    of_class = int(positive.sum())
    others = len(positive) - of_class
    if not of_class or not others:
        return None
    return (float(ranks(scores)[positive].sum()) - of_class * (of_class + 1) / 2) / (of_class * others)


def regret(scores: Floats, targets: Floats, count: int) -> float | None:
    """Best target over the best target among the `count` highest scores; 1 is perfect. None for `count` rows or fewer.

    Equal scores may be chosen in any order: the logarithm is averaged over all of them.
    """
    if len(scores) <= count:
        return None
    logs = [log_reward(float(target)) for target in targets]
    last = float(np.sort(scores)[-count])
    sure = [log for log, score in zip(logs, scores, strict=True) if score > last]
    tied = sorted(log for log, score in zip(logs, scores, strict=True) if score == last)
    return math.exp(max(logs) - expected_best(sure, tied, count - len(sure)))


def expected_best(sure: Sequence[float], tied: Sequence[float], places: int) -> float:
    """Expected maximum of `sure` and `places` values drawn at random from `tied`, which must be in ascending order."""
    least = max(sure, default=-math.inf)
    ways = [math.comb(below, places - 1) for below in range(len(tied))]
    return math.fsum(way * max(log, least) for way, log in zip(ways, tied, strict=True)) / math.comb(len(tied), places)


def _arrays(found: Sequence[JudgedStates]) -> tuple[Floats, Floats]:
    return np.array([each.score for each in found]), np.array([each.target for each in found])


def _once(found: Sequence[JudgedStates]) -> list[JudgedStates]:
    return [each for each in found if not each.row.repeated]


def _ranked(found: list[JudgedStates], measure: Callable[[Floats, Floats], float]) -> float | None:
    scores, targets = _arrays(_once(found))
    return measure(scores, targets) if len(scores) >= FEWEST and len(set(targets)) > 1 else None


def _class_auc(at_least: int) -> Figure:
    def figure(found: list[JudgedStates]) -> float | None:
        once = _once(found)
        return auc(_arrays(once)[0], np.array([each.label >= at_least for each in once]))

    return figure


def _siblings(found: Sequence[JudgedStates]) -> list[list[JudgedStates]]:
    groups = _by(found, lambda each: each.row.siblings)
    return [group for group in groups.values() if len(group) > 1 and group[0].row.depth > 0]


def _mean_regret(found: list[JudgedStates], count: int) -> float | None:
    each = [value for group in _siblings(found) if (value := regret(*_arrays(group), count)) is not None]
    return math.exp(float(np.mean(np.log(each)))) if each else None


def _regret_1(found: list[JudgedStates]) -> float | None:
    return _mean_regret(found, 1)


def _regret_3(found: list[JudgedStates]) -> float | None:
    return _mean_regret(found, 3)


def _by(found: Sequence[JudgedStates], key: Callable[[JudgedStates], str]) -> dict[str, list[JudgedStates]]:
    groups: dict[str, list[JudgedStates]] = defaultdict(list)
    for each in found:
        groups[key(each)].append(each)
    return groups


RANKING: dict[str, Figure] = {
    "Spearman": lambda found: _ranked(found, spearman),
    "Kendall": lambda found: _ranked(found, kendall),
    "regret@1": _regret_1,
    "regret@3": _regret_3,
}
CLASSES: dict[str, Figure] = {f"AUC {k}": _class_auc(k) for k in range(1, 5)}
