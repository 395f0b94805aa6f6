"""Which problem to train on next: a kernel, and the techniques permitted there.

none    everything is permitted, from the first step to the last.
staged  one order of masks for all kernels, each mask for the same number of groups.
sqd     Staged Quality-Diversity (arXiv 2602.12049): each kernel has a stage of its own. It advances when neither the
        best nor the mean reward of the stage rises any longer, and falls back a stage when its rewards collapse; about
        30% of the problems are of earlier stages.

The paper does not publish its stages; ours are STAGES. A curriculum is decided by its seed, the number of problems it
has handed out and what it was told: no clock, no other source of chance. All three keep the archive of elites.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from enum import StrEnum
from statistics import fmean
from typing import Any, Protocol

from pydantic import Field

from maxcode.core import Frozen, InputError
from maxcode.task.model import Task
from maxcode.train.archive import Elite, EliteArchive
from maxcode.train.masks import EVERYTHING, Mask
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded
from maxcode.train.techniques import Technique


def _stages() -> tuple[Mask, ...]:
    """Masks of the stages; each permits what the one before does, and more.

    Unrolling comes with register blocking: it does the same to the innermost loop, and a tile written out by hand
    counts as unrolled.
    """
    added = {
        "reorder": (),
        "cache": (Technique.CACHE_BLOCKING,),
        "simd": (Technique.SIMD,),
        "registers": (Technique.REGISTER_BLOCKING, Technique.PACKING, Technique.UNROLLING),
        "threads": (Technique.OPENMP,),
    }
    permitted: frozenset[Technique] = frozenset()
    masks = []
    for name, more in added.items():
        permitted |= frozenset(more)
        masks.append(Mask(name=name, permitted=permitted))
    return (*masks, EVERYTHING)


STAGES = _stages()


def stages_for(tasks: Sequence[Task]) -> tuple[Mask, ...]:
    """Stages for some tasks: that of threads is left out where no task has more than one core to measure them on."""
    threads = any(task.limits.cpus > 1 for task in tasks)
    return tuple(mask for mask in STAGES if threads or mask.name != "threads")


LONGEST = 0.6
"""Largest share of a training that the stages may take; everything is permitted after them."""


class CurriculumKind(StrEnum):
    NONE = "none"
    STAGED = "staged"
    SQD = "sqd"


class StagingRules(Frozen):
    """Conditions under which the stage changes."""

    groups_per_stage: int = Field(default=16, ge=1)
    """Staged: problems handed out before the next mask."""
    window: int = Field(default=3, ge=1)
    """SQD: groups over which rewards are averaged."""
    patience: int = Field(default=6, ge=1)
    """SQD: groups in which neither the best nor the mean reward of a stage rises, after which the kernel advances."""
    improvement: float = Field(default=1.0, ge=0)
    """Gain over the best or mean reward that counts as progress; a smaller one is noise."""
    collapse: float = Field(default=20.0, gt=0)
    """SQD: fall of the mean reward below the highest of its stage from which the kernel goes back a stage."""
    replay: float = Field(default=0.3, ge=0, le=1)
    """SQD: the share of problems from earlier stages, once there are any."""

    @classmethod
    def within(cls, groups: int, kernels: int) -> StagingRules:
        """Rules for a training of `groups` groups: the defaults, or shorter stages where the training is short.

        All stages together then take about LONGEST of the training.
        """
        of_stages = LONGEST * groups / len(STAGES)
        usual = cls()
        patience = min(max(int(of_stages / kernels), 1), usual.patience)
        per_stage = min(max(int(of_stages), 1), usual.groups_per_stage)
        return cls(window=min(patience, usual.window), patience=patience, groups_per_stage=per_stage)


class Curriculum(Protocol):
    """Source of problems for a trainer, which tells it the rewards."""

    @property
    def archive(self) -> EliteArchive: ...

    def next(self, n: int) -> list[MaskedTask]:
        """The next n problems, one for each group of answers."""
        ...

    def tell(self, problem: MaskedTask, rewarded: Sequence[Rewarded]) -> None:
        """Takes in the rewards of one group of answers; answers without a verdict are left out."""
        ...

    def elites(self, problem: MaskedTask, n: int) -> list[Elite]:
        """Programs to show for a problem: they keep to its mask, and come from different speed buckets."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything that decides what comes next, as plain data."""
        ...

    def restore(self, state: dict[str, Any]) -> None: ...


def make_curriculum(
    kind: CurriculumKind, tasks: Sequence[Task], *, seed: int = 0, rules: StagingRules | None = None
) -> Curriculum:
    rules = rules or StagingRules()
    if kind is CurriculumKind.SQD:
        return QualityDiversity(tasks, seed, rules)
    masks = (EVERYTHING,) if kind is CurriculumKind.NONE else stages_for(tasks)
    return Fixed(tasks, seed, masks, rules.groups_per_stage)


class _FixedState(Frozen):
    handed: int
    archive: dict[str, Any]


class Fixed:
    """Curriculum with one order of masks for all kernels; the last mask stays."""

    def __init__(self, tasks: Sequence[Task], seed: int, masks: Sequence[Mask], groups_per_stage: int) -> None:
        self._tasks, self._seed, self._masks = tuple(tasks), seed, tuple(masks)
        self._groups_per_stage = groups_per_stage
        self._handed = 0
        self.archive = EliteArchive([task.name for task in tasks])

    def next(self, n: int) -> list[MaskedTask]:
        found = [self._problem(number) for number in range(self._handed, self._handed + n)]
        self._handed += n
        return found

    def _problem(self, number: int) -> MaskedTask:
        stage = min(number // self._groups_per_stage, len(self._masks) - 1)
        return MaskedTask(task=_in_turn(self._tasks, self._seed, number), mask=self._masks[stage])

    def tell(self, problem: MaskedTask, rewarded: Sequence[Rewarded]) -> None:
        for each in rewarded:
            self.archive.add(problem, each)

    def elites(self, problem: MaskedTask, n: int) -> list[Elite]:
        return self.archive.examples(problem, n)

    def state(self) -> dict[str, Any]:
        return _FixedState(handed=self._handed, archive=self.archive.state()).model_dump(mode="json")

    def restore(self, state: dict[str, Any]) -> None:
        saved = _FixedState.model_validate(state)
        self.archive.restore(saved.archive)
        self._handed = saved.handed


class Progress(Frozen):
    """Stage of a kernel, and its rewards in that stage."""

    stage: int = 0
    means: tuple[float, ...] = ()
    """Mean rewards of the last groups of this stage."""
    best: float | None = None
    """The highest reward of a success in this stage."""
    level: float | None = None
    """The highest mean reward over a window of this stage."""
    stalled: int = 0
    """Groups since `best` or `level` last rose."""

    def after(self, rewarded: Sequence[Rewarded], rules: StagingRules, stages: int = len(STAGES)) -> Progress:
        """Progress after a group of this stage has been judged."""
        means = (*self.means, fmean(each.reward for each in rewarded))[-rules.window :]
        level = fmean(means) if len(means) == rules.window else None
        best = max((each.reward for each in rewarded if each.tier == "ok"), default=None)
        if self.stage and level is not None and self.level is not None and level < self.level - rules.collapse:
            return Progress(stage=self.stage - 1)
        better, higher = (_risen(new, old, rules) for new, old in ((best, self.best), (level, self.level)))
        now = Progress(
            stage=self.stage,
            means=means,
            best=best if better else self.best,
            level=level if higher else self.level,
            stalled=0 if better or higher else self.stalled + 1,
        )
        stuck = now.best is not None and now.stalled >= rules.patience
        return Progress(stage=self.stage + 1) if stuck and self.stage < stages - 1 else now


def _risen(new: float | None, old: float | None, rules: StagingRules) -> bool:
    return new is not None and (old is None or new > old + rules.improvement)


class _DiversityState(Frozen):
    handed: int
    progress: dict[str, Progress]
    archive: dict[str, Any]


class QualityDiversity:
    """Curriculum with a stage for each kernel and replay of earlier stages."""

    def __init__(self, tasks: Sequence[Task], seed: int, rules: StagingRules) -> None:
        self._tasks, self._seed, self._rules = tuple(tasks), seed, rules
        self._stages = stages_for(tasks)
        self._handed = 0
        self.archive = EliteArchive([task.name for task in tasks])
        self.progress = {task.name: Progress() for task in tasks}

    def next(self, n: int) -> list[MaskedTask]:
        found = [self._problem(number) for number in range(self._handed, self._handed + n)]
        self._handed += n
        return found

    def _problem(self, number: int) -> MaskedTask:
        task = _in_turn(self._tasks, self._seed, number)
        stage, chance = self.progress[task.name].stage, _chance(self._seed, "replay", number)
        if stage and chance.random() < self._rules.replay:
            stage = chance.randrange(stage)
        return MaskedTask(task=task, mask=self._stages[stage])

    def tell(self, problem: MaskedTask, rewarded: Sequence[Rewarded]) -> None:
        """Replayed problems, and those handed out before their kernel advanced, only add to the archive."""
        for each in rewarded:
            self.archive.add(problem, each)
        known = self.progress.get(problem.task.name)
        if known is None:
            raise InputError(f"'{problem.task.name}' is no task of this curriculum")
        if rewarded and problem.mask == self._stages[known.stage]:
            self.progress[problem.task.name] = known.after(rewarded, self._rules, len(self._stages))

    def elites(self, problem: MaskedTask, n: int) -> list[Elite]:
        return self.archive.examples(problem, n)

    def state(self) -> dict[str, Any]:
        saved = _DiversityState(handed=self._handed, progress=self.progress, archive=self.archive.state())
        return saved.model_dump(mode="json")

    def restore(self, state: dict[str, Any]) -> None:
        known = {name: {**each} for name, each in state["progress"].items()}
        for each in known.values():
            each.pop("successes", None)  # of the version before, whose rule counted them
        saved = _DiversityState.model_validate({**state, "progress": known})
        self.archive.restore(saved.archive)
        self._handed, self.progress = saved.handed, dict(saved.progress)


def _in_turn(tasks: tuple[Task, ...], seed: int, number: int) -> Task:
    """Task of a number: each round has every task once, in its own random order."""
    order = list(range(len(tasks)))
    _chance(seed, "order", number // len(tasks)).shuffle(order)
    return tasks[order[number % len(tasks)]]


def _chance(seed: int, what: str, number: int) -> random.Random:
    """Random generator that depends on these arguments alone, so that a resumed training gets the same problems."""
    return random.Random(f"{seed}/{what}/{number}")
