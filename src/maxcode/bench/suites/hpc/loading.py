"""HPC kernels as a suite: which tasks are chosen, and how they are listed."""

from __future__ import annotations

from maxcode.bench.roofline.roofs import work_of
from maxcode.bench.suites.hpc.shapes import hpc_tasks
from maxcode.bench.suites.hpc.suite import HpcOptions
from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask, of_folders
from maxcode.bench.suites.suite import ListedTask, LoadReporter
from maxcode.core import InputError
from maxcode.kinds.kernel.table import Kernel
from maxcode.task.load import load_task
from maxcode.task.model import Task


def load_kernels(options: HpcOptions, reporter: LoadReporter) -> LoadedSuite:
    del reporter
    found = hpc_tasks(training=options.shapes != "held-out", held_out=options.shapes != "training", cpus=options.cpus)
    chosen = found if options.tasks is None else _named(options.tasks, found)
    return of_folders(each.folder for each in chosen)


def _named(only: str, found: list[Task]) -> list[Task]:
    names = [name.strip() for name in only.split(",") if name.strip()]
    families = {task.name: task.table(Kernel).function for task in found}
    unknown = [name for name in names if name not in families and name not in families.values()]
    if unknown or not names:
        known = ", ".join([*dict.fromkeys(families.values()), *families])
        raise InputError(f"--tasks {only}: '{', '.join(unknown)}' is not there; there are: {known}.")
    return [task for task in found if task.name in names or families[task.name] in names]


def listed(made: MadeTask) -> ListedTask:
    """Entry of a task in listings, with the operations and bytes of a call."""
    assert made.folder is not None
    work = work_of(load_task(made.folder))
    assert work is not None
    words = f"{made.folder}: {work.flops / 1e6:.3g} MFLOP, {work.bytes / 1e6:.3g} MB"
    record = {"task": made.name, "folder": made.folder, "flops": work.flops, "bytes": work.bytes}
    return ListedTask(words, record)
