"""Processes that the page starts and stops."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from maxcode.core import InputError
from maxcode.system.processes import Process, process_of

_children: list[subprocess.Popen[bytes]] = []
"""Processes that this server started. They are polled, or they would stay behind as zombies when they end."""


def spawned(command: list[str], log: Path, folder: Path | None = None) -> Process:
    """Starts a command apart from this process: it goes on when the server ends, and Ctrl-C there does not reach it.

    It runs in `folder` if that still exists, else in the folder of its log.
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
    """Sends the process the signal that Ctrl-C sends."""
    _bury()
    if not process.alive:
        raise InputError("its process has ended already.")
    with suppress(ProcessLookupError):
        os.kill(process.pid, signal.SIGINT)


def ends_within(process: Process, seconds: float) -> bool:
    """Waits up to `seconds` for the end of a process; True if it has ended."""
    deadline = time.monotonic() + seconds
    while process.alive and time.monotonic() < deadline:
        time.sleep(0.05)
    return not process.alive


def _bury() -> None:
    _children[:] = [child for child in _children if child.poll() is None]
