"""Kernels: served in processes of their own, on inputs drawn from seeds."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import Candidate, Fact, Measurement, Mode
from maxcode.evaluate import rules
from maxcode.evaluate.build import Built
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.judge import Equipment, Tally, compiled, trusted, under_sanitizers
from maxcode.evaluate.measure.pairs import Pairs
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.kinds.kernel.pairs import KernelPairs
from maxcode.kinds.kernel.profile import profile_kernel
from maxcode.kinds.kernel.serving import References, verify_kernel
from maxcode.kinds.kernel.table import Kernel, entry
from maxcode.task.model import Task

REFERENCES_KEPT = 2
"""Number of tasks and seeds whose references are kept; datasets are large."""


class KernelJudge:
    waits = False

    def __init__(self, given: Equipment) -> None:
        self._builder = given.builder
        first, second = (Lane(each, given.cpus) for each in given.sandboxes)
        self._lanes = (first, second)
        self._references: dict[tuple[str, int], References] = {}

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.check_text(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:  # noqa: ARG002
        return compiled(self._builder, task, candidate)

    def baseline(self, task: Task) -> Built:
        return trusted(self._builder, task, task.baseline_candidate)

    def reserve(self, task: Task) -> None:
        """Does nothing: no resource is shared between workers."""

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

    def count(self, task: Task, candidate: Candidate, seed: int) -> None:
        """Returns None: kernels are timed."""

    def least_seconds(self, task: Task, mode: Mode) -> float:  # noqa: ARG002
        return 0.0

    def threads(self, task: Task) -> int:
        return task.limits.cpus

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:  # noqa: ARG002
        flops = entry(task).operations
        if flops and found.seconds_candidate:
            return found.model_copy(update={"gflops": flops / found.seconds_candidate / 1e9})
        return found

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:
        return profile_kernel(task, candidate, self._builder, self._lanes[0], self._known(task, seed))

    def release(self) -> None:
        """Does nothing: no resource is held between evaluations."""

    def close(self) -> None:
        """Does nothing: no process outlives an evaluation."""

    def _known(self, task: Task, seed: int) -> References:
        key = (task.hash, seed)
        if key not in self._references:
            source, reference = task.baseline_candidate, task.table(Kernel).reference
            if reference:
                source = task.candidate(task.read(reference), origin="reference")
            program = _program(trusted(self._builder, task, source))
            if len(self._references) >= REFERENCES_KEPT:
                self._references.pop(next(iter(self._references)))
            self._references[key] = References(task, self._lanes[0], program, seed)
        return self._references[key]


def _program(built: Built) -> Path:
    assert built.program is not None
    return built.program
