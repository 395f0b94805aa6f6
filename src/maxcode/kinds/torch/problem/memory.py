"""Device memory that judging a problem takes, by phase: how many calls a round has, and which processes run together.

Pure arithmetic over the sizes of one call. The harness plans with sizes that it has measured, and `maxcode bench` and
`runs/torch.sh sizes` with sizes that were computed without a GPU.
"""

from __future__ import annotations

from dataclasses import dataclass

SHARE_OF_DEVICE, SHARE_OF_FREE = 12, 8
"""One part in so many of the device's memory, or of its free memory if that is less, is for the inputs of a round, and
as much for its outputs; a single call may take more."""
FEW_CALLS = 2
"""Least number of calls that a round has at a time, where memory allows it."""
SPARE_OUTPUTS, SPARE_BYTES = 6, 512 << 20
"""Spare memory for outputs: that of so many outputs, and so many bytes. Calls take their intermediate memory from
the same place. With too little of it the original's outputs would have to be copied, and it would seem slower than
it is."""
PROCESS_BYTES = 1 << 30
"""Memory that a process takes of the device besides tensors: its context and the workspaces of libraries."""
USABLE = 0.96
"""Share of the device's memory that can be planned with: the rest is lost between blocks."""
TOGETHER = 3
"""Number of model processes where memory allows it: the candidate's, the original's, and the original's once more."""


@dataclass(frozen=True)
class Footprint:
    """Bytes of one call of the original."""

    inputs: int
    outputs: int
    weights: int
    peak: int
    """Most memory that a call takes besides inputs and weights, its outputs included."""


@dataclass(frozen=True)
class MemoryPlan:
    call: Footprint
    slots: int
    """Calls whose inputs and outputs are in memory at the same time."""
    input_arena: int
    output_arena: int
    device: int | None = None
    """Bytes of the device; None on a CPU, where memory is not planned."""

    @property
    def redraws(self) -> bool:
        """True if inputs are drawn again when they are needed, since more than one call's do not fit."""
        return self.slots < FEW_CALLS

    @property
    def process(self) -> int:
        """Bytes of one process. Its weights count twice: a program may keep some of them in another form too."""
        return self.input_arena + self.output_arena + 2 * self.call.weights + PROCESS_BYTES

    @property
    def verifying(self) -> int:
        """Bytes of the harness at a trial: inputs, results of two calls, weights, and the reference in float64."""
        call = self.call
        held = call.inputs + 2 * call.outputs + 2 * call.weights
        in_double = 2 * call.inputs + 3 * call.weights + 2 * call.peak
        eager = 2 * call.outputs + call.inputs + call.peak
        return held + max(in_double, eager) + PROCESS_BYTES

    @property
    def timing(self) -> int:
        """Bytes of the harness at a round: inputs, the results of both processes, and weights as they were."""
        held = 1 if self.redraws else self.slots
        results = 2 * max(self.slots, FEW_CALLS)
        return held * self.call.inputs + results * self.call.outputs + 3 * self.call.weights + PROCESS_BYTES

    @property
    def phases(self) -> dict[str, int]:
        """Bytes on the device in each phase, with the processes that it cannot do without."""
        return {"verify": self.verifying + self.process, "time": self.timing + 2 * self.process}

    @property
    def together(self) -> bool:
        """True if all processes fit beside each other, so that they can be started while the candidate is verified."""
        return self._has(max(self.verifying, self.timing) + TOGETHER * self.process)

    @property
    def fits(self) -> bool:
        return self._has(max(self.phases.values()))

    def _has(self, size: int) -> bool:
        return self.device is None or size <= USABLE * self.device


def room_on(device: int, free: int) -> int:
    """Bytes for the inputs of a round, and as many for its outputs, on a device of which so many bytes are free."""
    return min(device // SHARE_OF_DEVICE, free // SHARE_OF_FREE)


def plan_memory(call: Footprint, room: int, most: int, device: int | None = None, least: int = 0) -> MemoryPlan:
    """Plan for rounds of at most `most` calls, whose inputs have `room`.

    A round has fewer calls where more would not fit into the device. `least`: bytes that the memory for inputs has in
    any case.
    """
    slots = min(max(room // max(call.inputs, call.outputs, 1), 1), most)
    while slots > 1 and not _plan(call, room, slots, device, least).fits:
        slots //= 2
    return _plan(call, room, slots, device, least)


def _plan(call: Footprint, room: int, slots: int, device: int | None, least: int) -> MemoryPlan:
    spare = call.outputs if slots < FEW_CALLS else min(SPARE_OUTPUTS * call.outputs + call.peak, room)
    outputs = slots * call.outputs + call.peak + spare + SPARE_BYTES
    return MemoryPlan(call, slots, max(slots * call.inputs, least), outputs, device)


def too_large(call: Footprint, device: int) -> str | None:
    """Reason why a problem with such calls cannot be judged on a device of so many bytes; None if it can."""
    plan = plan_memory(call, 0, 1, device)
    if plan.fits:
        return None
    needed, there = max(plan.phases.values()) / 2**30, device / 2**30
    return f"too large for this GPU: judging it takes about {needed:.0f} GiB of memory, and there are {there:.0f}"
