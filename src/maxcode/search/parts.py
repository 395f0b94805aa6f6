"""Parts of a search: one-method protocols, which plain functions implement, and a record with one of each."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from maxcode.core import Candidate, Critique, Fact, Outcome, Proposal
from maxcode.search.budget import Spent
from maxcode.search.observe.observation import Observation, SolvedCase
from maxcode.search.selection import Expansion
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored, own_reward
from maxcode.task.model import Task

if TYPE_CHECKING:  # the evaluator and the database take long to import
    from maxcode.evaluate.pool import Evaluator
    from maxcode.store.journal import Journal


class Policy(Protocol):
    """Proposes n programs, each with its cost. An answer without a program is a proposal with a problem, not an error.

    A coroutine returns all n at once. An asynchronous generator yields each as soon as it is complete, and the search
    judges it at once. `observation.program` is the number in the run of the first of them; the others follow in the
    order they come. Each call of a run has a seed of its own.
    """

    def __call__(
        self, observation: Observation, n: int, seed: int
    ) -> Awaitable[list[Proposal]] | AsyncIterator[Proposal]: ...


async def batches(policy: Policy, observation: Observation, n: int, seed: int) -> AsyncIterator[list[Proposal]]:
    """Answers of either kind of policy: one by one from a generator, all at once from a coroutine."""
    answers = policy(observation, n, seed)
    if isinstance(answers, AsyncIterator):
        async for answer in answers:
            yield [answer]
    else:
        yield await answers


class Critic(Protocol):
    """Says what is wrong with a program or what holds it back, and what to do about it."""

    async def __call__(self, tree: Tree, node: Node) -> Critique: ...


class Profile(Protocol):
    """Profiles a program. That is slow, so only programs that are about to be expanded are profiled."""

    async def __call__(self, task: Task, candidate: Candidate) -> tuple[Fact, ...]: ...


class Further(Protocol):
    """Measures a correct program further, by this many pairs. The outcome has these pairs alone, or says how it failed
    in them."""

    async def __call__(self, task: Task, candidate: Candidate, pairs: int) -> Outcome: ...


class Verify(Protocol):
    """Judges a program without timing it. If the search profiles programs, the baseline's outcome has its profile."""

    async def __call__(self, task: Task, candidate: Candidate) -> Outcome: ...


class Value(Protocol):
    """Scores the new nodes of a round in one call, so that a model can batch them. A higher score is better."""

    async def __call__(self, tree: Tree, nodes: list[Node]) -> Scored: ...


class Screen(Protocol):
    """Scores proposals before any of them is run. The ones with the highest scores are run."""

    async def __call__(self, tree: Tree, node: Node, proposals: list[Proposal]) -> Scored: ...


class Retrieve(Protocol):
    """Finds solved cases like a node's program."""

    def __call__(self, task: Task, node: Node) -> tuple[SolvedCase, ...]: ...


@dataclass(frozen=True)
class Judged:
    """An answer with its outcome, before it is in the tree."""

    program: int
    """Number of the program in the run, from 0."""
    expansion: Expansion
    proposal: Proposal
    candidate: Candidate | None
    outcome: Outcome | None
    """None for an answer that screening left out."""
    recorded: bool = False
    """Whether the verdict was on record before, as after a resume."""


@dataclass(frozen=True)
class Parts:
    """Everything that a search works with besides its task, strategy and budget."""

    policy: Policy
    evaluate: Evaluator
    journal: Journal
    critic: Critic | None = None
    profile: Profile | None = None
    further: Further | None = None
    """None where nothing can be measured further; then there are no races."""
    value: Value = own_reward
    screen: Screen | None = None
    retrieve: Retrieve | None = None
    verify: Verify | None = None
    """Checks the baseline. The first questions can then be asked while it is being timed; a search that does not ask
    ahead does so only if it is `early`."""
    early: bool = False
    """Whether the first questions need not wait for the baseline's time: the policy does not look at it."""
    beside: Verify | None = None
    """Builds and tests answers while the baseline is being timed; None where nothing can run beside that."""
    asked: Callable[[Observation], None] = field(default=lambda _: None)
    """Called with each question, also with those whose answers are on record; for displays."""
    watch: Callable[[Tree, Spent], None] = field(default=lambda *_: None)
    """Called with the tree and what was spent, before each round and at the end; for displays."""
    judged: Callable[[Judged], None] = field(default=lambda _: None)
    """Called with each verdict the moment it falls, before it is in the tree; for displays."""
    clock: Callable[[], float] = time.monotonic
