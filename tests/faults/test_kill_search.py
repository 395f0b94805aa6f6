"""A search killed at any moment and resumed ends in the tree of a search that was left alone."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import Candidate, Critique, Fact, Mode, Outcome, Proposal
from maxcode.critic.rules import rule_critic
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Parts, Policy, batches
from maxcode.search.strategies import strategy
from maxcode.search.tree import Node, Tree
from maxcode.store.journal import Journal, Store
from maxcode.task import Task
from tests.search.fakes import TASK, dawdling, instant_evaluator, instant_parts, instant_policy, instant_profile, shape

pytestmark = pytest.mark.long
EVALS = 40
KILLS = 50
Place = tuple[str, str]


def run(name: str, journal: Journal, parts: Parts | None = None, ahead: int = 0) -> Tree:
    chosen = dawdling(parts or instant_parts(journal), 5)
    if ahead:
        chosen = replace(chosen, policy=one_by_one(chosen.policy), verify=verified)
    method = replace(strategy(name), ahead=ahead)
    return asyncio.run(search(TASK, method, chosen, budget=Budget(evals=EVALS), seed=2)).tree


def one_by_one(policy: Policy) -> Policy:
    """The policy, with each answer some time after the one before."""

    async def propose(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        async for batch in batches(policy, observation, n, seed):
            for answer in batch:
                await asyncio.sleep(0)
                yield answer

    return propose


async def verified(task: Task, candidate: Candidate) -> Outcome:
    (found,) = await instant_evaluator(task, [candidate])
    return found.model_copy(update={"measurement": None})


def die_in(url: str, run_id: str, name: str, moment: int, before: bool, ahead: int = 0) -> None:
    """Runs a search in a child that kills itself at the given write, before or after it is on disk."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), f"the child ended by itself: {status}"
        return
    done = [0]

    def dying(write: Callable[..., Any]) -> Callable[..., Any]:
        def written(*args: Any) -> Any:
            done[0] += 1
            if done[0] == moment and before:
                os.kill(os.getpid(), signal.SIGKILL)
            found = write(*args)
            if done[0] == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            return found

        return written

    try:
        for name_of_write in ("append", "answer"):
            setattr(Store, name_of_write, dying(getattr(Store, name_of_write)))
        run(name, Store(url).open(run_id), ahead=ahead)
    finally:
        os._exit(3)


def places(store: Store, run_id: str, stage: str) -> Counter[Place]:
    """How often each question was asked, or answered."""
    split = [(*event.kind.rsplit(".", 1), event.key) for event in store.read(run_id)]
    return Counter((kind, key) for kind, found, key in split if found == stage)


class Counting:
    """Parts that count what they are asked."""

    def __init__(self, journal: Journal) -> None:
        self.calls: Counter[str] = Counter()
        plain = instant_parts(journal)
        self.parts = replace(
            plain, policy=self._policy, evaluate=self._evaluate, critic=self._critic, profile=self._profile
        )

    async def _policy(self, observation: Observation, n: int, seed: int) -> list[Proposal]:
        self.calls["policy"] += 1
        return await instant_policy(observation, n, seed)

    async def _evaluate(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        self.calls["evaluate"] += len(candidates)
        return await instant_evaluator(task, candidates, mode=mode, seed=seed)

    async def _critic(self, tree: Tree, node: Node) -> Critique:
        self.calls["critic"] += 1
        return await rule_critic(tree, node)

    async def _profile(self, task: Task, candidate: Candidate) -> tuple[Fact, ...]:
        self.calls["profile"] += 1
        return await instant_profile(task, candidate)


def by_kind(found: Counter[Place]) -> Counter[str]:
    """Calls by kind; the loop's own clock is no call."""
    return Counter(kind for kind, _ in found if kind != "clock")


@pytest.mark.parametrize("name", ["cuda-llm+maxcode", "mcts+maxcode"])
def test_a_killed_search_goes_on_as_if_nothing_had_happened(name: str, tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path / 'calm.db'}") as store:
        journal = store.start("total", {})
        calm = shape(run(name, journal))
        needed = places(store, journal.run, "answered")
        writes = len(list(store.read(journal.run)))
    assert len(calm) == EVALS + 1
    rng = random.Random(f"kills of {name}")
    moments = [1, writes, *rng.sample(range(2, writes), min(KILLS // 2 - 2, writes - 2))]
    assert len(moments) >= 20
    in_flight_ever = 0
    for number, moment in enumerate(moments):
        url = f"sqlite:///{tmp_path / f'{number}.db'}"
        with Store(url) as store:
            run_id = store.start("total", {}).run
        die_in(url, run_id, name, moment, before=rng.random() < 0.5)
        with Store(url) as store:
            asked, answered = places(store, run_id, "asked"), places(store, run_id, "answered")
            in_flight = asked - answered
            in_flight_ever += len(in_flight)
            journal = store.open(run_id)
            counting = Counting(journal)
            assert shape(run(name, journal, counting.parts)) == calm
            assert counting.calls == by_kind(needed) - by_kind(answered), "only what was not on record"
            assert places(store, run_id, "answered") == needed
            assert places(store, run_id, "asked") == needed + in_flight
            assert set(journal.asked_again()) == set(in_flight)
    assert in_flight_ever > len(moments), "several calls at once are in flight when it dies"


def test_a_search_killed_again_and_again_ends_in_the_same_tree(tmp_path: Path) -> None:
    name, url = "cuda-llm+maxcode", f"sqlite:///{tmp_path / 'journal.db'}"
    with Store(f"sqlite:///{tmp_path / 'calm.db'}") as store:
        calm = shape(run(name, store.start("total", {})))
    with Store(url) as store:
        run_id = store.start("total", {}).run
    for _ in range(6):
        die_in(url, run_id, name, 12, before=False)
    with Store(url) as store:
        assert shape(run(name, store.open(run_id))) == calm
        assert max(places(store, run_id, "answered").values()) == 1


def order_of_use(store: Store, run_id: str) -> list[tuple[int, ...]]:
    """Programs that each selection knew of, in order, as far as it is on record."""
    return [tuple(event.payload["programs"]) for event in store.read(run_id, "clock.answered")]


def assert_goes_on(url: str, name: str, moment: int, before: bool, ahead: int) -> None:
    """A search killed at a write and resumed loses nothing, asks for nothing twice, and keeps the tree it had."""
    with Store(url) as store:
        run_id = store.start("total", {}).run
    die_in(url, run_id, name, moment, before, ahead)
    with Store(url) as store:
        asked, answered = places(store, run_id, "asked"), places(store, run_id, "answered")
        recorded, used = dict(store.open(run_id)._answers), order_of_use(store, run_id)
        journal = store.open(run_id)
        counting = Counting(journal)
        tree = run(name, journal, counting.parts, ahead)
        assert len(tree) == EVALS + 1
        assert order_of_use(store, run_id)[: len(used)] == used, "each selection knew what it had known"
        assert {place: journal._answers[place] for place in recorded} == recorded
        assert max(places(store, run_id, "answered").values()) == 1
        assert set(journal.asked_again()) == set(asked - answered), "only what was under way is asked for again"
        programs = [each.candidate.id for each in tree if each.candidate.files]
        assert counting.calls["evaluate"] == len(set(programs) - {key for kind, key in answered if kind == "evaluate"})
        assert shape(run(name, store.open(run_id).read_only(), ahead=ahead)) == shape(tree), "the same tree once more"


KILLED = ["cuda-llm+maxcode", "mcts+maxcode"]


def moments_of(name: str, ahead: int, kills: int, folder: Path) -> list[tuple[int, bool]]:
    """Writes of a search that is left alone, at which others are killed; the first and the last among them."""
    with Store(f"sqlite:///{folder / 'calm.db'}") as store:
        journal = store.start("total", {})
        run(name, journal, ahead=ahead)
        writes = len(list(store.read(journal.run)))
    rng = random.Random(f"kills of {name}")
    drawn = [1, writes - 8, *rng.sample(range(2, writes - 8), kills - 2)]
    return [(moment, rng.random() < 0.5) for moment in drawn]


@pytest.mark.parametrize("name", KILLED)
def test_a_killed_search_that_asked_ahead_goes_on_from_what_it_knew(name: str, tmp_path: Path) -> None:
    for number, (moment, before) in enumerate(moments_of(name, 6, 6, tmp_path)):
        assert_goes_on(f"sqlite:///{tmp_path / f'{number}.db'}", name, moment, before, ahead=6)


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_a_search_that_asked_ahead_may_be_killed_at_fifty_moments(name: str, tmp_path: Path) -> None:
    for number, (moment, before) in enumerate(moments_of(name, 6, 50, tmp_path)):
        assert_goes_on(f"sqlite:///{tmp_path / f'{number}.db'}", name, moment, before, ahead=6)
