"""The light model: trained by LightGBM, walked by numpy, kept as JSON."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from pathlib import Path

import lightgbm
import numpy as np
import pytest

from maxcode.core import InputError
from maxcode.value.data import STATE_TARGET, StateRow
from maxcode.value.light import (
    ROUNDS,
    SETTINGS,
    LightModel,
    matrix,
    train_forest,
    train_light,
    write_light,
)
from maxcode.value.model import load_models


def rows(count: int = 200) -> list[StateRow]:
    """The future is e to the power of feature `a`, whatever `b` and `c` say."""
    rng = random.Random(1)
    made = []
    for i in range(count):
        features = {name: rng.uniform(-1, 1) for name in "abc"}
        made.append(
            StateRow(
                task=f"t-{i % 10:03}",
                masked=i % 2 == 1,
                depth=1,
                u=1.0,
                reward=None if i % 2 else 1.0,
                features=features,
                run="r",
                node=i,
                siblings=f"{i // 8}",
                policy="p",
                strategy="paths",
                source="single-path",
                after=(math.exp(features["a"]),) * 3,
            )
        )
    return made


def test_walking_the_trees_gives_what_the_library_predicts() -> None:
    one_task = [row.model_copy(update={"task": "t"}) for row in rows()]
    forest = train_forest(one_task, STATE_TARGET)
    table = matrix(one_task, forest.features)
    wanted = np.array([row.features["a"] for row in one_task])
    wanted = wanted - wanted.mean()
    settings = SETTINGS | {"min_data_in_leaf": 10, "seed": 0}
    booster = lightgbm.train(settings, lightgbm.Dataset(table, wanted), num_boost_round=ROUNDS)
    fresh = rows(300)
    expected = booster.predict(matrix(fresh, forest.features)) + forest.base
    assert LightModel(forest).scores(fresh) == pytest.approx(expected, abs=1e-4)


def test_it_learns_which_feature_matters() -> None:
    model = LightModel(train_forest(rows(), STATE_TARGET))
    fresh = rows(400)[200:]
    assert np.corrcoef(model.scores(fresh), [row.features["a"] for row in fresh])[0, 1] > 0.95


def test_what_differs_between_tasks_only_is_not_learnt() -> None:
    shifted = [
        row.model_copy(update={"after": tuple(each * (1 + int(row.task[-1])) for each in row.after)}) for row in rows()
    ]
    plain, other = (LightModel(train_forest(each, STATE_TARGET)) for each in (rows(), shifted))
    assert plain.forest.trees == other.forest.trees
    assert other.forest.base > plain.forest.base


def test_features_can_be_withheld() -> None:
    forest = train_forest(rows(), STATE_TARGET, keep=lambda name: name != "a")
    assert forest.features == ("b", "c")


def test_a_file_holds_the_same_models(tmp_path: Path) -> None:
    content = train_light(rows())
    write_light(content, tmp_path / "model.json")
    models = load_models(str(tmp_path))
    masked = [row for row in rows() if row.masked]
    assert models.state.scores(rows()) == LightModel(train_forest(rows()[::2], STATE_TARGET)).scores(rows())
    assert models.screen.scores(masked) != models.state.scores(masked)
    assert models.trained_on == {row.task for row in rows()}


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_light(train_light(rows(), seed=4), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_too_few_rows_are_said() -> None:
    with pytest.raises(InputError, match="the data has 10 rows with a target"):
        train_forest(rows(10), STATE_TARGET)


@pytest.mark.parametrize("text", ["", "{}", '{"kind": "oracle"}', '{"kind": "light", "trained_on": []}', "[]"])
def test_what_is_no_model_is_said(text: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(InputError, match=r"bad.json: not a value model"):
        load_models(str(tmp_path / "bad.json"))


def test_a_missing_model_is_said() -> None:
    with pytest.raises(InputError, match=r"nowhere.json: cannot be read"):
        load_models("/nowhere.json")


def test_the_model_that_ships_works_without_the_library() -> None:
    code = (
        "import sys; sys.modules['lightgbm'] = None\n"
        "from maxcode.value.model import load_models\n"
        "from maxcode.value.state import State\n"
        "models = load_models('light')\n"
        "state = State(task='t', masked=False, depth=1, u=1.0, reward=1.0, features={'depth': 1.0})\n"
        "print(models.state.scores([state, state]), models.screen.scores([state]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    first, second = json.loads(done.stdout.split("] [")[0] + "]")
    assert first == second
    assert -2 < first < 3
