"""Protocol of judges: how a kind of task builds, tests, pairs with the baseline and profiles candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from maxcode.core import Candidate, Fact, InputError, Language, Measurement, Mode, Status
from maxcode.evaluate import rules
from maxcode.evaluate.build import Builder, Built, Variant
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.measure.pairs import Pairs
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.task.model import Task


@dataclass
class Tally:
    """Tests passed so far, and how many there are once that is known."""

    passed: int = 0
    total: int | None = None


@dataclass(frozen=True)
class Equipment:
    """Equipment of a worker that judges are made with."""

    slot: int
    sandboxes: tuple[Sandbox, Sandbox]
    builder: Builder
    cpus: tuple[int, ...]
    scratch: Path
    noise_is_known: Callable[[Task], bool]


class Judge(Protocol):
    """Judge of one kind of task.

    Every method raises Failure where the candidate is at fault, InputError where the task is.
    """

    waits: bool
    """True if `reserve` may wait for other evaluations."""

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None: ...
    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built: ...
    def baseline(self, task: Task) -> Built: ...
    def reserve(self, task: Task) -> None:
        """Takes what several workers share, such as a GPU, until `release`."""
        ...

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None: ...
    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:
        """Runs the tests under sanitizers; False where they cannot be run under them at all."""
        ...

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs: ...
    def count(self, task: Task, candidate: Candidate, seed: int) -> Measurement | None:
        """Measurement of a task that counts something, such as instructions; None where it is timed."""
        ...

    def least_seconds(self, task: Task, mode: Mode) -> float:
        """Least seconds for which a candidate that looks faster is sampled."""
        ...

    def threads(self, task: Task) -> int:
        """Number of threads of the timed program. With more than one the wall clock counts, and there are no duets."""
        ...

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement: ...
    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]: ...
    def release(self) -> None:
        """Gives back what `reserve` took. Called after every evaluation, however it ended."""
        ...

    def close(self) -> None:
        """Ends processes that serve several evaluations."""
        ...


def compiled(builder: Builder, task: Task, candidate: Candidate, variant: Variant = "plain") -> Built:
    """Builds a candidate's program. Failure when it does not build, or when it links to what it may not."""
    built = builder.build(task, candidate, variant)
    if built.program is None:
        raise Failure(Status.BUILD_ERROR, built.error or "does not build")
    if variant == "plain" and task.language is not Language.PYTHON:
        broken = rules.check_symbols(task, built.program.read_bytes())
        if broken:
            raise Failure(Status.REJECTED, broken)
    return built


def trusted(builder: Builder, task: Task, candidate: Candidate) -> Built:
    """Builds a program that comes with the task."""
    built = builder.build(task, candidate)
    if built.program is None:
        raise InputError(f"{task.folder}: {', '.join(candidate.files)} does not build:\n{built.error}")
    return built


def under_sanitizers(failure: Failure) -> Failure:
    return Failure(failure.status, f"under sanitizers: {failure.reason}", failure.mismatch)
