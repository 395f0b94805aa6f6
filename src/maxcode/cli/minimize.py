"""`maxcode minimize`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.text import Text

from maxcode.cli.console import err, out, print_json
from maxcode.cli.optimize import finished, known
from maxcode.core import Candidate, InputError, Mode, Outcome, Status
from maxcode.evaluate.pool import LocalPool
from maxcode.minimize import Minimized, minimize, other_sizes
from maxcode.optimize import Result, unified_diff
from maxcode.store.journal import Store
from maxcode.task import Task, load_task


def run(run_id: str, *, evals: int, output: Path | None, as_json: bool) -> None:
    with Store() as store:
        _, task = known(store, run_id)
        info = store.info(run_id)
        result = finished(store, info.id)
        if result is None or not result.improved:
            raise InputError(
                f"run {info.id}: has no confirmed improvement to minimize. `maxcode show {info.id}` shows it."
            )
        with err.status(f"reducing the diff of {escape(task.name)} ..."):
            reduced, confirmed, sizes = asyncio.run(_minimize(task, result, evals))
        store.append(info.id, "minimized", "", reduced.model_dump(mode="json"))
    diff = unified_diff(task, reduced.candidate)
    folder = output or Path(f"maxcode-{info.id}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "minimal.diff").write_text(diff)
    if as_json:
        print_json(_summary(reduced, confirmed, sizes) | {"diff": str(folder / "minimal.diff")})
    else:
        _show(reduced, confirmed, sizes, diff, folder)


async def _minimize(task: Task, result: Result, evals: int) -> tuple[Minimized, Outcome, list[tuple[str, Outcome]]]:
    assert result.confirmed and result.confirmed.measurement
    async with LocalPool() as pool:

        async def judge(candidate: Candidate) -> Outcome:
            return (await pool(task, [candidate]))[0]

        reduced = await minimize(task, result.best, result.confirmed.measurement.speedup, judge, most=evals)
        (confirmed,) = await pool(task, [reduced.candidate], mode=Mode.CONFIRM, sanitize=True)
        sizes = []
        for label, changes in other_sizes(task):
            other = load_task(task.folder, changes)
            sizes.append((label, (await pool(other, [reduced.candidate], mode=Mode.CONFIRM))[0]))
        return reduced, confirmed, sizes


def _figures(outcome: Outcome) -> dict[str, Any]:
    return {name: outcome.summary()[name] for name in ("status", "speedup", "ci_low", "ci_high", "reason")}


def _summary(reduced: Minimized, confirmed: Outcome, sizes: list[tuple[str, Outcome]]) -> dict[str, Any]:
    return {
        "hunks_before": reduced.hunks_before,
        "hunks_after": reduced.hunks_after,
        "evaluations": reduced.evaluations,
        **_figures(confirmed),
        "gains": [gain.model_dump() for gain in reduced.gains],
        "other_sizes": [{"size": label, **_figures(outcome)} for label, outcome in sizes],
    }


def _show(reduced: Minimized, confirmed: Outcome, sizes: list[tuple[str, Outcome]], diff: str, folder: Path) -> None:
    out.print(Text(diff), end="", soft_wrap=True)
    out.print(
        f"{reduced.hunks_before} hunks became {reduced.hunks_after} ({reduced.evaluations} evaluations).",
        highlight=False,
    )
    for gain in reduced.gains:
        words = f"{gain.factor:.3g}x" if gain.factor else f"the rest is {gain.without} without it"
        out.print(f"  {escape(gain.hunk)}: {words}", highlight=False)
    for label, outcome in [("as confirmed", confirmed), *sizes]:
        m = outcome.measurement
        words = (
            f"{m.speedup:.3g}x ({m.ci_low:.3g} to {m.ci_high:.3g})"
            if m
            else f"{outcome.status.value}: {outcome.reason}"
        )
        colour = "green" if outcome.status is Status.OK and m and m.ci_low > 1 else "yellow"
        out.print(f"  [{colour}]{escape(words)}[/] {escape(label)}", highlight=False)
    out.print(f"written to {escape(str(folder / 'minimal.diff'))}", highlight=False, soft_wrap=True)
