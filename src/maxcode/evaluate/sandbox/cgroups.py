"""Control groups: the only way to bound the memory and the number of tasks of a whole tree of processes.

Also the only way to count the processor time of all of them: the time that the kernel adds up for a parent leaves out
children whose end it ignores.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from maxcode.system.stale import stale

ROOT = Path("/sys/fs/cgroup")
PREFIX = "maxcode-"
CPU_TIME = "cpuacct"
"""Controller that counts processor time in version 1; in version 2 every group does."""


def own_groups() -> dict[str, Path]:
    """Folder of the control group this process is in, by controller ('' for version 2)."""
    groups: dict[str, Path] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        mount = (
            ROOT if controllers == "" and (ROOT / "cgroup.controllers").exists() else ROOT / (controllers or "unified")
        )
        groups[controllers] = mount / path.lstrip("/")
    return groups


@dataclass(frozen=True)
class ControlGroup:
    """Control group of one sandbox lane. `folders` holds the folder of the group by controller."""

    folders: dict[str, Path]
    unified: bool

    @staticmethod
    def create(name: str) -> ControlGroup | None:
        """Creates a group below our own; None where this machine does not let us."""
        try:
            return _create_unified(name) or _create_split(name)
        except OSError:
            return None

    @property
    def join_files(self) -> list[Path]:
        return sorted({folder / "cgroup.procs" for folder in self.folders.values()})

    def limit(self, *, memory_bytes: int, tasks: int) -> None:
        if "memory" in self.folders:
            memory = self.folders["memory"]
            if self.unified:
                (memory / "memory.max").write_text(str(memory_bytes))
            else:
                _write_v1_memory(memory, memory_bytes)
            _write_if_there(memory / "memory.swap.max", "0")
        if "pids" in self.folders:
            (self.folders["pids"] / "pids.max").write_text(str(tasks))

    def memory_kills(self) -> int:
        """Number of processes of this group that the kernel has killed for memory so far."""
        if "memory" not in self.folders:
            return 0
        file = self.folders["memory"] / ("memory.events" if self.unified else "memory.oom_control")
        counts = dict(line.split(maxsplit=1) for line in file.read_text().splitlines() if " " in line)
        return int(counts.get("oom_kill", 0))

    def cpu_seconds(self) -> float | None:
        """Processor time of everything that ever ran in this group; None where it is not counted."""
        try:
            if self.unified:
                lines = (next(iter(self.folders.values())) / "cpu.stat").read_text().splitlines()
                return int(dict(line.split() for line in lines)["usage_usec"]) / 1e6
            if CPU_TIME in self.folders:
                return int((self.folders[CPU_TIME] / "cpuacct.usage").read_text()) / 1e9
        except (OSError, KeyError, ValueError):
            pass
        return None

    def remove(self) -> None:
        for folder in set(self.folders.values()):
            try:
                folder.rmdir()
            except OSError:
                pass


def sweep_stale(patience: float = 0.0) -> None:
    """Removes groups whose owner is dead (killed before it could clean up), with whatever still runs in them.

    A killed process leaves its group a moment later: `patience` is how many seconds to wait for that.
    """
    deadline = time.monotonic() + patience
    while left := [folder for folder in _stale_groups() if not _removed(folder)]:
        if time.monotonic() > deadline:
            logging.getLogger(__name__).debug("still busy: %s", left)
            return
        time.sleep(0.02)


def _stale_groups() -> list[Path]:
    try:
        own = own_groups()
    except (OSError, ValueError):
        return []
    parents = {*own.values(), *own.get("", ROOT).parents}
    return list(stale((folder for parent in parents for folder in parent.glob(f"{PREFIX}*-*")), PREFIX))


def _removed(folder: Path) -> bool:
    try:
        for pid in (folder / "cgroup.procs").read_text().split():
            os.kill(int(pid), signal.SIGKILL)
        folder.rmdir()
    except OSError:
        return not folder.exists()
    return True


def group_name(slot: int, lane: str) -> str:
    return f"{PREFIX}{os.getpid()}-{slot}{lane}"


def _create_unified(name: str) -> ControlGroup | None:
    """Creates a group below the nearest one that hands its controllers down.

    Processes may not be where controllers are enabled.
    """
    own = own_groups().get("")
    if own is None:
        return None
    for parent in (own, *own.parents):
        if not parent.is_relative_to(ROOT):
            break
        control = parent / "cgroup.subtree_control"
        usable = {"memory", "pids"} & set(control.read_text().split()) if control.exists() else set()
        if usable and os.access(parent, os.W_OK):
            (parent / name).mkdir(exist_ok=True)
            return ControlGroup(dict.fromkeys(sorted(usable), parent / name), unified=True)
    return None


def _create_split(name: str) -> ControlGroup | None:
    folders = {}
    for controllers, parent in own_groups().items():
        for controller in {"memory", "pids"} & set(controllers.split(",")):
            folder = parent / name
            folder.mkdir(exist_ok=True)
            folders[controller] = folder
    return ControlGroup(folders | _counting(name), unified=False) if folders else None


def _counting(name: str) -> dict[str, Path]:
    """Folder of a new group that counts processor time, if any. A machine may let us bound memory but not that."""
    for controllers, parent in own_groups().items():
        folder = parent / name
        if CPU_TIME in controllers.split(","):
            try:
                folder.mkdir(exist_ok=True)
            except OSError:
                return {}
            if _lets_in(folder):
                return {CPU_TIME: folder}
    return {}


def _lets_in(folder: Path) -> bool:
    """True if a process may join the group. Some kernels refuse it although the file can be written."""
    join = ["/bin/sh", "-c", 'echo $$ > "$0"', str(folder / "cgroup.procs")]
    return subprocess.run(join, capture_output=True, check=False).returncode == 0


def _write_v1_memory(folder: Path, limit: int) -> None:
    """Sets both memory limits of version 1.

    The limit with swap may never be below the one without, so the order matters.
    """
    names = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
    current = int((folder / names[0]).read_text())
    for name in names if limit <= current else reversed(names):
        _write_if_there(folder / name, str(limit))


def _write_if_there(file: Path, text: str) -> None:
    if file.exists():
        file.write_text(text)
