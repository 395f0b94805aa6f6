"""`maxcode check`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer
from rich.markup import escape

from maxcode.authoring.finding import Finding
from maxcode.authoring.input_format import format_of
from maxcode.cli.console import out, print_json, working
from maxcode.core import ExitCode
from maxcode.evaluate.pool import LocalPool
from maxcode.task import Task, load_task


def run(folder: Path, *, as_json: bool) -> None:
    task = load_task(folder)
    with working(f"checking {task.name} ..."):
        findings = asyncio.run(_check(task))
    sound = all(f.ok or not f.serious for f in findings)
    words = _format_words(task)
    if as_json:
        findings_json = [f.model_dump() for f in findings]
        print_json({"task": task.name, "sound": sound, "findings": findings_json, "format": words})
    else:
        for name, lines in words.items():
            out.print(f"The format of {name}, as far as it shows ([format] in task.toml corrects it):", markup=False)
            for line in lines:
                out.print(f"  {line}", markup=False, highlight=False, soft_wrap=True)
        _show(task, findings, sound)
    if not sound:
        raise typer.Exit(ExitCode.FAILED)


def _format_words(task: Task) -> dict[str, list[str]]:
    """The model of each input file's format, in words."""
    files = [task.folder / workload.input for workload in task.workloads if workload.input]
    return {path.name: format_of([path], task.format).words() for path in files}


async def _check(task: Task) -> list[Finding]:
    async with LocalPool() as pool:
        return await task.kind.check(task, pool)


def _show(task: Task, findings: list[Finding], sound: bool) -> None:
    for finding in findings:
        mark = "[green]✓[/]" if finding.ok else ("[red]✗[/]" if finding.serious else "[yellow]![/]")
        out.print(f"{mark} {finding.name}: {escape(finding.detail)}")
        if not finding.ok and finding.fix:
            out.print(f"    {escape(finding.fix)}")
    out.print(f"[bold]{escape(task.name)}[/] is {'[green]sound[/]' if sound else '[red]not sound[/]'}.")
