"""Pairs of rounds of kernel calls, timed from outside.

The cost of a command by itself (waking the process up, asking, answering, stopping it) is subtracted. It is one
quantity for both sides, measured in the baseline's process of the same pair: whatever a candidate does in its own
process can only make its time longer.

All inputs of calls in a row are there when the first is made, and could be worked on together. So some more calls are
made one at a time, on inputs that are loaded just before. Where they do not bear out what calls in a row say, they are
what counts (measure.py).
"""

from __future__ import annotations

from collections import deque
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from statistics import median
from typing import Literal

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.measure.pairs import Pair, Timing, add
from maxcode.evaluate.sandbox.running import Call
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.kinds.kernel.data import Dataset, SharedMemory
from maxcode.kinds.kernel.serving import References, call, check_call, describe, finish, serving
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.model import Task

Clock = Literal["cpu", "wall"]
CLOCKS: tuple[Clock, Clock] = ("cpu", "wall")
SAMPLE_SECONDS = 0.02
"""Calls are repeated until a sample is at least this long, as far as memory allows."""
MEMORY_FOR_SLOTS = 128 << 20
MOST_CALLS = 48
CLOCK_DISAGREEMENT, CLOCK_SLACK = 3.0, 1e-3
EMPTY_COMMANDS = 5
"""Number of commands without calls in each round."""
UNRESOLVED = 0.5
"""Share of a command's cost below which calls together cannot be told from none."""
MOST_ALONE = 6
"""Largest number of calls at each timed shape of a round that are made one at a time; never more than in a row."""
STANDSTILL, STANDSTILL_OF_THREADS = 0.5, 4.0
"""Cost to a call, in units of a command's cost, of its process having stood still before: cold caches and, in the
second, threads that wake up."""
SLOW_TIMES, SLOW_PAIRS = 3.0, 3
SLOW_SECONDS: dict[Clock, float] = {"cpu": 1e-3, "wall": 2e-2}
"""Limits of a command without calls. A candidate works in such commands if its quickest takes SLOW_TIMES as long as the
baseline's slowest, and these seconds more, in SLOW_PAIRS pairs in a row. A measurement takes three pairs at least. By
the wall clock, a process that wakes up on a busy machine waits for a core. By CPU time, OpenMP's idle threads spin for
milliseconds, but not in all five commands."""


class KernelPairs:
    """Pairs of rounds of calls, each in a fresh process, every call on data of its own.

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
        self._slow: deque[bool] = deque(maxlen=SLOW_PAIRS)
        self._repeat: bool | None = None

    def exclusive(self, candidate_first: bool) -> Pair:
        if self._calls_repeat:
            return self._in_fresh_processes(candidate_first)
        rounds: dict[int, ProcessTimings] = {}
        for which in (1, 0) if candidate_first else (0, 1):
            with self._process(which, self._lanes[0]) as side:
                side.warm_up()
                side.begin()
                rounds[which] = side.finish()
        self._refuse_slow_commands(rounds[0], rounds[1])
        timings = [self._timing(rounds[which], rounds[0]) for which in (0, 1)]
        for which in (0, 1):
            self._adjust(which, timings[which])
        return timings[0], timings[1]

    def duet(self, candidate_first: bool) -> Pair:
        """Takes a pair of both programs at once, with numbers of calls that make them last equally long."""
        if self._calls_repeat:
            return self._in_fresh_processes(candidate_first)
        order = (1, 0) if candidate_first else (0, 1)
        with ExitStack() as stack:
            processes = {
                i: stack.enter_context(self._process(i, lane)) for i, lane in zip(order, self._lanes, strict=True)
            }
            for process in processes.values():
                process.warm_up()
            for process in processes.values():
                process.begin()
            rounds = {i: process.finish() for i, process in processes.items()}
        return self._timing(rounds[0], rounds[0]), self._timing(rounds[1], rounds[0])

    def again(self, number: int, candidate_first: bool) -> Pair:  # noqa: ARG002
        return self.exclusive(candidate_first)  # all rounds are on the same datasets, in another order

    def close(self) -> None:
        for _, memory in self._memories.values():
            memory.close()
        self._memories.clear()

    @property
    def _calls_repeat(self) -> bool:
        if self._repeat is None:
            self._repeat = self._references.repeat()
        return self._repeat

    def _in_fresh_processes(self, candidate_first: bool) -> Pair:
        """Takes a pair of one call at each shape, each in a fresh process that remembers nothing.

        The time is taken from the start of the process.
        """
        total = (Timing(0, 0), Timing(0, 0))
        for offset in range(len(self._references.timed_shapes)):
            rounds: dict[int, ProcessTimings] = {}
            for which in (1, 0) if candidate_first else (0, 1):
                rounds[which] = self._first_call(which, offset)
            both = [self._timing(rounds[which], rounds[0]) for which in (0, 1)]
            total = (add(total[0], both[0]), add(total[1], both[1]))
        return total

    def _first_call(self, which: int, offset: int) -> ProcessTimings:
        shapes = len(self._references.timed_shapes)
        pool = self._references.timed(2 * shapes)[offset::shapes]
        data = pool[int(self._references.rng().integers(len(pool)))]
        where = f"timed call at {describe(data.sizes)}"
        with (
            SharedMemory(self._task.table(Kernel), [data.sizes], self._references.rng()) as memory,
            serving(self._task, self._lanes[0], self._programs[which], memory, where=where) as running,
        ):
            memory.load(0, data.inputs)
            answer = call(running, 0, 1, self._task, where, hidden=True)
            check_call(self._task.table(Kernel), memory, 0, data, where, hidden=True)
            empty = tuple(call(running, 0, 0, self._task, where, hidden=True) for _ in range(EMPTY_COMMANDS))
            return ProcessTimings(where, answer, 1.0, empty, start=running.start)

    def _process(self, which: int, lane: Lane) -> _Process:
        calls = self._calls[which]
        known = self._memories.get(which)
        if known is None or known[0] != calls:
            if known:
                known[1].close()
            shapes = self._references.timed_shapes
            sizes = [shapes[i % len(shapes)] for i in range(slots(calls, len(shapes)))]
            self._memories[which] = (calls, SharedMemory(self._task.table(Kernel), sizes, self._references.rng()))
        return _Process(self._task, lane, self._programs[which], self._references, calls, self._memories[which][1])

    def _adjust(self, which: int, found: Timing) -> None:
        shapes = len(self._references.timed_shapes)
        calls, memory = self._memories[which]
        room = max((MEMORY_FOR_SLOTS >> 20) * slots(calls, shapes) // memory.megabytes - shapes, 1)
        wanted = ceil(SAMPLE_SECONDS / max(found.cpu, found.wall, 1e-7))
        calls = min(max(wanted * shapes, self._calls[which]), room, MOST_CALLS)
        self._calls[which] = max(calls // shapes * shapes, shapes)

    def _timing(self, found: ProcessTimings, baseline: ProcessTimings) -> Timing:
        refuse_odd_clock(found, self._task.limits.cpus)
        return timing(found, baseline, STANDSTILL if self._task.limits.cpus == 1 else STANDSTILL_OF_THREADS)

    def _refuse_slow_commands(self, baseline: ProcessTimings, candidate: ProcessTimings) -> None:
        """Failure if commands without calls are slow, pair after pair.

        They gain nothing, but such a candidate works there to have the time subtracted, or to work unseen.
        """
        slow = [(min(candidate.commands(clock)), max(baseline.commands(clock)), clock) for clock in CLOCKS]
        slow = [each for each in slow if each[0] > SLOW_TIMES * each[1] + SLOW_SECONDS[each[2]]]
        self._slow.append(bool(slow))
        if len(self._slow) == SLOW_PAIRS and all(self._slow):
            least, most, _ = slow[0]
            raise Failure(
                Status.REJECTED,
                f"{candidate.where}: a command of no calls takes {least:.6f} s, and {most:.6f} s at most in the "
                "baseline's process: the candidate works when it is not called",
            )


@dataclass(frozen=True)
class ProcessTimings:
    """Timings of one process."""

    where: str
    answer: Call
    """Answer to the command of all calls in a row."""
    passes: float
    """Number of passes over the timed shapes in that command."""
    empty: tuple[Call, ...]
    """Answers to commands without calls."""
    alone: tuple[Call, ...] = ()
    """Answers to commands of one call, over the timed shapes in turn."""
    shapes: int = 1
    start: Call | None = None
    """Time from the start of the process until it was ready; None where that does not count."""

    def commands(self, clock: Clock) -> list[float]:
        return [getattr(each, clock) for each in self.empty]


def timing(found: ProcessTimings, baseline: ProcessTimings, standstill: float = 0.0) -> Timing:
    """Timing of one pass over the timed shapes, less what a command costs in the baseline's process."""
    fixed = {clock: median(baseline.commands(clock)) for clock in CLOCKS}
    start = found.start or Call(0.0, 0.0, 0.0)
    taken = {clock: getattr(found.answer, clock) + getattr(start, clock) for clock in CLOCKS}
    in_a_row = _without(taken, fixed, 1, found.passes)
    if not found.alone:
        return in_a_row
    taken = {clock: sum(getattr(each, clock) for each in found.alone) for clock in CLOCKS}
    alone = _without(taken, fixed, len(found.alone), len(found.alone) / found.shapes)
    cpu, wall = (
        max(getattr(alone, clock) - standstill * fixed[clock] * found.shapes, getattr(in_a_row, clock))
        for clock in CLOCKS
    )
    return replace(in_a_row, alone=alone, alone_at_least=Timing(cpu, wall))


def _without(taken: dict[Clock, float], fixed: dict[Clock, float], commands: int, passes: float) -> Timing:
    raw = {clock: taken[clock] - commands * fixed[clock] for clock in CLOCKS}
    least = {clock: UNRESOLVED * commands * fixed[clock] for clock in CLOCKS}
    cpu, wall = (max(raw[clock], least[clock]) / passes for clock in CLOCKS)
    return Timing(cpu, wall, unresolved=any(raw[clock] < least[clock] for clock in CLOCKS))


def slots(calls: int, shapes: int) -> int:
    """Number of slots: for calls to warm up, in a row, and one at a time.

    A single call is not repeated one at a time.
    """
    return shapes + calls + (min(MOST_ALONE, calls // shapes) * shapes if calls > 1 else 0)


def refuse_odd_clock(found: ProcessTimings, threads: int) -> None:
    """Failure if the clock inside disagrees with CPU time outside, which a busy machine does not change.

    A cross-check only: the clock inside never counts, so nothing is gained by a false one.
    """
    slack = 50 * CLOCK_SLACK if threads > 1 else CLOCK_SLACK  # idle threads spin until the process is stopped
    inner, outer = found.answer.inner, found.answer.cpu / threads - slack
    if inner * CLOCK_DISAGREEMENT < outer or inner > found.answer.wall * CLOCK_DISAGREEMENT:
        raise Failure(
            Status.REJECTED,
            f"{found.where}: the clock inside the process says {inner:.6f} s, "
            f"the one outside {found.answer.wall:.6f} s: the candidate tampers with the clock",
        )


class _Process:
    """One fresh process of one program, on freshly shuffled and poisoned slots; the first slots are the warm-up."""

    def __init__(
        self, task: Task, lane: Lane, program: Path, references: References, calls: int, memory: SharedMemory
    ) -> None:
        self._task, self._lane, self._program, self._references, self._calls = task, lane, program, references, calls
        self._memory = memory
        self._stack = ExitStack()

    def __enter__(self) -> _Process:
        shapes = len(self._references.timed_shapes)
        pool = self._references.timed(slots(self._calls, shapes))
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
        self._call(self._warm)
        self._check(range(self._warm))
        self._empty = tuple(self._call(0) for _ in range(EMPTY_COMMANDS))
        # Only now, while the process is stopped: it could have worked on earlier inputs before the clock ran.
        self._load(range(self._warm, self._warm + self._calls))

    def begin(self) -> None:
        self._running.begin(self._warm, self._calls)

    def finish(self) -> ProcessTimings:
        where = self._where(self._warm)
        answer = finish(self._running, self._task, where, hidden=True)
        self._check(range(self._warm, self._warm + self._calls))
        self._call(0)  # fails if the process went on while its results were checked
        alone = tuple(self._alone(slot) for slot in range(self._warm + self._calls, len(self._data)))
        if alone:
            self._call(0)
        return ProcessTimings(where, answer, self._calls / self._warm, self._empty, alone=alone, shapes=self._warm)

    def _alone(self, slot: int) -> Call:
        """Makes one call by itself, when no other inputs are there to be worked on with it."""
        self._load(range(slot, slot + 1))
        answer = call(self._running, slot, 1, self._task, self._where(slot), hidden=True)
        self._check(range(slot, slot + 1))
        return answer

    def _call(self, count: int) -> Call:
        return call(self._running, 0, count, self._task, self._where(0), hidden=True)

    def _load(self, slots: range) -> None:
        for slot in slots:
            self._memory.load(slot, self._data[slot].inputs)

    def _check(self, slots: range) -> None:
        for slot in slots:
            check_call(self._task.table(Kernel), self._memory, slot, self._data[slot], self._where(slot), hidden=True)

    def _where(self, slot: int) -> str:
        return f"timed call at {describe(self._data[slot].sizes)}"
