"""What all engines do alike: candidates become requests, equal ones are judged once, and known outcomes are read."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from functools import cache
from typing import TypedDict, Unpack

from maxcode.core import Candidate, Mode, Outcome
from maxcode.evaluate.outcomes import keep_outcome, read_outcome
from maxcode.evaluate.stages import Request
from maxcode.system.home import home, write_atomically
from maxcode.task.model import Task


class Asked(TypedDict, total=False):
    """Options of a question about candidates."""

    mode: Mode
    seed: int | None
    """Seed of the test data; that of the mode when absent."""
    sanitize: bool
    profile: bool
    measure: bool
    pairs: int | None
    """Number of pairs by which correct programs are measured further."""
    seconds: float | None
    """Most seconds of sampling for each."""


@cache
def machine_seed() -> int:
    """Secret seed of the test data of searches on this machine; `confirm` uses fresh ones."""
    file = home() / "secret-seed"
    if not file.exists():
        write_atomically(file, str(secrets.randbits(62)).encode(), 0o600)
    return int(file.read_text())


def noise_request(task: Task) -> Request:
    return Request(candidate=task.baseline_candidate, seed=machine_seed())


async def judge_each(
    candidates: list[Candidate], judge: Callable[[Request], Awaitable[Outcome]], **asked: Unpack[Asked]
) -> list[Outcome]:
    """Outcomes in the order of the candidates; or the first error, once all have ended. Equal ones are judged once."""
    if asked.get("seed") is None:
        asked["seed"] = secrets.randbits(62) if asked.get("mode") is Mode.CONFIRM else machine_seed()
    unique = {each.id: Request.model_validate({"candidate": each, **asked}) for each in candidates}
    outcomes = {}
    found = await asyncio.gather(*map(judge, unique.values()), return_exceptions=True)
    for each, result in zip(unique, found, strict=True):
        if isinstance(result, BaseException):
            raise result
        outcomes[each] = result
    return [outcomes[each.id] for each in candidates]


async def kept_outcome(key: str | None, judge: Callable[[], Awaitable[tuple[Outcome, bool]]]) -> Outcome:
    """The outcome that is kept under the key, or that of `judge`, which also says whether there is doubt about it.

    Without a key nothing is read or kept; doubtful outcomes are not kept.
    """
    if key is not None and (known := read_outcome(key)) is not None:
        return known
    outcome, doubtful = await judge()
    if key is not None and not doubtful:
        keep_outcome(key, outcome)
    return outcome
