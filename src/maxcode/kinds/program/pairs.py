"""Baseline and candidate run as pairs on drawn inputs, each output checked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from maxcode.core import EvaluatorError, Mismatch, Status
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Case, Programs, check_with, keep_answer
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.measure.pairs import Pair, Timing, add
from maxcode.evaluate.sandbox.running import Ended, Running
from maxcode.kinds.program.compare import first_difference
from maxcode.task.model import Task


class ProgramPairs:
    """Pairs of passes over all workloads, one by each program. Each pair draws inputs of its own."""

    def __init__(
        self,
        task: Task,
        lanes: tuple[Programs, Programs],
        baseline: Built,
        candidate: Built,
        draw: Callable[[int], AbstractContextManager[list[Case]]],
    ) -> None:
        self._task, self._lanes, self._draw = task, lanes, draw
        self._baseline, self._candidate = baseline, candidate
        self._accepted: dict[Path, bytes] = {}
        self._number = 0

    def exclusive(self, candidate_first: bool) -> Pair:
        return self._next(lambda case: self._one_by_one(case, candidate_first))

    def duet(self, candidate_first: bool) -> Pair:
        return self._next(lambda case: self._both_at_once(case, candidate_first))

    def again(self, number: int, candidate_first: bool) -> Pair:
        return self._pass(number, lambda case: self._one_by_one(case, candidate_first))

    def close(self) -> None:
        """Does nothing: no resource is held between pairs."""

    def _next(self, run: Callable[[Case], tuple[Ended, Ended]]) -> Pair:
        self._number += 1
        return self._pass(self._number - 1, run)

    def _pass(self, number: int, run: Callable[[Case], tuple[Ended, Ended]]) -> Pair:
        total = (Timing(0, 0), Timing(0, 0))
        with self._draw(number) as cases:
            for case in cases:
                baseline, candidate = run(case)
                if not baseline.clean:
                    raise EvaluatorError(f"{case.name}: the baseline fails on it; `maxcode check` says more")
                keep_answer(case, baseline.stdout)
                total = (add(total[0], self._judge(baseline, case)), add(total[1], self._judge(candidate, case)))
        return total

    def _one_by_one(self, case: Case, candidate_first: bool) -> tuple[Ended, Ended]:
        def ended(built: Built) -> Ended:
            return self._lanes[0].run(self._task, built, case.input)

        if candidate_first:
            candidate = ended(self._candidate)
            return ended(self._baseline), candidate
        return ended(self._baseline), ended(self._candidate)

    def _both_at_once(self, case: Case, candidate_first: bool) -> tuple[Ended, Ended]:
        order = (self._candidate, self._baseline) if candidate_first else (self._baseline, self._candidate)
        with ExitStack() as stack:
            running = [
                stack.enter_context(self._start(lane, built, case))
                for lane, built in zip(self._lanes, order, strict=True)
            ]
            for each in running:
                each.ready()
            for each in running:
                each.go()
            first, second = (each.wait() for each in running)
        return (second, first) if candidate_first else (first, second)

    def _start(self, programs: Programs, built: Built, case: Case) -> Running:
        how = programs.call(self._task, built, case.input)
        view = programs.view(self._task.language, how.files)
        return programs.sandbox.start(
            how.command, view, programs.caps(self._task), stdin=how.stdin, environment=how.environment
        )

    def _judge(self, ended: Ended, case: Case) -> Timing:
        failure = failure_of(ended, self._task.limits, case.name, hidden=True)
        if failure:
            raise failure
        if self._accepted.get(case.input) != ended.stdout:
            check_output(self._task, self._lanes[0], case, ended.stdout)
            self._accepted[case.input] = ended.stdout
        return Timing(ended.cpu, ended.wall, ended.rss_mb)


def check_output(task: Task, programs: Programs, case: Case, output: bytes) -> None:
    """Failure when a program's output on a case is not right; a hidden case's content stays out of it."""
    if task.tests.checker is not None:
        complaint = check_with(programs, task.folder / task.tests.checker, case, output)
        if complaint:
            shown = "the checker refuses the output" if case.hidden else f"the checker refuses the output: {complaint}"
            raise Failure(
                Status.WRONG, f"{case.name}: {shown}", Mismatch(test=case.name, hidden=case.hidden, where="checker")
            )
        return
    difference = first_difference(case.answer.read_bytes(), output, task.tests)
    if difference is None:
        return
    if case.hidden:
        mismatch = Mismatch(test=case.name, hidden=True, where=difference.where)
        raise Failure(Status.WRONG, f"{case.name}: wrong output, {difference.where}", mismatch)
    mismatch = Mismatch(
        test=case.name, hidden=False, where=difference.where, expected=difference.expected, got=difference.got
    )
    words = f"expected '{difference.expected}', got '{difference.got}'"
    raise Failure(Status.WRONG, f"{case.name}: wrong output, {difference.where}: {words}", mismatch)
