"""Instructions of programs as the measure instead of time, counted under valgrind and borne out by the clock."""

from __future__ import annotations

import tempfile
from pathlib import Path

from maxcode.core import Language, Status
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Case, Programs
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.measure.pairs import Pairs
from maxcode.evaluate.measure.words import times
from maxcode.evaluate.profile.cachegrind import cachegrind_command, valgrind_caps, valgrind_view
from maxcode.evaluate.profile.valgrind import valgrind_environment
from maxcode.evaluate.sandbox.view import BOX
from maxcode.kinds.program.counting_log import makes_requests, valgrind_log
from maxcode.kinds.program.pairs import check_output
from maxcode.task.model import Task

DISAGREEMENT = 3.0
"""Largest factor between the ratio of counts and the ratio of CPU times: instructions differ in what they take."""
SLOWER = 1.1
"""Multiple of the baseline's CPU time that a candidate with fewer instructions may take: noise explains no more."""
CLOCKED_PAIRS = 5
UNSEEN_SECONDS = 2e-3
"""CPU seconds that a run may take beside its instructions: loading libraries, faulting pages in. Workloads that are not
longer than that are too short for the clock to refuse anybody."""
LEAST_SECONDS = 2e-4
"""Least CPU seconds that the clock tells from none."""


def count_instructions(task: Task, programs: Programs, built: Built, workloads: list[Case]) -> float:
    """Number of instructions of one run over all workloads."""
    program = programs.builder.invocation(task.language, built).files[f"{BOX}/program"]
    if task.language is not Language.PYTHON and makes_requests(program):
        raise Failure(Status.REJECTED, "the program has requests to valgrind in it, which may run code uncounted")
    return float(sum(_count(task, programs, built, case) for case in workloads))


def _count(task: Task, programs: Programs, built: Built, case: Case) -> int:
    how = programs.call(task, built, case.input)
    where = f"{case.name}, counting instructions"
    with valgrind_log() as log:
        command = cachegrind_command(how.command, caches=False, output=log.tables, log=log.inside)
        ended = programs.sandbox.run(
            command,
            valgrind_view(how.files, log.write),
            valgrind_caps(programs.caps(task)),
            stdin=how.stdin,
            environment={**how.environment, **valgrind_environment()},
        )
        failure = failure_of(ended, task.limits, where, hidden=True)
        if failure:
            raise failure
        counted = log.instructions(where, several=task.rules.processes)
    check_output(task, programs, case, ended.stdout)
    return counted


def borne_out(task: Task, programs: Programs, pairs: Pairs, ratio: float) -> float:
    """Ratio of instructions that the clock bears out: `ratio`, or less.

    A program shares its address space with the valgrind that counts it, and what the kernel does for it is not counted,
    so no count can be trusted alone. The clock is outside. The time to start a program, measured with an empty one of
    ours, is subtracted on both sides. Failure where the clock contradicts the ratio.
    """
    start = _seconds_to_start(task, programs)
    timed = [pairs.exclusive(candidate_first=bool(number % 2)) for number in range(CLOCKED_PAIRS)]
    before = max(max(b.cpu for b, _ in timed) - start, LEAST_SECONDS)
    after = max(min(c.cpu for _, c in timed) - start, LEAST_SECONDS)
    if after > min(DISAGREEMENT / ratio, SLOWER) * before + UNSEEN_SECONDS:
        raise Failure(
            Status.REJECTED,
            f"counts and the clock disagree: {times(ratio)} fewer instructions, but by CPU time at most "
            f"{times(before / after)} as fast. Work of the kernel and waiting for memory are not counted; where they "
            "are what takes the time, measure time: objective.metric",
        )
    return min(ratio, max(1.0, DISAGREEMENT * before / after))


def _seconds_to_start(task: Task, programs: Programs) -> float:
    """CPU seconds of a program that does nothing."""
    python = task.language is Language.PYTHON
    with tempfile.TemporaryDirectory(prefix="maxcode-empty-") as folder:
        source = Path(folder) / ("empty.py" if python else "empty.cpp")
        source.write_text("" if python else "int main() {}\n")
        runs = [programs.run_tool(source, [], {}).cpu for _ in range(CLOCKED_PAIRS)]
    return min(runs)
