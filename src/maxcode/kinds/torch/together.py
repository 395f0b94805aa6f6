"""Are calls computed one after the other? The inputs of a round are all in memory when its first call is made.

Whoever keeps the tensors that it was given could compute all of them at once there, or leave calls to several streams
of a GPU side by side. That takes less time in all, and each call as long as before: the gain is none for those who have
one call to make.
"""

from __future__ import annotations

from collections import defaultdict, deque
from statistics import median_low

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.side import Ran
from maxcode.kinds.torch.values import tensors_in

WHERE = "timed call"
REMEMBERED, ENOUGH = 16, 4
MANY_TIMES, CPU_SLACK = 4.0, 3e-4
"""Few calls that take so many times the CPU time of as many others are those of all the round."""
OVERLAP = 2.0
"""A call by itself takes as long as host and GPU together; in a row as the slower of the two, at least half of that."""
ASKING_SLACK, GPU_SLACK = 1.0, 4e-5
"""How much longer a call by itself may take than that: as a share of asking, and at least in seconds."""
STREAM_SLACK, STREAM_SLACK_PER_TENSOR = 1e-3, 1e-5
"""Between the last call and the end of the round, results are described; what the GPU does meanwhile is no sign."""


def is_beyond(asking: float, alone: float, in_a_row: float) -> bool:
    """Whether calls in a row are faster, on a GPU, than a call by itself allows, which it took `asking` to ask for."""
    return alone > asking + max(ASKING_SLACK * asking, GPU_SLACK) + OVERLAP * in_a_row


class Together:
    """What is told by the middle of several rounds, since any of them may have been disturbed."""

    def __init__(self) -> None:
        self._beyond: defaultdict[tuple[int, str], deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        """By program, not by process: some processes are timed for a few rounds only."""

    def refuse_on_cpu(self, program: int, few: Ran, many: Ran) -> None:
        """A round that takes the same time whatever the number of its calls was computed at once."""
        beyond = few.cpu - MANY_TIMES * len(few.results) * many.cpu / len(many.results)
        self._refuse(program, "few calls take as long as many: computed together", beyond - CPU_SLACK)

    def refuse_other_streams(self, program: int, rounds: tuple[Ran, Ran]) -> None:
        """By CUDA events, the stream that results are due in is done long before the GPU is."""
        beyond = sum(each.inner - each.events - STREAM_SLACK_PER_TENSOR * _tensors(each) for each in rounds)
        self._refuse(program, "what it computes is not in the current stream, or its clock lies", beyond - STREAM_SLACK)

    def _refuse(self, program: int, reason: str, beyond: float) -> None:
        known = self._beyond[program, reason]
        known.append(beyond)
        if len(known) >= ENOUGH and median_low(known) > 0:
            raise Failure(Status.REJECTED, f"{WHERE}: {reason}")


def _tensors(ran: Ran) -> int:
    return sum(1 + len(list(tensors_in(each))) for each in ran.results)
