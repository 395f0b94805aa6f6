"""Policies: who proposes the next programs. One protocol: observation in, proposals out."""

from __future__ import annotations

from typing import Protocol

from maxcode.core import Proposal
from maxcode.search.observe.observation import Observation

RUN_SEED = 1_000_000
"""A policy's seed is the run's times this, plus the number of the first program that it is asked for."""


class Policy(Protocol):
    """Asks for n programs. Knows its cost. An answer without a program is a proposal with a problem, never an error."""

    async def __call__(self, observation: Observation, n: int, seed: int) -> list[Proposal]: ...
