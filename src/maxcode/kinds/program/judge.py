"""Programs: run on tests and on workloads, as standard input to standard output."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from maxcode.core import Candidate, Fact, Language, Measurement, Mode, Sample, Status, Verdict
from maxcode.evaluate import rules
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Case, CaseMaker, Programs
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.judge import Equipment, Tally, compiled, trusted, under_sanitizers
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.measure.pairs import Pairs
from maxcode.evaluate.measure.sampling import SECONDS
from maxcode.evaluate.measure.words import times
from maxcode.evaluate.sandbox.sandbox import SANITIZER_ENVIRONMENT
from maxcode.kinds.program.counting import borne_out, count_instructions
from maxcode.kinds.program.pairs import ProgramPairs, check_output
from maxcode.kinds.program.profile import profile_program
from maxcode.task.model import Task

ON_ONE_INPUT = "timed on one fixed input: a program that knows this input by heart would look fast too"


class ProgramJudge:
    waits = False

    def __init__(self, given: Equipment) -> None:
        self._builder = given.builder
        first, second = (Programs(each, given.builder, given.cpus) for each in given.sandboxes)
        self._lanes = (first, second)
        self._cases = CaseMaker(first, given.scratch)

    def broken_rule(self, task: Task, candidate: Candidate) -> str | None:
        return rules.check_text(task, candidate)

    def build(self, task: Task, candidate: Candidate, mode: Mode) -> Built:  # noqa: ARG002
        return compiled(self._builder, task, candidate)

    def baseline(self, task: Task) -> Built:
        return trusted(self._builder, task, task.baseline_candidate)

    def reserve(self, task: Task) -> None:
        """Does nothing: no resource is shared between workers."""

    def verify(self, task: Task, built: Built, seed: int, tally: Tally, *, timed: bool) -> None:
        """Runs every test. A wrong output does not keep the others from being counted; anything worse does."""
        cases = self._cases.tests(task, seed)
        tally.total = len(cases) + timed * len(task.workloads)
        first: Failure | None = None
        for case in cases:
            try:
                self._run_case(task, built, case)
                tally.passed += 1
            except Failure as failure:
                first = first or failure
                if failure.status is not Status.WRONG:
                    break
        if first:
            raise first

    def sanitize(self, task: Task, candidate: Candidate, seed: int) -> bool:
        """Runs every test again under ASan and UBSan, which are for C and C++; errors in memory and arithmetic crash
        it."""
        if task.language is Language.PYTHON:
            return False
        built = compiled(self._builder, task, candidate, "sanitize")
        try:
            self._run_sanitized(task, built, seed)
        except Failure as failure:
            raise under_sanitizers(failure) from None
        return True

    def pairs(self, task: Task, baseline: Built, candidate: Built, seed: int, mode: Mode) -> Pairs:
        def draw(number: int) -> AbstractContextManager[list[Case]]:
            return self._cases.drawn(task, seed, number, mode)

        return ProgramPairs(task, self._lanes, baseline, candidate, draw)

    def threads(self, task: Task) -> int:
        """Number of threads; at least 2, for the wall clock, where CPU time of started processes may go uncounted."""
        uncounted = task.rules.processes and not self._lanes[0].sandbox.counts_processes
        return max(task.limits.cpus, 2) if uncounted else task.limits.cpus

    def annotate(self, task: Task, found: Measurement, mode: Mode) -> Measurement:  # noqa: ARG002
        return found.model_copy(update={"note": ON_ONE_INPUT}) if task.on_one_input else found

    def profile(self, task: Task, candidate: Candidate, seed: int) -> tuple[Fact, ...]:
        workload = self._cases.workloads(task, seed)[0]
        return profile_program(task, candidate, self._lanes[0], workload.input)

    def release(self) -> None:
        """Does nothing: no resource is held between evaluations."""

    def close(self) -> None:
        """Does nothing: no process outlives an evaluation."""

    def least_seconds(self, task: Task, mode: Mode) -> float:  # noqa: ARG002
        return SECONDS[mode]

    def count(self, task: Task, candidate: Candidate, seed: int) -> Measurement | None:
        """Instructions of one run of each program. Counts are deterministic, so two are the whole measurement."""
        if task.objective.metric != "instructions":
            return None
        counts, workloads = [], self._cases.workloads(task, seed, given=False)
        for each in (task.baseline_candidate, candidate):
            built = compiled(self._builder, task, each, "valgrind")
            counts.append(count_instructions(task, self._lanes[0], built, workloads))
        counted = ratio = counts[0] / counts[1]
        if counted > 1:
            plain = (self.baseline(task), compiled(self._builder, task, candidate))
            pairs = ProgramPairs(task, self._lanes, *plain, lambda _: nullcontext(workloads))
            ratio = borne_out(task, self._lanes[0], pairs, counted)
        notes = ["instruction counts are blind to memory effects"]
        if ratio < counted:
            notes.append(
                f"counted {times(counted)}, of which the clock bears out {times(ratio)}: time a larger workload"
            )
        notes += [ON_ONE_INPUT] * task.on_one_input
        return Measurement(
            samples=(Sample(baseline=counts[0], candidate=counts[1], method="count"),),
            clock="instructions",
            method="count",
            verdict=Verdict.FASTER if ratio > 1 else Verdict.SLOWER if ratio < 1 else Verdict.TIE,
            speedup=ratio,
            ci_low=ratio,
            ci_high=ratio,
            alpha=0.0,
            machine=machine_class(),
            note="; ".join(notes),
        )

    def _run_case(self, task: Task, built: Built, case: Case) -> None:
        ended = self._lanes[0].run(task, built, case.input)
        failure = failure_of(ended, task.limits, case.name, hidden=case.hidden)
        if failure:
            raise failure
        check_output(task, self._lanes[0], case, ended.stdout)

    def _run_sanitized(self, task: Task, built: Built, seed: int) -> None:
        programs = self._lanes[0]
        caps = programs.caps(task)
        caps = replace(caps, seconds=caps.seconds * 5, memory_mb=caps.memory_mb * 4, bound_address_space=False)
        for case in self._cases.tests(task, seed):
            how = programs.call(task, built, case.input)
            view = programs.view(task.language, how.files, proc=True)
            ended = programs.sandbox.run(how.command, view, caps, stdin=how.stdin, environment=SANITIZER_ENVIRONMENT)
            failure = failure_of(ended, task.limits, case.name, hidden=case.hidden)
            if failure:
                raise failure
            check_output(task, programs, case, ended.stdout)
