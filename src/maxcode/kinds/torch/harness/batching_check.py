"""Detects calls that are computed together instead of one after the other.

All inputs of a round are in memory when its first call is made. A candidate that keeps the tensors it was given could
compute all of them at once, or spread calls over several streams of a GPU. That makes the round shorter but no single
call, so users who make one call gain nothing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from statistics import median_low

from maxcode.core import Status
from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.harness.rounds import TimedRound
from maxcode.kinds.torch.harness.values import tensors_in

WHERE = "timed call"
REMEMBERED, ENOUGH = 16, 4
MANY_TIMES, CPU_SLACK = 4.0, 3e-4
"""Limit of the CPU time of the few calls: a multiple of that of as many of the many calls, and a slack in seconds.
Beyond it, the few calls have done the work of the whole round."""
OVERLAP = 2.0
"""A single call takes the time of host and GPU in sum. In a row the slower of the two counts, at least half of that."""
ASKING_SLACK, GPU_SLACK = 1.0, 4e-5
"""How much longer a single call may take than OVERLAP explains: a share of the time to ask for it, or seconds if
more."""
STREAM_SLACK, STREAM_SLACK_PER_TENSOR = 1e-3, 1e-5
"""Seconds, per pair of rounds and per tensor, that may pass between the CUDA events' end and the process's own: results
are collected then."""


def is_beyond(asking: float, alone: float, in_a_row: float) -> bool:
    """True if a single GPU call takes longer than calls in a row allow.

    `asking`: seconds that it takes to ask for a call.
    """
    return alone > asking + max(ASKING_SLACK * asking, GPU_SLACK) + OVERLAP * in_a_row


class BatchingCheck:
    """Refuses candidates by the median of several rounds, since any single round may have been disturbed."""

    def __init__(self) -> None:
        self._beyond: defaultdict[tuple[int, str], deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        """Seconds beyond the limit in recent rounds, by program and reason. Some processes are timed for a few rounds
        only, so rounds are not collected by process."""

    def refuse_on_cpu(self, program: int, few: TimedRound, many: TimedRound) -> None:
        """Failure if few calls take about as much CPU time as many: then the round was computed at once."""
        beyond = few.cpu - MANY_TIMES * len(few.results) * many.cpu / len(many.results)
        self._refuse(program, "few calls take as long as many: computed together", beyond - CPU_SLACK)

    def refuse_other_streams(self, program: int, rounds: tuple[TimedRound, TimedRound]) -> None:
        """Failure if the current stream, by CUDA events, ends long before the GPU does: work is in another stream."""
        beyond = sum(each.inner - each.events - STREAM_SLACK_PER_TENSOR * _tensors(each) for each in rounds)
        self._refuse(program, "what it computes is not in the current stream, or its clock lies", beyond - STREAM_SLACK)

    def _refuse(self, program: int, reason: str, beyond: float) -> None:
        known = self._beyond[program, reason]
        known.append(beyond)
        if len(known) >= ENOUGH and median_low(known) > 0:
            raise Failure(Status.REJECTED, f"{WHERE}: {reason}")


def _tensors(ran: TimedRound) -> int:
    return sum(1 + len(list(tensors_in(each))) for each in ran.results)
