"""Runs on record for reports: by instant parts, with whatever text a test wants in them."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from maxcode.core import Candidate, Critique, Diagnosis, Mode, Outcome, Status
from maxcode.optimize.run import Result, SearchSettings, strategy_of
from maxcode.search.budget import Budget
from maxcode.search.loop import search
from maxcode.search.parts import Parts
from maxcode.search.tree import Node, Tree
from maxcode.search.values import novelty
from maxcode.store.journal import Store
from maxcode.task import Task
from tests.conftest import SMALL_TASK
from tests.search.fakes import TASK, constant_policy, instant_parts, outcome, outcome_of, program

HOSTILE = (
    "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 1'>`\u2028<!-- ${window.broken = 1}"
)


def record(parts: Parts | None = None, *, finish: bool = True, **changes: object) -> str:
    """A search on record as `maxcode optimize` leaves it; its end is that of the best program of its tree."""
    given = {"task": str(SMALL_TASK), "policy": "scripted:x", "budget": Budget(evals=30), **changes}
    settings = SearchSettings.model_validate(given)
    with Store() as store:
        journal = store.start(TASK.name, settings.model_dump(mode="json"))
        journal.note("session.opened", {})
        used = replace(parts or instant_parts(), journal=journal, screen=novelty)
        found = asyncio.run(search(TASK, strategy_of(settings), used, budget=settings.budget, seed=settings.seed))
        tree = found.tree
        if finish:
            best = tree.best
            confirmed = best.outcome.model_copy(update={"mode": "confirm"})
            journal.store.append(journal.run, "confirm.answered", best.candidate.id, confirmed.model_dump(mode="json"))
            result = Result(
                run=journal.run, best=best.candidate, confirmed=confirmed, spent=found.spent, nodes=len(tree), depth=1
            )
            journal.note("finished", result.model_dump(mode="json"))
    return journal.run


def recorded(*parts: Parts, **changes: Any) -> str:
    """In a thread of its own: a browser's event loop may run in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(record, *parts, **changes).result()


def hostile_parts() -> Parts:
    """All that others write tries to break out of the page: code, critiques and reasons."""
    answers = [f"```cpp\n{program(says, HOSTILE)}```" for says in ("speed 2.0", "wrong", "speed 3.0", "broken")]

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del task, mode, seed
        found = [outcome_of(candidate) for candidate in candidates]
        return [each if each.status is Status.OK else outcome(each.status, reason=HOSTILE) for each in found]

    async def critic(tree: Tree, node: Node) -> Critique:
        del tree, node
        claim = Diagnosis(kind="bottleneck", what=HOSTILE, evidence=HOSTILE, advice=HOSTILE)
        return Critique(text=HOSTILE, diagnoses=(claim,), source=HOSTILE)

    return replace(instant_parts(critic=critic), policy=constant_policy(*answers), evaluate=evaluate)
