"""Pairs of processes that make the same calls, timed from outside, all calls new to both.

Every pair is of two fresh processes, and no two calls in one are alike: whatever a candidate remembers is of no use to
it. Calls are loaded, made in slices, and answered. Between commands a process is stopped, so the two make their slices
in turn, and whatever else the machine does concerns both. What counts is the time of the slices, as far as all commands
bear it out: work that a candidate puts off until the answers, or does while calls are loaded, makes those take longer
than the baseline's, and that is added to its time.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

from maxcode.core import InputError
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.measure.pairs import Pair, Timing
from maxcode.evaluate.sandbox.running import Call, Running
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.kinds.function.compare import check_answers
from maxcode.kinds.function.serving import ANSWER, CALL, LOAD, Answers, CallMemory, finished, serving, told
from maxcode.task.model import Task

SAMPLE_SECONDS = 0.02
"""Time that the calls of a sample should take."""
EMPTY_COMMANDS = 5
SLICES = 10
FIRST_CALLS, MOST_CALLS = 50, 4000
UNRESOLVED = 0.5
"""Share of a command's cost below which calls cannot be told from none."""
TIMED = "timed calls"


@dataclass(frozen=True)
class Timed:
    """Timings of one process."""

    empty: tuple[Call, ...]
    load: Call
    slices: tuple[Call, ...]
    answer: Call
    answers: Answers


class FunctionPairs:
    """Pairs of fresh processes, in the copy with the original and in the one with the candidate."""

    def __init__(
        self,
        task: Task,
        lanes: tuple[Lane, Lane],
        trees: tuple[Path, Path],
        draw: Callable[[int, random.Random], list[bytes]],
        seed: str,
    ) -> None:
        self._task, self._lanes, self._trees, self._draw, self._seed = task, lanes, trees, draw, seed
        self._count = FIRST_CALLS
        self._taken: list[tuple[int, int]] = []

    def exclusive(self, candidate_first: bool) -> Pair:
        pair = self._in_turn(self._next(), candidate_first)
        self._adjust(pair[0])
        return pair

    def again(self, number: int, candidate_first: bool) -> Pair:
        return self._in_turn(self._calls(*self._taken[number]), candidate_first)

    def duet(self, candidate_first: bool) -> Pair:
        """Takes a pair of both at once: their slices run beside each other."""
        with self._both(self._next(), candidate_first) as sides:
            for count in sides[0].slices:
                for side in sides.values():
                    side.begin(count)
                for side in sides.values():
                    side.finish()
            return self._judged(sides)

    def close(self) -> None:
        """Does nothing: no resource is held between pairs."""

    def _next(self) -> list[bytes]:
        self._taken.append((len(self._taken), self._count))
        return self._calls(*self._taken[-1])

    def _calls(self, number: int, count: int) -> list[bytes]:
        return self._draw(count, random.Random(f"{self._seed}/{number}"))

    def _in_turn(self, calls: list[bytes], candidate_first: bool) -> Pair:
        with self._both(calls, candidate_first) as sides:
            order = list(sides.values())
            for number, count in enumerate(sides[0].slices):
                for side in order if number % 2 == 0 else reversed(order):
                    side.begin(count)
                    side.finish()
            return self._judged(sides)

    @contextmanager
    def _both(self, calls: list[bytes], candidate_first: bool) -> Iterator[dict[int, _Side]]:
        """Both processes with their calls loaded."""
        with ExitStack() as stack:
            sides = {}
            for which, lane in zip((1, 0) if candidate_first else (0, 1), self._lanes, strict=True):
                sides[which] = stack.enter_context(_Side(self._task, lane, self._trees[which], calls, which == 0))
            for side in sides.values():
                side.load()
            yield sides

    def _judged(self, sides: dict[int, _Side]) -> Pair:
        found = {which: side.answer() for which, side in sides.items()}
        check_answers(found[0].answers, found[1].answers, TIMED)
        return timing(found[0], found[0]), timing(found[1], found[0])

    def _adjust(self, found: Timing) -> None:
        """Makes more calls where they are short, and fewer where they are long."""
        each = max(found.cpu, 1e-7) / self._count
        self._count = min(max(round(SAMPLE_SECONDS / each), 1), MOST_CALLS)


class _Side:
    """One fresh process."""

    def __init__(self, task: Task, lane: Lane, tree: Path, calls: list[bytes], is_original: bool) -> None:
        self._task, self._lane, self._tree, self._calls = task, lane, tree, calls
        self._is_original = is_original
        self._stack = ExitStack()
        self._made: list[Call] = []

    def __enter__(self) -> _Side:
        with ExitStack() as stack, self._blamed():
            self._memory = stack.enter_context(CallMemory(self._calls))
            opened = serving(self._task, self._lane, self._tree, self._memory, TIMED)
            self._running: Running = stack.enter_context(opened)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def load(self) -> None:
        self._empty = tuple(self._told(0) for _ in range(EMPTY_COMMANDS))
        self._memory.put()
        self._load = self._told(LOAD)

    @property
    def slices(self) -> list[int]:
        """Number of calls of each slice."""
        parts = min(SLICES, len(self._calls))
        edges = [len(self._calls) * each // parts for each in range(parts + 1)]
        return [last - first for first, last in pairwise(edges)]

    def begin(self, count: int) -> None:
        self._running.begin(CALL, count)

    def finish(self) -> None:
        with self._blamed():
            self._made.append(finished(self._running, self._task, TIMED))

    def answer(self) -> Timed:
        answer = self._told(ANSWER)
        self._told(0)  # fails if the process went on meanwhile
        return Timed(self._empty, self._load, tuple(self._made), answer, self._memory.answers(TIMED))

    def _told(self, what: int) -> Call:
        with self._blamed():
            return told(self._running, what, len(self._calls), self._task, TIMED)

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """InputError where it is the original that fails."""
        try:
            yield
        except Failure as failure:
            if self._is_original:
                raise InputError(f"{self._task.folder}: the original fails: {failure.reason}") from None
            raise


def timing(found: Timed, baseline: Timed) -> Timing:
    """Timing of the calls, less what a command costs in the baseline's process.

    `alone` is what all commands say: it has the baseline's time to load and to answer taken off.
    """
    cpu, wall = (_seconds(found, baseline, clock) for clock in ("cpu", "wall"))
    alone = Timing(cpu[1], wall[1])
    return Timing(cpu[0], wall[0], alone=alone, alone_at_least=alone)


def _seconds(found: Timed, baseline: Timed, clock: str) -> tuple[float, float]:
    """Seconds of the slices, and of all commands."""

    def taken(calls: Iterable[Call]) -> float:
        return float(sum(getattr(each, clock) for each in calls))

    fixed = median(getattr(each, clock) for each in baseline.empty) * len(found.slices)
    made = taken(found.slices) - fixed
    beside = taken((found.load, found.answer)) - taken((baseline.load, baseline.answer))
    return max(made, UNRESOLVED * fixed), max(made + beside, UNRESOLVED * fixed)
