"""Which protections this machine can give a sandbox. Probed by trying, strongest first; recorded in each outcome."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from enum import StrEnum
from functools import cache

from maxcode.core import Frozen
from maxcode.evaluate.cgroups import ControlGroup, group_name
from maxcode.evaluate.native import runner


class Isolation(StrEnum):
    OWN_USER = "own-user"
    """bubblewrap namespaces, and the candidate runs as a user of its own: we are root."""
    NAMESPACES = "namespaces"
    """bubblewrap namespaces within a user namespace: we are not root."""
    LANDLOCK = "landlock"
    """No namespaces to be had: file access by Landlock, sockets and processes by seccomp."""
    LIMITS = "limits"
    """Only resource limits and seccomp: the file system is as open to a candidate as it is to us."""


class Protections(Frozen):
    isolation: Isolation
    memory_group: bool
    task_group: bool
    seccomp: bool

    @property
    def bubblewrap(self) -> bool:
        return self.isolation in (Isolation.OWN_USER, Isolation.NAMESPACES)

    def __str__(self) -> str:
        parts: list[str] = [self.isolation.value, "seccomp" if self.seccomp else "no seccomp"]
        parts.append("memory group" if self.memory_group else "memory limit per process")
        parts.append("task group" if self.task_group else "task limit per user")
        return ", ".join(parts)


BASE_ARGUMENTS = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")


def namespace_arguments(isolation: Isolation) -> list[str]:
    """bubblewrap's arguments for who the program is and what it is cut off from."""
    always = ["--die-with-parent", "--new-session", "--as-pid-1", *BASE_ARGUMENTS]
    if isolation is Isolation.OWN_USER:
        kept = [part for name in ("CAP_SETUID", "CAP_SETGID", "CAP_KILL") for part in ("--cap-add", name)]
        return [*always, "--cap-drop", "ALL", *kept]
    return [*always, "--unshare-user", "--disable-userns"]


@cache
def protections() -> Protections:
    bounded = _bounded_by_groups()
    return Protections(
        isolation=_isolation(),
        memory_group="memory" in bounded,
        task_group="pids" in bounded,
        seccomp=_works([str(runner()), "watch", "control=3", "filter=1", "--", "/bin/true"]),
    )


def _bounded_by_groups() -> set[str]:
    """What control groups can bound here: a group must be made, and a process must be let in."""
    group = ControlGroup.create(group_name(0, "probe"))
    if group is None:
        return set()
    joins = [f"join={file}" for file in group.join_files]
    done = subprocess.run([str(runner()), "enter", *joins, "--", "/bin/true"], capture_output=True, check=False)
    group.remove()
    return set(group.folders) if done.returncode == 0 else set()


def _isolation() -> Isolation:
    bwrap = shutil.which("bwrap")
    if bwrap:
        orders = [Isolation.OWN_USER] if os.geteuid() == 0 else []
        for isolation in [*orders, Isolation.NAMESPACES]:
            inside = [str(runner()), "watch", "control=3", *_user_option(isolation), "--", "/bin/true"]
            if _works([bwrap, *namespace_arguments(isolation), "--ro-bind", "/", "/", "--", *inside]):
                return isolation
    readable = [f"read={path}" for path in ("/usr", "/lib", "/lib64", "/bin")]
    if _works([str(runner()), "watch", "control=3", *readable, "--", "/bin/true"]):
        return Isolation.LANDLOCK
    return Isolation.LIMITS


def _user_option(isolation: Isolation) -> list[str]:
    return ["uid=65534"] if isolation is Isolation.OWN_USER else []


def _works(command: list[str]) -> bool:
    """Whether the command runs through to the runner's report of a program that ended well."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        os.set_inheritable(theirs.fileno(), True)
        named = [part.replace("control=3", f"control={theirs.fileno()}") for part in command]
        ours.sendall(b"go\n")
        try:
            subprocess.run(
                named,
                pass_fds=[theirs.fileno()],
                env={},
                timeout=20,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        theirs.close()
        said = b""
        while chunk := ours.recv(4096):
            said += chunk
    return b'"exit": 0,' in said
