"""Which process works on a run: noted in the journal, and never mistaken for another.

A process id alone may belong to somebody else by now; with the time of its start and the machine it does not.
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
    """When it was started, in the kernel's ticks since boot."""
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
    """What a journal notes as `session.opened`: whom to stop, and where the names of files that it was given begin.

    `process` is None where stopping one would not stop them all.
    """
    named = {} if process is None else {"process": process.model_dump()}
    return {**named, "started_in": str(Path.cwd()), **more}


def _born(pid: int) -> str | None:
    """None where there is no such process, or only what is left of one."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
