"""Parts of a search: one-method protocols, which plain functions implement, and a record with one of each."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from maxcode.core import Candidate, Critique, Fact, Proposal
from maxcode.search.budget import Spent
from maxcode.search.observe.observation import Example, Observation
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored, own_reward
from maxcode.task.model import Task

if TYPE_CHECKING:  # the evaluator and the database take long to import
    from maxcode.evaluate.pool import Evaluator
    from maxcode.store.journal import Journal


class Policy(Protocol):
    """Proposes n programs, each with its cost. An answer without a program is a proposal with a problem, not an error.

    `observation.program` is the number of the first of them in the run. Each call of a run has a seed of its own.
    """

    async def __call__(self, observation: Observation, n: int, seed: int) -> list[Proposal]: ...


class Critic(Protocol):
    """Says what is wrong with a program or what holds it back, and what to do about it."""

    async def __call__(self, tree: Tree, node: Node) -> Critique: ...


class Profile(Protocol):
    """Profiles a program. That is slow, so only programs that are about to be expanded are profiled."""

    async def __call__(self, task: Task, candidate: Candidate) -> tuple[Fact, ...]: ...


class Value(Protocol):
    """Scores the new nodes of a round in one call, so that a model can batch them. A higher score is better."""

    async def __call__(self, tree: Tree, nodes: list[Node]) -> Scored: ...


class Screen(Protocol):
    """Scores proposals before any of them is run. The ones with the highest scores are run."""

    async def __call__(self, tree: Tree, node: Node, proposals: list[Proposal]) -> Scored: ...


class Retrieve(Protocol):
    """Finds solved cases like a node's program."""

    def __call__(self, task: Task, node: Node) -> tuple[Example, ...]: ...


@dataclass(frozen=True)
class Parts:
    """Everything that a search works with besides its task, strategy and budget."""

    policy: Policy
    evaluate: Evaluator
    journal: Journal
    critic: Critic | None = None
    profile: Profile | None = None
    value: Value = own_reward
    screen: Screen | None = None
    retrieve: Retrieve | None = None
    watch: Callable[[Tree, Spent], None] = field(default=lambda *_: None)
    """Called with the tree and what was spent, before each round and at the end; for displays."""
    clock: Callable[[], float] = time.monotonic
