"""Fresh answers of a model: each is judged on its own task, however they were generated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from maxcode.evaluate.pool import LocalPool
from maxcode.train.grpo import trial
from maxcode.train.grpo.config import Actions, preset
from maxcode.train.grpo.prompts import fenced_as_is
from maxcode.train.grpo.rollout import Rolled
from maxcode.train.grpo.tasks import named_task
from maxcode.train.reward.reward import fixed_ceiling
from maxcode.train.reward.thread import rewards_in_thread

pytestmark = pytest.mark.long
pytest.importorskip("torch", reason="needs the extra `train`")

TASKS = ("hpc:dgemm:m=24,n=24,k=24", "hpc:dgemm:m=32,n=16,k=8")


@pytest.mark.parametrize("at_once", [128, 3])
def test_answers_are_judged_on_their_own_task(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    tasks = [named_task(each) for each in TASKS]
    right = fenced_as_is(tasks[0].read(tasks[0].main_file))
    said = iter([right, right, "no program", right])
    batches = []

    def written(model: Any, tokenizer: Any, config: Any, prompts: Sequence[Any], seed: int, finished: Any) -> Rolled:
        del model, tokenizer, config, finished
        batches.append((len(prompts), seed))
        return Rolled([], [], [next(said) for _ in prompts])

    monkeypatch.setattr(trial, "write_programs", written)
    monkeypatch.setattr(trial, "ROWS_AT_ONCE", at_once)
    with rewards_in_thread(LocalPool(1), slots=1, ceiling=fixed_ceiling(16.0)) as rewards:
        found = trial.try_model(None, None, preset("tiny", Actions.PROGRAMS), tasks, rewards, answers=2, seed=5)
    assert [(each.task, each.answers, each.success) for each in found] == [
        (tasks[0].name, 2, 1.0),
        (tasks[1].name, 2, 0.5),
    ]
    assert batches == ([(4, 5)] if at_once == 128 else [(3, 5), (1, 8)])
