"""Outcomes kept by content, so that no program is evaluated twice. `confirm` never reads them."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from maxcode.core import Candidate, Outcome, Status, content_hash
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.sandbox.protections import protections
from maxcode.evaluate.stages import EVALUATOR_VERSION, Request
from maxcode.evaluate.toolchain import toolchain
from maxcode.system.home import cache_folder, write_atomically
from maxcode.task.model import Task


def outcome_key(task: Task, candidate: Candidate, request: Request) -> str:
    """Key of an outcome: exact bytes, task, toolchain, machine class, evaluator version, and what was asked for."""
    limit = "" if request.seconds is None else f" {request.seconds}"
    asked = f"{request.sanitize} {request.profile} {request.measure} {protections()}{limit}"
    tools = toolchain().id + task.kind.environment(task)
    return content_hash(candidate.id, task.hash, tools, machine_class(), EVALUATOR_VERSION, asked)


def read_outcome(key: str) -> Outcome | None:
    try:
        stored = Outcome.model_validate_json(_file(key).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
    if clocks_disagree(stored):
        return None
    return stored.model_copy(update={"cached": True})


def keep_outcome(key: str, outcome: Outcome) -> None:
    if not clocks_disagree(outcome):
        write_atomically(_file(key), outcome.model_dump_json().encode())


def clocks_disagree(outcome: Outcome) -> bool:
    """True if a candidate was rejected for its clock. Such an outcome is not kept, since a second look may differ.

    Over a short timing, forged clocks disagree, but on a loaded machine honest ones do too. Programs that replace
    clocks or forge replies are rejected for that, on surer grounds.
    """
    return outcome.status is Status.REJECTED and "tampers with the clock" in (outcome.reason or "")


def _file(key: str) -> Path:
    return cache_folder("outcomes") / key[:2] / f"{key}.json"
