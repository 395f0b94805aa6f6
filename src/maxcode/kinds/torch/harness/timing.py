"""Times rounds of calls by the original and by the candidate on the same fresh inputs, and compares all results.

To find the seconds per call, a round is timed twice: with few calls and with many. The time that does not grow with the
number of calls (asking, answering, waking up) is the same in both and is subtracted. It is one quantity for both sides,
taken from recent rounds of the original. So nothing is gained by being slow when there are few calls, and a program
timed against itself reads as 1.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import ceil
from statistics import median, median_low
from typing import Any

import torch

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.measure.pairs import Timing
from maxcode.kinds.torch.harness.batching_check import REMEMBERED, WHERE, BatchingCheck, is_beyond
from maxcode.kinds.torch.harness.compare import Expected
from maxcode.kinds.torch.harness.cores import apart, can_be_apart
from maxcode.kinds.torch.harness.memory_use import give_back
from maxcode.kinds.torch.harness.model_process import ModelProcess, Which
from maxcode.kinds.torch.harness.rounds import Afterwards, Returned, TimedRound
from maxcode.kinds.torch.harness.trials import LoadedProblem, can_vary, variation
from maxcode.kinds.torch.harness.values import Layout, only_tensors, tensors_in
from maxcode.kinds.torch.harness.verifying import Verifier, refuse_handing_on
from maxcode.kinds.torch.problem.memory import MemoryPlan
from maxcode.kinds.torch.processes.settings import HarnessSettings
from maxcode.kinds.torch.profile import peaks

SAMPLE_SECONDS = {"cuda": 0.012, "cpu": 0.02}
"""Calls are repeated until a sample of the faster side is this long, as far as memory and the limits below allow."""
LONGEST_SAMPLE = 0.5
MOST_CALLS = {"cuda": 256, "cpu": 64}
LEAST_CALLS = 2
MOST_ROUNDS = 4
FEW = 8
"""One in so many of a round's calls are the few, which are timed separately."""
DRAWN_AT_A_TIME = 3
LATE = {"gpu": (5e-5, 0.0), "still": (1e-3, 2e-4)}
"""Seconds that each part of `Afterwards` may take longer than the original's: in one round, and in the median of
several. Time beyond that counts as part of the round."""
LONG_CALL = 2e-3
"""Seconds of a call from which on cold caches make no difference worth a warm-up."""
CLOCK_DISAGREEMENT, CLOCK_SLACK = 3.0, 0.05
TIMES_BEYOND = 8
"""Number of measurements in a row that must be beyond the limit for a refusal. Single ones may be disturbed."""
MOST_SINGLY, SECONDS_SINGLY = 6, 0.02
"""Number of calls of a pair that are made one at a time on a GPU; fewer if they would take more than these seconds."""
BELOW_FLOOR = 0.5
"""Share of the time that the output takes to be written. A call that is faster than that was not made."""


@dataclass
class _Pace:
    """Known speed of one process."""

    seconds: float
    """Rough seconds of one call."""
    fixed: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """Seconds of recent rounds that do not grow with the number of calls; kept for the original only."""
    after: deque[Afterwards] = field(default_factory=lambda: deque(maxlen=REMEMBERED))

    def usual(self, what: str) -> float:
        return float(median(getattr(each, what) for each in self.after))


class Stopwatch:
    def __init__(
        self, settings: HarnessSettings, problem: LoadedProblem, verifier: Verifier, plan: Callable[[], MemoryPlan]
    ) -> None:
        self._settings, self._problem, self._verifier, self._plan = settings, problem, verifier, plan
        self._seed = random.SystemRandom().getrandbits(40)
        self._model: Any = None
        self._paces: dict[int, _Pace] = {}
        self._pool: deque[list[Any]] = deque(maxlen=DRAWN_AT_A_TIME)
        """Inputs drawn lately, of which others are mixed on a CPU: drawing takes longer there than most calls."""
        self._batching = BatchingCheck()
        self._by_flags = settings.device == "cuda"
        """True if rounds on a GPU are started and ended by shared flags. Results must then be tensors only: a process
        that is stopped when it is done could not tell of anything else."""

    @cached_property
    def layout(self) -> Layout:
        """Layout of the inputs of a call.

        Made on first use: it takes GPU memory, and a process that only builds has none reserved.
        """
        return Layout(self._problem.inputs(0))

    @cached_property
    def _varies(self) -> bool:
        return can_vary(self._problem.inputs(0))

    @cached_property
    def _repeats(self) -> bool:
        """True if the same seed gives the same inputs, so that they can be drawn again."""
        pairs = zip(*(tensors_in(self._problem.inputs(0)) for _ in range(2)), strict=True)
        return all(torch.equal(a, b) for a, b in pairs)

    @property
    def slots(self) -> int:
        """Largest number of calls whose inputs and outputs are in memory at the same time."""
        return self._plan().slots

    def exclusive(self, sides: dict[Which, ModelProcess], order: tuple[Which, Which]) -> tuple[Timing, Timing]:
        """Timings (original, other) of rounds that run one after the other, in this order, until they make a sample."""
        sides = {which: sides[which] for which in order}
        paces = {which: self._ready(model_process) for which, model_process in sides.items()}
        few, many, rounds = self._sample([pace.seconds for pace in paces.values()])
        taken = [self._in_a_row(sides, paces, few, many) for _ in range(rounds)]
        timings = {which: _middle([each[which] for each in taken]) for which in order}
        if self._settings.device == "cuda" and "candidate" in order:
            self.refuse_batching(sides, timings)
        other = next(which for which in order if which != "baseline")
        return timings["baseline"], timings[other]

    def _in_a_row(
        self, sides: dict[Which, ModelProcess], paces: dict[Which, _Pace], few: int, many: int
    ) -> dict[Which, Timing]:
        data = self._drawn(few + many)
        ran: dict[Which, tuple[TimedRound, TimedRound]] = {}
        for which, model_process in sides.items():
            hold_others(sides, which)
            ran[which] = self._round(model_process, data, few)
        return self._timings(sides, ran, paces, data)

    def refuse_batching(self, sides: dict[Which, ModelProcess], timings: dict[Which, Timing]) -> None:
        """Failure if calls take longer one at a time than rounds allow: then those of a round were computed together.

        Measured at each pair, and up to TIMES_BEYOND times as long as it looks so: a single measurement may be chance.
        """
        if self.slots < LEAST_CALLS or not all(can_be_apart(each.remote.pid) for each in sides.values()):
            return
        for _ in range(TIMES_BEYOND):
            if not is_beyond(*self._one_by_one(sides, timings), timings["candidate"].wall):
                return
        raise Failure(
            Status.REJECTED, f"{WHERE}: calls take longer one at a time than in a row allows: computed together"
        )

    def _one_by_one(self, sides: dict[Which, ModelProcess], timings: dict[Which, Timing]) -> tuple[float, float]:
        """Seconds to ask for a call, and seconds of the candidate's call including that."""
        slow = max(each.wall for each in timings.values())
        data = self._drawn(max(LEAST_CALLS, min(MOST_SINGLY, self.slots, int(SECONDS_SINGLY / slow))))
        original, other = sides["baseline"], sides["candidate"]
        hold_others(sides, "baseline")
        asking = original.one_by_one(self.layout, data, idle=True)
        wanted = original.one_by_one(self.layout, data)
        hold_others(sides, "candidate")
        found = other.one_by_one(self.layout, data, like=wanted.results)
        self._refuse_wrong(other, [wanted], [found], data)
        return asking.seconds, found.seconds

    def duet(self, sides: dict[Which, ModelProcess], other: Which, both: tuple[Which, Which]) -> tuple[Timing, Timing]:
        """Timings of both at once, on the same core, started in this order. Only their CPU time means something."""
        calls = self._sample([self._ready(sides[which]).seconds for which in both])[1]
        data = self._drawn(calls)
        for which in both:
            sides[which].remote.forget()
            sides[which].write(self.layout, data)
        for which in both:
            sides[which].remote.begin(0, calls)
        ran = {which: sides[which].remote.finish() for which in both}
        self._refuse(sides[other], [ran["baseline"]], [ran[other]], data)
        baseline, candidate = (
            Timing(max(ran[which].cpu, 1e-9) / calls, ran[which].wall / calls) for which in ("baseline", other)
        )
        return baseline, candidate

    def _ready(self, model_process: ModelProcess) -> _Pace:
        found = self.pace(model_process)
        model_process.remote.seal()
        return found

    def pace(self, model_process: ModelProcess) -> _Pace:
        """Pace of a process; its model is loaded and warmed up first where it is not."""
        if model_process.has(self._problem, self._seed):
            return self._paces[id(model_process)]
        weights = self._problem.other_weights(self._seed)
        self._model = model_process.load(self._problem, self._seed, self._original, weights)
        model_process.remote.lay_out(self.layout, self.slots)
        seconds = 0.0
        for most in (min(2, self.slots), min(2, self.slots), self.slots):
            calls = min(most, self._sample([seconds])[1]) if seconds else most
            model_process.remote.forget()
            model_process.write(self.layout, self._drawn(calls))
            ran = model_process.remote.run(0, calls)
            seconds = ran.wall / calls
            self._by_flags = self._by_flags and all(only_tensors(each) for each in ran.results)
        self._paces[id(model_process)] = _Pace(seconds)
        return self._paces[id(model_process)]

    def _original(self) -> Any:
        return self._problem.model(self._seed) if self._model is None else self._model

    def forget(self, model_process: ModelProcess) -> None:
        self._paces.pop(id(model_process), None)

    def _sample(self, seconds: list[float]) -> tuple[int, int, int]:
        """(few, many, rounds) for sides whose calls take these seconds."""
        fast, slow = max(min(seconds), 1e-7), max(*seconds, 1e-7)
        wanted, longest = SAMPLE_SECONDS[self._settings.device] / fast, LONGEST_SAMPLE / slow
        calls = min(max(ceil(min(wanted, longest)), 3), max(self.slots, LEAST_CALLS))
        few = max(calls // FEW, 1)
        return few, calls - few, max(1, min(ceil(wanted / calls), int(longest / calls), MOST_ROUNDS))

    def _drawn(self, calls: int) -> Sequence[Any]:
        """New inputs for that many calls, from a secret seed."""
        if self._plan().redraws:
            seeds = [random.SystemRandom().getrandbits(60) for _ in range(calls)]
            return (
                Redrawn(self._problem, seeds)
                if self._repeats
                else [_on_host(self._problem.inputs(each)) for each in seeds]
            )
        torch.manual_seed(random.SystemRandom().getrandbits(60))
        if self._settings.device == "cuda" or not self._varies:
            return [self._problem.inputs(None) for _ in range(calls)]
        for _ in range(max(DRAWN_AT_A_TIME - len(self._pool), 1)):
            self._pool.append(self._problem.inputs(None))
        return [variation(self._pool) for _ in range(calls)]

    def _round(self, model_process: ModelProcess, data: Sequence[Any], few: int) -> tuple[TimedRound, TimedRound]:
        """Runs the few calls, then the many.

        Inputs of the many are written after the few are done, so that no time is left to work on them early. Where
        there is memory for one call at a time, they take the place of those of the few.
        """
        model_process.remote.forget()
        first = self._run(model_process, data[:few], 0)
        if self.slots > few:
            return first, self._run(model_process, data[few:], few)
        model_process.refuse_mutation(self.layout, data[:few], WHERE)
        return first, self._run(model_process, data[few:], 0)

    def _run(self, model_process: ModelProcess, data: Sequence[Any], first: int) -> TimedRound:
        if self._by_flags and can_be_apart(model_process.remote.pid):
            with apart(model_process.remote.pid):
                warm = self._paces[id(model_process)].seconds < LONG_CALL
                write = partial(self._write, model_process, data, first)
                return model_process.remote.run_by_flags(first, len(data), write, warm=warm)
        self._write(model_process, data, first)
        return model_process.remote.run(first, len(data))

    def _write(self, model_process: ModelProcess, data: Sequence[Any], first: int) -> None:
        model_process.write(self.layout, data, first)
        if not self._plan().together:
            give_back(self._settings.device)

    def _timings(
        self,
        sides: dict[Which, ModelProcess],
        ran: dict[Which, tuple[TimedRound, TimedRound]],
        paces: dict[Which, _Pace],
        data: Sequence[Any],
    ) -> dict[Which, Timing]:
        found: dict[Which, Timing] = {}
        for which in sorted(ran, key=lambda each: each != "baseline"):
            if which != "baseline":
                self._refuse(sides[which], list(ran["baseline"]), list(ran[which]), data)
            found[which] = _timing(ran[which], paces[which], paces["baseline"])
            if which != "baseline":
                self._refuse_impossible(found[which], ran["baseline"][0].results[0])
                if self._settings.device == "cpu":  # on a GPU it is not the CPU that computes
                    self._batching.refuse_on_cpu(sides[which].program, *ran[which])
                else:
                    self._batching.refuse_other_streams(sides[which].program, ran[which])
        return found

    def _refuse(
        self, model_process: ModelProcess, originals: list[TimedRound], rounds: list[TimedRound], data: Sequence[Any]
    ) -> None:
        self._refuse_wrong(model_process, originals, rounds, data)
        for ran in rounds:
            self._refuse_odd_clock(ran)

    def _refuse_wrong(
        self,
        model_process: ModelProcess,
        originals: Sequence[Returned],
        others: Sequence[Returned],
        data: Sequence[Any],
    ) -> None:
        model_process.refuse_mutation(self.layout, data[-self.slots :], WHERE)
        for original, other in zip(originals, others, strict=True):
            for got, want in zip(other.results, original.results, strict=True):
                self._verifier.compare(got, Expected(want, None), self._verifier.errors, WHERE)
            refuse_handing_on(other, WHERE, allowed=original.aliases)

    def _refuse_odd_clock(self, ran: TimedRound) -> None:
        """Failure if the clocks inside and outside differ by more than a busy machine explains.

        A cross-check only: the clock inside never counts, so nothing is gained by a false one.
        """
        threads = self._settings.threads
        slack = CLOCK_SLACK if threads > 1 else 2e-3  # idle threads spin until all have work again
        outer = ran.wall - CLOCK_SLACK if self._settings.device == "cuda" else ran.cpu / threads - slack
        for inside in (ran.inner, ran.events):
            if inside * CLOCK_DISAGREEMENT < outer or inside > ran.wall * CLOCK_DISAGREEMENT:
                raise Failure(
                    Status.REJECTED,
                    f"{WHERE}: the clock inside the process says {inside:.6f} s, the one outside {ran.wall:.6f} s: "
                    "the candidate tampers with the clock, or goes on after it is done",
                )

    def _refuse_impossible(self, timing: Timing, result: Any) -> None:
        if self._settings.device != "cuda":
            return
        floor = sum(each.nbytes for each in tensors_in(result)) / peaks.measured("cuda")["bytes"]
        if timing.wall < BELOW_FLOOR * floor:
            raise Failure(
                Status.REJECTED,
                f"{WHERE}: {timing.wall:.2e} s, but this GPU needs {floor:.2e} s to write the output at all",
            )


def hold_others(sides: dict[Which, ModelProcess], runs: Which) -> None:
    """Stops all other processes while this one runs, since a candidate could keep the machine busy."""
    for which, model_process in sides.items():
        if which != runs:
            model_process.remote.hold()


def _timing(ran: tuple[TimedRound, TimedRound], pace: _Pace, original: _Pace) -> Timing:
    """Timing per call, without the time that does not grow with the number of calls; only the original's rounds tell
    that."""
    few, many = ran
    a, b = len(few.results), len(many.results)
    pace.after.append(many.after)
    much = many.wall + _late(pace, original)
    if pace is original:
        pace.fixed.append(max((b * few.wall - a * much) / (b - a), 0.0) if b > a else 0.0)
    wall = max(much - median(original.fixed), much / 10)  # the few calls are as disturbed, and tell less
    return Timing(max(few.cpu + many.cpu, 1e-9) / (a + b), wall / b)


def _late(pace: _Pace, original: _Pace) -> float:
    """Seconds for which a process still computed after it had said that its round was done."""
    found = [0.0]
    for what, (at_once, as_a_rule) in LATE.items():
        usual = original.usual(what)
        found.append(getattr(pace.after[-1], what) - usual - at_once)
        if len(pace.after) > 1:
            found.append(median_low(getattr(each, what) for each in pace.after) - usual - as_a_rule)
    return max(found)


def _middle(timings: list[Timing]) -> Timing:
    """Median of each clock over several rounds.

    A disturbance, on either side, makes a round longer and never shorter.
    """
    return Timing(median(each.cpu for each in timings), median(each.wall for each in timings))


class Redrawn(Sequence[Any]):
    """Inputs of calls by their seeds, drawn whenever they are needed: those of several do not fit into memory."""

    def __init__(self, problem: LoadedProblem, seeds: list[int]) -> None:
        self._problem, self._seeds = problem, seeds

    def __len__(self) -> int:
        return len(self._seeds)

    def __getitem__(self, which: int | slice) -> Any:
        seeds = self._seeds[which]
        return Redrawn(self._problem, seeds) if isinstance(seeds, list) else self._problem.inputs(seeds)


def _on_host(inputs: list[Any]) -> list[Any]:
    return [each.cpu() if isinstance(each, torch.Tensor) else each for each in inputs]
