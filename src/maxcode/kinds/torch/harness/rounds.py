"""Rounds of calls in a candidate process: their results, copied into our memory, and their times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Returned:
    """Results of calls, copied into our memory."""

    results: list[Any]
    aliases: bool
    """True if some output lies in the memory of the inputs."""


@dataclass(frozen=True)
class Afterwards:
    """Seconds after a process said that its round was done, in which it could still compute."""

    gpu: float = 0.0
    """Seconds until the GPU had run kernels of ours, and so everything before them."""
    still: float = 0.0
    """Seconds until all threads were stopped."""


NOTHING_AFTERWARDS = Afterwards()


@dataclass(frozen=True)
class TimedRound(Returned):
    """A round of calls in a row: seconds outside and, as a cross-check only, inside."""

    wall: float
    cpu: float
    inner: float
    events: float
    """Seconds inside, as `inner`, but by CUDA events in the stream of the calls."""
    after: Afterwards = NOTHING_AFTERWARDS


@dataclass(frozen=True)
class Singly(Returned):
    """Calls made one at a time, each with inputs that were not there during the call before."""

    seconds: float
    """Median seconds of a call."""
