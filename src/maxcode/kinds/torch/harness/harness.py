"""The harness process: owns the problem, the seeds, the inputs, the reference, the comparison and the clock.

It answers the worker's requests over a connection and drives the candidate's process and the baseline's, which runs
the original under the same conditions. Whatever is timed is also compared: the two get the same fresh inputs.
"""

from __future__ import annotations

import os
import socket
import time
from functools import cached_property
from multiprocessing.connection import Connection
from typing import Any

import torch

from maxcode.core import InputError, Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.measure.pairs import Timing
from maxcode.kinds.torch.harness.late_input import LEAST_BYTES
from maxcode.kinds.torch.harness.memory_use import allocated, give_back
from maxcode.kinds.torch.harness.model_process import ModelProcess, Which
from maxcode.kinds.torch.harness.reading import Memory, new_memory
from maxcode.kinds.torch.harness.remote_model import RemoteModel
from maxcode.kinds.torch.harness.timing import MOST_CALLS, Stopwatch
from maxcode.kinds.torch.harness.trials import LoadedProblem
from maxcode.kinds.torch.harness.values import Layout, in_words, tensors_in
from maxcode.kinds.torch.harness.verifying import Verifier
from maxcode.kinds.torch.problem.memory import Footprint, MemoryPlan, plan_memory, room_on
from maxcode.kinds.torch.processes.candidate import set_precision
from maxcode.kinds.torch.processes.channel import Channel
from maxcode.kinds.torch.processes.settings import HarnessSettings
from maxcode.kinds.torch.profile import peaks

ROOM_ON_CPU = 128 << 20
"""Bytes for the inputs of a round on a CPU."""
PATIENCE_SECONDS, PATIENCE_LIMITS = 300.0, 3
"""Time that all answers to one request may take: these seconds, and so many time limits. The worker waits longer."""


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
                harness.begin()
                answer = getattr(harness, name)(**given)
            worker.send(("done", answer))
        except Failure as failure:
            worker.send(("failure", (failure.status, failure.reason, failure.mismatch, failure.passed)))
        except torch.OutOfMemoryError as error:
            worker.send(_out_of_memory(harness, error))
        except InputError as error:
            worker.send(("input", str(error)))
        except Exception as error:
            worker.send(("fault", f"{type(error).__name__}: {error}"))


def _out_of_memory(harness: Harness | None, error: Exception) -> tuple[str, Any]:
    """Answer to the worker when the GPU's memory is full: the candidate's failure if it has loaded, else the
    problem's."""
    torch.cuda.empty_cache()
    said = str(error).splitlines()[0]
    if harness is not None and harness.has_candidate:
        reason = f"the GPU's memory is full: it holds too much of it, or the problem is too large for this GPU: {said}"
        return "failure", (Status.CRASHED, reason, None, 0)
    return "input", f"the problem does not fit into the GPU's memory: {said}"


def _passed(connection: int) -> int:
    """Receives the descriptor that follows a request."""
    with socket.socket(fileno=os.dup(connection)) as passing:
        _, found, _, _ = socket.recv_fds(passing, 1, 1)
    return found[0]


class Harness:
    """Requests of the worker, a method for each."""

    def __init__(self, settings: HarnessSettings) -> None:
        self._settings = settings
        torch.set_num_threads(settings.threads)
        set_precision(settings.tf32)
        self._problems = [LoadedProblem(text, settings.where, settings.device) for text, _ in settings.problems]
        self._verifier = Verifier(settings, self._problems, lambda: self.plan)
        self._stopwatch = Stopwatch(settings, self._problems[0], self._verifier, lambda: self.plan)
        self._driven: dict[Which, ModelProcess] = {}
        self._memory: dict[Which, Memory] = {}

    @property
    def has_candidate(self) -> bool:
        known = self._driven.get("candidate")
        return known is not None and known.problem is not None

    def begin(self) -> None:
        """Sets the deadline of the request that follows, for all processes together, before the worker gives up."""
        until = time.monotonic() + PATIENCE_SECONDS + PATIENCE_LIMITS * self._settings.seconds
        for model_process in self._driven.values():
            model_process.remote.until = until

    def description(self) -> dict[str, Any]:
        """Constructor arguments (None if they hold tensors) and GPU architecture, for the builder."""
        try:
            init = in_words(self._problems[0].init(), _no_tensor)
        except ValueError:
            init = None
        return {"init": init, "arch": _architecture(self._settings.device)}

    def attach(self, which: Which, descriptor: int, pid: int, text: str, name: str, compiled: bool) -> None:
        """Takes a new process in place of the one before."""
        self.detach(which)
        give_back(self._settings.device)
        remote = RemoteModel(Channel(descriptor), pid, self._settings, self._memory_of(which))
        self._driven[which] = ModelProcess(remote, text, name, compiled)
        remote.open(self._settings.allocator)

    def detach(self, which: Which) -> None:
        known = self._driven.pop(which, None)
        if known:
            self._stopwatch.forget(known)
            known.remote.close()
            if not self.together():
                self._close_memory(which)

    def rest(self) -> None:
        """Ends the use of all processes and frees the GPU's memory for others."""
        for which in tuple(self._driven):
            self.detach(which)
        for which in tuple(self._memory):
            self._close_memory(which)
        self._verifier.forget()
        torch.cuda.empty_cache()

    def _close_memory(self, which: Which) -> None:
        for arena in self._memory.pop(which, ()):
            if arena:
                arena.close()

    def together(self) -> bool:
        """True if the processes of all roles fit into the device's memory at the same time."""
        return self.plan.together

    def total(self) -> int:
        return len(self._verifier.trials(0))

    def screen(self, seed: int) -> None:
        """The first trial of `verify`, by which most wrong programs are found."""
        self._verifier.verify(self._driven["candidate"], seed, None, slice(1))

    def verify(self, seed: int, own_kernels: tuple[str, ...] | None) -> int:
        """The trials after the first; `screen` comes before."""
        return self._verifier.verify(self._driven["candidate"], seed, own_kernels, slice(1, None))

    def exclusive(self, other: Which, candidate_first: bool) -> tuple[Timing, Timing]:
        return self._stopwatch.exclusive(self._driven, _order(other, candidate_first))

    def duet(self, other: Which, candidate_first: bool) -> tuple[Timing, Timing]:
        return self._stopwatch.duet(self._driven, other, _order(other, candidate_first))

    def trace(self) -> dict[str, Any]:
        """Profile of a call as the process itself sees it, with the bytes and operations it needs and the device's
        peaks."""
        model_process, problem = self._driven["candidate"], self._problems[0]
        self._stopwatch.pace(model_process)
        inputs, model = problem.inputs(0), problem.model(0)
        model_process.remote.forget()
        model_process.write(self._stopwatch.layout, [inputs])
        found = model_process.remote.profile()
        weights = sum(each.nbytes for each in model.parameters())
        return {
            **found,
            "bytes": sum(each.nbytes for each in tensors_in(inputs)) + self.plan.call.outputs + weights,
            "flops": peaks.count_flops(model, inputs),
            "peaks": peaks.measured(self._settings.device),
        }

    def _memory_of(self, which: Which) -> Memory:
        """Memory of a role. Each process of the role gets the same: it is slow to make, and holds nothing worth
        knowing."""
        if which not in self._memory:
            self._memory[which] = self._made(self.plan.input_arena + LEAST_BYTES, self.plan.output_arena)
        return self._memory[which]

    def _made(self, inputs: int, outputs: int) -> Memory:
        torch.cuda.empty_cache()
        try:
            return new_memory(self._settings.device, inputs, outputs)
        except RuntimeError as error:
            raise InputError(
                f"{self._settings.where}: too large for this GPU: each process needs {inputs >> 20} MiB for inputs and "
                f"{outputs >> 20} MiB for outputs ({error}). Make it smaller: `constants` in [torch], or --scale."
            ) from None

    @cached_property
    def plan(self) -> MemoryPlan:
        """Plan of the device's memory. Made on first use: a process that only builds has no GPU reserved."""
        device, problems = self._settings.device, self._problems
        total = torch.cuda.mem_get_info()[1] if device == "cuda" else None
        room, call = self._room, self._measured()
        other = max((Layout(each.inputs(0)).size for each in problems[1:]), default=0)
        init = max(Layout(each.init()).size for each in problems)
        weights = max(Layout(list(each.varied.values())).size for each in problems)
        given = Layout(list(problems[0].model(0).parameters())).size if self._settings.weights_change else 0
        least = max(other, init, weights, given)
        give_back(device)
        return plan_memory(call, room, MOST_CALLS[device], total, least)

    @cached_property
    def _room(self) -> int:
        if self._settings.room is not None:
            return self._settings.room
        if self._settings.device != "cuda":
            return ROOM_ON_CPU
        free, total = torch.cuda.mem_get_info()
        return room_on(total, free)

    def _measured(self) -> Footprint:
        """Sizes of a call of the original at the timed sizes."""
        problem, device = self._problems[0], self._settings.device
        model, inputs = problem.model(0), problem.inputs(0)
        before = allocated(device)
        with torch.no_grad():
            result = problem.called(model, inputs)
        peak = allocated(device, most=True) - before
        weights = sum(each.nbytes for each in (*model.parameters(), *model.buffers()))
        outputs = sum(each.nbytes for each in tensors_in(result))
        return Footprint(Layout(inputs).size, outputs, weights, peak)


def _order(other: Which, candidate_first: bool) -> tuple[Which, Which]:
    return (other, "baseline") if candidate_first else ("baseline", other)


def _no_tensor(_: Any) -> dict[str, Any]:
    raise ValueError


def _architecture(device: str) -> str | None:
    return "{}.{}".format(*torch.cuda.get_device_capability()) if device == "cuda" else None
