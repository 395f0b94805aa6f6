"""Records that pass between the trainer and its feed. Importing them needs no torch."""

from __future__ import annotations

from typing import Protocol

from maxcode.core import Frozen
from maxcode.train.grpo.prompts import Message
from maxcode.train.problem import Problem
from maxcode.train.reward_answer import Rewarded


class Row(Frozen):
    """One answer of a step: its problem and its prompt."""

    problem: Problem
    prompt: list[Message]


class Times(Frozen):
    """Times of a step, in seconds of the main process."""

    generating: float
    waiting: float
    """Time that the trainer only waited for rewards."""


class Step(Frozen):
    """Rewards of a step's answers, of all processes, in the order of their groups."""

    rows: tuple[Row, ...]
    rewarded: tuple[Rewarded | None, ...]
    kept: tuple[bool, ...]
    """Whether each answer changes the model: not if the rewards of its group are all equal, or it has no reward."""
    group: int
    times: Times


class Feed(Protocol):
    """Source of problems, which is told their rewards; on the main process only."""

    def rows(self, groups: int) -> list[Row]: ...

    def tell(self, step: Step) -> None: ...
