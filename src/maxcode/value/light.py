"""The light model: gradient-boosted trees over the features of a state.

The trees predict the difference between the reward to come and the state's own reward. With little data they predict
little, and the model is greedy. They are fitted to differences within tasks, since a search compares states of one task
only.

Training needs LightGBM (`pip install 'maxcode[value]'`) and takes seconds. The result is a small JSON file of trees,
which numpy alone can walk, so that a search needs nothing more than MaxCode itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from maxcode.core import Frozen, InputError
from maxcode.value.data import SCREEN_TARGET, STATE_TARGET, StateRow, Target, target_of
from maxcode.value.features import log_reward
from maxcode.value.state import State, greedy_score

ROUNDS = 100
SETTINGS: dict[str, Any] = {
    "objective": "regression",
    "num_leaves": 8,
    "learning_rate": 0.05,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "use_missing": False,
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbosity": -1,
}
RARE = 5
"""Features that fewer rows than this have are left out."""
FEWEST_ROWS = 30


class Branches(Frozen):
    """One tree as parallel lists: a node goes left where its feature is at most its cut; leaves have feature -1."""

    feature: tuple[int, ...]
    cut: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]


class Forest(Frozen):
    """Trained model as its file has it."""

    features: tuple[str, ...]
    base: float
    """Mean over tasks of the log target minus `greedy_score`."""
    trees: tuple[Branches, ...]
    target: Target
    rows: int
    """Number of rows that it was trained on."""


@dataclass(frozen=True)
class LightModel:
    forest: Forest

    @property
    def reads(self) -> Literal["features"]:
        return "features"

    def scores(self, rows: Sequence[State]) -> list[float]:
        table = matrix(rows, self.forest.features)
        total = self.forest.base + np.array([greedy_score(row) for row in rows])
        for tree in self.forest.trees:
            total += _walk(tree, table)
        return [float(each) for each in total]


def matrix(rows: Sequence[State], names: Sequence[str]) -> NDArray[np.float64]:
    table = np.array([[row.features.get(name, 0.0) for name in names] for row in rows], dtype=float)
    return table.reshape(len(rows), len(names))


def _walk(tree: Branches, table: NDArray[np.float64]) -> NDArray[np.float64]:
    feature, cut = np.array(tree.feature), np.array(tree.cut)
    left, right = np.array(tree.left), np.array(tree.right)
    at = np.zeros(len(table), dtype=int)
    while (inner := np.nonzero(feature[at] >= 0)[0]).size:
        here = at[inner]
        goes_left = table[inner, feature[here]] <= cut[here]
        at[inner] = np.where(goes_left, left[here], right[here])
    found: NDArray[np.float64] = np.array(tree.value)[at]
    return found


Keep = Callable[[str], bool]


def train_forest(rows: Sequence[StateRow], target: Target, *, keep: Keep = lambda _: True, seed: int = 0) -> Forest:
    """Trees that predict the log of a target, over the own reward; `keep` says which features they may use."""
    import lightgbm

    pairs = [(row, reached) for row in rows if (reached := target_of(row, target)) is not None]
    if len(pairs) < FEWEST_ROWS:
        raise InputError(
            f"the data has {len(pairs)} rows with a target (budget {target.budget}); {FEWEST_ROWS} is the least. "
            "Collect more with `maxcode collect`."
        )
    kept = [row for row, _ in pairs]
    base, wanted = _within_tasks([(row.task, log_reward(reached) - greedy_score(row)) for row, reached in pairs])
    names = _common_features(kept, keep)
    least = max(2, min(20, len(kept) // 20))
    settings = SETTINGS | {"min_data_in_leaf": least, "seed": seed}
    data = lightgbm.Dataset(matrix(kept, names), wanted)
    booster = lightgbm.train(settings, data, num_boost_round=ROUNDS)
    trees = tuple(_branches(each["tree_structure"]) for each in booster.dump_model()["tree_info"])
    return Forest(features=names, base=base, trees=trees, target=target, rows=len(kept))


def _within_tasks(figures: Sequence[tuple[str, float]]) -> tuple[float, NDArray[np.float64]]:
    """The mean over tasks of their means, and each figure less its task's mean."""
    by_task: dict[str, list[float]] = {}
    for task, figure in figures:
        by_task.setdefault(task, []).append(figure)
    means = {task: float(np.mean(found)) for task, found in by_task.items()}
    return float(np.mean(list(means.values()))), np.array([figure - means[task] for task, figure in figures])


def _common_features(rows: Sequence[StateRow], keep: Keep) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for row in rows:
        for name in row.features:
            counts[name] = counts.get(name, 0) + 1
    return tuple(sorted(name for name, count in counts.items() if count >= RARE and keep(name)))


def _branches(root: dict[str, Any]) -> Branches:
    """LightGBM's nested tree, flat."""
    nodes: list[tuple[int, float, int, int, float]] = []

    def add(node: dict[str, Any]) -> int:
        place = len(nodes)
        nodes.append((-1, 0.0, 0, 0, round(float(node.get("leaf_value", 0.0)), 6)))
        if "split_feature" in node:
            left, right = add(node["left_child"]), add(node["right_child"])
            nodes[place] = (int(node["split_feature"]), float(node["threshold"]), left, right, 0.0)
        return place

    add(root)
    feature, cut, left, right, value = zip(*nodes, strict=True)
    return Branches(feature=feature, cut=cut, left=left, right=right, value=value)


def train_light(rows: Sequence[StateRow], *, seed: int = 0) -> dict[str, Any]:
    """The content of a model's file: one forest for states that ran, one for proposals, from the training split."""
    used = [row for row in rows if row.split == "train" and not row.repeated]
    return {
        "kind": "light",
        "trained_on": sorted({row.origin for row in used}),
        "state": train_forest([row for row in used if not row.masked], STATE_TARGET, seed=seed).model_dump(),
        "screen": train_forest([row for row in used if row.masked], SCREEN_TARGET, seed=seed).model_dump(),
    }


def write_light(content: dict[str, Any], path: Path) -> None:
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n")


def read_light(content: dict[str, Any]) -> tuple[LightModel, LightModel]:
    return LightModel(Forest.model_validate(content["state"])), LightModel(Forest.model_validate(content["screen"]))
