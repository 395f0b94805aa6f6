"""Baseline and candidate run as pairs: one after the other (exclusive) or together on one core (duet).

Every timed output is checked. All times are taken by our runner, outside the candidate's process.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Protocol

from maxcode.core import EvaluatorError, Mismatch, Status
from maxcode.evaluate.build import Built
from maxcode.evaluate.cases import Case, Programs, check_with, keep_answer
from maxcode.evaluate.compare import first_difference
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.kernel import Lane, References, call, check_call, describe, finish, serving
from maxcode.evaluate.kernel_data import Dataset, SharedMemory
from maxcode.evaluate.sandbox import Ended, Running
from maxcode.task.model import Task

SAMPLE_SECONDS = 0.02
"""A kernel's calls are repeated until a sample is at least this long, as far as memory allows."""
MEMORY_FOR_SLOTS = 128 << 20
MOST_CALLS = 48
CLOCK_DISAGREEMENT = 3.0


@dataclass(frozen=True)
class Timing:
    """Seconds of one run, or of one call."""

    cpu: float
    wall: float
    rss_mb: float = 0.0


Pair = tuple[Timing, Timing]


class Pairs(Protocol):
    """Where pairs of timings come from. Failure when the candidate does not do its work in a timed run."""

    def exclusive(self, candidate_first: bool) -> Pair: ...
    def duet(self) -> Pair: ...
    def close(self) -> None: ...


class ProgramPairs:
    """A pair is one pass over all workloads by each program. Each pair draws inputs of its own."""

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
        return self._pass(lambda case: self._one_by_one(case, candidate_first))

    def duet(self) -> Pair:
        return self._pass(self._both_at_once)

    def close(self) -> None:
        """Nothing is held between pairs."""

    def _pass(self, run: Callable[[Case], tuple[Ended, Ended]]) -> Pair:
        total = (Timing(0, 0), Timing(0, 0))
        with self._draw(self._number) as cases:
            self._number += 1
            for case in cases:
                baseline, candidate = run(case)
                if not baseline.clean:
                    raise EvaluatorError(f"{case.name}: the baseline fails on it; `maxcode check` says more")
                keep_answer(case, baseline.stdout)
                total = (_add(total[0], self._judge(baseline, case)), _add(total[1], self._judge(candidate, case)))
        return total

    def _one_by_one(self, case: Case, candidate_first: bool) -> tuple[Ended, Ended]:
        def ended(built: Built) -> Ended:
            return self._lanes[0].run(self._task, built, case.input)

        if candidate_first:
            candidate = ended(self._candidate)
            return ended(self._baseline), candidate
        return ended(self._baseline), ended(self._candidate)

    def _both_at_once(self, case: Case) -> tuple[Ended, Ended]:
        with ExitStack() as stack:
            baseline, candidate = (
                stack.enter_context(self._start(lane, built, case))
                for lane, built in zip(self._lanes, (self._baseline, self._candidate), strict=True)
            )
            for each in (baseline, candidate):
                each.ready()
            for each in (baseline, candidate):
                each.go()
            return baseline.wait(), candidate.wait()

    def _start(self, programs: Programs, built: Built, case: Case) -> Running:
        how = programs.builder.invocation(self._task.language, built)
        view = programs.view(self._task.language, how.files)
        return programs.sandbox.start(
            how.command, view, programs.caps(self._task), stdin=case.input, environment=how.environment
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


class KernelPairs:
    """A pair is a round of calls by each program, each in a fresh process, every call on data of its own.

    Per call: (time of k calls - time of no calls) / k, after one call to warm up. A fresh process has nothing to
    remember from an earlier round, and within a round no inputs, addresses or outputs recur.
    """

    def __init__(
        self, task: Task, lanes: tuple[Lane, Lane], baseline: Path, candidate: Path, references: References
    ) -> None:
        self._task, self._lanes, self._references = task, lanes, references
        self._programs = (baseline, candidate)
        self._calls = [len(references.timed_shapes)] * 2
        self._memories: dict[int, tuple[int, SharedMemory]] = {}

    def exclusive(self, candidate_first: bool) -> Pair:
        timings = [Timing(0, 0), Timing(0, 0)]
        for which in (1, 0) if candidate_first else (0, 1):
            with self._round(which, self._lanes[0]) as side:
                side.warm_up()
                side.begin()
                timings[which] = side.finish()
            self._adjust(which, timings[which])
        return timings[0], timings[1]

    def duet(self) -> Pair:
        """Both at once, with numbers of calls that make them last equally long."""
        with ExitStack() as stack:
            sides = [stack.enter_context(self._round(i, self._lanes[i])) for i in (0, 1)]
            for side in sides:
                side.warm_up()
            for side in sides:
                side.begin()
            timings = [side.finish() for side in sides]
        return timings[0], timings[1]

    def close(self) -> None:
        for _, memory in self._memories.values():
            memory.close()
        self._memories.clear()

    def _round(self, which: int, lane: Lane) -> _Round:
        calls = self._calls[which]
        known = self._memories.get(which)
        if known is None or known[0] != calls:
            if known:
                known[1].close()
            assert self._task.kernel is not None
            shapes = self._references.timed_shapes
            sizes = [shapes[i % len(shapes)] for i in range(calls + len(shapes))]
            self._memories[which] = (calls, SharedMemory(self._task.kernel, sizes, self._references.rng()))
        return _Round(self._task, lane, self._programs[which], self._references, calls, self._memories[which][1])

    def _adjust(self, which: int, timing: Timing) -> None:
        shapes = len(self._references.timed_shapes)
        calls, memory = self._memories[which]
        room = max((MEMORY_FOR_SLOTS >> 20) * (calls + shapes) // memory.megabytes - shapes, 1)
        wanted = ceil(SAMPLE_SECONDS / max(timing.cpu, timing.wall, 1e-7))
        calls = min(max(wanted * shapes, self._calls[which]), room, MOST_CALLS)
        self._calls[which] = max(calls // shapes * shapes, shapes)


class _Round:
    """One fresh process of one program, on freshly shuffled and poisoned slots; the first slots are the warm-up."""

    def __init__(
        self, task: Task, lane: Lane, program: Path, references: References, calls: int, memory: SharedMemory
    ) -> None:
        self._task, self._lane, self._program, self._references, self._calls = task, lane, program, references, calls
        self._memory = memory
        self._stack = ExitStack()

    def __enter__(self) -> _Round:
        shapes = len(self._references.timed_shapes)
        pool = self._references.timed(self._calls + shapes)
        rng = self._references.rng()
        # Shuffled within each shape, so that a round of calls always holds the same shapes.
        self._data: list[Dataset] = list(pool)
        for offset in range(shapes):
            places = range(offset, len(pool), shapes)
            for place, source in zip(places, rng.permutation(list(places)), strict=True):
                self._data[place] = pool[int(source)]
        self._warm = shapes
        self._memory.wipe()
        self._load(range(self._warm))
        self._running = self._stack.enter_context(
            serving(self._task, self._lane, self._program, self._memory, where=self._where(0))
        )
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def warm_up(self) -> None:
        call(self._running, 0, self._warm, self._task, self._where(0), hidden=True)
        self._check(range(self._warm))
        self._empty = call(self._running, 0, 0, self._task, self._where(0), hidden=True)
        # Only now, while the process is stopped: what it had seen before, it could have worked on before the clock ran.
        self._load(range(self._warm, len(self._data)))

    def begin(self) -> None:
        self._running.begin(self._warm, self._calls)

    def finish(self) -> Timing:
        """Time per pass over the timed shapes."""
        where = self._where(self._warm)
        answer = finish(self._running, self._task, where, hidden=True)
        self._check(range(self._warm, self._warm + self._calls))
        outer = answer.wall - self._empty.wall
        if answer.inner * CLOCK_DISAGREEMENT < outer - 1e-3 or answer.inner > answer.wall * CLOCK_DISAGREEMENT:
            raise Failure(
                Status.REJECTED,
                f"{where}: the clock inside the process says {answer.inner:.6f} s, "
                f"the one outside {answer.wall:.6f} s: the candidate tampers with the clock",
            )
        passes = self._calls / self._warm
        return Timing(max(answer.cpu - self._empty.cpu, 1e-9) / passes, max(outer, 1e-9) / passes)

    def _load(self, slots: range) -> None:
        for slot in slots:
            self._memory.load(slot, self._data[slot].inputs)

    def _check(self, slots: range) -> None:
        assert self._task.kernel is not None
        for slot in slots:
            check_call(self._task.kernel, self._memory, slot, self._data[slot], self._where(slot), hidden=True)

    def _where(self, slot: int) -> str:
        return f"timed call at {describe(self._data[slot].sizes)}"


def _add(a: Timing, b: Timing) -> Timing:
    return Timing(a.cpu + b.cpu, a.wall + b.wall, max(a.rss_mb, b.rss_mb))
