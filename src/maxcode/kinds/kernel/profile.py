"""Profile of a kernel."""

from __future__ import annotations

from dataclasses import replace

from maxcode.core import Candidate, Fact
from maxcode.evaluate.build import Builder
from maxcode.evaluate.profile.facts import facts_of_compiled
from maxcode.evaluate.sandbox.running import Ended
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.evaluate.sandbox.view import Caps, View
from maxcode.kinds.kernel.data import SharedMemory
from maxcode.kinds.kernel.serving import References
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.model import Task


def profile_kernel(
    task: Task, candidate: Candidate, builder: Builder, lane: Lane, references: References
) -> tuple[Fact, ...]:
    """Facts that this machine can tell about one call at the first timed shape."""
    dataset = references.timed(1)[0]
    with SharedMemory(task.table(Kernel), [dataset.sizes], references.rng()) as memory:

        def run(command: list[str], view: View, caps: Caps, environment: dict[str, str]) -> Ended:
            memory.load(0, dataset.inputs)
            with lane.sandbox.start(command, view, caps, environment=environment, shared=memory.descriptor) as running:
                running.ready()
                running.go()
                ended = running.serving()
                answer = ended or running.call(0, 1)
                ended = answer if isinstance(answer, Ended) else running.dismiss()
                return replace(ended, wall=0.0)  # its wall time includes waiting for us

        limits = task.limits
        caps = Caps(
            limits.seconds,
            limits.memory_mb + memory.megabytes,
            limits.output_mb,
            limits.scratch_mb,
            lane.cpus[: limits.cpus],
        )
        return facts_of_compiled(task, candidate, builder, lane.sandbox, caps, run)
