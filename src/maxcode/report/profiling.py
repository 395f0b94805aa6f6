"""What a search did not measure but a report wants: the finalist's profile, and what the machine can do at most.

Both are kept in the journal like every other answer, so that the next report has them at once.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Awaitable, Callable

from maxcode.core import Candidate, Fact, Frozen
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.pool import LocalPool
from maxcode.optimize.recorded import Recorded
from maxcode.report.data import finalist
from maxcode.report.roofline import Roofs
from maxcode.store.journal import Store
from maxcode.system.children import own_python
from maxcode.task.model import Task

_BENCH = """
import json, time
import numpy as np
def best(work):
    found = []
    for _ in range(20):
        start = time.perf_counter(); work(); found.append(time.perf_counter() - start)
    return min(found)
a = np.random.rand(768, 768); b = np.empty(16_000_000); c = np.ones(16_000_000)
print(json.dumps([2 * 768 ** 3 / best(lambda: a @ a) / 1e9, 16 * len(b) / best(lambda: np.copyto(b, c)) / 1e9]))
"""


class _Facts(Frozen):
    facts: tuple[Fact, ...]


async def profile_finalist(store: Store, run: Recorded) -> None:
    """Profiles the baseline and the finalist where that was not done, and the machine for tasks that state flops."""
    best, _ = finalist(run)
    journal = store.open(run.info.id)
    journal.note("report.opened", {})  # so that its time does not count as search time
    async with LocalPool() as pool:
        for candidate in (run.task.baseline_candidate, best):
            await journal.remembered("profile", candidate.id, _asking(pool, run.task, candidate))
    entry = run.task.kind.entry(run.task)
    if entry is not None and entry.operations is not None:
        await journal.remembered("roofs", machine_class(), lambda: _roofs(run.task.limits.cpus))


def _asking(pool: LocalPool, task: Task, candidate: Candidate) -> Callable[[], Awaitable[Frozen]]:
    async def ask() -> Frozen:
        (outcome,) = await pool(task, [candidate], profile=True, measure=False)
        return _Facts(facts=outcome.facts)

    return ask


async def _roofs(cpus: int) -> Frozen:
    """Roofs measured in a separate process, because numpy fixes its number of threads when it is imported."""
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), str(cpus))
    command = own_python("-c", _BENCH)
    done = subprocess.run(command, env={**os.environ, **threads}, capture_output=True, text=True, check=True)
    peak, bandwidth = json.loads(done.stdout)
    return Roofs(gflops=peak, bandwidth=bandwidth, cpus=cpus)
