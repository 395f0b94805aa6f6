"""Running one untrusted program: what it sees, what it may use, and what became of it.

Covered: no network, no files but those given, no secrets in the environment, no other process in sight, bounded time,
memory, tasks, file sizes, output and scratch space; the whole tree is killed at the end. The clock and the report are
held by our own runner (runner.c), which the program cannot reach.
Not covered: bugs of the kernel itself, and side channels such as caches shared with other programs on the machine.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from maxcode.evaluate.native.compiled import runner
from maxcode.evaluate.sandbox.cgroups import ControlGroup, group_name
from maxcode.evaluate.sandbox.memory import copies
from maxcode.evaluate.sandbox.protections import Isolation, Protections, protections
from maxcode.evaluate.sandbox.running import Ended, Running
from maxcode.evaluate.sandbox.view import MEGABYTE, Caps, View

FIRST_UID = 720_000
SANITIZER_ENVIRONMENT = {"ASAN_OPTIONS": "detect_leaks=0"}  # leaks are not errors of a program that ends


class Sandbox:
    """One lane of one measuring slot: runs one program at a time."""

    def __init__(self, slot: int = 0, lane: str = "a", using: Protections | None = None) -> None:
        self.protections = using or protections()
        self.uid = FIRST_UID + 2 * slot + (lane == "b")
        grouped = self.protections.memory_group or self.protections.task_group
        self._group = ControlGroup.create(group_name(slot, lane)) if grouped else None

    def close(self) -> None:
        if self._group:
            self._group.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(
        self,
        command: list[str],
        view: View,
        caps: Caps,
        *,
        stdin: Path | None = None,
        environment: dict[str, str] | None = None,
    ) -> Ended:
        with self.start(command, view, caps, stdin=stdin, environment=environment) as running:
            running.go()
            return running.wait()

    def start(
        self,
        command: list[str],
        view: View,
        caps: Caps,
        *,
        stdin: Path | None = None,
        environment: dict[str, str] | None = None,
        shared: int | None = None,
    ) -> Running:
        """Prepares everything up to the start of the program; `go` starts it. With `shared`, it serves commands."""
        tasks = 64 + 8 * len(caps.cpus)
        if self._group:
            files = sum(view.memory.values())
            self._group.limit(memory_bytes=(caps.memory_mb + files + 16) * MEGABYTE, tasks=tasks)
        return Running(self, command, self.in_memory(view), caps, stdin, environment or {}, shared, self._group)

    def in_memory(self, view: View) -> View:
        """The view with its root and its programs in memory, where no page of them is ever missing."""
        held = copies() if self.protections.memory_files else None
        if held is None:
            return view
        read = {inside: held.file(path) if _is_program(path) else path for inside, path in view.read.items()}
        return replace(view, root=held.tree(view.root) if view.root else None, read=read)

    @property
    def runner(self) -> Path:
        held = copies() if self.protections.memory_files else None
        return held.file(runner()) if held else runner()

    def give(self, folder: Path) -> None:
        """Lets programs of this sandbox write to a folder of ours."""
        if self.own_user:
            os.chown(folder, self.uid, self.uid)

    def reaches(self, folder: Path) -> bool:
        """True where programs find a folder by its own path: it is bound in, or open to users like theirs."""
        if self.protections.bubblewrap or not self.own_user:
            return True
        return all(each.stat().st_mode & 0o001 for each in (folder, *folder.parents))

    @property
    def counts_processes(self) -> bool:
        """True if the processor time of a program is that of all its processes, whatever becomes of them."""
        return self._group is not None and self._group.cpu_seconds() is not None

    @property
    def own_user(self) -> bool:
        """True if programs run as a user of their own; within a user namespace there is only one."""
        return os.geteuid() == 0 and self.protections.isolation is not Isolation.NAMESPACES


@dataclass(frozen=True)
class Lane:
    """A sandbox and the CPUs its programs are pinned to."""

    sandbox: Sandbox
    cpus: tuple[int, ...]


def _is_program(path: Path) -> bool:
    """True for files that are started or loaded, unlike folders and data."""
    return path.is_file() and bool(path.stat().st_mode & 0o111)
