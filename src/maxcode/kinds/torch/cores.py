"""Two processes that watch each other need a core each: on one, either waits until the other's turn is over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def can_be_apart(pid: int) -> bool:
    return len(os.sched_getaffinity(0) | _cores_of(pid)) > 1


@contextmanager
def apart(pid: int) -> Iterator[None]:
    """Us on one core and the process on others, as far as there are any."""
    ours, theirs = os.sched_getaffinity(0), _cores_of(pid)
    mine = {min(ours)}
    if theirs == mine and len(ours) > 1:
        mine = {max(ours)}
    if not theirs - mine:
        yield
        return
    os.sched_setaffinity(0, mine)
    _put(pid, theirs - mine)
    try:
        yield
    finally:
        os.sched_setaffinity(0, ours)
        _put(pid, theirs)


def _cores_of(pid: int) -> set[int]:
    """None of a process that has ended: whoever asks it for something is told so."""
    try:
        return os.sched_getaffinity(pid)
    except ProcessLookupError:
        return set()


def _put(pid: int, cores: set[int]) -> None:
    with suppress(ProcessLookupError):
        os.sched_setaffinity(pid, cores)
