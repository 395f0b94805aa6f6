"""`target`: the faster program that came with a task; for suites of pairs, to see what a machine can tell."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Proposal
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Policy
from maxcode.task.model import Task


def target_of(task: Task) -> Path:
    """Path of the program that is known to be faster. The file exists only in tasks that have one."""
    return task.folder / f"target{Path(task.main_file).suffix}"


def target_policy() -> Policy:
    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:  # noqa: ARG001 - always the same
        return [_answer(observation.task)] * n

    return propose


def _answer(task: Task) -> Proposal:
    path = target_of(task)
    if not path.is_file():
        return Proposal(text="", problem=f"{path.name} is not there: no faster program came with the task")
    text = task.read(path.name)
    return Proposal(text=text, candidate=task.candidate(text, origin="target"), model="target")
