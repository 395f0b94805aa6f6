"""Records that pass between the trainer and its feed. Importing them needs no torch."""

from __future__ import annotations

from typing import Protocol

from maxcode.core import Frozen
from maxcode.train.grpo.prompts import Message, ShownElite
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded


class AnswerRow(Frozen):
    """One answer of a step: its problem and its prompt."""

    problem: MaskedTask
    prompt: list[Message]
    elites: tuple[ShownElite, ...] = ()
    """Programs found before that are shown; a prompt of whole programs has them already."""


class Times(Frozen):
    """Times of a step, in seconds of the main process."""

    generating: float
    waiting: float
    """Time that the trainer only waited for rewards."""


class RewardedStep(Frozen):
    """Rewards of a step's answers, of all processes, in the order of their groups."""

    rows: tuple[AnswerRow, ...]
    rewarded: tuple[Rewarded | None, ...]
    kept: tuple[bool, ...]
    """Whether each answer changes the model: not if the rewards of its group are all equal, or it has no reward."""
    group: int
    times: Times


class ProblemFeed(Protocol):
    """Source of problems, which is told their rewards; on the main process only."""

    def rows(self, groups: int) -> list[AnswerRow]: ...

    def tell(self, step: RewardedStep) -> None: ...
