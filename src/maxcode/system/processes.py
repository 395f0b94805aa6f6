"""Identity of the process that works on a run, as the journal keeps it.

The system reuses process ids, so the identity also has the start time of the process and the machine.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from maxcode.core import Frozen


class Process(Frozen):
    pid: int
    born: str
    """Start of the process, in the kernel's ticks since boot."""
    host: str

    @property
    def elsewhere(self) -> bool:
        return self.host != platform.node()

    @property
    def alive(self) -> bool:
        return not self.elsewhere and _born(self.pid) == self.born


def process_of(pid: int) -> Process:
    return Process(pid=pid, born=_born(pid) or "", host=platform.node())


def this_process() -> Process:
    return process_of(os.getpid())


def session(process: Process | None, **more: object) -> dict[str, Any]:
    """Payload of `session.opened`: the process to stop, and the folder that relative file names start from.

    `process` is None where stopping one process would not stop all of the run's.
    """
    named = {} if process is None else {"process": process.model_dump()}
    return {**named, "started_in": str(Path.cwd()), **more}


def _born(pid: int) -> str | None:
    """Start time of a process; None if there is no such process, or it is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
