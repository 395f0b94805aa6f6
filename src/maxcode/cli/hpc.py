"""`maxcode bench hpc`: numerical kernels, beside the machine's roofline and the libraries' speed."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.bench import (
    Abreast,
    Config,
    Critic,
    Evals,
    Form,
    FormOption,
    Json,
    Methods,
    Policy,
    Seeds,
    Shown,
    Wanted,
    driven,
    new_bench,
)
from maxcode.cli.console import out, print_json, reporting_errors, working
from maxcode.cli.engine import LOCAL, AddressOption, EngineOption, pool_of
from maxcode.evaluate.engine import Engine

if TYPE_CHECKING:
    from maxcode.bench.cell import Cell
    from maxcode.bench.hpc_table import Yardsticks
    from maxcode.task.model import Task


class Shapes(StrEnum):
    ALL = "all"
    TRAINING = "training"
    HELD_OUT = "held-out"


def hpc(
    tasks: Annotated[
        str | None, typer.Option(help="Only these, as a,b,c: kernels (dgemm) or tasks (dgemm-256).")
    ] = None,
    shapes: Annotated[Shapes, typer.Option(help="Shapes to train on, those kept back, or all.")] = Shapes.ALL,
    cpus: Annotated[int, typer.Option(min=1, help="Cores of each task; more than one allows threads.")] = 1,
    only_load: Annotated[bool, typer.Option("--only-load", help="Make the tasks and list them, nothing more.")] = False,
    only_measure: Annotated[
        bool, typer.Option("--only-measure", help="Baselines, roofs and libraries; no search.")
    ] = False,
    method: Methods = None,
    policy: Policy = "rewrite",
    critic: Critic = "rules",
    seeds: Seeds = 1,
    evals: Evals = 32,
    abreast: Abreast = None,
    config: Config = None,
    engine: EngineOption = LOCAL,
    address: AddressOption = None,
    form: FormOption = Form.TEXT,
    json: Json = False,
) -> None:
    """Numerical kernels: GFLOPS, share of this machine's roofline, and the libraries' speed beside it."""
    with reporting_errors():
        chosen = _chosen(tasks, shapes, cpus)
        if only_load:
            _list(chosen, json)
            return
        shown = Shown(abreast, config, form, json, Engine(name=engine, address=address))
        cells: list[Cell] = []
        if not only_measure:
            wanted = Wanted(method or ["cuda-llm+maxcode"], policy, critic, seeds, evals, None)
            with new_bench("hpc", tuple(str(task.folder) for task in chosen), wanted, shown) as bench:
                cells = driven(bench, shown)
        _show(_measured(chosen, shown.engine, config), cells, shown)


def _chosen(only: str | None, shapes: Shapes, cpus: int) -> list[Task]:
    from maxcode.bench.sources.hpc import hpc_tasks
    from maxcode.core import InputError
    from maxcode.kinds.kernel.table import Kernel

    found = hpc_tasks(training=shapes is not Shapes.HELD_OUT, held_out=shapes is not Shapes.TRAINING, cpus=cpus)
    if only is None:
        return found
    names = [name.strip() for name in only.split(",") if name.strip()]
    families = {task.name: task.table(Kernel).function for task in found}
    unknown = [name for name in names if name not in families and name not in families.values()]
    if unknown or not names:
        known = ", ".join([*dict.fromkeys(families.values()), *families])
        raise InputError(f"--tasks {only}: '{', '.join(unknown)}' is not there; there are: {known}.")
    return [task for task in found if task.name in names or families[task.name] in names]


def _list(tasks: list[Task], as_json: bool) -> None:
    from maxcode.bench.roofline import work_of

    for task in tasks:
        work = work_of(task)
        assert work is not None
        if as_json:
            print_json({"task": task.name, "folder": str(task.folder), "flops": work.flops, "bytes": work.bytes})
        else:
            words = f"{task.folder}: {work.flops / 1e6:.3g} MFLOP, {work.bytes / 1e6:.3g} MB"
            out.print(words, highlight=False, markup=False, soft_wrap=True)


def _measured(tasks: list[Task], engine: Engine, config: Path | None) -> list[Yardsticks]:
    import asyncio

    from maxcode.bench.hpc_table import local_yardsticks, yardsticks
    from maxcode.bench.roofline import local_roofs
    from maxcode.config import load_config

    async def elsewhere() -> list[Yardsticks]:
        async with pool_of(engine, load_config(config)) as pool:
            return [await yardsticks(pool, task) for task in tasks]

    with working("measuring baselines, roofs and libraries ...") as say:
        if engine.name is not LOCAL:
            return asyncio.run(elsewhere())
        found: list[Yardsticks] = []
        for task in tasks:
            say(f"measuring {task.name}: {len(found)} of {len(tasks)} done")
            found.append(local_yardsticks(task, local_roofs(task.limits.cpus)))
        return found


def _show(found: list[Yardsticks], cells: list[Cell], shown: Shown) -> None:
    from maxcode.bench.hpc_table import hpc_table, reached
    from maxcode.bench.report import tables
    from maxcode.bench.tables import FORMS, rich

    rows = reached(found, cells)
    if shown.as_json:
        for each in (*cells, *rows):
            print_json(each.model_dump(mode="json"))
        print_json({"roofs": found[0].roofs.model_dump(mode="json")})
        return
    for table in (*tables(cells), hpc_table(found, rows)):
        if shown.form is Form.TEXT and sys.stdout.isatty():
            out.print(rich(table))
        else:
            print(FORMS[shown.form.value](table))
