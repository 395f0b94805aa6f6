"""What differs between kinds of tasks: how a candidate is built, tested, put beside the baseline and profiled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from maxcode.core import Candidate, Fact, InputError, Language, Measurement, Mode, Status
from maxcode.evaluate import rules
from maxcode.evaluate.build import Builder, Built, Variant
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.pairs import Pairs
from maxcode.evaluate.sandbox import Sandbox
from maxcode.task.model import Task


@dataclass
class Tally:
    """Tests passed so far, and how many there are once that is known."""

    passed: int = 0
    total: int | None = None


@dataclass(frozen=True)
class Equipment:
    """What a worker has to judge with."""

    slot: int
    sandboxes: tuple[Sandbox, Sandbox]
    builder: Builder
    cpus: tuple[int, ...]
    scratch: Path
    noise_is_known: Callable[[Task], bool]


class Judge(Protocol):
    """One kind of task. Every method raises Failure where the candidate is at fault, InputError where the task is."""

    waits: bool
    """Whether `reserve` may wait for other evaluations."""

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None: ...
    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built: ...
    def baseline(self, task: Task) -> Built: ...
    def reserve(self, task: Task) -> None:
        """Takes what several workers share, such as a GPU, until `release`."""
        ...

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None: ...
    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:
        """Whether the tests could be run under sanitizers at all."""
        ...

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs: ...
    def count(self, task: Task, candidate: Candidate, seed: int) -> Measurement | None:
        """What a task is measured by that counts something; None where it is timed."""
        ...

    def least_seconds(self, task: Task, mode: Mode) -> float:
        """How long a candidate that looks faster is sampled at least."""
        ...

    def threads(self, task: Task) -> int:
        """Of the timed program: with more than one the wall clock counts, and there are no duets."""
        ...

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement: ...
    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]: ...
    def release(self) -> None:
        """After an evaluation, however it ended: nothing is held that others wait for."""
        ...

    def close(self) -> None:
        """Ends processes that serve several evaluations."""
        ...


def compiled(builder: Builder, task: Task, candidate: Candidate, variant: Variant = "plain") -> Built:
    """A candidate's program; Failure when there is none, or when it links to what it may not."""
    built = builder.build(task, candidate, variant)
    if built.program is None:
        raise Failure(Status.BUILD_ERROR, built.error or "does not build")
    if variant == "plain" and task.language is not Language.PYTHON:
        broken = rules.check_symbols(task, built.program.read_bytes())
        if broken:
            raise Failure(Status.REJECTED, broken)
    return built


def trusted(builder: Builder, task: Task, candidate: Candidate) -> Built:
    """A program that comes with the task."""
    built = builder.build(task, candidate)
    if built.program is None:
        raise InputError(f"{task.folder}: {', '.join(candidate.files)} does not build:\n{built.error}")
    return built


def under_sanitizers(failure: Failure) -> Failure:
    return Failure(failure.status, f"under sanitizers: {failure.reason}", failure.mismatch)
