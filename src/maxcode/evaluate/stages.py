"""One candidate from text to outcome: rules, build, verify, measure; stops at the first failure and says where.

Plain synchronous code: it runs inside a worker process (worker.py), one evaluation at a time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

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
    Sample,
    Stage,
    Status,
    Verdict,
    Verification,
    content_hash,
)
from maxcode.evaluate import rules
from maxcode.evaluate.build import Builder, Built, Variant
from maxcode.evaluate.cases import Case, CaseMaker, Programs
from maxcode.evaluate.counting import count_instructions
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.kernel import Lane, References, verify_kernel
from maxcode.evaluate.machine import machine_class, reserved, usable_cpus
from maxcode.evaluate.measure import measure, measure_noise
from maxcode.evaluate.pairs import KernelPairs, Pairs, ProgramPairs, check_output
from maxcode.evaluate.profile import profile_kernel, profile_program
from maxcode.evaluate.sandbox import SANITIZER_ENVIRONMENT, Sandbox
from maxcode.evaluate.toolchain import toolchain
from maxcode.home import cache_folder, write_atomically
from maxcode.task.expression import evaluate
from maxcode.task.model import Task

EVALUATOR_VERSION = f"{__version__}/3"
"""Changes whenever a verdict could: part of every cache key."""

NOISE_LASTS = 24 * 3600.0
"""Seconds for which a noise floor is believed."""

StageName = Literal["rules", "build", "verify", "measure", "sanitize", "profile"]


class Request(Frozen):
    """One evaluation to make."""

    candidate: Candidate
    mode: Mode = Mode.SEARCH
    seed: int
    sanitize: bool = False
    profile: bool = False
    measure: bool = True


@dataclass
class _Progress:
    """What is known so far about a candidate."""

    stages: list[Stage] = field(default_factory=list)
    passed: int = 0
    total: int | None = None
    facts: tuple[Fact, ...] = ()
    measurement: Measurement | None = None


class Stages:
    """Evaluates candidates in two sandbox lanes on given CPUs."""

    def __init__(self, slot: int, cpus: tuple[int, ...], scratch: Path) -> None:
        self._sandboxes = (Sandbox(slot, "a"), Sandbox(slot, "b"))
        self._cpus = cpus
        self._builder = Builder(self._sandboxes[0], cpus[:1])
        self._programs = tuple(Programs(sandbox, self._builder, cpus) for sandbox in self._sandboxes)
        self._lanes = tuple(Lane(sandbox, cpus) for sandbox in self._sandboxes)
        self._cases = CaseMaker(self._programs[0], scratch)
        self._references: dict[tuple[str, int], References] = {}

    def close(self) -> None:
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
        return self._outcome(task, request, progress, None)

    def noise(self, task: Task, seed: int) -> Noise:
        """A/A noise of the task's baseline on this machine: measured once, then kept for a day."""
        key = content_hash(task.hash, machine_class(), toolchain().id, EVALUATOR_VERSION, str(len(self._cpus)))
        file = cache_folder("noise") / f"{key}.json"
        if not file.exists() or time.time() - file.stat().st_mtime > NOISE_LASTS:
            built = self._baseline(task)
            with closing(self._pairs(task, built, replace(built), seed)) as pairs:
                found = measure_noise(pairs, cpus=self._cpus, threads=task.limits.cpus)
            write_atomically(file, found.model_dump_json().encode())
        return Noise.model_validate_json(file.read_bytes())

    def _stages(self, task: Task, request: Request, progress: _Progress) -> None:
        candidate = request.candidate
        with _timed(progress, "rules"):
            broken = rules.check_text(task, candidate)
            if broken:
                raise Failure(Status.REJECTED, broken)
        with _timed(progress, "build"):
            built = self._build(task, candidate)
        with _timed(progress, "verify"):
            self._verify(task, built, request, progress)
        if request.sanitize:
            with _timed(progress, "sanitize"):
                self._sanitize(task, candidate, request.seed)
        if request.measure:
            with _timed(progress, "measure"):
                progress.measurement = self._measure(task, built, request)
        if request.profile:
            with _timed(progress, "profile"):
                progress.facts = self._profile(task, candidate, request.seed)

    def _build(self, task: Task, candidate: Candidate, variant: Variant = "plain") -> Built:
        built = self._builder.build(task, candidate, variant)
        if built.program is None:
            raise Failure(Status.BUILD_ERROR, built.error or "does not build")
        if variant == "plain" and task.language != "python":
            broken = rules.check_symbols(task, built.program.read_bytes())
            if broken:
                raise Failure(Status.REJECTED, broken)
        return built

    def _baseline(self, task: Task) -> Built:
        return self._trusted(task, task.baseline_candidate)

    def _trusted(self, task: Task, candidate: Candidate) -> Built:
        built = self._builder.build(task, candidate)
        if built.program is None:
            raise InputError(f"{task.folder}: {', '.join(candidate.files)} does not build:\n{built.error}")
        return built

    def _verify(self, task: Task, built: Built, request: Request, progress: _Progress) -> None:
        assert built.program is not None
        seed, timed = request.seed, int(request.measure)  # timed runs are tests too
        if task.kernel is not None:
            references = self._kernel_references(task, seed)
            progress.total = len(references.verification()) + timed
            try:
                progress.passed = verify_kernel(task, self._lanes[0], built.program, references)
            except Failure as failure:
                progress.passed = failure.passed
                raise
            return
        cases = self._cases.tests(task, seed)
        progress.total = len(cases) + timed * len(task.workloads)
        first: Failure | None = None
        for case in cases:
            try:
                self._run_case(task, built, case)
                progress.passed += 1
            except Failure as failure:
                first = first or failure
                if failure.status is not Status.WRONG:
                    break
        if first:
            raise first

    def _run_case(self, task: Task, built: Built, case: Case) -> None:
        ended = self._programs[0].run(task, built, case.input)
        failure = failure_of(ended, task.limits, case.name, hidden=case.hidden)
        if failure:
            raise failure
        check_output(task, self._programs[0], case, ended.stdout)

    def _kernel_references(self, task: Task, seed: int) -> References:
        key = (task.hash, seed)
        if key not in self._references:
            assert task.kernel is not None
            source = task.baseline_candidate
            if task.kernel.reference:
                source = task.candidate(task.read(task.kernel.reference), origin="reference")
            program = self._trusted(task, source).program
            assert program is not None
            if len(self._references) >= 2:  # datasets are large
                self._references.pop(next(iter(self._references)))
            self._references[key] = References(task, self._lanes[0], program, seed)
        return self._references[key]

    def _measure(self, task: Task, built: Built, request: Request) -> Measurement:
        baseline = self._baseline(task)
        if task.objective.metric == "instructions":
            return self._count(task, request)
        noise = self.noise(task, request.seed)
        beside = tuple(usable_cpus()) if request.mode is Mode.CONFIRM else self._cpus
        with reserved(beside), closing(self._pairs(task, baseline, built, request.seed)) as pairs:
            found = measure(pairs, mode=request.mode, noise=noise, cpus=self._cpus, threads=task.limits.cpus)
        if task.kernel and task.kernel.flops and found.seconds_candidate:
            flops = sum(float(evaluate(task.kernel.flops, sizes)) for sizes in task.kernel.shapes.timed)
            found = found.model_copy(update={"gflops": flops / found.seconds_candidate / 1e9})
        return found

    def _pairs(self, task: Task, baseline: Built, candidate: Built, seed: int) -> Pairs:
        if task.kernel is None:
            programs = (self._programs[0], self._programs[1])
            return ProgramPairs(task, programs, baseline, candidate, self._cases.workloads(task, seed))
        assert baseline.program is not None and candidate.program is not None
        lanes = (self._lanes[0], self._lanes[1])
        return KernelPairs(task, lanes, baseline.program, candidate.program, self._kernel_references(task, seed))

    def _count(self, task: Task, request: Request) -> Measurement:
        """Instructions of one run each: deterministic, so two counts are the whole measurement."""
        counts = []
        for candidate in (task.baseline_candidate, request.candidate):
            built = self._build(task, candidate, "valgrind")
            counts.append(count_instructions(task, self._programs[0], built, self._cases.workloads(task, request.seed)))
        ratio = counts[0] / counts[1]
        verdict = Verdict.FASTER if ratio > 1 else Verdict.SLOWER if ratio < 1 else Verdict.TIE
        sample = Sample(baseline=counts[0], candidate=counts[1], method="count")
        return Measurement(
            samples=(sample,),
            clock="instructions",
            method="count",
            verdict=verdict,
            speedup=ratio,
            ci_low=ratio,
            ci_high=ratio,
            alpha=0.0,
            machine=machine_class(),
            note="instruction counts are blind to memory effects",
        )

    def _sanitize(self, task: Task, candidate: Candidate, seed: int) -> None:
        """Every test again under ASan and UBSan; memory errors and undefined behaviour crash it."""
        if task.language == "python":
            return
        built = self._build(task, candidate, "sanitize")
        assert built.program is not None
        try:
            if task.kernel is not None:
                verify_kernel(task, self._lanes[0], built.program, self._kernel_references(task, seed), sanitized=True)
            else:
                self._run_sanitized(task, built, seed)
        except Failure as failure:
            raise Failure(failure.status, f"under sanitizers: {failure.reason}", failure.mismatch) from None

    def _run_sanitized(self, task: Task, built: Built, seed: int) -> None:
        programs = self._programs[0]
        how = self._builder.invocation(task.language, built)
        caps = programs.caps(task)
        caps = replace(caps, seconds=caps.seconds * 5, memory_mb=caps.memory_mb * 4, bound_address_space=False)
        view = programs.view(task.language, how.files, proc=True)
        for case in self._cases.tests(task, seed):
            ended = programs.sandbox.run(how.command, view, caps, stdin=case.input, environment=SANITIZER_ENVIRONMENT)
            failure = failure_of(ended, task.limits, case.name, hidden=case.hidden)
            if failure:
                raise failure
            check_output(task, programs, case, ended.stdout)

    def _profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:
        if task.kernel is None:
            workload = self._cases.workloads(task, seed)[0]
            return profile_program(task, candidate, self._programs[0], workload.input)
        return profile_kernel(task, candidate, self._builder, self._lanes[0], self._kernel_references(task, seed))

    def _outcome(self, task: Task, request: Request, progress: _Progress, failure: Failure | None) -> Outcome:
        verification = None
        if progress.total is not None:
            timed = progress.total - progress.passed if failure is None else 0
            verification = Verification(
                passed=progress.passed + timed, total=progress.total, mismatch=failure.mismatch if failure else None
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
            sanitized=request.sanitize,
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
