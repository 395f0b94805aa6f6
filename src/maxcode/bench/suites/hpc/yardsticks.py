"""Table of the speeds reached on the HPC kernels, beside those of the machine's roofline and of libraries."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from maxcode.bench.cell import Cell
from maxcode.bench.roofline.roofs import MachineRoofs, Work, baseline_rate, local_rate, local_roofs, roofs_of, work_of
from maxcode.bench.suites.hpc.library import Library, library_speed
from maxcode.bench.suites.suite import Comparison, ToCompare
from maxcode.bench.tables import Table
from maxcode.core import Frozen, InputError
from maxcode.evaluate.machine import machine_class
from maxcode.evaluate.measure.words import times
from maxcode.evaluate.pool import Evaluator, Pool
from maxcode.task.load import load_task
from maxcode.task.model import Task


class Yardsticks(Frozen):
    """What a task's programs are compared with, on this machine."""

    task: str
    work: Work
    naive: float
    """GFLOPS of the baseline."""
    roof: float
    roofs: MachineRoofs
    library: Library | None


class HpcRow(Frozen):
    """One row: a task, and what a method made of it; without a method, the baseline."""

    task: str
    method: str | None
    speedup: float
    gflops: float
    roof: float
    share_of_roof: float
    library: str | None
    library_gflops: float | None
    over_library: tuple[float, float, float] | None
    """This speed over the library's, with its interval."""


def compare(given: ToCompare) -> Comparison:
    """Measures baselines, roofs and libraries, on the machines that judge."""
    found = _measured([load_task(each.folder) for each in given.loaded.tasks if each.folder], given)
    rows = reached(found, given.cells)
    records = [each.model_dump(mode="json") for each in rows]
    roofs = {"roofs": found[0].roofs.model_dump(mode="json")}
    return Comparison(tables=(hpc_table(found, rows),), records=(*records, roofs))


def _measured(tasks: list[Task], given: ToCompare) -> list[Yardsticks]:
    if given.open_pool is not None:
        return asyncio.run(_elsewhere(tasks, given.open_pool()))
    found: list[Yardsticks] = []
    for task in tasks:
        given.say(f"measuring {task.name}: {len(found)} of {len(tasks)} done")
        found.append(local_yardsticks(task, local_roofs(task.limits.cpus)))
    return found


async def _elsewhere(tasks: list[Task], opened: AbstractAsyncContextManager[Pool]) -> list[Yardsticks]:
    async with opened as pool:
        return [await yardsticks(pool, task) for task in tasks]


def local_yardsticks(task: Task, roofs: MachineRoofs) -> Yardsticks:
    """Yardsticks measured on this machine now; the library's speed may be up to a day old."""
    return _yardsticks(task, roofs, local_rate(task), library_speed(task))


async def yardsticks(evaluate: Evaluator, task: Task) -> Yardsticks:
    """Yardsticks measured by an evaluator, on its machines; with a library only if they are of this machine's class."""
    naive, machine = await baseline_rate(evaluate, task)
    roofs = await roofs_of(evaluate, task.limits.cpus, machine=machine)
    return _yardsticks(task, roofs, naive, library_speed(task) if machine == machine_class() else None)


def _yardsticks(task: Task, roofs: MachineRoofs, naive: float, library: Library | None) -> Yardsticks:
    work, roof = work_of(task), roofs.roof(task)
    if work is None or roof is None:
        raise InputError(f"{task.folder}: kernel.flops is missing: without it there is no roofline. Add it.")
    return Yardsticks(task=task.name, work=work, naive=naive, roof=roof, library=library, roofs=roofs)


def reached(yardsticks: Sequence[Yardsticks], cells: Sequence[Cell]) -> list[HpcRow]:
    """Search of the median speedup over the seeds, for each task and method. The baseline stands where none ran."""
    rows = []
    for each in yardsticks:
        methods = dict.fromkeys(cell.method for cell in cells if cell.task == each.task and not cell.problem)
        if not methods:
            rows.append(_row(each, None, 1.0, 1.0, 1.0))
        for method in methods:
            ranked = sorted(
                (cell for cell in cells if (cell.task, cell.method) == (each.task, method)), key=lambda c: c.speedup
            )
            cell = ranked[(len(ranked) - 1) // 2]
            rows.append(_row(each, method, cell.speedup, cell.ci_low, cell.ci_high))
    return rows


def _row(each: Yardsticks, method: str | None, speedup: float, low: float, high: float) -> HpcRow:
    gflops, library = each.naive * speedup, each.library
    return HpcRow(
        task=each.task,
        method=method,
        speedup=speedup,
        gflops=gflops,
        roof=each.roof,
        share_of_roof=gflops / each.roof,
        library=library.name if library else None,
        library_gflops=each.naive * library.speedup if library else None,
        over_library=library.share(speedup, low, high) if library else None,
    )


def hpc_table(yardsticks: Sequence[Yardsticks], rows: Sequence[HpcRow]) -> Table:
    by_task = {each.task: each for each in yardsticks}
    return Table(
        title="HPC kernels",
        columns=(
            "task",
            "method",
            "MFLOP",
            "flop/byte",
            "GFLOPS",
            "speedup",
            "roof",
            "of roof",
            "library",
            "its GFLOPS",
            "over library",
        ),
        rows=tuple(_cells(row, by_task[row.task]) for row in rows),
        note=_note(yardsticks[0].roofs),
    )


def _cells(row: HpcRow, each: Yardsticks) -> tuple[str, ...]:
    over = row.over_library
    return (
        row.task,
        row.method or "baseline",
        f"{each.work.flops / each.work.calls / 1e6:.3g}",
        f"{each.work.intensity:.2g}",
        f"{row.gflops:.3g}",
        times(row.speedup),
        f"{row.roof:.3g}",
        f"{row.share_of_roof:.0%}",
        row.library or "-",
        f"{row.library_gflops:.3g}" if row.library_gflops else "-",
        f"{over[0]:.2f} ({over[1]:.2f} to {over[2]:.2f})" if over else "-",
    )


def _note(roofs: MachineRoofs) -> str:
    reading = ", ".join(f"{rate:.3g} GB/s in calls of {size >> 20} MB" for size, rate in roofs.bandwidth.items())
    cores = "one core" if roofs.cpus == 1 else f"{roofs.cpus} cores"
    return (
        f"{roofs.machine}, {cores}: {roofs.gflops:.3g} GFLOPS ({roofs.gflops_scalar:.3g} without vectors), {reading}. "
        "GFLOPS: the baseline's times the speedup."
    )
