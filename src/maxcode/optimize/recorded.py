"""A run as the journal has it: its settings and task, what came of it, and its tree.

The tree is the search again with recorded answers only, so every view of a run sees exactly what the search saw.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NoReturn

from pydantic import ValidationError

from maxcode.core import Candidate, Corrupt, Critique, Fact, Frozen, InputError, Mode, Outcome, Proposal, Status
from maxcode.optimize.run import Result, SearchSettings, strategy_of
from maxcode.search.budget import Spent
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Parts
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored
from maxcode.store.journal import SESSION, Journal, RunInfo, Store
from maxcode.task import Task, load_task


class NotRecorded(Exception):
    """Raised where the journal has no further answer."""


def settings_and_task(store: Store, run_id: str) -> tuple[SearchSettings, Task]:
    info = store.info(run_id)
    try:
        settings = settings_of(info)
    except ValidationError:
        if info.settings.get("kind") == "rl":
            raise InputError(
                f"run {info.id}: is a training; `maxcode rl plot {info.id} -o FILE` draws it, and "
                "`maxcode rl train --resume DIR` goes on with it."
            ) from None
        raise InputError(
            f"run {info.id}: is not on record with its task and settings; `maxcode optimize` makes such runs."
        ) from None
    return settings, load_task(settings.task)


def settings_of(info: RunInfo) -> SearchSettings:
    """Settings of a run. One that does not say how it ranked programs did so by lower bounds."""
    return SearchSettings.model_validate({"ranking": "lower-bound", **info.settings})


def finished(store: Store, run: str) -> Result | None:
    """Result of a run; None if it has not finished."""
    events = list(store.read(run, "finished"))
    return Result.model_validate(events[-1].payload) if events else None


def winner_of(tree: Tree, result: Result | None) -> Node:
    """The program that every view of a run marks: the confirmed one, or what it was reduced from; else the best so
    far."""
    if result is None or result.confirmed is None:
        return tree.best
    wanted = (result.winner or result.best.id) if result.improved else tree.root.candidate.id
    return next((node for node in tree if node.candidate.id == wanted), tree.root)


class RoundStart(Frozen):
    """Number of nodes and spending of a search at the beginning of a round."""

    nodes: int
    spent: Spent


@dataclass(frozen=True)
class Recorded:
    """A run as recorded, finished or not: its settings, task, tree, rounds and result."""

    info: RunInfo
    settings: SearchSettings
    task: Task
    tree: Tree
    rounds: tuple[RoundStart, ...]
    result: Result | None

    @property
    def spent(self) -> Spent:
        return self.rounds[-1].spent if self.rounds else Spent()


@dataclass(frozen=True)
class History:
    """Keeps the tree and the rounds of a replayed search."""

    trees: list[Tree] = field(default_factory=list)
    rounds: list[RoundStart] = field(default_factory=list)

    def __call__(self, tree: Tree, spent: Spent) -> None:
        self.trees[:] = [tree]
        self.rounds.append(RoundStart(nodes=len(tree), spent=spent))


def recorded_tree(store: Store, run_id: str) -> Tree:
    """The tree as far as the journal has it."""
    return recorded_run(store, run_id).tree


def recorded_run(store: Store, run_id: str, asked: Callable[[Observation], None] = lambda _: None) -> Recorded:
    """The run as far as the journal has it: the search again, with recorded answers only.

    `asked` is called with each question that was put to the policy.
    """
    info = store.info(run_id)
    settings, task = settings_and_task(store, info.id)
    history = History()
    parts = replace(recorded_parts(store.open(info.id).read_only(), settings, history), asked=asked)
    try:
        asyncio.run(search(task, strategy_of(settings), parts, budget=settings.budget, seed=settings.seed))
    except NotRecorded:
        pass
    except ValidationError as error:
        raise Corrupt(
            f"run {info.id}: the journal ({store.place}) holds an answer that is none ({error.title}). Put back a copy "
            "of that file, or start the run anew; other runs are not affected."
        ) from None
    unknown = Outcome(candidate=task.baseline_candidate.id, task=task.hash, status=Status.OK)
    tree = history.trees[0] if history.trees else Tree(task, unknown)
    return Recorded(info, settings, task, tree, tuple(history.rounds), finished(store, info.id))


Watching = Callable[[Tree, Spent], None]


def recorded_parts(journal: Journal, settings: SearchSettings, watch: Watching) -> Parts:
    """Parts that have the journal's answers and no others: where it has none, the search ends with NotRecorded."""

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        _stop(observation, n, seed)

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        _stop(task, candidates, mode, seed)

    async def critic(tree: Tree, node: Node) -> Critique:
        _stop(tree, node)

    async def profile(task: Task, candidate: Candidate) -> tuple[Fact, ...]:
        _stop(task, candidate)

    async def further(task: Task, candidate: Candidate, pairs: int) -> Outcome:
        _stop(task, candidate, pairs)

    async def verify(task: Task, candidate: Candidate) -> Outcome:
        _stop(task, candidate)

    async def value(tree: Tree, nodes: list[Node]) -> Scored:
        _stop(tree, nodes)

    async def screen(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
        _stop(tree, node, proposals)

    brought = settings.policy == SESSION
    return Parts(
        policy=policy,
        evaluate=evaluate,
        journal=journal,
        critic=None if brought or settings.critic == "none" else critic,
        profile=None if brought else profile,
        further=None if brought else further,
        value=value,
        screen=screen,
        verify=verify,
        watch=watch,
    )


def _stop(*_: object) -> NoReturn:
    raise NotRecorded
