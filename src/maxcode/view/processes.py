"""Processes that the page starts and stops."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from maxcode.core import InputError
from maxcode.processes import Process, process_of

_children: list[subprocess.Popen[bytes]] = []
"""Those that this server started; asked after now and then, or they would stay behind as zombies."""


def spawned(command: list[str], log: Path, folder: Path | None = None) -> Process:
    """Starts a command apart from this process: it goes on when the server ends, and Ctrl-C there does not reach it.

    In the folder, where that is still there; else beside its log.
    """
    _bury()
    log.parent.mkdir(parents=True, exist_ok=True)
    here = folder if folder is not None and folder.is_dir() else log.parent
    with log.open("ab") as file:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=here, start_new_session=True
        )
    _children.append(child)
    return process_of(child.pid)


def interrupt(process: Process) -> None:
    """As Ctrl-C would."""
    _bury()
    if not process.alive:
        raise InputError("its process has ended already.")
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGINT)


def ends_within(process: Process, seconds: float) -> bool:
    """Waits for the end of a process; True once it has ended."""
    deadline = time.monotonic() + seconds
    while process.alive and time.monotonic() < deadline:
        time.sleep(0.05)
    return not process.alive


def _bury() -> None:
    _children[:] = [child for child in _children if child.poll() is None]
