"""The harness process: owns the problem, the seeds, the inputs, the reference, the comparison and the clock.

It answers the worker's requests over a connection and drives the candidate's process and the baseline's, which runs
the original under the same conditions. Whatever is timed is also compared: the two get the same fresh inputs.
"""

from __future__ import annotations

import os
import socket
import time
from multiprocessing.connection import Connection
from typing import Any

import torch

from maxcode.core import InputError, Status
from maxcode.evaluate.failure import Failure
from maxcode.evaluate.pairs import Timing
from maxcode.kinds.torch import peaks
from maxcode.kinds.torch.candidate import set_precision
from maxcode.kinds.torch.channel import Channel
from maxcode.kinds.torch.driven import Driven, Which
from maxcode.kinds.torch.parcel import LEAST_BYTES
from maxcode.kinds.torch.reading import Memory, new_memory
from maxcode.kinds.torch.settings import Settings
from maxcode.kinds.torch.side import Side
from maxcode.kinds.torch.timing import Stopwatch, memory_for_calls
from maxcode.kinds.torch.trials import Problem
from maxcode.kinds.torch.values import Layout, in_words, tensors_in
from maxcode.kinds.torch.verifying import Verifier

SPARE_OUTPUTS, SPARE_MEMORY = 6, 512 << 20
"""Spare memory for outputs: that of so many outputs, and so many bytes. Calls take their intermediate memory from
the same place. With too little of it the original's outputs would have to be copied, and it would seem slower than
it is."""

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

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        torch.set_num_threads(settings.threads)
        set_precision(settings.tf32)
        self._problems = [Problem(text, settings.where, settings.device) for text, _ in settings.problems]
        self._verifier = Verifier(settings, self._problems)
        self._stopwatch = Stopwatch(settings, self._problems[0], self._verifier, self._size_of_output)
        self._driven: dict[Which, Driven] = {}
        self._memory: dict[Which, Memory] = {}
        self._output_size, self._peak = -1, 0

    @property
    def has_candidate(self) -> bool:
        known = self._driven.get("candidate")
        return known is not None and known.problem is not None

    def begin(self) -> None:
        """Sets the deadline of the request that follows, for all processes together, before the worker gives up."""
        until = time.monotonic() + PATIENCE_SECONDS + PATIENCE_LIMITS * self._settings.seconds
        for driven in self._driven.values():
            driven.side.until = until

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
        side = Side(Channel(descriptor), pid, self._settings, self._memory_of(which))
        self._driven[which] = Driven(side, text, name, compiled)
        side.open(self._settings.allocator)

    def detach(self, which: Which) -> None:
        known = self._driven.pop(which, None)
        if known:
            self._stopwatch.forget(known)
            known.side.close()

    def rest(self) -> None:
        """Ends the use of all processes and frees the GPU's memory for others."""
        for which in tuple(self._driven):
            self.detach(which)
        for memory in self._memory.values():
            for arena in memory:
                if arena:
                    arena.close()
        self._memory.clear()
        torch.cuda.empty_cache()

    def total(self) -> int:
        return len(self._verifier.trials(0))

    def verify(self, seed: int, own_kernels: tuple[str, ...] | None) -> int:
        return self._verifier.verify(self._driven["candidate"], seed, own_kernels)

    def exclusive(self, other: Which, candidate_first: bool) -> tuple[Timing, Timing]:
        order: tuple[Which, Which] = (other, "baseline") if candidate_first else ("baseline", other)
        return self._stopwatch.exclusive(self._driven, order)

    def duet(self, other: Which) -> tuple[Timing, Timing]:
        return self._stopwatch.duet(self._driven, other)

    def trace(self) -> dict[str, Any]:
        """Profile of a call as the process itself sees it, with the bytes and operations it needs and the device's
        peaks."""
        driven, problem = self._driven["candidate"], self._problems[0]
        self._stopwatch.pace(driven)
        inputs, model = problem.inputs(0), problem.model(0)
        driven.side.forget()
        driven.write(self._stopwatch.layout, [inputs])
        found = driven.side.profile()
        weights = sum(each.nbytes for each in model.parameters())
        return {
            **found,
            "bytes": sum(each.nbytes for each in tensors_in(inputs)) + self._size_of_output() + weights,
            "flops": peaks.count_flops(model, inputs),
            "peaks": peaks.measured(self._settings.device),
        }

    def _memory_of(self, which: Which) -> Memory:
        """Memory of a role. Each process of the role gets the same: it is slow to make, and holds nothing worth
        knowing."""
        if which not in self._memory:
            largest = max(Layout([p.inputs(0), p.inputs(0), p.init()]).size for p in self._problems)
            weights = max(Layout(list(p.varied.values())).size for p in self._problems)
            inputs = max(self._stopwatch.slots * self._stopwatch.layout.size, largest, weights) + LEAST_BYTES
            self._memory[which] = self._made(inputs, self._room_for_outputs())
        return self._memory[which]

    def _made(self, inputs: int, outputs: int) -> Memory:
        torch.cuda.empty_cache()
        try:
            return new_memory(self._settings.device, inputs, outputs)
        except RuntimeError as error:
            raise InputError(
                f"{self._settings.where}: too large for this GPU: each side needs {inputs >> 20} MiB for inputs and "
                f"{outputs >> 20} MiB for outputs ({error}). Make it smaller: `constants` in [torch], or --scale."
            ) from None

    def _room_for_outputs(self) -> int:
        if self._settings.device != "cuda":
            return 0
        size, slots = self._size_of_output(), self._stopwatch.slots
        spare = min(SPARE_OUTPUTS * size + self._peak, memory_for_calls(self._settings.device))
        return slots * size + self._peak + spare + SPARE_MEMORY

    def _size_of_output(self) -> int:
        if self._output_size < 0:
            problem = self._problems[0]
            model, inputs = problem.model(0), problem.inputs(0)
            before = _allocated(self._settings.device)
            with torch.no_grad():
                result = problem.called(model, inputs)
            self._output_size = sum(each.nbytes for each in tensors_in(result))
            self._peak = _allocated(self._settings.device, most=True) - before
        return self._output_size


def _allocated(device: str, *, most: bool = False) -> int:
    """Bytes allocated on the GPU: now, or with `most` the most since the last call of this function."""
    if device != "cuda":
        return 0
    found = torch.cuda.max_memory_allocated() if most else torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    return int(found)


def _no_tensor(_: Any) -> dict[str, Any]:
    raise ValueError


def _architecture(device: str) -> str | None:
    return "{}.{}".format(*torch.cuda.get_device_capability()) if device == "cuda" else None
