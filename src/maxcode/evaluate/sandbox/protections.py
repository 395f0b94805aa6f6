"""Protections that this machine can give a sandbox. Probed by trying, strongest first; recorded in each outcome."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from enum import StrEnum
from functools import cache

from maxcode.core import Frozen
from maxcode.evaluate.native.compiled import runner
from maxcode.evaluate.sandbox.cgroups import ControlGroup, group_name
from maxcode.evaluate.sandbox.memory import place_in_memory


class Isolation(StrEnum):
    OWN_USER = "own-user"
    """bubblewrap namespaces, and the candidate runs as a user of its own: we are root."""
    NAMESPACES = "namespaces"
    """bubblewrap namespaces within a user namespace: we are not root."""
    LANDLOCK = "landlock"
    """Landlock limits the access to files, and seccomp sockets and processes: there are no namespaces here."""
    LIMITS = "limits"
    """Only resource limits and seccomp: the file system is as open to a candidate as it is to us."""


class Protections(Frozen):
    isolation: Isolation
    memory_group: bool
    task_group: bool
    seccomp: bool
    memory_files: bool = False
    """True if programs, and the libraries of compiled ones, lie in memory that they cannot evict."""
    refused: str | None = None
    """Message of bubblewrap where it is installed but gives no stronger isolation."""

    @property
    def bubblewrap(self) -> bool:
        return self.isolation in (Isolation.OWN_USER, Isolation.NAMESPACES)

    def __str__(self) -> str:
        parts: list[str] = [self.isolation.value, "seccomp" if self.seccomp else "no seccomp"]
        parts.append("memory group" if self.memory_group else "memory limit per process")
        parts.append("task group" if self.task_group else "task limit per user")
        parts.append("files in memory" if self.memory_files else "files on disk")
        return ", ".join(parts)


PROBE_SECONDS = 10.0
SILENT = f"no answer within {PROBE_SECONDS:g} s"
BASE_ARGUMENTS = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")


def namespace_arguments(isolation: Isolation) -> list[str]:
    """Arguments of bubblewrap for the user of the program and for the namespaces it gets."""
    always = ["--die-with-parent", "--new-session", "--as-pid-1", *BASE_ARGUMENTS]
    if isolation is Isolation.OWN_USER:
        kept = [part for name in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL") for part in ("--cap-add", name)]
        return [*always, "--cap-drop", "ALL", *kept]
    return [*always, "--unshare-user", "--disable-userns"]


@cache
def protections() -> Protections:
    bounded = _bounded_by_groups()
    isolation, refused = _isolation()
    return Protections(
        isolation=isolation,
        memory_group="memory" in bounded,
        task_group="pids" in bounded,
        seccomp=_complaint([str(runner()), "watch", "control=3", "filter=1", "--", "/bin/true"]) is None,
        memory_files=place_in_memory() is not None,
        refused=refused,
    )


def _bounded_by_groups() -> set[str]:
    """Resources that control groups can bound here: a group can be made, and a process can join it."""
    group = ControlGroup.create(group_name(0, "probe"))
    if group is None:
        return set()
    joins = [f"join={file}" for file in group.join_files]
    done = subprocess.run([str(runner()), "enter", *joins, "--", "/bin/true"], capture_output=True, check=False)
    group.remove()
    return set(group.folders) if done.returncode == 0 else set()


def _isolation() -> tuple[Isolation, str | None]:
    """Strongest isolation that works, and the message of bubblewrap where it is installed but does not."""
    bwrap = shutil.which("bwrap")
    refused = None
    for isolation in _with_bubblewrap() if bwrap else []:
        inside = [str(runner()), "watch", "control=3", *_user_option(isolation), "--", "/bin/true"]
        complaint = _complaint([str(bwrap), *namespace_arguments(isolation), "--ro-bind", "/", "/", "--", *inside])
        if complaint is None:
            return isolation, refused
        refused = refused or complaint
        if complaint == SILENT:
            break
    readable = [f"read={path}" for path in ("/usr", "/lib", "/lib64", "/bin")]
    if _complaint([str(runner()), "watch", "control=3", *readable, "--", "/bin/true"]) is None:
        return Isolation.LANDLOCK, refused
    return Isolation.LIMITS, refused


def _with_bubblewrap() -> list[Isolation]:
    return [*([Isolation.OWN_USER] if os.geteuid() == 0 else []), Isolation.NAMESPACES]


def _user_option(isolation: Isolation) -> list[str]:
    return ["uid=65534"] if isolation is Isolation.OWN_USER else []


def _complaint(command: list[str]) -> str | None:
    """Reason why the command does not run through to the runner's report of a program that ended well; None if it
    does."""
    ours, theirs = socket.socketpair()
    with ours, theirs, tempfile.TemporaryFile() as words:
        named = [part.replace("control=3", f"control={theirs.fileno()}") for part in command]
        ours.sendall(b"go\n")
        try:
            process = subprocess.Popen(
                named,
                pass_fds=[theirs.fileno()],
                env={},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=words,
                start_new_session=True,
            )
        except OSError as error:
            return str(error)
        try:
            code = process.wait(PROBE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return SILENT
        theirs.close()
        if b'"exit": 0,' in _all_of(ours):
            return None
        words.seek(0)
        said = words.read(2000).decode(errors="replace").strip()
    return said.splitlines()[0] if said else f"ended with {_ending(code)} and no message"


def _all_of(control: socket.socket) -> bytes:
    """Everything that the runner said.

    A runner that ended before it read its order resets the connection: it said nothing.
    """
    said = b""
    try:
        while chunk := control.recv(4096):
            said += chunk
    except ConnectionError:
        pass
    return said


def _ending(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"signal {-code}"
