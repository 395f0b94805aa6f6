"""A cluster of `maxcode worker` processes on this machine, for tests."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from maxcode.evaluate.machine import usable_cpus


class Worker:
    """One `maxcode worker` process on one CPU; ready when made."""

    def __init__(self, *arguments: str, cpu: int = 0, environment: dict[str, str] | None = None) -> None:
        cpus = usable_cpus()
        pinned = ["taskset", "-c", str(cpus[cpu % len(cpus)])]
        self.process = subprocess.Popen(
            [*pinned, sys.executable, "-m", "maxcode", "worker", "--memory-mb", "80", "--json", *arguments],
            env={**os.environ, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None and self.process.stderr is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr.read()
        self.joined: dict[str, Any] = json.loads(line)

    @property
    def address(self) -> str:
        return str(self.joined["address"])

    def leave(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Tells it to leave; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(60)

    def crash(self) -> None:
        """Kills it with all its processes at once, as a power cut would."""
        for pid in [self.process.pid, *descendants(self.process.pid)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()


def descendants(pid: int) -> list[int]:
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
    found, new = [], [pid]
    while new:
        new = [child for child, parent in parents.items() if parent in new]
        found += new
    return found


@contextmanager
def two_nodes() -> Iterator[tuple[Worker, Worker]]:
    """A head and a node, with one slot each, on a CPU each.

    The token is of this session and stays: Ray remembers it for as long as the process lives.
    """
    os.environ["RAY_AUTH_TOKEN_PATH"] = f"{os.environ['MAXCODE_HOME']}/ray-token"
    head = Worker("--head", "--port", "0", "--slots", "1", cpu=0)
    try:
        node = Worker("--address", head.address, "--slots", "1", cpu=1)
        try:
            yield head, node
        finally:
            if node.process.poll() is None:
                node.leave()
    finally:
        head.leave()
