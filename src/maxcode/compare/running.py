"""Runs of the user's own commands: in his environment, each in a process group of its own that never outlives its run.

The commands are trusted: there is no sandbox. A run that passes its time limit is killed with all that it started, and
so is what it leaves behind, also what has become a daemon.
"""

from __future__ import annotations

import ctypes
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from maxcode.core import InputError
from maxcode.evaluate.measure.pairs import Timing

NOT_FOUND = 127
"""Exit code of a shell that does not find a command."""
SYNTAX = re.compile(r"[|&;<>()$`*?\[\]#~!{}\\\n]|^\s*\S*=")
"""Pattern of what only a shell understands; without it, a command is started without one."""
LAST_LINES = 5
_SUBREAPER = 36


@dataclass(frozen=True)
class Surroundings:
    """Settings that all runs of a comparison have in common."""

    folder: Path
    """Folder for outputs."""
    cwd: Path
    environment: Mapping[str, str]
    input: Path | None = None
    seconds: float = 600.0
    """Time limit of one run."""
    ignore_failure: bool = False


@dataclass(frozen=True)
class EndedRun:
    """End of a command, and what it took. Its output lies in a file until the next run with the same name."""

    timing: Timing
    code: int
    output: Path
    errors: Path
    killed: bool


def words_of(command: str, surroundings: Surroundings) -> list[str]:
    """Words that start the command: its own, or a shell's where it needs one."""
    if not SYNTAX.search(command):
        with suppress(ValueError):
            words = shlex.split(command)
            found = words and _found(words[0], surroundings)
            if found:
                return [found, *words[1:]]
    return ["/bin/sh", "-c", command]


def _found(name: str, surroundings: Surroundings) -> str | None:
    """File of a program; None for one that is not there, or is known to shells alone."""
    if "/" in name:
        path = surroundings.cwd / name
        return str(path) if os.access(path, os.X_OK) and path.is_file() else None
    return shutil.which(name, path=surroundings.environment.get("PATH", os.defpath))


class TrustedRuns:
    """Runs commands, and ends what they leave behind: while it is open, orphans become children of this process."""

    def __init__(self) -> None:
        self._kept = _children()

    def __enter__(self) -> Self:
        self._adopt(True)
        return self

    def __exit__(self, *_: object) -> None:
        self._end_orphans()
        self._adopt(False)

    def run(self, command: str, surroundings: Surroundings, name: str = "command", *, timed: bool = True) -> EndedRun:
        """Runs a command to its end. InputError when it fails; only that of a timed one may be ignored.

        `name` is of its outputs.
        """
        words = words_of(command, surroundings)
        output, errors = (surroundings.folder / f"{name}.{each}" for each in ("out", "err"))
        with (
            (surroundings.input or Path(os.devnull)).open("rb") as given,
            output.open("wb") as written,
            errors.open("wb") as told,
        ):
            began = time.perf_counter()
            process = subprocess.Popen(
                words,
                cwd=surroundings.cwd,
                env=dict(surroundings.environment),
                stdin=given,
                stdout=written,
                stderr=told,
                start_new_session=True,
            )
            timing, killed = self._waited(process, began, surroundings.seconds)
        ended = EndedRun(timing, process.returncode, output, errors, killed)
        if killed or (ended.code != 0 and not (timed and surroundings.ignore_failure)):
            raise InputError(_failure(command, ended, surroundings, timed=timed))
        return ended

    def _waited(self, process: subprocess.Popen[bytes], began: float, seconds: float) -> tuple[Timing, bool]:
        """Timing of the process, and whether it was killed. Nothing of its group lives on."""
        killed, wall = True, seconds
        handle = os.pidfd_open(process.pid)
        try:
            killed = not _ready(handle, seconds)
            wall = time.perf_counter() - began
        finally:
            os.close(handle)
            with suppress(ProcessLookupError):  # before it is waited for: until then, its number is no other's
                os.killpg(process.pid, signal.SIGKILL)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self._end_orphans()
        return Timing(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024), killed

    def _end_orphans(self) -> None:
        """Kills what commands have left behind: children of this process that it did not have before."""
        while left := _children() - self._kept:
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def _adopt(self, wanted: bool) -> None:
        ctypes.CDLL(None).prctl(_SUBREAPER, int(wanted), 0, 0, 0)


def _ready(handle: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


def _failure(command: str, ended: EndedRun, surroundings: Surroundings, *, timed: bool) -> str:
    if ended.killed:
        return (
            f"`{command}`: still runs after {surroundings.seconds:g} s, and was killed; raise --timeout, or give it "
            "less to do."
        )
    told = [line for line in _end_of(ended.errors) if line.strip()]
    said = "".join(f"\n  {line}" for line in told[-LAST_LINES:])
    if ended.code == NOT_FOUND:
        return f"`{command}`: not found in {surroundings.cwd}, nor in PATH.{said}"
    how = f"is killed by signal {-ended.code}" if ended.code < 0 else f"ends with exit code {ended.code}"
    advice = "; --ignore-failure times it all the same" if timed else ""
    return f"`{command}`: {how}{advice}.{said}"


def _end_of(path: Path) -> list[str]:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4000))
        return file.read().decode(errors="replace").splitlines()


def _children() -> set[int]:
    """Children of all threads of this process; empty where the kernel does not tell."""
    found: set[int] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, path.read_text().split()))
    return found
