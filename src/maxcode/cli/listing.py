"""`maxcode runs`: what is in the journal, a line each; the searches of a benchmark are one line."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rich.markup import escape

from maxcode.bench.plan import BenchPlan
from maxcode.bench.runner import is_bench, runs_of
from maxcode.cli.console import out, print_json, print_table
from maxcode.evaluate.measure.words import times
from maxcode.optimize.recorded import finished
from maxcode.store.journal import CLOSED, COMPARISON, OPENED, RunInfo, Store, over_in_words
from maxcode.system.processes import Process

LISTED = ("run", "task", "strategy", "policy", "programs")
WIDEST = 24
OTHER_ENDS = ("rl.finished", "compare.answered")
"""Events that end runs which are no searches."""


def list_runs(*, everything: bool, as_json: bool) -> None:
    with Store() as store:
        rows = _rows(store)
    if as_json:
        for row in rows:
            print_json(row)
        return
    if not rows:
        out.print("No runs yet; `maxcode optimize` makes one.")
        return
    shown = [row for row in rows if everything or row["bench"] is None]
    print_table((*LISTED, "result"), [_cells(row) for row in shown], left=LISTED[:-1])
    if len(shown) < len(rows):
        left_out = len(rows) - len(shown)
        out.print(f"[dim]Left out: {left_out} searches of benchmarks; `maxcode runs --all` lists them too.[/]")


@dataclass(frozen=True)
class _Benchmark:
    store: Store
    info: RunInfo

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return tuple(runs_of(self.store, self.info).values())

    @cached_property
    def done(self) -> dict[str, dict[str, Any]]:
        """Results of the searches that are done."""
        answers = [event.payload for event in self.store.read(self.info.id, "cell.answered")]
        return {str(each["run"]): each for each in answers}

    @cached_property
    def plan(self) -> BenchPlan:
        return BenchPlan.model_validate(self.info.settings)


def _rows(store: Store) -> list[dict[str, Any]]:
    infos, programs = store.runs(), store.programs()
    benchmarks = {info.id: _Benchmark(store, info) for info in infos if is_bench(info)}
    part_of = {run: each for each in benchmarks.values() for run in each.runs}
    rows = []
    for info in infos:
        if info.id in benchmarks:
            its = benchmarks[info.id]
            found = _of_benchmark(its) | {"programs": sum(programs.get(run, 0) for run in its.runs)}
        elif info.id in part_of:
            found = _of_search_in(part_of[info.id], info.id)
        else:
            found = _of_run(store, info)
        rows.append(_known(info, programs.get(info.id, 0)) | found)
    return rows


def _known(info: RunInfo, programs: int) -> dict[str, Any]:
    return {
        "run": info.id,
        "started": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(info.started)),
        "task": info.task,
        "strategy": info.settings.get("strategy") or info.settings.get("curriculum"),
        "policy": info.settings.get("policy"),
        "programs": programs,
        "bench": None,
    }


def _of_run(store: Store, info: RunInfo) -> dict[str, Any]:
    result = finished(store, info.id)
    ended = result is not None or any(any(store.read(info.id, kind)) for kind in OTHER_ENDS)
    speedup = result.summary()["speedup"] if result and result.improved else None
    state = "finished" if ended else _unfinished(store, info.id)
    return {"state": over_in_words(info) if state == "stopped" else state, "speedup": speedup}


def _of_benchmark(its: _Benchmark) -> dict[str, Any]:
    asked_for = len(its.plan.cells())
    state = "finished" if len(its.done) >= asked_for else _unfinished(its.store, its.info.id)
    methods = ", ".join(method.name for method in its.plan.methods)
    return {"strategy": methods, "state": state, "speedup": None, "searches": len(its.done), "of": asked_for}


def _of_search_in(its: _Benchmark, run: str) -> dict[str, Any]:
    found = its.done.get(run)
    speedup = found["speedup"] if found and found["ci_low"] > 1.0 else None
    state = "finished" if found else _unfinished(its.store, its.info.id)
    return {"state": state, "speedup": speedup, "bench": its.info.id}


def _unfinished(store: Store, run: str) -> str:
    opened = list(store.read(run, OPENED))
    if any(store.read(run, "refused", since=opened[-1].number if opened else 0)):
        return "refused"
    if opened and any(store.read(run, CLOSED, since=opened[-1].number)):
        return "stopped"
    noted = [event.payload["process"] for event in opened if "process" in event.payload]
    return "running" if noted and Process.model_validate(noted[-1]).alive else "stopped"


def _cells(row: dict[str, Any]) -> list[str]:
    texts = ["-" if row[name] is None else _clipped(str(row[name])) for name in LISTED]
    return [*map(escape, texts), _result(row)]


def _result(row: dict[str, Any]) -> str:
    if "searches" in row:
        done = f"{row['searches']} of {row['of']} searches"
        return done if row["state"] == "finished" else f"{row['state']}, {done}"
    if row["state"] != "finished":
        return str(row["state"])
    if row["task"].startswith(("rl:", COMPARISON)):
        return "finished"
    return f"[green]{times(row['speedup'])}[/]" if row["speedup"] else "none"


def _clipped(text: str) -> str:
    """Policies may be sentences; `--json` has them whole."""
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."
