"""A benchmark in the journal as `maxcode bench` leaves it there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from maxcode.store.journal import Store
from tests.conftest import SMALL_TASK


def benchmarked(speedups: Mapping[str, float], suite: str = "demo", tasks: Sequence[str] = ("total",)) -> str:
    """One seed, a search with each method on each task, every task a little faster; gives the benchmark's run."""
    method = {"name": "", "strategy": "flat"}
    methods = [method] * len(speedups)
    plan = {"suite": suite, "tasks": [str(SMALL_TASK)] * len(tasks), "methods": methods, "seeds": [0], "budget": {}}
    with Store() as store:
        bench = store.start(f"bench:{suite}", plan)
        for (name, first), (number, task) in product(speedups.items(), enumerate(tasks)):
            key, speedup = f"{name}{number or ''}", first * 1.3**number
            run = store.start(task, {"task": str(SMALL_TASK), "policy": "rewrite"}).run
            bench.note("cell.started", {"cell": key, "run": run})
            figures = {"speedup": speedup, "ci_low": speedup, "ci_high": speedup, "rewards": [speedup], "depths": [1]}
            cell = {"task": task, "method": name, "seed": 0, "run": run, "evals": 1, **figures}
            store.append(bench.run, "cell.answered", key, cell)
        return bench.run
