"""Command line that resumes a stopped run, if this machine can do it and no other process does."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import InputError
from maxcode.evaluate.engine import Engine
from maxcode.view.overview import RunOverview


def resuming(overview: RunOverview, results: Path) -> list[str]:
    """Arguments of the command that resumes a run. InputError says why it cannot be resumed here, and what to do."""
    run, state = overview.info.id, overview.state
    if overview.kind not in _WORDS or overview.bench is not None:
        raise InputError(f"run {run}: is not resumed by itself; see `maxcode --help` for what goes on with it.")
    if state not in ("stopped", "refused"):  # what it was refused for may have been put right
        raise InputError(f"run {run}: is {state}, not stopped.")
    if overview.process is not None and overview.process.elsewhere:
        raise InputError(f"run {run}: its process is, or was, on {overview.process.host}; resume it there.")
    return _WORDS[overview.kind](overview, results)


def _search(overview: RunOverview, results: Path) -> list[str]:
    return ["resume", overview.info.id, "--out", str(results), *_engine(overview)]


def _bench(overview: RunOverview, _: Path) -> list[str]:
    run = overview.info.id
    if overview.process is None:
        raise InputError(
            f"run {run}: which process worked on it is not on record, so it may still be under way. "
            f"`maxcode bench resume {run}` goes on."
        )
    config = overview.session["config"]
    return ["bench", "resume", run, *_engine(overview), *(["--config", config] if config else [])]


def _engine(overview: RunOverview) -> list[str]:
    """Options for the engine that the run had before: figures of other machines would not compare."""
    engine = Engine.model_validate(overview.session.get("engine", {}))
    return ["--engine", engine.name, *([] if engine.address is None else ["--address", engine.address])]


def _training(overview: RunOverview, _: Path) -> list[str]:
    run, folder = overview.info.id, overview.session.get("folder")
    if folder is None:
        raise InputError(f"run {run}: its folder is not on record; `maxcode rl train --resume FOLDER` goes on.")
    words = ["rl", "train", "--resume", folder]
    if overview.session["processes"] > 1 or overview.process is None:
        raise InputError(
            f"run {run}: was started in {overview.session['processes']} processes; go on as it was started, "
            f"with {' '.join(words[2:])}."
        )
    _check_folder(run, Path(folder))
    return words


def _check_folder(run: str, folder: Path) -> None:
    """InputError if the folder belongs to another training by now."""
    from maxcode.train.grpo.run import settings_of

    there = settings_of(folder).run
    if there != run:
        raise InputError(f"run {run}: {folder} now has another training, run {there}.")


_WORDS = {"search": _search, "bench": _bench, "rl": _training}
