"""`maxcode optimize`, `resume` and `replay`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.markup import escape

from maxcode.authoring.opening import open_task
from maxcode.cli.console import INTERRUPTED, err, out, print_json, working
from maxcode.cli.engine import pool_of
from maxcode.cli.search_display import SearchProgress, display, show_result, show_verdict
from maxcode.cli.stopping import run_until_interrupted
from maxcode.config import Config, load_config
from maxcode.core import InputError
from maxcode.evaluate.engine import Engine
from maxcode.optimize.recorded import finished, settings_and_task
from maxcode.optimize.run import (
    Chosen,
    Result,
    SearchSettings,
    Watch,
    choose,
    optimize,
    usual_ahead,
)
from maxcode.optimize.summary import SUMMARY, write_results
from maxcode.policy.choose import programs_recorded, settled
from maxcode.policy.providers import require_key, require_prices, settings_of
from maxcode.policy.recording import export_recording, recording_of_run
from maxcode.search.budget import Budget
from maxcode.search.observe.render import Prompts
from maxcode.store.journal import OPENED, Journal, Store
from maxcode.system.processes import session, this_process
from maxcode.task import Task
from maxcode.task.kind import NewOptions


def run(
    target: Path,
    settings: SearchSettings,
    bare: NewOptions,
    *,
    ahead: int | None,
    config_file: Path | None,
    output: Path | None,
    engine: Engine,
    as_json: bool,
) -> None:
    config = load_config(config_file)
    policy, prompts = settled(settings.policy), Prompts(config.prompts).version
    settings = settings.model_copy(update={"policy": policy, "prompts": prompts})
    settings = settings.model_copy(update={"ahead": usual_ahead(settings) if ahead is None else ahead})
    chosen = _chosen(settings, config)
    for name in chosen.paid:  # an error here keeps the run out of the journal; a resumed run may need no model any more
        require_key(name, settings_of(name, config))
    _check_place(output or Path())
    task = opened(target, bare)
    settings = settings.model_copy(update={"task": str(task.folder), "budget": _within_recording(settings)})
    with Store() as store:
        journal = store.start(task.name, settings.model_dump(mode="json"))
        _in_session(task, settings, chosen, config, engine, journal, output, as_json)


def _chosen(settings: SearchSettings, config: Config) -> Chosen:
    """Parts that the settings name. InputError for what cannot work, and for a limit in USD that nothing can reach."""
    chosen = choose(settings, config)
    if settings.budget.usd is not None:
        require_prices(chosen.paid, config)
    return chosen


def _within_recording(settings: SearchSettings) -> Budget:
    """A replay ends where its recording ends."""
    recorded = programs_recorded(settings.policy)
    evals = [each for each in (recorded, settings.budget.evals) if each is not None]
    return settings.budget.model_copy(update={"evals": min(evals, default=None)})


def resume(run_id: str, *, config_file: Path | None, output: Path | None, engine: Engine | None, as_json: bool) -> None:
    with Store() as store:
        settings, task = settings_and_task(store, run_id)
        config = load_config(config_file)
        chosen = _chosen(settings, config)
        journal = store.open(run_id)
        _in_session(task, settings, chosen, config, engine or engine_of(journal), journal, output, as_json)


def engine_of(journal: Journal) -> Engine:
    """The machines that judged before: figures of others would not compare."""
    opened = [event.payload for event in journal.store.read(journal.run, OPENED)]
    return Engine.model_validate(opened[-1].get("engine", {})) if opened else Engine()


def replay(
    run_id: str,
    *,
    fresh: bool,
    then: str | None,
    config_file: Path | None,
    output: Path | None,
    engine: Engine,
    as_json: bool,
) -> None:
    """The recorded answers again, in a new run; outcomes are recorded ones, or measured anew."""
    config = load_config(config_file)
    with Store() as store:
        settings, task = settings_and_task(store, run_id)
        recorded = store.open(run_id)
        if then is None and finished(store, recorded.run) is None:
            raise InputError(
                f"run {recorded.run}: is not finished. `maxcode resume {recorded.run}` finishes it; "
                f"`maxcode replay {recorded.run} --policy POLICY` goes on with a policy where the record ends."
            )
        policy = f"replay:{recorded.run}" + (f",{settled(then)}" if then else "")
        settings = settings.model_copy(update={"policy": policy})
        settings = settings.model_copy(update={"budget": _within_recording(settings)})
        chosen = _chosen(settings, config)
        journal = store.start(task.name, settings.model_dump(mode="json"))
        journal.learn(recorded, ("critic",) if fresh else ("critic", *MEASURED, *(ORDER if settings.ahead else ())))
        _in_session(task, settings, chosen, config, engine, journal, output, as_json)


MEASURED = ("verify", "evaluate", "race", "profile", "value", "screen", "confirm", "reduce", "claim")
"""What other outcomes would change."""
ORDER = ("clock",)
"""What a search that asks ahead knew at each selection."""


def export(run_id: str, file: Path, *, as_json: bool) -> None:
    recording = recording_of_run(run_id)
    export_recording(recording, file)
    if as_json:
        print_json({"task": recording.task, "answers": len(recording.answers), "file": str(file)})
        return
    words = f"{len(recording.answers)} answers; `maxcode optimize TASK --policy replay:{file}` gives them again."
    out.print(escape(words), soft_wrap=True)


def opened(target: Path, bare: NewOptions) -> Task:
    """The task that a user names; what its tests are worth is told before a search begins."""
    found = open_task(target, bare, _making)
    for words in found.remarks:
        err.print(escape(words), soft_wrap=True)
    return found.task


@contextmanager
def _making(doing: str) -> Iterator[None]:
    if not sys.stderr.isatty():
        err.print(escape(doing), soft_wrap=True)  # at once, also in a log
    with working(doing):
        yield


def _in_session(
    task: Task,
    settings: SearchSettings,
    chosen: Chosen,
    config: Config,
    engine: Engine,
    journal: Journal,
    output: Path | None,
    as_json: bool,
) -> Result:
    with journal.session(session(this_process(), engine=engine.model_dump(mode="json"))):
        folder = _folder(journal, output)
        result = _with_display(task, settings, chosen, config, engine, journal)
    written = write_results(folder, task, result)
    if as_json:
        best = str(written[0]) if result.improved else None
        print_json({**result.summary(), "task": str(task.folder), "best": best, "summary": str(folder / SUMMARY)})
    else:
        show_result(task, result, written, settings.policy)
    return result


def _with_display(
    task: Task, settings: SearchSettings, chosen: Chosen, config: Config, engine: Engine, journal: Journal
) -> Result:
    """Runs the search with a display, until it is done or interrupted."""
    watch = Watch([], show=show_verdict)
    progress = SearchProgress(task, settings.budget, journal, watch)
    try:
        with display(progress):
            return run_until_interrupted(
                _optimize(task, settings, chosen, config, engine, journal, watch), progress.stop
            )
    except KeyboardInterrupt:
        words = f"Stopped; everything so far is kept. `maxcode resume {journal.run}` goes on."
        err.print(words, soft_wrap=True)
        raise typer.Exit(INTERRUPTED) from None
    except InputError as error:
        journal.note("refused", {"reason": str(error)})
        raise


def _folder(journal: Journal, asked: Path | None) -> Path:
    """Folder of the results: the one asked for now, else the one asked for last."""
    if asked is None and (noted := [event.payload["folder"] for event in journal.store.read(journal.run, "output")]):
        return Path(noted[-1])
    folder = asked or Path(f"maxcode-{journal.run}")
    _check_place(folder)
    journal.note("output", {"folder": str(folder.absolute())})
    return folder


def _check_place(folder: Path) -> None:
    """InputError for a folder that results cannot be written to: found out before the search."""
    there = next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise InputError(f"--out {folder}: {there} is not a folder. Name another.")
    try:
        tempfile.TemporaryDirectory(dir=there).cleanup()
    except OSError as error:
        words = f"--out {folder}: cannot be written ({error.strerror}). Name another folder, or correct its rights."
        raise InputError(words) from None


async def _optimize(
    task: Task, settings: SearchSettings, chosen: Chosen, config: Config, engine: Engine, journal: Journal, watch: Watch
) -> Result:
    async with pool_of(engine, config) as pool:
        return await optimize(task, settings, chosen, pool, journal, watch)
