"""Kernels in processes of their own: verified at every shape, and timed from outside on data they have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from maxcode.core import EvaluatorError, Mismatch, Status
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.sandbox.running import Call, Ended, Forged, Running, Woken
from maxcode.evaluate.sandbox.sandbox import SANITIZER_ENVIRONMENT, Lane
from maxcode.evaluate.sandbox.view import BOX, Caps
from maxcode.evaluate.toolchain import runtime_view
from maxcode.kinds.kernel.data import Dataset, SharedMemory, first_difference, make_inputs
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.expression import Sizes
from maxcode.task.model import Task

FORGERY = "answered a call before it was asked: a forged reply"
LOOKED_AT, SMALL_BYTES = 8, 1 << 20
"""Number of datasets of a timed shape that are compared where inputs are no larger than these bytes; of larger ones,
two."""
WAKING = "its process went on while it was stopped between calls"


@contextmanager
def serving(
    task: Task,
    lane: Lane,
    program: Path,
    memory: SharedMemory,
    *,
    where: str,
    hidden: bool = True,
    sanitized: bool = False,
) -> Iterator[Running]:
    """Starts a kernel's process and waits until it is ready for calls. Failure when it does not get that far.

    `hidden`: data is loaded already, so the program's own words are kept out of the failure.
    """
    limits = task.limits
    view = replace(runtime_view(), read={f"{BOX}/program": program}, proc=sanitized)
    caps = Caps(
        limits.seconds,
        limits.memory_mb + memory.megabytes * (4 if sanitized else 1),
        limits.output_mb,
        limits.scratch_mb,
        lane.cpus[: limits.cpus],
        bound_address_space=not sanitized,
    )
    environment = SANITIZER_ENVIRONMENT if sanitized else None
    with lane.sandbox.start(
        [f"{BOX}/program"], view, caps, environment=environment, shared=memory.descriptor
    ) as running:
        running.ready()
        running.go()
        ended = running.serving()
        if ended is not None:
            raise _early_end(ended, task, where, hidden=hidden)
        yield running


def call(running: Running, first: int, count: int, task: Task, where: str, *, hidden: bool) -> Call:
    running.begin(first, count)
    return finish(running, task, where, hidden=hidden)


def finish(running: Running, task: Task, where: str, *, hidden: bool) -> Call:
    try:
        answer = running.finish()
    except (Forged, Woken) as misdeed:
        reason = FORGERY if isinstance(misdeed, Forged) else WAKING
        raise Failure(Status.REJECTED, f"{where}: {reason}") from None
    if isinstance(answer, Ended):
        raise _early_end(answer, task, where, hidden=hidden)
    return answer


def _early_end(ended: Ended, task: Task, where: str, *, hidden: bool) -> Failure:
    return failure_of(ended, task.limits, where, hidden=hidden) or Failure(
        Status.CRASHED, f"{where}: the process ended where a call had to be answered"
    )


def describe(sizes: Sizes) -> str:
    return ", ".join(f"{name}={value}" for name, value in sizes.items())


class References:
    """Inputs from a secret seed and the reference's answers to them: computed once per task and seed."""

    def __init__(self, task: Task, lane: Lane, program: Path, seed: int) -> None:
        self._task, self._lane, self._program = task, lane, program
        self._kernel = task.table(Kernel)
        self._rng = np.random.default_rng(np.random.SeedSequence(seed))
        self._timed: list[Dataset] = []
        self._verify: list[tuple[bool, Dataset]] | None = None

    def rng(self) -> np.random.Generator:
        return self._rng

    def verification(self) -> list[tuple[bool, Dataset]]:
        """(hidden, dataset) for every shape that is not timed."""
        if self._verify is None:
            shapes = self._kernel.shapes
            sizes = [*shapes.public, *shapes.hidden]
            answers = self._answer(sizes)
            self._verify = [(i >= len(shapes.public), dataset) for i, dataset in enumerate(answers)]
        return self._verify

    @property
    def timed_shapes(self) -> tuple[Sizes, ...]:
        return self._kernel.shapes.timed

    def timed(self, count: int) -> list[Dataset]:
        """Makes at least this many datasets of the timed shapes, in turn."""
        shapes = self._kernel.shapes.timed
        missing = count - len(self._timed)
        if missing > 0:
            start = len(self._timed)
            self._timed += self._answer([shapes[(start + i) % len(shapes)] for i in range(missing)])
        return self._timed[:count]

    def repeat(self) -> bool:
        """True if calls at a timed shape are so alike that a program that remembers one has the answer to another.

        Some of their inputs are the same (none at all, constants, few values), or all of their outputs are.
        """
        shapes = len(self._kernel.shapes.timed)
        known = self.timed(2 * shapes)
        if sum(each.nbytes for each in known[0].inputs.values()) <= SMALL_BYTES:
            known = self.timed(LOOKED_AT * shapes)
        return any(alike(known[i::shapes]) for i in range(shapes))

    def _answer(self, sizes: list[Sizes]) -> list[Dataset]:
        inputs = [make_inputs(self._kernel, each, self._rng) for each in sizes]
        with SharedMemory(self._kernel, sizes, self._rng) as memory:
            for slot, each in enumerate(inputs):
                memory.load(slot, each)
            try:
                with serving(self._task, self._lane, self._program, memory, where="the reference") as running:
                    for slot in range(len(sizes)):
                        call(running, slot, 1, self._task, f"the reference at {describe(sizes[slot])}", hidden=False)
            except Failure as failure:
                raise EvaluatorError(f"the reference kernel does not work: {failure.reason}") from None
            return [Dataset(each, inputs[slot], memory.outputs(slot)) for slot, each in enumerate(sizes)]


def alike(datasets: list[Dataset]) -> bool:
    inputs = {tuple(a.tobytes() for a in each.inputs.values()) for each in datasets}
    outputs = {tuple(a.tobytes() for a in each.expected.values()) for each in datasets}
    return len(inputs) < len(datasets) or len(outputs) == 1


def verify_kernel(task: Task, lane: Lane, program: Path, references: References, *, sanitized: bool = False) -> int:
    """Number of shapes passed, all of them; Failure (with the number passed so far) otherwise."""
    kernel, cases = task.table(Kernel), references.verification()
    with SharedMemory(kernel, [d.sizes for _, d in cases], references.rng()) as memory:
        passed = 0
        try:
            start = "before the first call"
            with serving(task, lane, program, memory, where=start, hidden=False, sanitized=sanitized) as running:
                for slot, (hidden, dataset) in enumerate(cases):
                    where = f"hidden shape {slot + 1}" if hidden else f"shape {describe(dataset.sizes)}"
                    memory.load(slot, dataset.inputs)  # only now: an earlier call must not see hidden data
                    call(running, slot, 1, task, where, hidden=hidden)
                    check_call(kernel, memory, slot, dataset, where, hidden=hidden)
                    passed += 1
        except Failure as failure:
            failure.passed = passed
            raise
    return passed


def check_call(kernel: Kernel, memory: SharedMemory, slot: int, dataset: Dataset, where: str, *, hidden: bool) -> None:
    """Checks the outputs of one call, read while its process is stopped. Failure if they are wrong."""
    tampered = memory.tampering(slot, dataset.inputs)
    if tampered:
        raise Failure(Status.WRONG, f"{where}: {tampered}")
    difference = first_difference(dataset.expected, memory.outputs(slot), kernel.tolerance, hidden=hidden)
    if difference:
        mismatch = Mismatch(test=where, hidden=hidden, where=difference)
        raise Failure(Status.WRONG, f"{where}: {difference}", mismatch)
