"""A benchmark in the journal as `maxcode bench` leaves it there."""

from __future__ import annotations

from collections.abc import Mapping

from maxcode.store.journal import Store
from tests.conftest import SMALL_TASK


def benchmarked(speedups: Mapping[str, float], suite: str = "demo") -> str:
    """One task, one seed, a search with each method; gives the benchmark's run."""
    method = {"name": "", "strategy": "flat"}
    methods = [method] * len(speedups)
    plan = {"suite": suite, "tasks": [str(SMALL_TASK)], "methods": methods, "seeds": [0], "budget": {}}
    with Store() as store:
        bench = store.start(f"bench:{suite}", plan)
        for name, speedup in speedups.items():
            run = store.start("total", {"task": str(SMALL_TASK), "policy": "rewrite"}).run
            bench.note("cell.started", {"cell": name, "run": run})
            figures = {"speedup": speedup, "ci_low": speedup, "ci_high": speedup, "rewards": [speedup], "depths": [1]}
            cell = {"task": "total", "method": name, "seed": 0, "run": run, "evals": 1, **figures}
            store.append(bench.run, "cell.answered", name, cell)
        return bench.run
