"""Runs compilers as child processes. All of a build can be stopped at once, and their output is kept."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

from maxcode.extension.plan import Unusual

SHELL_ONLY = frozenset("$`|;&<>*?\n")
"""Characters that only a shell understands; commands with them are left to one."""


class CommandFailed(Exception):
    def __init__(self, command: str, log: str) -> None:
        super().__init__(log)
        self.command = command
        self.log = log


class CompilerRunner:
    """Runs command lines in one folder. The first failure ends them all: whatever else runs is killed, nothing new
    starts, and every caller gets that failure."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.environment = dict(environment or os.environ)
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._failure: BaseException | None = None

    def run(self, line: str) -> str:
        """Output of the command on both channels. CommandFailed if it fails."""
        words = split(line)
        with self._lock:
            if self._failure is not None:
                raise self._failure
            process = subprocess.Popen(
                words,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
            self._running.add(process)
        try:
            said = process.communicate()[0].decode(errors="replace")
        finally:
            with self._lock:
                self._running.discard(process)
        if process.returncode != 0:
            raise self.stop(CommandFailed(line, said))
        return said

    def stop(self, failure: BaseException) -> BaseException:
        """Ends everything because of this failure, unless there was one before; returns the first."""
        with self._lock:
            if self._failure is None:
                self._failure = failure
                for process in self._running:
                    if process.poll() is None:
                        os.killpg(process.pid, signal.SIGKILL)
            return self._failure


def split(line: str) -> list[str]:
    """The words of a command line that needs no shell."""
    if SHELL_ONLY & set(line):
        raise Unusual("a command line that needs a shell")
    try:
        return shlex.split(line)
    except ValueError as error:
        raise Unusual(f"a command line that cannot be read: {error}") from error
