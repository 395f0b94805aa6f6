"""Identity of this machine, for cache keys and for saying where a figure was measured."""

from __future__ import annotations

import fcntl
import os
import platform
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import IO

from maxcode.core import content_hash

LOCKS = Path("/tmp")
"""Folder of locks. It is the same for every user and every MAXCODE_HOME, since they share the CPUs."""
ROOM_SECONDS = 0.02


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith(("model name", "Model")):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def cpu_flags() -> set[str]:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith(("flags", "Features")):
                return set(line.split(":", 1)[1].split())
    except OSError:
        pass
    return set()


@cache
def machine_class() -> str:
    """Class of this machine: processor model, features and number of cores. Machines of one class may share timings.

    MAXCODE_MACHINE_CLASS sets another, where that does not tell machines apart, or tells too many apart.
    """
    if named := os.environ.get("MAXCODE_MACHINE_CLASS"):
        return named
    flags = content_hash(" ".join(sorted(cpu_flags())))[:8]
    return f"{cpu_model()} x{os.cpu_count()} ({platform.machine()}, {flags})"


def usable_cpus() -> list[int]:
    return sorted(os.sched_getaffinity(0))


@contextmanager
def reserved(cpus: tuple[int, ...]) -> Iterator[None]:
    """Keeps other MaxCode processes of this machine from timing on these CPUs meanwhile; waits for those that do."""
    with _opened(f"maxcode-cpu-{cpu}.lock" for cpu in sorted(cpus)) as files:
        for file in files:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def one_of_few(what: str, most: int) -> Iterator[None]:
    """Admits at most so many MaxCode processes of this machine at a time. Waits until there is room."""
    with _opened(f"maxcode-{what}-{place}.lock" for place in range(most)) as files:
        while files and not any(map(_locked, files)):
            time.sleep(ROOM_SECONDS)
        yield


@contextmanager
def _opened(names: Iterable[str]) -> Iterator[list[IO[str]]]:
    """Opens the lock files that can be opened. Those of another user are not ours to wait for."""
    with ExitStack() as stack:
        files: list[IO[str]] = []
        for name in names:
            with suppress(OSError):
                files.append(stack.enter_context((LOCKS / name).open("a")))
        yield files


def _locked(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def stolen_seconds(cpus: tuple[int, ...]) -> float:
    """Seconds that the host has taken from these CPUs since boot, summed over them."""
    try:
        lines = Path("/proc/stat").read_text().splitlines()
    except OSError:
        return 0.0
    wanted = {f"cpu{number}" for number in cpus}
    ticks = sum(int(parts[8]) for parts in (line.split() for line in lines) if parts and parts[0] in wanted)
    return ticks / os.sysconf("SC_CLK_TCK")
