"""A tiny random model learns eight rows by heart, is kept, and goes on after a kill as if nothing had been."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from maxcode.core import InputError
from maxcode.train.value.settings import PRESETS, Training, training_for
from maxcode.train.value.training import OptimizerStep, rate, train_generative
from maxcode.value.model import load_models
from tests.train.value.rows import QUICK, row, rows

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("one_thread")]
torch = pytest.importorskip("torch", reason="training needs 'maxcode[train]'")
pytest.importorskip("peft", reason="training needs 'maxcode[train]'")


class Killed(Exception):
    """Stands for whatever ends a process."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[OptimizerStep]]:
    folder, steps = tmp_path_factory.mktemp("models") / "mine", list[OptimizerStep]()
    train_generative(rows(), QUICK, folder, checkpoint_every=3, tell=steps.append)
    return folder, steps


def test_eight_rows_are_learnt_by_heart(trained: tuple[Path, list[OptimizerStep]]) -> None:
    folder, steps = trained
    for part in ("state", "screen"):
        losses = [step.loss for step in steps if step.part == part]
        assert losses[0] > 1.2
        assert losses[-1] < 0.1
    models = load_models(str(folder))
    known = [each for each in rows() if not each.masked and each.split == "train"]
    ranked = sorted(known, key=lambda each: models.state.scores([each])[0])
    labels = [each.label or 0 for each in ranked]
    assert labels == sorted(labels)


def test_what_is_kept_scores_the_same(trained: tuple[Path, list[OptimizerStep]], tmp_path: Path) -> None:
    folder, _ = trained
    copied = tmp_path / "elsewhere"
    copied.symlink_to(folder)  # another name is loaded afresh
    one, other = load_models(str(folder)), load_models(str(copied))
    assert one.state.scores(rows()) == other.state.scores(rows())
    assert one.screen.scores(rows()) == other.screen.scores(rows())
    assert one.state.scores(rows()) != one.screen.scores(rows())
    assert one.trained_on == {"t-000", "t-001", "t-002"}


@pytest.mark.parametrize("last", [5, 12, 16])
def test_a_killed_training_ends_where_it_would_have_ended(
    last: int, trained: tuple[Path, list[OptimizerStep]], tmp_path: Path
) -> None:
    """The kill comes in the first part, at its end, or in the second."""
    folder, seen = tmp_path / "mine", list[OptimizerStep]()

    def killed(step: OptimizerStep) -> None:
        seen.append(step)
        if len(seen) == last:
            raise Killed

    with pytest.raises(Killed):
        train_generative(rows(), QUICK, folder, checkpoint_every=3, tell=killed)
    assert not (folder / "model.json").exists()
    train_generative(rows(), QUICK, folder, checkpoint_every=3, tell=seen.append)
    for name in ("state/adapter_model.safetensors", "screen/adapter_model.safetensors"):
        assert (folder / name).read_bytes() == (trained[0] / name).read_bytes()
    for part in ("state", "screen"):
        lines = [json.loads(line) for line in (folder / f"{part}.log.jsonl").read_text().splitlines()]
        assert [line["step"] for line in lines] == list(range(1, 13))
        assert [line["loss"] for line in lines] == [step.loss for step in trained[1] if step.part == part]
    assert len(seen) - last < 24


def test_a_finished_training_is_not_done_again(trained: tuple[Path, list[OptimizerStep]]) -> None:
    again: list[OptimizerStep] = []
    train_generative(rows(), QUICK, trained[0], tell=again.append)
    assert again == []


def test_a_folder_of_another_training_is_left_alone(trained: tuple[Path, list[OptimizerStep]]) -> None:
    with pytest.raises(InputError, match="holds a training with other settings or data"):
        train_generative(rows(), QUICK.model_copy(update={"seed": 1}), trained[0])
    with pytest.raises(InputError, match="holds a training with other settings or data"):
        train_generative(rows(9), QUICK, trained[0])


def test_passes_that_fit_into_memory_give_the_same_steps(
    trained: tuple[Path, list[OptimizerStep]], tmp_path: Path
) -> None:
    steps: list[OptimizerStep] = []
    small = QUICK.model_copy(update={"rows_at_once": 1, "checkpointing": True, "epochs": 2})
    train_generative(rows(), small, tmp_path / "small", tell=steps.append)
    assert steps[0].loss == pytest.approx(trained[1][0].loss, abs=1e-4)


def test_every_step_is_accounted_for(trained: tuple[Path, list[OptimizerStep]]) -> None:
    _, steps = trained
    assert [step.step for step in steps] == [*range(1, 13), *range(1, 13)]
    assert all(step.memory_mb > 10 and step.tokens > 0 for step in steps)
    assert all(a.seconds < b.seconds for a, b in pairwise(steps) if a.part == b.part)


def test_long_states_lose_their_beginning_and_are_counted(tmp_path: Path) -> None:
    long = [each.model_copy(update={"text": "x" * 900 + each.text}) for each in rows()]
    content = train_generative(long, QUICK.model_copy(update={"epochs": 1}), tmp_path / "long")
    assert (content.state.cut, content.screen.cut) == (8, 8)
    models = load_models(str(tmp_path / "long"))
    other = [each.model_copy(update={"text": "y" * 900 + each.text}) for each in rows()]
    assert models.state.scores(long) != models.state.scores(other[::-1])
    end = [each.model_copy(update={"text": "x" * 400 + each.text}) for each in rows()]
    assert models.state.scores(long) == models.state.scores(end)


def test_sampled_answers_are_the_same_for_the_same_state(tmp_path: Path) -> None:
    quick = QUICK.model_copy(update={"epochs": 1, "samples": 3})
    train_generative(rows(), quick, tmp_path / "sampled")
    model = load_models(str(tmp_path / "sampled")).state
    scores = model.scores(rows())
    assert scores == model.scores(rows())
    assert len(set(scores)) > 1


def test_too_few_rows_and_rows_without_text_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has 3 states with a class in its training split; 8 is the least"):
        train_generative(rows(3), QUICK, tmp_path)
    blind = [row(i, masked=masked, text="") for masked in (False, True) for i in range(8)]
    with pytest.raises(InputError, match="has no text"):
        train_generative(blind, QUICK, tmp_path)


def test_presets_fill_in_what_is_not_said() -> None:
    assert {path.stem for path in PRESETS.glob("*.toml")} == {"qwen2.5-7b", "smollm2-135m"}
    paper = training_for("qwen2.5-7b", rank=None, seed=3)
    assert (paper.base, paper.rank, paper.epochs, paper.batch, paper.seed) == ("Qwen/Qwen2.5-7B-Instruct", 8, 1, 8, 3)
    assert training_for("smollm2-135m", max_tokens=128).max_tokens == 128
    assert training_for("some/model").base == "some/model"
    with pytest.raises(InputError, match=r"--batch: Input should be greater than or equal to 1"):
        training_for("tiny", batch=0)


def test_the_rate_rises_and_falls() -> None:
    training = Training(base="tiny", learning_rate=1.0, warmup=0.2)
    assert [round(rate(step, 10, training), 3) for step in range(10)] == [
        0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125,
    ]  # fmt: skip
