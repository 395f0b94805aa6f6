"""`maxcode evaluate`."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from rich.markup import escape

from maxcode.cli.console import out, print_json, print_table, working
from maxcode.cli.engine import pool_of
from maxcode.cli.stopping import run_until_interrupted
from maxcode.config import load_config
from maxcode.core import Candidate, Mode, Outcome, Status, Verdict
from maxcode.evaluate.engine import Engine
from maxcode.evaluate.measure.words import interval_in_words, times
from maxcode.evaluate.pool import Pool
from maxcode.task import Task, load_task

COLUMNS = ("program", "status", "tests", "speedup", "interval", "pairs", "verdict")


def run(
    folder: Path,
    files: list[Path],
    *,
    confirm: bool,
    sanitize: bool,
    profile: bool,
    cache: bool,
    workers: int | None,
    engine: Engine,
    config_file: Path | None,
    as_json: bool,
) -> None:
    task = load_task(folder)
    candidates = [task.kind.read(task, path) for path in files]
    mode = Mode.CONFIRM if confirm else Mode.SEARCH
    pool = pool_of(engine, load_config(config_file), workers=workers, use_cache=cache)
    with working(f"evaluating {len(files)} program{'s' * (len(files) > 1)} on {task.name} ..."):
        outcomes = run_until_interrupted(_evaluate(pool, task, candidates, mode, sanitize, profile))
    for path, outcome in zip(files, outcomes, strict=True):
        if as_json:
            facts = [fact.model_dump(exclude_none=True) for fact in outcome.facts]
            print_json({"file": str(path), **outcome.summary(), **({"facts": facts} if profile else {})})
    if not as_json:
        _show(task, files, outcomes, sanitize)


async def _evaluate(
    pool: AbstractAsyncContextManager[Pool],
    task: Task,
    candidates: list[Candidate],
    mode: Mode,
    sanitize: bool,
    profile: bool,
) -> list[Outcome]:
    async with pool as judge:
        return await judge(task, candidates, mode=mode, sanitize=sanitize, profile=profile)


def _show(task: Task, files: list[Path], outcomes: list[Outcome], sanitize: bool) -> None:
    out.print(f"[bold]{escape(task.name)}[/]: {escape(task.description)}")
    columns = COLUMNS + (("GFLOPS",) if task.objective.metric == "gflops" else ())
    rows = [_row(task, path, outcome) for path, outcome in zip(files, outcomes, strict=True)]
    print_table(columns, rows, left=("program", "status", "verdict"))
    if any(outcome.cached for outcome in outcomes):
        out.print("[dim]* known from an earlier evaluation (--no-cache evaluates again)[/]")
    for path, outcome in zip(files, outcomes, strict=True):
        if outcome.reason:
            out.print(f"[bold]{escape(path.name)}[/]: {escape(outcome.reason)}")
        if sanitize and outcome.status is Status.OK:
            words = "sanitizers clean" if outcome.sanitized else f"not sanitized: {task.kind.unsanitized}"
            out.print(f"[bold]{escape(path.name)}[/]: {words}")
        m = outcome.measurement
        if m and m.speedup_compiled:
            words = f"{times(m.speedup_compiled)} over torch.compile of the original"
            out.print(f"[bold]{escape(path.name)}[/]: {words}")
        if m and m.note:
            out.print(f"[bold]{escape(path.name)}[/]: {escape(m.note)}")
        if outcome.facts and len(files) > 1:
            out.print(f"[bold]{escape(path.name)}[/]:")
        for fact in outcome.facts:
            place = f"{fact.file}:{fact.line} " if fact.file else ""
            words = f"{escape(place)}{fact.kind.replace('_', ' ')}: {escape(fact.text)}"
            out.print(f"  {words} [dim]({fact.source})[/]")


def _row(task: Task, path: Path, outcome: Outcome) -> list[str]:
    colour = "green" if outcome.status is Status.OK else "red"
    v, m = outcome.verification, outcome.measurement
    mark = "*" if outcome.cached else ""
    status = f"[{colour}]{outcome.status.value}[/]" + ("" if m else mark)
    row = [escape(path.name), status, f"{v.passed}/{v.total}" if v else "-"]
    if m is None:
        row += ["-"] * 4
    else:
        interval = interval_in_words(m.ci_low, m.ci_high) if m.method != "count" else "exact"
        row += [times(m.speedup), interval, str(len(m.samples)), _word(m.verdict) + mark]
    if task.objective.metric == "gflops":
        row.append(f"{m.gflops:.3g}" if m and m.gflops else "-")
    return row


def _word(verdict: Verdict) -> str:
    return {Verdict.FASTER: "[green]faster[/]", Verdict.SLOWER: "[red]slower[/]"}.get(verdict, verdict.value)
