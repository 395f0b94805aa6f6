"""An untrusted process seen from outside: it is stopped while its results are read, and must not run meanwhile."""

from __future__ import annotations

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from maxcode.core import Status
from maxcode.evaluate.failure import Failure

STOPPING_SECONDS, ENDING_SECONDS = 5.0, 0.5
TICK_SECONDS = 0.011
"""CPU seconds that a stopped process may seem to gain. A thread is reported as stopped just before it leaves its core,
and until then its clock goes by ticks."""
LONGEST = 1 << 16


class Stoppable:
    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = (~pid << 3) | 2  # the CPU clock of that process
        self._stood = 0.0

    def stop(self) -> None:
        """Stops all threads, so that none goes on while results are read.

        Failure if that takes over STOPPING_SECONDS.
        """
        deadline = time.monotonic() + STOPPING_SECONDS
        self.begin_to_stop()
        while not self._is_stopped:
            if time.monotonic() > deadline:
                raise Failure(Status.CRASHED, f"its process could not be stopped within {STOPPING_SECONDS:g} s")
            self.begin_to_stop()  # it may have been told to go on
        self._stood = self.cpu_seconds()

    def begin_to_stop(self) -> None:
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def refuse_moved(self) -> None:
        """Failure if the process ended, or ran after `stop`: it is awake or has used CPU time.

        Its own timers can wake it.
        """
        still = self._is_stopped and self.cpu_seconds() - self._stood <= TICK_SECONDS
        if self._ends(0.0 if still else ENDING_SECONDS):
            raise Failure(Status.CRASHED, "its process ended")
        if not still:
            raise Failure(Status.REJECTED, "its process went on while it was stopped")

    @property
    def _is_stopped(self) -> bool:
        """True if all threads are stopped, or the process has ended."""
        return all(_state(each) in "TtZX" for each in _threads(self._pid))

    def _ends(self, seconds: float) -> bool:
        """True if the process ends within `seconds`. A killed process runs on for a moment."""
        deadline = time.monotonic() + seconds
        while _state(f"/proc/{self._pid}") not in "ZX":
            if time.monotonic() > deadline:
                return False
        return True

    def refuse_helpers(self) -> None:
        """Failure if the process has children: they could do its work later, or on CPU time that is not counted.

        Orphans become children of the first process of their namespace, which a confined candidate is, so they are seen
        too.
        """
        helpers = [pid for each in _threads(self._pid) for pid in _read(f"{each}/children").split()]
        if helpers:
            raise Failure(Status.REJECTED, f"{len(helpers)} processes that it started still run while it is timed")

    def cpu_seconds(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            raise Failure(Status.CRASHED, "its process ended") from None

    def may_start_no_other(self) -> bool:
        """True if the kernel lets the process start no other. No process can raise that limit again."""
        limits = Path(f"/proc/{self._pid}/limits").read_text()
        return re.search(r"^Max processes\s+0\s+0\s", limits, re.MULTILINE) is not None

    def _signal(self, which: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, which)


def _threads(pid: int) -> list[str]:
    """Folders of a process's threads in /proc; none if it has ended."""
    try:
        with os.scandir(f"/proc/{pid}/task") as found:
            return [each.path for each in found]
    except OSError:
        return []


def _state(folder: str) -> str:
    """State letter of a process or thread, from its folder in /proc; X if it has ended."""
    return _read(f"{folder}/stat").rpartition(")")[2].strip()[:1] or "X"


def _read(file: str) -> str:
    """Text of a file in /proc, empty if it is gone. Must be quick: the process may compute until it is stopped."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
        try:
            return os.read(descriptor, LONGEST).decode(errors="replace")
        finally:
            os.close(descriptor)
    except OSError:
        return ""
