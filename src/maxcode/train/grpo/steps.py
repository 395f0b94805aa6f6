"""What passes between the trainer and what feeds it, apart from it: reading these needs no torch."""

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
    """Where a step's time went, in seconds of the main process."""

    generating: float
    waiting: float
    """For rewards, with nothing to do."""


class Step(Frozen):
    """What a step's answers earned, all processes together, in the order of their groups."""

    rows: tuple[Row, ...]
    rewarded: tuple[Rewarded | None, ...]
    kept: tuple[bool, ...]
    """Whether the answer moves the model: not where its group is all alike, or where it has no reward."""
    group: int
    times: Times


class Feed(Protocol):
    """Where problems come from and what hears of their rewards; on the main process only."""

    def rows(self, groups: int) -> list[Row]: ...

    def tell(self, step: Step) -> None: ...
