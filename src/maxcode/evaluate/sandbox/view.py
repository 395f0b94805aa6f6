"""Files that a program sees and resources that it may use, and both as arguments of bubblewrap."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

BOX = "/box"
"""Folder in which a program finds the files given to it."""
SYSTEM_FOLDERS = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class View:
    """View that a program has of the file system, besides a private /tmp."""

    root: Path | None = None
    """A prepared root folder; without one, the system's own folders, read-only."""
    read: dict[str, Path] = field(default_factory=dict)
    """Path inside -> file or folder of ours, read-only."""
    write: dict[str, Path] = field(default_factory=dict)
    memory: dict[str, int] = field(default_factory=dict)
    """Path inside -> megabytes: an empty folder to write to, gone afterwards; its memory comes on top of the caps."""
    proc: bool = False


@dataclass(frozen=True)
class Caps:
    """Limits of what a program may use."""

    seconds: float
    memory_mb: int
    output_mb: int = 64
    scratch_mb: int = 64
    cpus: tuple[int, ...] = (0,)
    processes: bool = False
    commands: bool = False
    """True for a repository's own commands: they may start processes, and attempts at sockets fail instead of ending
    the run."""
    bound_address_space: bool = True
    """False for sanitizer builds and valgrind, which reserve terabytes; the memory group still holds."""
    cpu_seconds: float | None = None
    """CPU seconds of each process on each CPU; `seconds` when absent."""


def mounts(view: View, caps: Caps) -> list[str]:
    """Arguments of bubblewrap that give a program its view."""
    if view.root:
        words = ["--ro-bind", str(view.root), "/"]
    else:
        words = ["--perms", "0755", "--dir", "/etc"]
        words += [part for path in SYSTEM_FOLDERS if Path(path).exists() for part in ("--ro-bind", path, path)]
    words += ["--perms", "1777", "--size", str(caps.scratch_mb * MEGABYTE), "--tmpfs", "/tmp"]
    words += ["--size", str(MEGABYTE), "--tmpfs", BOX, "--size", str(MEGABYTE), "--tmpfs", "/dev"]
    for device in ("null", "zero", "urandom"):
        words += ["--dev-bind", f"/dev/{device}", f"/dev/{device}"]
    if view.proc:
        words += ["--proc", "/proc"]
    for inside in view.read | view.write:
        for parent in reversed(
            Path(inside).parents[:-1]
        ):  # made open to all: bubblewrap's own would be closed to other users
            if str(parent) != BOX and not str(parent).startswith(SYSTEM_FOLDERS):
                words += ["--perms", "0755", "--dir", str(parent)]
    for inside, megabytes in view.memory.items():
        words += ["--perms", "0777", "--size", str(megabytes * MEGABYTE), "--tmpfs", inside]
    for inside, outside in view.read.items():
        words += ["--ro-bind", str(outside), inside]
    for inside, outside in view.write.items():
        words += ["--bind", str(outside), inside]
    return words


def outside(word: str, view: View) -> str:
    """A command's word with paths as they are outside, for machines without mount namespaces."""
    for inside, ours in (view.read | view.write).items():
        if word == inside or word.startswith(inside + "/"):
            return str(ours) + word[len(inside) :]
        if word.startswith("-") and inside in word:
            return word.replace(inside, str(ours))
    return word
