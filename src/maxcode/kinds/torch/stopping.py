"""A process that nobody trusts, seen from outside: it is stopped while others look, and must stand still then."""

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
"""The kernel says that a thread is stopped a moment before it leaves its core; till then its clock goes by ticks."""
LONGEST = 1 << 16


class Stoppable:
    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = (~pid << 3) | 2  # the CPU clock of that process
        self._stood = 0.0

    def stop(self) -> None:
        """What it left running must not finish its work while we look."""
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
        """Who is stopped may be woken by a timer of its own. Then it is awake, or has used processor time."""
        still = self._is_stopped and self.cpu_seconds() - self._stood <= TICK_SECONDS
        if self._ends(0.0 if still else ENDING_SECONDS):
            raise Failure(Status.CRASHED, "its process ended")
        if not still:
            raise Failure(Status.REJECTED, "its process went on while it was stopped")

    @property
    def _is_stopped(self) -> bool:
        """All its threads, or it has ended."""
        return all(_state(each) in "TtZX" for each in _threads(self._pid))

    def _ends(self, seconds: float) -> bool:
        """Within so many: who is killed goes on for a moment, too, before it has ended."""
        deadline = time.monotonic() + seconds
        while _state(f"/proc/{self._pid}") not in "ZX":
            if time.monotonic() > deadline:
                return False
        return True

    def refuse_helpers(self) -> None:
        """Another process could do the work on its own CPU time, and later. Orphans belong to the first process."""
        helpers = [pid for each in _threads(self._pid) for pid in _read(f"{each}/children").split()]
        if helpers:
            raise Failure(Status.REJECTED, f"{len(helpers)} processes that it started still run while it is timed")

    def cpu_seconds(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            raise Failure(Status.CRASHED, "its process ended") from None

    def may_start_no_other(self) -> bool:
        """As the kernel has it, which lets no process raise that limit again."""
        limits = Path(f"/proc/{self._pid}/limits").read_text()
        return re.search(r"^Max processes\s+0\s+0\s", limits, re.MULTILINE) is not None

    def _signal(self, which: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, which)


def _threads(pid: int) -> list[str]:
    """Their folders; none of a process that has ended."""
    try:
        with os.scandir(f"/proc/{pid}/task") as found:
            return [each.path for each in found]
    except OSError:
        return []


def _state(folder: str) -> str:
    """X of what has ended."""
    return _read(f"{folder}/stat").rpartition(")")[2].strip()[:1] or "X"


def _read(file: str) -> str:
    """Quickly: each microsecond here is one in which it may still compute."""
    try:
        descriptor = os.open(file, os.O_RDONLY)
        try:
            return os.read(descriptor, LONGEST).decode(errors="replace")
        finally:
            os.close(descriptor)
    except OSError:
        return ""
