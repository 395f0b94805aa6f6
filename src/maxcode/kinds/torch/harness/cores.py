"""Cores for two processes that poll each other. On one core, each would wait until the other's turn is over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def can_be_apart(pid: int) -> bool:
    return len(os.sched_getaffinity(0) | _cores_of(pid)) > 1


@contextmanager
def apart(pid: int) -> Iterator[None]:
    """Keeps this process on one core and the other on other cores meanwhile, if it has others."""
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
    """Cores of a process; none if it has ended, which its next command reports."""
    try:
        return os.sched_getaffinity(pid)
    except ProcessLookupError:
        return set()


def _put(pid: int, cores: set[int]) -> None:
    with suppress(ProcessLookupError):
        os.sched_setaffinity(pid, cores)
