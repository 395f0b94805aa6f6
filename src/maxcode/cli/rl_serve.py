"""`maxcode rl serve`: rewards over HTTP."""

from __future__ import annotations

import os
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli.console import err, reporting_errors
from maxcode.cli.engine import EngineOptions

if TYPE_CHECKING:
    from maxcode.task.model import Task
    from maxcode.train.masks import Mask
    from maxcode.train.problem import MaskedTask

TOKEN = "MAXCODE_REWARD_TOKEN"


def serve(
    tasks: Annotated[
        str, typer.Option(help="Kernels, tasks of `bench hpc` or folders with a task.toml, as a,b,c.")
    ] = "dgemm",
    mask: Annotated[
        list[str] | None,
        typer.Option(help="everything, nothing, a stage (reorder, cache, ...) or techniques as simd+cache_blocking."),
    ] = None,
    host: Annotated[str, typer.Option(help=f"Other than this machine: needs a token in {TOKEN}.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where to listen; 0 takes any that is free.")] = 8321,
    workers: Annotated[int | None, typer.Option(min=1, help="Benchmark cores; all when absent.")] = None,
    *,
    engine: EngineOptions,
) -> None:
    """Rewards over HTTP, for trainers in other processes: POST /score, GET /problems, /health, /schema."""
    with reporting_errors():
        _require_server()
        from maxcode.cli.engine import pool_of
        from maxcode.config import load_config
        from maxcode.train.reward.http import serve as run_server

        problems = problems_of(tasks, mask or ["everything"])
        token = os.environ.get(TOKEN) or None
        pool = pool_of(engine.chosen(), load_config(None), workers=workers)
        with suppress(KeyboardInterrupt):
            run_server(pool, problems, host=host, port=port, token=token, ready=_say_where)


def _say_where(address: str) -> None:
    words = f"Rewards at {address}score, problems at {address}problems, a page on how it goes at {address}health"
    err.print(words, soft_wrap=True, highlight=False, markup=False)


def _require_server() -> None:
    from maxcode.core import InputError

    for name in ("fastapi", "uvicorn"):
        if find_spec(name) is None:
            raise InputError(f"rl serve: {name} is not installed. Run `pip install 'maxcode[rl]'`.")


def problems_of(tasks: str, masks: list[str]) -> dict[str, MaskedTask]:
    """Every task under every mask, by name."""
    from maxcode.train.problem import MaskedTask

    found = [MaskedTask(task=task, mask=each) for task in _tasks(tasks) for each in map(mask_of, masks)]
    return {problem.name: problem for problem in found}


def mask_of(text: str) -> Mask:
    from maxcode.core import InputError
    from maxcode.train.curriculum import STAGES
    from maxcode.train.masks import Mask
    from maxcode.train.techniques import Technique

    stages = {stage.name: stage for stage in STAGES}
    if text in stages and text not in list(Technique):
        return stages[text]
    words = [] if text == "nothing" else text.split("+")
    unknown = [word for word in words if word not in list(Technique)]
    if unknown:
        known = ", ".join(dict.fromkeys(["nothing", *stages, *Technique]))
        raise InputError(f"--mask {text}: no stage or technique '{unknown[0]}'; there are: {known}.")
    return Mask(name=text, permitted=frozenset(Technique(word) for word in words))


def _tasks(names: str) -> list[Task]:
    from maxcode.bench.suites.hpc.shapes import hpc_tasks
    from maxcode.core import InputError
    from maxcode.kinds.kernel.table import Kernel
    from maxcode.task.load import load_task

    kernels = hpc_tasks()
    found: list[Task] = []
    for name in (each.strip() for each in names.split(",") if each.strip()):
        named = [task for task in kernels if name in (task.name, task.table(Kernel).function)]
        if not named and not Path(name).is_dir():
            raise InputError(
                f"--tasks {name}: neither a folder nor a kernel or task of `maxcode bench hpc --only-load`."
            )
        found += named or [load_task(name)]
    if not found:
        raise InputError("--tasks: names no task.")
    return found
