"""Which process works on a run: noted in the journal when the page starts one, and never mistaken for another.

A process id alone may belong to somebody else by now; with the time of its start and the machine it does not.
"""

from __future__ import annotations

import os
import platform
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from maxcode.core import Frozen, InputError

_children: list[subprocess.Popen[bytes]] = []
"""Those that this server started; asked after now and then, or they would stay behind as zombies."""


class Process(Frozen):
    pid: int
    born: str
    """When it was started, in the kernel's ticks since boot."""
    host: str

    @property
    def alive(self) -> bool:
        for child in _children:
            child.poll()
        return self.host == platform.node() and _born(self.pid) == self.born


def spawned(command: list[str], log: Path) -> Process:
    """Starts a command apart from this process: it goes on when the server ends, and Ctrl-C there does not reach it."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as file:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=log.parent, start_new_session=True
        )
    _children.append(child)
    return Process(pid=child.pid, born=_born(child.pid) or "", host=platform.node())


def interrupt(process: Process) -> None:
    """As Ctrl-C would."""
    if not process.alive:
        raise InputError("its process has ended already.")
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGINT)


def _born(pid: int) -> str | None:
    """None where there is no such process, or only what is left of one."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]
