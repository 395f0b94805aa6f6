"""Confines a forked process before foreign code runs in it.

A process with torch in it takes seconds to start, so candidates are forked from one that has it loaded, and cannot pass
through bubblewrap. They do by system calls what it does: namespaces of their own (no network, no other process in
sight), a read-only file system with private scratch space, homes out of sight, another user, a filter of system calls.
Where a machine refuses namespaces, the rest still holds, and the outcome says so.
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from maxcode.kinds.torch.processes import caches

BUILDS, HEADERS = "MAXCODE_BUILDS", "MAXCODE_HEADERS"
"""Environment variables that name the folders of finished extensions and of precompiled headers."""
_PLACES = {BUILDS: "/tmp/builds", HEADERS: "/tmp/headers"}
_NEW_MOUNTS, _NEW_HOST, _NEW_IPC, _NEW_USER = 0x20000, 0x4000000, 0x8000000, 0x10000000
_NEW_PIDS, _NEW_NETWORK = 0x20000000, 0x40000000
_ALL_NAMESPACES = _NEW_MOUNTS | _NEW_HOST | _NEW_IPC | _NEW_NETWORK | _NEW_PIDS
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_NO_SUID, _NO_DEVICES = 2, 4
_READ_ONLY_ATTRIBUTE, _HERE, _WHOLE_TREE, _MOUNT_SETATTR = 1, -100, 0x8000, 442
_NO_NEW_PRIVILEGES, _DIE_WITH_PARENT = 38, 1


@dataclass(frozen=True)
class Confinement:
    """Files that a forked process may see, and resources that it may use."""

    uid: int | None
    """User that the process runs as, where we are root; None otherwise."""
    scratch_mb: int
    memory_mb: int | None
    """Megabytes of address space; None where a control group bounds memory, and on a GPU, whose driver reserves
    terabytes."""
    join: tuple[str, ...] = ()
    """Files of the control groups to enter."""
    builds: str | None = None
    """Folder of ours for finished extensions."""
    may_build: bool = False
    """True if it may write to `builds`."""
    headers: str | None = None
    caches: str | None = None
    """Archive of the compiler caches of an earlier process of the same program."""
    hidden: tuple[str, ...] = ()
    """Folders of ours that it must not see."""
    needed: tuple[str, ...] = ()
    """Folders that it must see even where they lie within hidden ones: the interpreter and its packages."""
    library: str = ""
    """The compiled filter of system calls; none is installed when empty."""


def read_confinement(words: dict[str, Any]) -> Confinement:
    """Confinement from JSON, which has lists for tuples."""
    fields: dict[str, Any] = {name: tuple(each) if isinstance(each, list) else each for name, each in words.items()}
    return Confinement(**fields)


class _System:
    """Functions of the C library, with errors as exceptions."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)

    def __call__(self, name: str, *arguments: object) -> None:
        if getattr(self._library, name)(*arguments) != 0:
            code = ctypes.get_errno()
            raise OSError(code, f"{name}: {os.strerror(code)}")

    def mount(self, source: str, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
        words = [None if each is None else each.encode() for each in (source, target, kind)]
        self("mount", *words, ctypes.c_ulong(flags), None if data is None else data.encode())

    def read_only(self, path: str, value: bool) -> None:
        change = struct.pack("QQQQ", _READ_ONLY_ATTRIBUTE * value, _READ_ONLY_ATTRIBUTE * (not value), 0, 0)
        flags = ctypes.c_uint(_WHOLE_TREE)
        self("syscall", ctypes.c_long(_MOUNT_SETATTR), ctypes.c_int(_HERE), path.encode(), flags, change, len(change))


def enter_process_namespace() -> None:
    """Makes the next fork the first process of a namespace, so that all it started ends with it.

    Where a machine refuses that, they outlive it.
    """
    enter_namespaces(_NEW_PIDS)


def enter_namespaces(wanted: int = _ALL_NAMESPACES) -> str:
    """Enters new namespaces, with the next fork as their first process. Returns which isolation was reached."""
    system = _System()
    if os.geteuid() == 0:
        try:
            system("unshare", ctypes.c_int(wanted))
            return "own-user"
        except OSError:
            pass
    uid, gid = os.geteuid(), os.getegid()
    try:
        system("unshare", ctypes.c_int(wanted | _NEW_USER))
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            Path(f"/proc/self/{name}").write_text(text)
        return "namespaces"
    except OSError:
        return "limits"


def own_session() -> None:
    """Starts a session with the priority of this process.

    Linux may share CPUs out by session, and heeds the priorities of processes only within one.
    """
    os.setsid()
    behind = os.nice(0)
    if behind > 0:
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(behind))


def lock_in(wanted: Confinement, reached: str) -> None:
    """Applies the confinement in the first process of the new namespaces. OSError if a step fails that must not."""
    system = _System()
    system("prctl", _DIE_WITH_PARENT, 9, 0, 0, 0)
    own_session()
    if reached != "limits":
        _own_files(system, wanted)
    for name, folder in ((BUILDS, wanted.builds), (HEADERS, wanted.headers)):
        if folder:
            os.environ[name] = folder if reached == "limits" else _PLACES[name]
    _limits(wanted)
    if wanted.uid is not None:
        os.setgroups([])
        os.setresgid(wanted.uid, wanted.uid, wanted.uid)
        os.setresuid(wanted.uid, wanted.uid, wanted.uid)
        system("prctl", _DIE_WITH_PARENT, 9, 0, 0, 0)  # a change of user clears it
    system("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if wanted.library:
        failed = ctypes.CDLL(wanted.library).refuse_calls(int(reached != "limits"))
        if failed:
            raise OSError(failed, f"seccomp: {os.strerror(failed)}")


def _own_files(system: _System, wanted: Confinement) -> None:
    held = {path: os.open(path, os.O_PATH) for path in _paths(wanted) if Path(path).exists()}
    system.mount("none", "/", None, _RECURSIVE | _PRIVATE)
    system.read_only("/", True)
    owner = "" if wanted.uid is None else f",uid={wanted.uid},gid={wanted.uid}"
    hidden = [path for path in ("/root", "/home", *wanted.hidden) if Path(path).is_dir()]
    for path in _outermost(hidden):
        system.mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEVICES, "size=1m,mode=755")
    for path in ("/tmp", "/var/tmp", "/dev/shm"):
        if Path(path).is_dir():
            size = f"size={wanted.scratch_mb}m,mode=1777{owner}"
            system.mount("tmpfs", path, "tmpfs", _NO_SUID | _NO_DEVICES, size)
    for path in wanted.needed:
        if path in held and not Path(path).exists():
            _appear(system, held[path], path, writable=False)
    if wanted.builds:
        _appear(system, held[wanted.builds], _PLACES[BUILDS], writable=wanted.may_build)
    if wanted.headers and wanted.headers in held:
        _appear(system, held[wanted.headers], _PLACES[HEADERS], writable=False)
    if wanted.caches in held:
        caches.plant(Path(f"/proc/self/fd/{held[wanted.caches]}"), Path("/tmp"), wanted.uid)
    try:
        system.mount("proc", "/proc", "proc", _NO_SUID | _NO_DEVICES)
    except OSError:
        pass  # within some containers; other processes' folders are then seen, but belong to another user
    for descriptor in held.values():
        os.close(descriptor)
    os.chdir("/tmp")


def _paths(wanted: Confinement) -> Iterable[str]:
    return dict.fromkeys(path for path in (*wanted.needed, wanted.builds, wanted.headers, wanted.caches) if path)


def _outermost(paths: list[str]) -> list[str]:
    """The paths without those that lie within others, which are hidden with them."""
    resolved = sorted({str(Path(path).resolve()) for path in paths})
    return [
        path for path in resolved if not any(Path(path) != Path(o) and Path(path).is_relative_to(o) for o in resolved)
    ]


def _appear(system: _System, descriptor: int, path: str, *, writable: bool) -> None:
    Path(path).mkdir(parents=True, exist_ok=True)
    system.mount(f"/proc/self/fd/{descriptor}", path, None, _BIND | _RECURSIVE)
    system.read_only(path, not writable)


def _limits(wanted: Confinement) -> None:
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, wanted.scratch_mb << 20)
    if wanted.memory_mb is not None:
        _limit(resource.RLIMIT_AS, wanted.memory_mb << 20)
    if wanted.uid is not None:
        _limit(resource.RLIMIT_NPROC, 512)


def _limit(which: int, value: int) -> None:
    resource.setrlimit(which, (value, value))
