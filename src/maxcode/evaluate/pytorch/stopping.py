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

STOPPING_SECONDS, LEAVING_SECONDS, ENDING_SECONDS = 5.0, 2e-5, 0.5


class Stoppable:
    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._clock = (~pid << 3) | 2  # the CPU clock of that process
        self._stood = 0.0

    def stop(self) -> None:
        """What it left running must not finish its work while we look."""
        self.begin_to_stop()
        deadline = time.monotonic() + STOPPING_SECONDS
        while not (_are_stopped(self._pid) and self._stands_still()):
            if time.monotonic() > deadline:
                raise Failure(Status.CRASHED, f"its process could not be stopped within {STOPPING_SECONDS:g} s")

    def _stands_still(self) -> bool:
        """Who is said to be stopped may still have to leave its core: until then its clock goes on."""
        self._stood = self.cpu_seconds()
        time.sleep(LEAVING_SECONDS)
        return self.cpu_seconds() == self._stood

    def begin_to_stop(self) -> None:
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._signal(signal.SIGCONT)

    def refuse_moved(self) -> None:
        """Who is stopped may be woken by a timer of its own; then it has used processor time."""
        if self.cpu_seconds() != self._stood:
            if self._ends():
                raise Failure(Status.CRASHED, "its process ended")
            raise Failure(Status.REJECTED, "its process went on while it was stopped")

    def _ends(self) -> bool:
        """Who is killed uses some, too, before it has ended."""
        deadline = time.monotonic() + ENDING_SECONDS
        while _state(Path(f"/proc/{self._pid}/stat")) not in "ZX":
            if time.monotonic() > deadline:
                return False
        return True

    def refuse_helpers(self) -> None:
        """Another process could do the work on its own CPU time, and later. Orphans belong to the first process."""
        for file in Path(f"/proc/{self._pid}/task").glob("*/children"):
            try:
                helpers = file.read_text().split()
            except OSError:
                continue
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


def _are_stopped(pid: int) -> bool:
    """All its threads, or it has ended."""
    return all(_state(each) in "TtZX" for each in Path(f"/proc/{pid}/task").glob("*/stat"))


def _state(file: Path) -> str:
    try:
        return file.read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"
