"""Searches over many tasks: which ones, and how they are run; for benchmarks, and to collect training data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maxcode.cli import completion
from maxcode.cli.console import INTERRUPTED, err, working
from maxcode.cli.engine import pool_of
from maxcode.evaluate.engine import ON_THIS_MACHINE, Engine
from maxcode.evaluate.measure.words import times
from maxcode.system.options import CommandOption

if TYPE_CHECKING:
    from maxcode.bench.cell import Cell
    from maxcode.bench.runner import Bench, Standing

METHODS = "Methods and searches"
METHOD = "cuda-llm+maxcode"


@dataclass(frozen=True)
class SearchOptions:
    """Tasks, methods and seeds to search with."""

    method: Annotated[
        list[str] | None,
        CommandOption(metavar="METHOD", default=METHOD, complete=completion.strategies, panel=METHODS),
    ] = None
    """A strategy, or NAME=STRATEGY with any of policy=, critic=, screen=, hedge=, value= and evals= after commas;
    several are compared with the first."""
    policy: Annotated[str, CommandOption(metavar="POLICY", complete=completion.policies, panel=METHODS)] = "rewrite"
    """Policy of the methods that do not name their own."""
    critic: Annotated[str, CommandOption(metavar="CRITIC", complete=completion.critics, panel=METHODS)] = "rules"
    """Critic of the methods that do not name their own."""
    seeds: Annotated[int, CommandOption(least=1, panel=METHODS)] = 1
    """Searches per task and method."""
    evals: Annotated[int | None, CommandOption(least=1, panel=METHODS)] = 32
    """Programs per search."""
    tasks: Annotated[str | None, CommandOption(metavar="NAMES", panel=METHODS)] = None
    """Only these tasks, as a,b,c."""


@dataclass(frozen=True)
class RunningOptions:
    """How to run searches."""

    abreast: Annotated[int | None, CommandOption(least=1)] = None
    """Searches side by side; one per slot when absent (timings never overlap)."""
    config: Annotated[Path | None, CommandOption(exists=True, folder=False)] = None
    """Settings of models and prompts."""


@contextmanager
def new_bench(
    suite: str, folders: tuple[str, ...], searches: SearchOptions, config: Path | None, *, confirm: bool = True
) -> Iterator[Bench]:
    """A benchmark over task folders, ready to run."""
    from maxcode.bench.plan import BenchPlan, methods_of
    from maxcode.bench.runner import start
    from maxcode.config import load_config
    from maxcode.search.budget import Budget
    from maxcode.store.journal import Store

    plan = BenchPlan(
        suite=suite,
        tasks=chosen_folders(folders, searches.tasks),
        methods=methods_of(searches.method or [METHOD], searches.policy, searches.critic),
        seeds=tuple(range(searches.seeds)),
        budget=Budget(evals=searches.evals),
        confirm=confirm,
    )
    with Store() as store:
        yield start(plan, store, load_config(config))


def chosen_folders(folders: tuple[str, ...], only: str | None) -> tuple[str, ...]:
    """Selects folders by the names of their tasks. InputError if a name is not among them."""
    from maxcode.core import InputError

    if only is None:
        return folders
    by_name = {Path(folder).name: folder for folder in folders}
    names = [name.strip() for name in only.split(",") if name.strip()]
    unknown = [name for name in names if name not in by_name]
    if unknown or not names:
        raise InputError(f"--tasks {only}: '{', '.join(unknown)}' is not there; there are: {', '.join(by_name)}.")
    return tuple(by_name[name] for name in names)


def run_bench(bench: Bench, running: RunningOptions, engine: Engine = ON_THIS_MACHINE) -> list[Cell]:
    """All cells of a benchmark, run with a display until done or interrupted."""
    from maxcode.bench.runner import run
    from maxcode.cli.stopping import run_until_interrupted
    from maxcode.system.processes import session, this_process

    config = None if running.config is None else str(running.config.resolve())
    told = session(this_process(), engine=engine.model_dump(mode="json"), config=config)

    async def drive() -> list[Cell]:
        async with pool_of(engine, bench.config) as pool:
            with working(f"bench {bench.journal.run}: starting ...") as say:

                def progress(standing: Standing) -> None:
                    say(f"bench {bench.journal.run}: {standing_in_words(standing)}")

                return await run(bench, pool, abreast=running.abreast or pool.slots, progress=progress)

    try:
        with bench.journal.session(told):
            return run_until_interrupted(drive())
    except KeyboardInterrupt:
        words = f"Stopped; everything so far is kept. `maxcode bench resume {bench.journal.run}` goes on."
        err.print(words, soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None


def standing_in_words(standing: Standing) -> str:
    words = f"{len(standing.done)} of {standing.cells} searches, {sum(standing.programs.values())} programs judged"
    if not standing.done:
        return words
    last = standing.done[-1]
    return f"{words}; last: {last.task}, {last.method}, " + ("left out" if last.problem else times(last.speedup))
