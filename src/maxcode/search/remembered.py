"""What the search asks its parts for, by way of the journal, so that nothing on record is asked for again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from maxcode.core import Candidate, Frozen, Mode, Outcome
from maxcode.search.parts import Parts
from maxcode.store.journal import Journal
from maxcode.task.model import Task

_Record = TypeVar("_Record", bound=Frozen)


async def remembered(
    journal: Journal, kind: str, key: str, record: type[_Record], work: Callable[[], Awaitable[_Record]]
) -> _Record:
    """Returns the answer in the journal; without one, runs `work` and writes its answer to the journal."""
    return record.model_validate(await journal.remembered(kind, key, work))


async def evaluated(
    task: Task, parts: Parts, candidate: Candidate, failed: Callable[[], Awaitable[Outcome | None]] | None = None
) -> Outcome:
    """Outcome of a candidate, from the journal or from the evaluator. `failed` is asked before it is timed."""

    async def ask() -> Outcome:
        if failed is not None and (known := await failed()) is not None:
            return known
        (outcome,) = await parts.evaluate(task, [candidate], mode=Mode.SEARCH)
        return outcome

    return await remembered(parts.journal, "evaluate", candidate.id, Outcome, ask)
