"""Policies: who proposes the next programs. One protocol: observation in, proposals out."""

from __future__ import annotations

from typing import Protocol

from maxcode.core import Proposal
from maxcode.observe.observation import Observation


class Policy(Protocol):
    """Asks for n programs. Knows its cost. An answer without a program is a proposal with a problem, never an error."""

    async def __call__(self, observation: Observation, n: int, seed: int) -> list[Proposal]: ...
