"""Prompts of recorded runs: those that the policy was asked, to the letter."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from maxcode.config import ModelSettings
from maxcode.core import Candidate, InputError, Outcome, Proposal
from maxcode.optimize.prompts import prompt_of
from maxcode.optimize.run import SearchSettings, strategy_of
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.observe.render import CHANGING, Message, Prompts, render
from maxcode.search.tree import Tree
from maxcode.store.journal import Store
from maxcode.task import Task
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK, dawdling, instant_parts, instant_policy, outcome_of

USUAL = ModelSettings()


@pytest.fixture
def store() -> Iterator[Store]:
    with Store("sqlite://") as opened:
        yield opened


def recorded(store: Store, **changes: object) -> tuple[str, Tree, dict[int, list[Message]]]:
    """A run, its tree, and the prompts by the number of the program that answered them."""
    given = {"task": str(SMALL_TASK), "policy": "rewrite", "budget": Budget(evals=30), **changes}
    settings = SearchSettings.model_validate(given)
    journal = store.start(TASK.name, settings.model_dump(mode="json"))
    asked: dict[int, list[Message]] = {}

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        messages = render(observation, Prompts())
        asked.update((observation.program + i, messages) for i in range(n))
        return await instant_policy(observation, n, seed)

    async def verify(task: Task, candidate: Candidate) -> Outcome:
        del task
        return outcome_of(candidate).model_copy(update={"measurement": None})

    parts = replace(instant_parts(journal), policy=policy, verify=verify)
    parts = dawdling(parts, 1) if settings.ahead else parts
    tree = asyncio.run(search(TASK, strategy_of(settings), parts, budget=settings.budget, seed=0)).tree
    return journal.run, tree, asked


@pytest.mark.parametrize("ahead", [0, 3])
@pytest.mark.parametrize("name", ["cuda-llm+maxcode", "mcts", "effi-learner+maxcode"])
def test_the_prompt_of_a_node_is_the_one_that_it_answered(store: Store, name: str, ahead: int) -> None:
    run, tree, asked = recorded(store, strategy=name, ahead=ahead, budget=Budget(evals=12))
    for node in tree.nodes[1:]:
        assert node.program is not None
        assert prompt_of(store, run, node.id, "answered", Prompts(), USUAL) == asked[node.program], node.id


def test_the_next_prompt_begins_as_all_of_the_run(store: Store) -> None:
    run, _, asked = recorded(store, budget=Budget(evals=9))
    (_, user) = prompt_of(store, run, 9, "next", Prompts(), USUAL)
    assert user["content"].partition(CHANGING)[0] == asked[0][1]["content"].partition(CHANGING)[0]
    assert "(#9)" in user["content"]


def test_a_critic_s_prompt_asks_for_diagnoses(store: Store) -> None:
    run, _, _ = recorded(store, budget=Budget(evals=9))
    (system, _) = prompt_of(store, run, 3, "critic", Prompts(), USUAL)
    assert "diagnoses" in system["content"]


def test_a_node_that_is_not_there_and_the_original_are_refused(store: Store) -> None:
    run, _, _ = recorded(store, budget=Budget(evals=9))
    with pytest.raises(InputError, match="has no node 99; its nodes are 0 to 9"):
        prompt_of(store, run, 99, "answered", Prompts(), USUAL)
    with pytest.raises(InputError, match="node 0 is the original, which answers nothing; use --next"):
        prompt_of(store, run, 0, "answered", Prompts(), USUAL)
