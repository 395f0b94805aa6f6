"""Runs a plan: every cell is a run of its own in the journal, and the benchmark remembers which; so it resumes.

Cells run side by side, one search per measuring slot; the evaluator sees to it that timings never overlap. Equal
programs are measured once, whichever method finds them: methods differ by what they find, not by luck with the clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from maxcode.bench.cell import Cell, RoundSummary, cell_of
from maxcode.bench.plan import BenchPlan, PlannedCell
from maxcode.config import Config
from maxcode.core import Candidate, Frozen, InputError, Mode, Outcome
from maxcode.evaluate.pool import Pool
from maxcode.optimize.run import SearchSettings, choose, make_parts, note_solved
from maxcode.search.budget import Spent
from maxcode.search.loop import search
from maxcode.search.observe.render import Prompts
from maxcode.search.rewards import looks_faster
from maxcode.search.tree import Node, Tree
from maxcode.store.journal import Journal, RunInfo, Store
from maxcode.system.processes import session, this_process
from maxcode.task import Task, load_task


@dataclass
class Standing:
    """Progress of a benchmark."""

    cells: int
    """Number of all cells, done or not."""
    done: list[Cell] = field(default_factory=list)
    programs: dict[str, int] = field(default_factory=dict)
    """Number of programs judged so far, by the key of the cell."""


Progress = Callable[[Standing], None]


@dataclass(frozen=True)
class Bench:
    """A benchmark, running or finished."""

    plan: BenchPlan
    store: Store
    journal: Journal
    config: Config
    runs: dict[str, str]
    """Id of the run of each cell, by the cell's key."""


def start(plan: BenchPlan, store: Store, config: Config) -> Bench:
    _check(plan, config)
    journal = store.start(f"bench:{plan.suite}", plan.model_dump(mode="json"))
    return Bench(plan, store, journal, config, {})


def reopen(run: str, store: Store, config: Config) -> Bench:
    info = bench_info(store, run)
    return Bench(BenchPlan.model_validate(info.settings), store, store.open(info.id), config, runs_of(store, info))


def bench_info(store: Store, run: str) -> RunInfo:
    """The benchmark of an id or of the beginning of one; `last` is the newest benchmark."""
    info = store.info(run, last_of=is_bench)
    if not is_bench(info):
        raise InputError(f"run {info.id}: not a benchmark but a run on {info.task}. `maxcode runs` lists them.")
    return info


def is_bench(info: RunInfo) -> bool:
    return info.task.startswith("bench:")


def runs_of(store: Store, bench: RunInfo) -> dict[str, str]:
    """Ids of the runs of a benchmark's cells, by the cell's key; only cells that were started."""
    return {e.payload["cell"]: e.payload["run"] for e in store.read(bench.id, "cell.started")}


def _check(plan: BenchPlan, config: Config) -> None:
    """Checks a plan before it is run. InputError says what is wrong."""
    for method in plan.methods:
        place = PlannedCell(task=plan.tasks[0], method=method, seed=0)
        choose(place.settings(plan.budget, ""), config)
    for task in plan.tasks:
        load_task(task)


async def run(bench: Bench, pool: Pool, *, abreast: int, progress: Progress = lambda *_: None) -> list[Cell]:
    """Runs all cells and returns them in the order of the plan."""
    places, turn = bench.plan.cells(), asyncio.Semaphore(abreast)
    standing, load = Standing(len(places)), cache(load_task)

    async def one(place: PlannedCell) -> Cell:
        def judged(programs: int) -> None:
            standing.programs[place.key] = programs
            progress(standing)

        async with turn:

            async def work() -> Frozen:
                try:
                    return await _cell(bench, place, load(place.task), pool, judged)
                except InputError as error:
                    name = Path(place.task).name
                    return Cell(task=name, method=place.method.name, seed=place.seed, run="", problem=str(error))

            cell = Cell.model_validate(await bench.journal.remembered("cell", place.key, work))
        standing.done.append(cell)
        judged(cell.evals)
        return cell

    found = await asyncio.gather(*map(one, places), return_exceptions=True)
    for each in found:  # what failed is tried again on resume; what was under way beside it is not lost
        if isinstance(each, BaseException):
            raise each
    return [each for each in found if isinstance(each, Cell)]


async def _cell(bench: Bench, place: PlannedCell, task: Task, pool: Pool, judged: Callable[[int], None]) -> Cell:
    settings = place.settings(bench.plan.budget, Prompts(bench.config.prompts).version)
    journal = _journal(bench, place, task, settings.model_dump(mode="json"))
    with journal.session(session(this_process())):
        return await _searched(bench, place, task, pool, judged, settings, journal)


async def _searched(
    bench: Bench,
    place: PlannedCell,
    task: Task,
    pool: Pool,
    judged: Callable[[int], None],
    settings: SearchSettings,
    journal: Journal,
) -> Cell:
    rounds = list[RoundSummary]()

    def watch(tree: Tree, spent: Spent) -> None:
        rounds.append(RoundSummary.of(tree, spent))
        judged(spent.evals)

    chosen = choose(settings, bench.config)
    parts = make_parts(chosen, pool, journal, watch)
    found = await search(task, chosen.strategy, parts, budget=settings.budget, seed=settings.seed)
    tree, spent = found.tree, found.spent
    confirmed = await _confirmed(bench, task, tree, pool)
    note_solved(journal, tree, tree.best.candidate, confirmed)
    return cell_of(tree, spent, rounds, method=place.method.name, seed=place.seed, run=journal.run, confirmed=confirmed)


def _journal(bench: Bench, place: PlannedCell, task: Task, settings: dict[str, object]) -> Journal:
    known = bench.runs.get(place.key)
    if known is not None:
        return bench.store.open(known)
    journal = bench.store.start(task.name, settings)
    bench.journal.note("cell.started", {"cell": place.key, "run": journal.run})
    bench.runs[place.key] = journal.run
    return journal


async def _confirmed(bench: Bench, task: Task, tree: Tree, pool: Pool) -> Outcome | None:
    """The best program measured afresh, once per benchmark."""
    best: Node = tree.best
    if not looks_faster(best) or not bench.plan.confirm:
        return None
    candidate: Candidate = best.candidate

    async def ask() -> Frozen:
        (outcome,) = await pool(task, [candidate], mode=Mode.CONFIRM, seconds=bench.plan.budget.confirm_seconds)
        return outcome

    return Outcome.model_validate(await bench.journal.remembered("confirm", f"{task.hash}/{candidate.id}", ask))
