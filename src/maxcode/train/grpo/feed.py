"""Feed between the trainer, the curriculum and the journal: the next problems, and the rewards they got."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

from maxcode.store.journal import Journal
from maxcode.train.archive_record import ArchiveRecorder
from maxcode.train.curriculum import Curriculum
from maxcode.train.grpo.config import Actions, GrpoConfig
from maxcode.train.grpo.metrics import KIND, StepRecord, step_record
from maxcode.train.grpo.prompts import ShownElite, prompt_for
from maxcode.train.grpo.steps import AnswerRow, RewardedStep
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Rewards

UPDATED = {"loss": "loss", "kl": "kl", "entropy": "entropy", "grad_norm": "grad_norm"}
"""Figures in a step's record, with TRL's names for them."""
SHOWN = 0.5
"""Share of problems whose prompt shows elites."""


class CurriculumFeed:
    """Feeds a trainer, and writes a record of every step once its update is done."""

    def __init__(
        self,
        config: GrpoConfig,
        curriculum: Curriculum,
        rewards: Rewards,
        journal: Journal,
        watch: Callable[[StepRecord], None],
    ) -> None:
        self._config, self._curriculum, self._rewards = config, curriculum, rewards
        self._journal, self._watch = journal, watch
        self._recorder = ArchiveRecorder(journal, curriculum.archive)
        self._record: StepRecord | None = None
        self._begun = time.perf_counter()
        self._evaluated = 0
        self.number = self.samples = 0
        """Steps and answers so far."""

    def rows(self, groups: int) -> list[AnswerRow]:
        self._begun = time.perf_counter()
        self._evaluated = self._rewards.throughput.evaluated
        problems = self._curriculum.next(groups)
        return [self._row(problem, self.samples + group) for group, problem in enumerate(problems)]

    def _row(self, problem: MaskedTask, number: int) -> AnswerRow:
        elites = self._elites(problem, number)
        if self._config.actions is Actions.NAMED:  # the sampler shows the menu, which it has to make anyway
            return AnswerRow(problem=problem, prompt=[{"role": "user", "content": problem.name}], elites=elites)
        prompt = prompt_for(self._config, problem.judged, problem.mask, elites)
        return AnswerRow(problem=problem, prompt=prompt, elites=elites)

    def _elites(self, problem: MaskedTask, number: int) -> tuple[ShownElite, ...]:
        """Elites of the archive for one problem; none for half of the problems, so that a model can do without."""
        if not self._config.elites or random.Random(f"{self._config.seed}/elites/{number}").random() >= SHOWN:
            return ()
        shown = self._curriculum.elites(problem, self._config.elites)
        return tuple(
            ShownElite(each.candidate, each.gflops, tuple(sorted(each.techniques)))
            for each in shown
            if each.candidate and each.gflops
        )

    def tell(self, step: RewardedStep) -> None:
        for start in range(0, len(step.rows), step.group):
            earned = [each for each in step.rewarded[start : start + step.group] if each is not None]
            self._curriculum.tell(step.rows[start].problem, earned)
        self.number += 1
        self.samples += len(step.rows)
        self._answers = len(step.rows)
        self._record = step_record(step, self.number, self.samples)

    def updated(self, figures: dict[str, Any]) -> None:
        """Takes in the figures of an update. Of several updates from the same answers, the last one counts."""
        if self._record is None:
            return
        seconds = time.perf_counter() - self._begun
        known = {name: float(figures[key]) for name, key in UPDATED.items() if figures.get(key) is not None}
        throughput = self._rewards.throughput
        measured = throughput.evaluated - self._evaluated
        archive = self._curriculum.archive
        record = self._record.model_copy(
            update={
                **known,
                "seconds": seconds,
                "idle": min(1.0, self._record.waiting / seconds) if seconds else 0.0,
                "cached": max(1 - measured / self._answers, 0.0),
                "per_core": measured / seconds / throughput.slots if measured else None,
                "per_busy_core": throughput.per_core_second,
                "coverage": archive.coverage,
                "qd_score": archive.qd_score,
            }
        )
        self._record = None
        self._recorder.note(record.step)
        self._journal.note(KIND, record.model_dump(mode="json"))
        self._watch(record)

    def state(self) -> dict[str, Any]:
        return {"number": self.number, "samples": self.samples, "curriculum": self._curriculum.state()}

    def restore(self, state: dict[str, Any]) -> None:
        self.number, self.samples = state["number"], state["samples"]
        self._curriculum.restore(state["curriculum"])
