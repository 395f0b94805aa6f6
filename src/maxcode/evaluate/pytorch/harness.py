"""The harness process: owns the problem, the seeds, the inputs, the reference, the comparison and the clock.

It answers the worker's requests over a connection and drives the candidate's process and the baseline's, which runs
the original under the same conditions. Whatever is timed is also compared: the two get the same fresh inputs.
"""

from __future__ import annotations

import copy
import os
import random
import socket
from collections import deque
from dataclasses import dataclass, field
from math import ceil
from multiprocessing.connection import Connection
from statistics import median
from typing import Any, Literal

import torch

from maxcode.core import InputError, Mismatch, Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.pairs import Timing
from maxcode.evaluate.pytorch import peaks, proof
from maxcode.evaluate.pytorch.candidate import set_precision
from maxcode.evaluate.pytorch.channel import Channel
from maxcode.evaluate.pytorch.compare import (
    Errors,
    Expected,
    errors_of,
    structure_difference,
    value_difference,
)
from maxcode.evaluate.pytorch.settings import Settings
from maxcode.evaluate.pytorch.side import Memory, Ran, Side, new_memory
from maxcode.evaluate.pytorch.trials import AS_GIVEN, Problem, Trial, all_finite, plan
from maxcode.evaluate.pytorch.values import Layout, in_words, tensors_in

Which = Literal["baseline", "candidate", "again"]
"""`again`: the original a second time, to find out what the noise is."""
SAMPLE_SECONDS = {"cuda": 0.03, "cpu": 0.02}
"""Calls are repeated until a sample of the faster side is at least this long, as far as memory and MOST_CALLS allow."""
LONGEST_SAMPLE = 0.5
MOST_CALLS = 64
MOST_ROUNDS = 16
MEMORY_ON_CPU = 128 << 20
SHARE_OF_GPU = 96
"""One part in so many of a GPU's memory is for the inputs of a round: several processes prepare theirs at a time."""
SPARE_OUTPUTS = 6
SPARE_MEMORY = 512 << 20
OVERHEADS = 15
CLOCK_DISAGREEMENT = 3.0
CLOCK_SLACK = 0.05
LEAST_OWN_SHARE = 0.05
"""Less than this of a call's time in the candidate's own kernels: they are decoys."""
BELOW_FLOOR = 0.5
"""A call that takes less than this share of the time that its output needs to be written was not made."""


@dataclass
class _Judged:
    """What the harness knows about one process that it drives."""

    side: Side
    text: str
    name: str
    compiled: bool
    seed: int = -1
    problem: int = -1
    seconds: float = 0.0
    """Of one call, roughly."""
    timed: bool = False
    state: dict[str, Any] = field(default_factory=dict)


def main(descriptors: list[int], arguments: dict[str, Any]) -> None:  # noqa: ARG001
    worker = Connection(descriptors[0])
    harness: Harness | None = None
    while True:
        try:
            name, given = worker.recv()
        except EOFError:
            return
        try:
            if name == "attach":
                given = given | {"descriptor": _passed(descriptors[0])}
            if name == "set up":
                harness = Harness(given["settings"])
                answer: Any = harness.description()
            else:
                assert harness is not None
                answer = getattr(harness, name)(**given)
            worker.send(("done", answer))
        except Failure as failure:
            worker.send(("failure", (failure.status, failure.reason, failure.mismatch, failure.passed)))
        except InputError as error:
            worker.send(("input", str(error)))
        except Exception as error:
            worker.send(("fault", f"{type(error).__name__}: {error}"))


def _passed(connection: int) -> int:
    """The descriptor that follows a request."""
    with socket.socket(fileno=os.dup(connection)) as passing:
        _, found, _, _ = socket.recv_fds(passing, 1, 1)
    return found[0]


class Harness:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        torch.set_num_threads(settings.threads)
        set_precision(settings.tf32)
        self._problems = [Problem(text, settings.where, settings.device) for text, _ in settings.problems]
        self._layout = Layout(self._problems[0].inputs(0))
        room = _memory_for_inputs(settings.device) // max(self._layout.size, 1)
        self._slots = min(max(room, 2), MOST_CALLS)
        self._output_size = 0
        self._judged: dict[Which, _Judged] = {}
        self._memory: dict[Which, Memory] = {}
        self._timed_model: Any = None
        self._errors: Errors | None = None
        self._overheads: dict[int, deque[float]] = {}
        """Of rounds with so many calls: seconds that pass outside the process besides those inside, as seen lately."""
        self._seed = random.SystemRandom().getrandbits(40)
        """Of the weights in timed rounds."""

    def description(self) -> dict[str, Any]:
        """For the builder, which gets no tensors."""
        try:
            init = in_words(self._problems[0].init(), _no_tensor)
        except ValueError:
            init = None
        return {"init": init, "arch": _architecture(self._settings.device)}

    def attach(self, which: Which, descriptor: int, pid: int, text: str, name: str, compiled: bool) -> None:
        """A new process to drive, in place of the one before."""
        self.detach(which)
        side = Side(Channel(descriptor), pid, self._settings.device, self._settings.seconds, self._memory_of(which))
        self._judged[which] = _Judged(side, text, name, compiled)
        side.open(self._settings.allocator)

    def detach(self, which: Which) -> None:
        known = self._judged.pop(which, None)
        if known:
            known.side.close()

    def rest(self) -> None:
        """Gives the GPU's memory back: others will use it now."""
        for which in tuple(self._judged):
            self.detach(which)
        for memory in self._memory.values():
            for arena in memory:
                if arena:
                    arena.close()
        self._memory.clear()
        torch.cuda.empty_cache()

    def _memory_of(self, which: Which) -> Memory:
        """One after the other gets the same: it is dear to make, and holds nothing worth knowing."""
        if which not in self._memory:
            largest = max(Layout([p.inputs(0), p.inputs(0), p.init()]).size for p in self._problems)
            inputs = max(self._slots * self._layout.size, largest)
            self._memory[which] = new_memory(self._settings.device, inputs, self._room_for_outputs())
        return self._memory[which]

    def _room_for_outputs(self) -> int:
        """For those of a round, with some to spare: what a call needs besides comes out of the same memory."""
        if self._settings.device != "cuda":
            return 0
        if not self._output_size:
            with torch.no_grad():
                result = self._problems[0].model(0)(*self._problems[0].inputs(0))
            self._output_size = sum(each.nbytes for each in tensors_in(result))
        return (self._slots + SPARE_OUTPUTS) * self._output_size + SPARE_MEMORY

    def verify(self, seed: int, own_kernels: tuple[str, ...] | None) -> int:
        """How many trials it passes: all, or Failure. Own kernels, where asked for, must do some of the work."""
        settings, judged = self._settings, self._judged["candidate"]
        trials = plan(seed, settings.trials, len(self._problems), distributions=settings.distributions)
        for passed, trial in enumerate(trials):
            where = trial.in_words(settings.problems[trial.problem][1])
            try:
                self._try(judged, trial, where)
            except Failure as failure:
                raise _counted(_placed(failure, where), passed) from None
        if own_kernels is not None:
            self._refuse_decoys(judged, own_kernels)
        return len(trials)

    def _refuse_decoys(self, judged: _Judged, own: tuple[str, ...]) -> None:
        """The candidate's own kernels must do a part of the work; on a CPU: torch's operators must not do all of it."""
        found = judged.side.ask("profile", count=1)
        share = proof.own_share(found, own, self._settings.device)
        if share is not None and share < LEAST_OWN_SHARE:
            raise Failure(
                Status.REJECTED,
                f"its own kernels do {share:.0%} of the work and PyTorch's the rest; this task asks for own kernels",
            )

    def total(self) -> int:
        settings = self._settings
        return len(plan(0, settings.trials, len(self._problems), distributions=settings.distributions))

    def exclusive(self, other: Which, candidate_first: bool) -> tuple[Timing, Timing]:
        """Rounds of calls by the original and by the other, one after the other, until a sample is long enough."""
        order: tuple[Which, ...] = (other, "baseline") if candidate_first else ("baseline", other)
        calls, rounds = self._sample(other)
        total = (Timing(0, 0), Timing(0, 0))
        for _ in range(rounds):
            data = self._given(order, calls)
            ran = {which: self._judged[which].side.run(0, calls) for which in order}
            total = _sum(total, self._timings(ran, other, data))
        return _mean(total, rounds)

    def duet(self, other: Which) -> tuple[Timing, Timing]:
        calls, _ = self._sample(other)
        data = self._given(("baseline", other), calls)
        for which in ("baseline", other):
            self._judged[which].side.begin(0, calls)
        ran = {which: self._judged[which].side.finish() for which in ("baseline", other)}
        return self._timings(ran, other, data)

    def _sample(self, other: Which) -> tuple[int, int]:
        """Calls of a round, and rounds of a sample."""
        seconds = [self._ready(which).seconds for which in ("baseline", other)]
        calls = self._calls(seconds)
        longest = LONGEST_SAMPLE / (max(seconds) * calls)
        wanted = SAMPLE_SECONDS[self._settings.device] / (min(seconds) * calls)
        return calls, max(1, min(ceil(wanted), int(longest), MOST_ROUNDS))

    def _given(self, order: tuple[Which, ...], calls: int) -> list[Any]:
        """New inputs, the same for both."""
        data = self._drawn(calls)
        for which in order:
            self._fill(self._ready(which), data)
        return data

    def trace(self) -> dict[str, Any]:
        """Where a call's time goes, as the process itself sees it, with what the call moves and could move."""
        judged = self._ready("candidate")
        self._fill(judged, [self._problems[0].inputs(None)])
        found = judged.side.ask("profile", count=1)
        inputs = sum(each.nbytes for each in tensors_in(self._problems[0].inputs(0)))
        expected = self._problems[0].model(0)
        with torch.no_grad():
            outputs = sum(each.nbytes for each in tensors_in(expected(*self._problems[0].inputs(0))))
        weights = sum(each.nbytes for each in expected.parameters())
        return {
            "events": found.get("events", []),
            "seconds": judged.seconds,
            "bytes": inputs + outputs + weights,
            "flops": peaks.count_flops(expected, self._problems[0].inputs(0)),
            "peaks": peaks.measured(self._settings.device),
        }

    def _try(self, judged: _Judged, trial: Trial, where: str) -> None:
        problem = self._problems[trial.problem]
        model = problem.model(trial.weights)
        self._load(judged, trial.problem, trial.weights, model)
        inputs = problem.inputs(trial.inputs, trial.values)
        layout = Layout(inputs)
        judged.side.lay_out(layout, 2)
        self._write(judged, layout, [inputs, inputs])
        ran = judged.side.run(0, 2)  # twice the same: a second call must not be another
        self._refuse_mutation(judged, layout, [inputs, inputs], where)
        expected = self._expected(model, inputs)
        if trial.values != AS_GIVEN and not all_finite(expected.result):
            return
        errors = errors_of(expected)
        if trial.problem == 0 and trial.values == AS_GIVEN:
            self._errors = errors
        for got in ran.results:
            self._compare(got, expected, errors, where)
        if ran.aliases and not _aliases(expected.result, inputs):
            raise Failure(Status.WRONG, f"{where}: the output is memory of the inputs; the original returns its own")
        self._refuse_changed_weights(judged, model, where)

    def _load(self, judged: _Judged, problem: int, seed: int, model: Any) -> None:
        if (judged.problem, judged.seed) == (problem, seed):
            return
        state = judged.side.load(
            judged.text, judged.name, self._problems[problem].init(), seed, compiled=judged.compiled
        )
        judged.problem, judged.seed, judged.timed, judged.state = problem, seed, False, state
        own = dict(model.named_parameters()) | dict(model.named_buffers())
        for name in own.keys() & state.keys():
            ours, theirs = own[name].detach(), state[name]
            if ours.shape == theirs.shape and ours.dtype == theirs.dtype and not torch.equal(ours, theirs):
                raise Failure(
                    Status.WRONG,
                    f"the initial value of '{name}' differs from the original's at the same seed; create "
                    "parameters as the original does, in the same order",
                )

    def _expected(self, model: Any, inputs: list[Any]) -> Expected:
        with torch.no_grad():
            exact = _in_double(model, inputs)
            own = [each.clone() if isinstance(each, torch.Tensor) else each for each in inputs]
            try:
                return Expected(model(*own), exact)
            except Exception as error:
                raise InputError(
                    f"{self._settings.where}: Model fails on its own inputs: {type(error).__name__}: {error}"
                ) from None

    def _compare(self, got: Any, expected: Expected, errors: Errors | None, where: str) -> None:
        said = structure_difference(got, expected.result)
        said = said or value_difference(got, expected, errors, strict=self._settings.strict)
        if said:
            raise Failure(Status.WRONG, f"{where}: {said}", Mismatch(test=where, hidden=True, where=said))

    def _refuse_mutation(self, judged: _Judged, layout: Layout, data: list[Any], where: str) -> None:
        for slot, inputs in enumerate(data):
            theirs = tensors_in(layout.arguments(judged.side.memory, slot))
            for number, (ours, other) in enumerate(zip(tensors_in(inputs), theirs, strict=True)):
                if not torch.equal(
                    ours.view(torch.uint8) if ours.is_floating_point() else ours,
                    other.view(torch.uint8) if other.is_floating_point() else other,
                ):
                    raise Failure(Status.WRONG, f"{where}: input {number} was changed by the call")

    def _refuse_changed_weights(self, judged: _Judged, model: Any, where: str) -> None:
        now = judged.side.state()
        fixed = {name for name, _ in model.named_parameters()}
        for name, before in judged.state.items():
            if name in fixed and name in now and not torch.equal(now[name], before):
                raise Failure(Status.WRONG, f"{where}: the weight '{name}' was changed by the call")

    def _ready(self, which: Which) -> _Judged:
        """The process with its model for timed rounds, warm."""
        judged = self._judged[which]
        if not judged.timed:
            self._timed_model = self._timed_model or self._problems[0].model(self._seed)
            self._load(judged, 0, self._seed, self._timed_model)
            judged.side.lay_out(self._layout, self._slots)
            judged.timed = True
            for calls in (2, 2, self._slots):
                wanted = min(calls, self._calls([judged.seconds])) if judged.seconds else calls
                self._write(judged, self._layout, self._drawn(wanted))
                judged.seconds = judged.side.run(0, wanted).wall / wanted
                judged.side.forget()
        return judged

    def _calls(self, seconds: list[float]) -> int:
        """How many make a sample, for sides whose calls take so long."""
        fast, slow = max(min(seconds), 1e-7), max(*seconds, 1e-7)
        wanted = min(ceil(SAMPLE_SECONDS[self._settings.device] / fast), ceil(LONGEST_SAMPLE / slow))
        return min(max(wanted, 2), self._slots)

    def _drawn(self, calls: int) -> list[Any]:
        torch.manual_seed(random.SystemRandom().getrandbits(60))
        return [self._problems[0].inputs(None) for _ in range(calls)]

    def _fill(self, judged: _Judged, data: list[Any]) -> None:
        judged.side.forget()
        self._write(judged, self._layout, data)

    def _write(self, judged: _Judged, layout: Layout, data: list[Any]) -> None:
        for slot, inputs in enumerate(data):
            theirs = tensors_in(layout.arguments(judged.side.memory, slot))
            for ours, other in zip(tensors_in(inputs), theirs, strict=True):
                other.copy_(ours)

    def _timings(self, ran: dict[Which, Ran], other: Which, data: list[Any]) -> tuple[Timing, Timing]:
        where = "timed call"
        self._refuse_mutation(self._judged[other], self._layout, data, where)
        baseline, candidate = ran["baseline"], ran[other]
        self._refuse_missing(candidate, len(data), where)
        for got, want in zip(candidate.results, baseline.results, strict=True):
            self._compare(got, Expected(want, None), self._errors, where)
        self._refuse_odd_clock(candidate, where)
        overhead = self._learn_overhead(baseline, len(data))
        found = [_timing(each, overhead, len(data)) for each in (baseline, candidate)]
        self._refuse_impossible(found[1], candidate.results[0], where)
        return found[0], found[1]

    def _learn_overhead(self, baseline: Ran, calls: int) -> float:
        """What asking and answering takes. The original's process is trusted, so its own clock tells."""
        known = self._overheads.setdefault(calls, deque(maxlen=OVERHEADS))
        known.append(max(baseline.wall - baseline.inner, 0.0))
        return median(known)

    def _refuse_missing(self, ran: Ran, calls: int, where: str) -> None:
        if len(ran.results) != calls:
            raise Failure(Status.REJECTED, f"{where}: {len(ran.results)} results for {calls} calls: forged")

    def _refuse_odd_clock(self, ran: Ran, where: str) -> None:
        """A cross-check only, with room for a busy machine: nothing is gained by a false clock inside."""
        on_gpu = self._settings.device == "cuda"
        outer = ran.wall - CLOCK_SLACK if on_gpu else ran.cpu / self._settings.threads - 2e-3
        if ran.inner * CLOCK_DISAGREEMENT < outer or ran.inner > ran.wall * CLOCK_DISAGREEMENT:
            raise Failure(
                Status.REJECTED,
                f"{where}: the clock inside the process says {ran.inner:.6f} s, the one outside {ran.wall:.6f} s: "
                "the candidate tampers with the clock, or goes on after it is done",
            )

    def _refuse_impossible(self, timing: Timing, result: Any, where: str) -> None:
        if self._settings.device != "cuda":
            return
        floor = sum(each.nbytes for each in tensors_in(result)) / peaks.measured("cuda")["bytes"]
        if timing.wall < BELOW_FLOOR * floor:
            raise Failure(
                Status.REJECTED,
                f"{where}: {timing.wall:.2e} s, but this GPU needs {floor:.2e} s to write the output at all",
            )


def _timing(ran: Ran, overhead: float, calls: int) -> Timing:
    wall = max(ran.wall - overhead, ran.wall / 10, 1e-9)
    return Timing(max(ran.cpu, 1e-9) / calls, wall / calls)


def _sum(a: tuple[Timing, Timing], b: tuple[Timing, Timing]) -> tuple[Timing, Timing]:
    return Timing(a[0].cpu + b[0].cpu, a[0].wall + b[0].wall), Timing(a[1].cpu + b[1].cpu, a[1].wall + b[1].wall)


def _mean(total: tuple[Timing, Timing], rounds: int) -> tuple[Timing, Timing]:
    a, b = (Timing(each.cpu / rounds, each.wall / rounds) for each in total)
    return a, b


def _in_double(model: Any, inputs: list[Any]) -> Any | None:
    """The exact result; None where the original cannot be run in float64."""
    try:
        exact = copy.deepcopy(model).double()
        return exact(*(each.double() if _floating(each) else each for each in inputs))
    except Exception:
        return None


def _floating(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def _aliases(result: Any, inputs: list[Any]) -> bool:
    """The original ran on copies of the inputs; it hands one on where shape and values are those of an input."""
    return any(
        a.shape == b.shape and a.dtype == b.dtype and torch.equal(a, b)
        for a in tensors_in(result)
        for b in tensors_in(inputs)
    )


def _placed(failure: Failure, where: str) -> Failure:
    reason = failure.reason if failure.reason.startswith((where, "timed")) else f"{where}: {failure.reason}"
    if failure.status is Status.BUILD_ERROR:
        reason = failure.reason
    return Failure(failure.status, reason, failure.mismatch)


def _counted(failure: Failure, passed: int) -> Failure:
    failure.passed = passed
    return failure


def _no_tensor(_: Any) -> dict[str, Any]:
    raise ValueError


def _memory_for_inputs(device: str) -> int:
    return torch.cuda.mem_get_info()[1] // SHARE_OF_GPU if device == "cuda" else MEMORY_ON_CPU


def _architecture(device: str) -> str | None:
    return "{}.{}".format(*torch.cuda.get_device_capability()) if device == "cuda" else None
