"""Command line that resumes a stopped run, if this machine can do it and no other process does."""

from __future__ import annotations

from pathlib import Path

from maxcode.core import InputError
from maxcode.evaluate.engine import Engine
from maxcode.view.known import Known


def resuming(known: Known, results: Path) -> list[str]:
    """Arguments of the command that resumes a run. InputError says why it cannot be resumed here, and what to do."""
    run, state = known.info.id, known.state
    if known.kind not in _WORDS or known.bench is not None:
        raise InputError(f"run {run}: is not resumed by itself; see `maxcode --help` for what goes on with it.")
    if state not in ("stopped", "refused"):  # what it was refused for may have been put right
        raise InputError(f"run {run}: is {state}, not stopped.")
    if known.process is not None and known.process.elsewhere:
        raise InputError(f"run {run}: its process is, or was, on {known.process.host}; resume it there.")
    return _WORDS[known.kind](known, results)


def _search(known: Known, results: Path) -> list[str]:
    return ["resume", known.info.id, "--out", str(results), *_engine(known)]


def _bench(known: Known, _: Path) -> list[str]:
    run = known.info.id
    if known.process is None:
        raise InputError(
            f"run {run}: which process worked on it is not on record, so it may still be under way. "
            f"`maxcode bench resume {run}` goes on."
        )
    config = known.session["config"]
    return ["bench", "resume", run, *_engine(known), *(["--config", config] if config else [])]


def _engine(known: Known) -> list[str]:
    """Options for the engine that the run had before: figures of other machines would not compare."""
    engine = Engine.model_validate(known.session.get("engine", {}))
    return ["--engine", engine.name.value, *([] if engine.address is None else ["--address", engine.address])]


def _training(known: Known, _: Path) -> list[str]:
    run, folder = known.info.id, known.session.get("folder")
    if folder is None:
        raise InputError(f"run {run}: its folder is not on record; `maxcode rl train --resume FOLDER` goes on.")
    words = ["rl", "train", "--resume", folder]
    if known.session["processes"] > 1 or known.process is None:
        raise InputError(
            f"run {run}: was started in {known.session['processes']} processes; go on as it was started, "
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
