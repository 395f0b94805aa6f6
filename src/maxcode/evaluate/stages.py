"""One candidate from text to outcome: rules, build, verify, measure; stops at the first failure and says where.

Plain synchronous code: it runs inside a worker process (worker.py), one evaluation at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path

from maxcode import __version__
from maxcode.core import (
    Candidate,
    Fact,
    Frozen,
    InputError,
    Measurement,
    Mode,
    Noise,
    Outcome,
    Stage,
    StageName,
    Status,
    Verification,
    content_hash,
)
from maxcode.evaluate.build import Builder, Built
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.judge import Equipment, Judge, Tally
from maxcode.evaluate.machine import machine_class, reserved, usable_cpus
from maxcode.evaluate.measure.sampling import measure, measure_noise
from maxcode.evaluate.sandbox.sandbox import Sandbox
from maxcode.evaluate.toolchain import toolchain
from maxcode.system.home import cache_folder, write_atomically
from maxcode.task.kind import Kind
from maxcode.task.model import Task

EVALUATOR_VERSION = f"{__version__}/18"
"""Version of the evaluator, part of every cache key. It changes whenever a verdict could."""

NOISE_LASTS = 24 * 3600.0
"""Seconds for which a noise floor is believed."""


class Request(Frozen):
    """One evaluation to make."""

    candidate: Candidate
    mode: Mode = Mode.SEARCH
    seed: int
    sanitize: bool = False
    profile: bool = False
    measure: bool = True
    pairs: int | None = None
    """Number of exclusive pairs by which a program that was found correct is measured further; None: it is judged."""
    seconds: float | None = None
    """Most seconds of sampling; None is no limit."""

    @property
    def keepable(self) -> bool:
        """True if an outcome may be kept for others who ask the same: not one that has to be fresh."""
        return self.mode is Mode.SEARCH and self.pairs is None


@dataclass
class _Progress:
    """Results so far about a candidate."""

    stages: list[Stage] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    sanitized: bool = False
    """True if the tests ran under sanitizers. False if nobody asked for it, or if they did not get that far."""
    facts: tuple[Fact, ...] = ()
    measurement: Measurement | None = None


class Stages:
    """Evaluates candidates in two sandbox lanes on given CPUs."""

    def __init__(self, slot: int, cpus: tuple[int, ...], scratch: Path) -> None:
        self._sandboxes = (Sandbox(slot, "a"), Sandbox(slot, "b"))
        self._cpus = cpus
        builder = Builder(self._sandboxes[0], cpus[:1])
        self._equipment = Equipment(slot, self._sandboxes, builder, cpus, scratch, self._noise_is_known)
        self._judges: dict[Kind, Judge] = {}
        """Judges by kind, each made when the first task of its kind is judged."""

    def close(self) -> None:
        for judge in self._judges.values():
            judge.close()
        for sandbox in self._sandboxes:
            sandbox.close()

    def evaluate(self, task: Task, request: Request) -> Outcome:
        """The outcome of one candidate. InputError or EvaluatorError when the task or the machine is at fault."""
        if task.limits.cpus > len(self._cpus):
            raise InputError(
                f"{task.folder}: limits.cpus is {task.limits.cpus}, but only {len(self._cpus)} are free here"
            )
        progress = _Progress()
        try:
            self._stages(task, request, progress)
        except Failure as failure:
            return self._outcome(task, request, progress, failure)
        finally:
            self._judge(task).release()
        return self._outcome(task, request, progress, None)

    def noise(self, task: Task, seed: int) -> Noise:
        """A/A noise of the task's baseline on this machine: measured once, then kept for a day."""
        try:
            return self._noise(task, seed)
        finally:
            self._judge(task).release()

    def _noise_file(self, task: Task) -> Path:
        key = content_hash(
            task.hash, machine_class(), task.kind.device(task), toolchain().id, EVALUATOR_VERSION, str(len(self._cpus))
        )
        return cache_folder("noise") / f"{key}.json"

    def _noise_is_known(self, task: Task) -> bool:
        file = self._noise_file(task)
        return file.exists() and time.time() - file.stat().st_mtime <= NOISE_LASTS

    def _noise(self, task: Task, seed: int) -> Noise:
        file = self._noise_file(task)
        if not self._noise_is_known(task):
            judge = self._judge(task)
            built = judge.baseline(task)
            with closing(judge.pairs(task, built, replace(built), seed, Mode.SEARCH)) as pairs:
                found = measure_noise(pairs, cpus=self._cpus, threads=judge.threads(task))
            write_atomically(file, found.model_dump_json().encode())
        return Noise.model_validate_json(file.read_bytes())

    def _stages(self, task: Task, request: Request, progress: _Progress) -> None:
        candidate, judge = request.candidate, self._judge(task)
        with _timed(progress, "rules"):
            broken = judge.broken_rule(task, candidate)
            if broken:
                raise Failure(Status.REJECTED, broken)
        with _timed(progress, "build"):
            built = judge.build(task, candidate, request.mode)
        if judge.waits:
            with _timed(progress, "wait"):
                judge.reserve(task)
        if request.pairs is None:
            with _timed(progress, "verify"):
                judge.verify(task, built, request.seed, progress.tally, timed=request.measure)  # timed runs are tests
        if request.sanitize:
            with _timed(progress, "sanitize"):
                progress.sanitized = True  # what fails from here on fails under sanitizers
                progress.sanitized = judge.sanitize(task, candidate, request.seed)
        if request.measure:
            if task.objective.metric != "instructions" and not self._noise_is_known(task):
                with _timed(progress, "noise"):
                    self._noise(task, request.seed)
            with _timed(progress, "measure"):
                progress.measurement = self._measure(task, built, request)
        if request.profile:
            with _timed(progress, "profile"):
                progress.facts = judge.profile(task, candidate, request.seed)

    def _judge(self, task: Task) -> Judge:
        if task.kind not in self._judges:
            self._judges[task.kind] = task.kind.judge(self._equipment)
        return self._judges[task.kind]

    def _measure(self, task: Task, built: Built, request: Request) -> Measurement:
        judge = self._judge(task)
        baseline = judge.baseline(task)
        counted = judge.count(task, request.candidate, request.seed)
        if counted is not None:
            return counted
        noise = self._noise(task, request.seed)
        beside = tuple(usable_cpus()) if request.mode is Mode.CONFIRM else self._cpus
        pairs = judge.pairs(task, baseline, built, request.seed, request.mode)
        with reserved(beside), closing(pairs):
            found = measure(
                pairs,
                mode=request.mode,
                further=request.pairs,
                noise=noise,
                cpus=self._cpus,
                threads=judge.threads(task),
                seconds=judge.least_seconds(task, request.mode),
                most_seconds=inf if request.seconds is None else request.seconds,
            )
        return judge.annotate(task, found, request.mode)

    def _outcome(self, task: Task, request: Request, progress: _Progress, failure: Failure | None) -> Outcome:
        verification = None
        passed, total = progress.tally.passed, progress.tally.total
        if total is not None:
            verification = Verification(
                passed=passed if failure else total, total=total, mismatch=failure.mismatch if failure else None
            )
        return Outcome(
            candidate=request.candidate.id,
            task=task.hash,
            status=failure.status if failure else Status.OK,
            reason=failure.reason if failure else None,
            verification=verification,
            measurement=progress.measurement,
            facts=progress.facts,
            stages=tuple(progress.stages),
            mode=request.mode.value,
            sanitized=progress.sanitized,
            protections=str(self._sandboxes[0].protections),
            evaluator=EVALUATOR_VERSION,
        )


@contextmanager
def _timed(progress: _Progress, name: StageName) -> Iterator[None]:
    start = time.monotonic()
    try:
        yield
    finally:
        progress.stages.append(Stage(name=name, seconds=round(time.monotonic() - start, 4)))
