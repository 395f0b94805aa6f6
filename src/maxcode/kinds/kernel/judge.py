"""Kernels: served in processes of their own, on inputs drawn from seeds."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Candidate, Fact, Measurement, Mode
from maxcode.evaluate import rules
from maxcode.evaluate.build import Builder, Built
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.judge import Tally, compiled, trusted, under_sanitizers
from maxcode.evaluate.pairs import Pairs
from maxcode.evaluate.profile import profile_kernel
from maxcode.evaluate.sandbox import Sandbox
from maxcode.kinds.kernel.pairs import KernelPairs
from maxcode.kinds.kernel.serving import Lane, References, verify_kernel
from maxcode.task.expression import evaluate
from maxcode.task.model import Task

REFERENCES_KEPT = 2
"""Datasets are large."""


class KernelJudge:
    def __init__(self, builder: Builder, sandboxes: tuple[Sandbox, Sandbox], cpus: tuple[int, ...]) -> None:
        self._builder = builder
        self._lanes = (Lane(sandboxes[0], cpus), Lane(sandboxes[1], cpus))
        self._references: dict[tuple[str, int], References] = {}

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.check_text(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:  # noqa: ARG002
        return compiled(self._builder, task, candidate)

    def baseline(self, task: Task) -> Built:
        return trusted(self._builder, task, task.baseline_candidate)

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:
        references = self._known(task, seed)
        tally.total = len(references.verification()) + timed
        try:
            tally.passed = verify_kernel(task, self._lanes[0], _program(built), references)
        except Failure as failure:
            tally.passed = failure.passed
            raise

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:
        built = compiled(self._builder, task, candidate, "sanitize")
        try:
            verify_kernel(task, self._lanes[0], _program(built), self._known(task, seed), sanitized=True)
        except Failure as failure:
            raise under_sanitizers(failure) from None
        return True

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs:  # noqa: ARG002
        return KernelPairs(task, self._lanes, _program(baseline), _program(candidate), self._known(task, seed))

    def threads(self, task: Task) -> int:
        return task.limits.cpus

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:  # noqa: ARG002
        if task.kernel and task.kernel.flops and found.seconds_candidate:
            flops = sum(float(evaluate(task.kernel.flops, sizes)) for sizes in task.kernel.shapes.timed)
            return found.model_copy(update={"gflops": flops / found.seconds_candidate / 1e9})
        return found

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:
        return profile_kernel(task, candidate, self._builder, self._lanes[0], self._known(task, seed))

    def release(self) -> None:
        """Nothing is held between evaluations."""

    def _known(self, task: Task, seed: int) -> References:
        key = (task.hash, seed)
        if key not in self._references:
            assert task.kernel is not None
            source = task.baseline_candidate
            if task.kernel.reference:
                source = task.candidate(task.read(task.kernel.reference), origin="reference")
            program = _program(trusted(self._builder, task, source))
            if len(self._references) >= REFERENCES_KEPT:
                self._references.pop(next(iter(self._references)))
            self._references[key] = References(task, self._lanes[0], program, seed)
        return self._references[key]


def _program(built: Built) -> Path:
    assert built.program is not None
    return built.program
