"""Everything a report shows, as one JSON value: made from the journal alone, without running anything."""

from __future__ import annotations

from collections import Counter
from typing import Any

from maxcode.core import Candidate, Cost, InputError, Measurement, Outcome
from maxcode.critic.audit import audit
from maxcode.optimize.recorded import Recorded, recorded_run, winner_of
from maxcode.report.changes import change_data
from maxcode.report.colours import coloured
from maxcode.report.curve import curve
from maxcode.report.delta import delta
from maxcode.report.nodes import columns, critique, facts, figure, programs
from maxcode.report.reproduce import command_of, reproduce
from maxcode.report.roofline import Roofs, roofline
from maxcode.search.tree import Tree
from maxcode.store.journal import Store


def report_data(store: Store, run_id: str) -> dict[str, Any]:
    run = checked_run(store, run_id)
    best, outcome = finalist(run)
    packed, of_node = programs(run.tree)
    node = winner_of(run.tree, run.result)
    m = _against_baseline(run, outcome)
    return {
        "task": run.task.name,
        "description": run.task.description,
        "verdict": verdict(run, outcome, m),
        "diff": run.task.kind.diff(run.task, best),
        "files": _files(run, best),
        "changes": list(map(change_data, run.result.changes)) if run.result and run.result.improved else [],
        "programs": packed,
        "nodes": {**columns(run.tree), "program": of_node},
        "best": node.id,
        "facts": _facts(store, run),
        "critiques": _critiques(run.tree),
        "rounds": curve(run),
        "samples": _samples(m),
        "finalists": _finalists(store, run),
        "roofline": roofline(run.task, m, _roofs(store, run, m)),
        "cost": _cost(run),
        "stages": _stages(run.tree),
        "command": command_of(run.settings),
        "reproduce": reproduce(run, outcome),
    }


def checked_run(store: Store, run_id: str) -> Recorded:
    """The run. InputError if its task has changed since, because the record belongs to another baseline."""
    run = recorded_run(store, run_id)
    if not run.rounds and any(True for _ in store.read(run.info.id, "evaluate.answered")):
        raise InputError(
            f"run {run.info.id}: the baseline in {run.task.folder} is not the one it began with. "
            "Put the task back as it was, and report again."
        )
    return run


def finalist(run: Recorded) -> tuple[Candidate, Outcome]:
    """The program a run ends with, and the outcome to report; before its end, the best of the tree so far.

    If no finalist held, the program is the baseline, but the outcome is still that of the best finalist.
    """
    if run.result and run.result.confirmed:
        return run.result.best, run.result.confirmed
    return run.tree.best.candidate, run.tree.best.outcome


def _against_baseline(run: Recorded, outcome: Outcome) -> Measurement | None:
    """Measurement of an outcome; None for the baseline, whose timing against itself says nothing."""
    return None if outcome.candidate == run.task.baseline_candidate.id else outcome.measurement


def verdict(run: Recorded, outcome: Outcome, m: Measurement | None) -> dict[str, Any]:
    return {
        "run": run.info.id,
        "state": "finished" if run.result else "not finished",
        "confirmed": run.result is not None and run.result.confirmed is not None,
        "improved": run.result is not None and run.result.improved,
        "speedup": figure(m.speedup) if m else None,
        "low": figure(m.ci_low) if m else None,
        "high": figure(m.ci_high) if m else None,
        "alpha": m.alpha if m else None,
        "clock": m.clock if m else None,
        "pairs": len(m.samples) if m else 0,
        "machine": m.machine if m else None,
        "before": figure(m.seconds_baseline) if m else None,
        "after": figure(m.seconds_candidate) if m else None,
        "gflops": figure(m.gflops) if m else None,
        "over_compiled": figure(m.speedup_compiled) if m else None,
        "sanitized": outcome.sanitized,
        "tests": outcome.verification.total if outcome.verification else None,
        "note": m.note if m else None,
        "programs": run.spent.evals,
        "correct": sum(node.correct for node in run.tree) - 1,
    }


def _files(run: Recorded, best: Candidate) -> list[dict[str, Any]]:
    """The files that differ, before and after, in colours; the main one where none does."""
    before = run.task.baseline_candidate.files
    changed = [name for name, text in best.files.items() if text != before.get(name)] or [run.task.main_file]
    return [
        {
            "name": name,
            "before": coloured(name, before.get(name, "")),
            "after": coloured(name, best.files[name]),
            "edits": delta(before.get(name, ""), best.files[name]),
        }
        for name in changed
    ]


def _facts(store: Store, run: Recorded) -> dict[int, list[dict[str, Any]]]:
    """Profile facts by node. Those of programs that were profiled after the search are read from the journal."""
    profiled = {event.key: event.payload["facts"] for event in store.read(run.info.id, "profile.answered")}
    found = {}
    for node in run.tree:
        known = facts(node.outcome.facts) or [
            {name: value for name, value in fact.items() if value is not None}
            for fact in profiled.get(node.candidate.id, ())
        ]
        if known:
            found[node.id] = known
    return found


def _roofs(store: Store, run: Recorded, m: Measurement | None) -> Roofs | None:
    """Roofs of the machine that the measurement was made on; None where they are not in the journal."""
    events = [event for event in store.read(run.info.id, "roofs.answered") if m and event.key == m.machine]
    return Roofs.model_validate(events[-1].payload) if events else None


def _critiques(tree: Tree) -> list[dict[str, Any]]:
    found = []
    for node, each in tree.critiques.items():
        agreements = [finding.agreement for finding in audit(node, each, tree.nodes[node].outcome)]
        found.append({**critique(tree, node, each), "agreements": agreements})
    return found


def _samples(m: Measurement | None) -> dict[str, Any] | None:
    """Timings that the estimate rests on."""
    used = [each for each in m.samples if each.method == m.method] if m else []
    if not m or not used:
        return None
    return {
        "unit": "instructions" if m.clock == "instructions" else "number" if m.clock == "printed" else "s",
        "before": [figure(each.baseline) for each in used],
        "after": [figure(each.candidate) for each in used],
    }


def _finalists(store: Store, run: Recorded) -> list[dict[str, Any]]:
    """Fresh measurements of the finalists, in the order they were made."""
    by_program = {node.candidate.id: node.id for node in reversed(run.tree.nodes)}
    if run.result and run.result.winner:  # what the winner was reduced to is shown where the winner is
        by_program.setdefault(run.result.best.id, winner_of(run.tree, run.result).id)
    found = []
    for kind in ("confirm", "claim"):
        for event in store.read(run.info.id, f"{kind}.answered"):
            outcome = Outcome.model_validate(event.payload)
            summary = outcome.summary()
            shown = {name: summary[name] for name in ("status", "speedup", "ci_low", "ci_high", "samples", "reason")}
            found.append({"kind": kind, "node": by_program.get(outcome.candidate), **shown})
    return found


def _cost(run: Recorded) -> list[dict[str, Any]]:
    spent = run.spent
    parts = (("policy", spent.cost), ("critic", spent.critique), ("value model", spent.value), ("total", spent.total))
    return [_cost_row(who, cost) for who, cost in parts]


def _cost_row(who: str, cost: Cost) -> dict[str, Any]:
    return {
        "who": who,
        "prompt": cost.prompt_tokens,
        "completion": cost.completion_tokens,
        "usd": figure(cost.usd),
        "seconds": figure(cost.seconds),
    }


def _stages(tree: Tree) -> dict[str, float | None]:
    """Seconds of evaluation by stage, each program counted once."""
    outcomes = {node.candidate.id: node.outcome for node in tree}
    seconds: Counter[str] = Counter()
    for outcome in outcomes.values():
        for stage in outcome.stages:
            seconds[stage.name] += stage.seconds  # type: ignore[assignment]
    return {name: figure(total) for name, total in seconds.most_common()}
