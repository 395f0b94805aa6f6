"""`maxcode minimize`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.text import Text

from maxcode.cli.console import out, print_json, working
from maxcode.cli.stopping import run_until_interrupted
from maxcode.core import Candidate, Frozen, InputError, Mode, Outcome, Status
from maxcode.evaluate.measure.words import speed_in_words
from maxcode.evaluate.pool import LocalPool
from maxcode.optimize.minimize import Minimized, gain_in_words, made, minimize
from maxcode.optimize.recorded import finished, settings_and_task
from maxcode.optimize.reducing import judging, neat
from maxcode.optimize.run import Result
from maxcode.store.journal import Store
from maxcode.task import Task

Say = Callable[[str], None]


class Report(Frozen):
    """The reduced winner, measured afresh against the baseline, and at other sizes."""

    reduced: Minimized
    confirmed: Outcome
    sizes: tuple[tuple[str, Outcome], ...]

    @property
    def holds(self) -> bool:
        return _clearly_faster(self.confirmed)


def run(run_id: str, *, evals: int, output: Path | None, as_json: bool) -> None:
    with Store() as store:
        _, task = settings_and_task(store, run_id)
        info = store.info(run_id)
        result = finished(store, info.id)
        if result is None or not result.improved:
            raise InputError(
                f"run {info.id}: has no confirmed improvement to minimize. `maxcode show {info.id}` shows it."
            )
        with working(f"reducing the diff of {task.name} ...") as say:
            work = _minimize(task, result, evals, say)
            report = run_until_interrupted(work, lambda: say("stopping ..."))
        store.append(info.id, "minimized", "", report.reduced.model_dump(mode="json"))
    diff = task.kind.diff(task, report.reduced.candidate)
    file = (output or Path(f"maxcode-{info.id}")) / "minimal.diff"
    if report.holds:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(diff)
    if as_json:
        print_json(_summary(report) | {"diff": str(file) if report.holds else None})
    else:
        _show(report, diff, file)


async def _minimize(task: Task, result: Result, evals: int, say: Say) -> Report:
    assert result.confirmed and result.confirmed.measurement
    speedup = result.confirmed.measurement.speedup
    async with LocalPool() as pool:

        def watch(hunks: int, evaluations: int) -> None:
            left = f", {hunks} hunks are enough" if hunks else ""
            say(f"reducing the diff of {task.name}: {evaluations} of at most {evals} evaluations{left} ...")

        with judging(task, result.best, speedup, pool) as judge:
            reduced = await minimize(task, result.best, speedup, judge, most=evals, watch=watch)
            small = await neat(task, reduced.candidate, speedup, judge)
            reduced = reduced.model_copy(update={"candidate": small})
        say(f"measuring the reduced program of {task.name} afresh ...")
        (confirmed,) = await pool(task, [reduced.candidate], mode=Mode.CONFIRM, sanitize=True)
        return Report(
            reduced=reduced, confirmed=confirmed, sizes=tuple(await _at_other_sizes(task, reduced.candidate, pool, say))
        )


async def _at_other_sizes(task: Task, candidate: Candidate, pool: LocalPool, say: Say) -> list[tuple[str, Outcome]]:
    found = []
    for variant in task.kind.sizes(task):
        say(f"measuring {task.name} {variant.label} ...")
        with made(task, variant) as other:
            try:
                (outcome,) = await pool(other, [candidate], mode=Mode.CONFIRM)
            except InputError:
                continue  # a size that the baseline itself does not accept says nothing
        found.append((variant.label, outcome))
    return found


def _clearly_faster(outcome: Outcome) -> bool:
    m = outcome.measurement if outcome.status is Status.OK else None
    return m is not None and m.ci_low > 1.0


def _figures(outcome: Outcome) -> dict[str, Any]:
    return {name: outcome.summary()[name] for name in ("status", "speedup", "ci_low", "ci_high", "reason")}


def _summary(report: Report) -> dict[str, Any]:
    return {
        "hunks_before": report.reduced.hunks_before,
        "hunks_after": report.reduced.hunks_after,
        "evaluations": report.reduced.evaluations,
        **_figures(report.confirmed),
        "gains": [gain.model_dump() for gain in report.reduced.gains],
        "other_sizes": [{"size": label, **_figures(outcome)} for label, outcome in report.sizes],
    }


def _show(report: Report, diff: str, file: Path) -> None:
    reduced = report.reduced
    out.print(Text(diff), end="", soft_wrap=True)
    left = f"{reduced.hunks_after} of {reduced.hunks_before} hunks {'is' if reduced.hunks_after == 1 else 'are'} needed"
    _line(f"{left} ({reduced.evaluations} evaluations):" if reduced.gains else f"{left}.")
    for gain in reduced.gains:
        _line(f"  {gain.hunk}: {gain_in_words(gain)}")
    _line("Measured afresh against the baseline:")
    for label, outcome in [("as in the search", report.confirmed), *report.sizes]:
        _line(f"  {_speed_in_words(outcome)} {label}", "green" if _clearly_faster(outcome) else "yellow")
    if not report.sizes:
        _line("  No other sizes: it is not clear how to make inputs of another size from those of the task.")
    if report.holds:
        _line(f"Written to {file}.")
    else:
        _line("The reduced diff is not clearly faster than the baseline, so it is not written: keep the whole one.")


def _line(text: str, colour: str | None = None) -> None:
    out.print(Text(text, style=colour or ""), soft_wrap=True)


def _speed_in_words(outcome: Outcome) -> str:
    m = outcome.measurement if outcome.status is Status.OK else None
    if m is None:
        return f"{outcome.status.value} ({outcome.reason})"
    return speed_in_words(m)
