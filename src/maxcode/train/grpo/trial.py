"""Trial of a model: new answers to problems with everything permitted, measured, and put into a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from maxcode.bench.tables import Table
from maxcode.core import Frozen
from maxcode.task.model import Task
from maxcode.train.grpo.config import Actions, GrpoConfig
from maxcode.train.grpo.prompts import prompt_for
from maxcode.train.grpo.rollout import early_scoring, play_named, write_programs
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded
from maxcode.train.reward.reward import Rewards

ROWS_AT_ONCE = 128
"""Answers generated in one batch, which takes as long as its longest answer."""


class ModelTrial(Frozen):
    """Results of a model's answers to one task."""

    task: str
    answers: int
    success: float
    reward: float
    gflops: float | None
    """Mean GFLOPS over the successes."""
    gflops_best: float | None
    speedup: float | None
    """Mean speedup over the baseline, over all answers; one that fails counts as 1."""
    speedup_best: float
    library: float | None = None
    """The library's own speed over the baseline, where there is one."""
    best_program: str | None = None

    @property
    def share_of_library(self) -> float | None:
        return self.speedup_best / self.library if self.library else None


def try_model(
    model: Any,
    tokenizer: Any,
    config: GrpoConfig,
    tasks: Sequence[Task],
    rewards: Rewards,
    *,
    answers: int,
    seed: int,
    library: Callable[[Task], float | None] = lambda _: None,
) -> list[ModelTrial]:
    """Results of `answers` answers of a model to each task."""
    problems = [MaskedTask(task=task, mask=EVERYTHING) for task in tasks]
    rows = [problem for problem in problems for _ in range(answers)]
    said: list[str] = []
    for start in range(0, len(rows), ROWS_AT_ONCE):
        said += _answers(model, tokenizer, config, rows[start : start + ROWS_AT_ONCE], rewards, seed + start)
    groups = [said[start : start + answers] for start in range(0, len(said), answers)]
    return [
        trial(problem.task.name, _earned(rewards, problem, group), library(problem.task))
        for problem, group in zip(problems, groups, strict=True)
    ]


def _answers(
    model: Any, tokenizer: Any, config: GrpoConfig, rows: Sequence[MaskedTask], rewards: Rewards, seed: int
) -> list[str]:
    finished = early_scoring(rewards, rows, None)
    if config.actions is Actions.NAMED:
        return play_named(model, tokenizer, config, rows, seed, finished).answers
    prompts = [prompt_for(config, problem.judged, EVERYTHING) for problem in rows]
    return write_programs(model, tokenizer, config, prompts, seed, finished).answers


def _earned(rewards: Rewards, problem: MaskedTask, answers: Sequence[str]) -> list[Rewarded]:
    assert rewards.loop is not None, "enter the rewards first"
    earned = asyncio.run_coroutine_threadsafe(rewards.score(problem, answers), rewards.loop).result()
    return [each for each in earned if each is not None]


def trial(task: str, earned: Sequence[Rewarded], library: float | None = None) -> ModelTrial:
    good = [each for each in earned if each.tier == "ok"]
    speeds = [each.gflops for each in good if each.gflops is not None]
    ratios = [each.speedup or 1.0 if each.tier == "ok" else 1.0 for each in earned]
    best = max(good, key=lambda each: each.reward, default=None)
    return ModelTrial(
        task=task,
        answers=len(earned),
        success=len(good) / len(earned) if earned else 0.0,
        reward=fmean([each.reward for each in earned]) if earned else 0.0,
        gflops=fmean(speeds) if speeds else None,
        gflops_best=max(speeds, default=None),
        speedup=fmean(ratios) if ratios else None,
        speedup_best=max(ratios, default=1.0),
        library=library,
        best_program=best.candidate if best else None,
    )


def trial_table(found: Sequence[ModelTrial], title: str) -> Table:
    columns = ("task", "answers", "correct", "reward", "GFLOPS", "best", "speedup", "best", "of the library")
    rows = [
        (
            each.task,
            str(each.answers),
            f"{each.success:.0%}",
            f"{each.reward:.1f}",
            _figure(each.gflops),
            _figure(each.gflops_best),
            f"{_figure(each.speedup)}x",
            f"{each.speedup_best:.3g}x",
            "-" if each.share_of_library is None else f"{each.share_of_library:.0%}",
        )
        for each in found
    ]
    return Table(
        title=title,
        columns=columns,
        rows=tuple(rows),
        note="Fresh answers, everything permitted. GFLOPS are of correct programs; the speedup is a mean "
        "over all answers, and one that fails counts as the baseline.",
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
