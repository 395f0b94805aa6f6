"""The cluster engine beside the local pool, on the same CPUs of this machine. See runs/ray.sh."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from maxcode.core import Candidate
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.pool import LocalPool, Pool
from maxcode.evaluate.ray.pool import RayPool
from maxcode.task import Task, load_task

TASK = Path(__file__).parents[2] / "tests/adversarial/tasks/total"
REJECTED = '#include "/etc/passwd"\nint main() {{}} // {}\n'
TESTED = '#include <cstdio>\nint main() {{ puts("1 2 3"); }} // {}\n'


@dataclass(frozen=True)
class Batch:
    name: str
    source: str
    count: int
    rounds: int

    def candidates(self, task: Task, mark: str) -> list[Candidate]:
        return [task.candidate(self.source.format(f"{mark} {i}")) for i in range(self.count)]


SLOTS = 2
BATCHES = (
    Batch("refused by the rules, one at a time", REJECTED, 1, 60),
    Batch("refused by the rules, 50 at once", REJECTED, 50, 6),
    Batch("compiled and tested, 6 at once", TESTED, 6, 4),
)


@contextmanager
def worker(*words: str, cpu: int) -> Iterator[str]:
    """A `maxcode worker` with one slot; the cluster's address."""
    command = ["taskset", "-c", str(cpu), sys.executable, "-m", "maxcode", "worker", "--slots", "1", "--json", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline())["address"]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


async def round_seconds(pool: Pool, task: Task, candidates: list[Candidate]) -> float:
    started = time.monotonic()
    await pool(task, candidates, measure=False)
    return (time.monotonic() - started) / len(candidates)


async def compared(pools: dict[str, Pool], task: Task, batch: Batch) -> dict[str, float]:
    """Seconds per evaluation, of the median round; the engines take turns, so that the host's moods hit both."""
    found: dict[str, list[float]] = {name: [] for name in pools}
    for i in range(batch.rounds + 1):
        for name, pool in pools.items():
            found[name].append(await round_seconds(pool, task, batch.candidates(task, f"{name} {i}")))
    return {name: median(each[1:]) for name, each in found.items()}  # the first round starts workers, sends the task


async def measured(address: str, task: Task) -> list[dict[str, float]]:
    async with LocalPool(2, use_cache=False) as local, RayPool(address, use_cache=False) as cluster:
        assert local.slots == cluster.slots == SLOTS
        return [await compared({"local": local, "ray": cluster}, task, batch) for batch in BATCHES]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    os.environ["MAXCODE_HOME"] = home = tempfile.mkdtemp(prefix="maxcode-ray-runs-")
    Path(home).chmod(0o755)
    os.environ["RAY_AUTH_TOKEN_PATH"] = f"{home}/token"
    task, cpus = load_task(TASK), usable_cpus()
    started = time.monotonic()
    with worker("--head", "--port", "0", cpu=cpus[0]) as address, worker("--address", address, cpu=cpus[1 % len(cpus)]):
        joined = time.monotonic() - started
        found = asyncio.run(measured(address, task))
    table = Table(title="Two slots on this machine; nothing cached", title_justify="left")
    for column in ("batch", "engine", "samples/s and slot", "ms per evaluation", "overhead, ms"):
        table.add_column(column, justify="left" if column in ("batch", "engine") else "right")
    for batch, engines in zip(BATCHES, found, strict=True):
        slots = min(SLOTS, batch.count)
        for name, each in engines.items():
            over = "" if name == "local" else f"{(each - engines['local']) * slots * 1000:.1f}"
            table.add_row(batch.name, name, f"{1 / each / slots:.1f}", f"{each * slots * 1000:.1f}", over)
    Console(width=120).print(table)
    print(f"Two nodes were up after {joined:.1f} s.")
    shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
