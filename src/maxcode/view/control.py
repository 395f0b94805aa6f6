"""Starting, stopping and resuming runs as the command line does, for requests that may come from anybody.

Only tasks that are known, were made here or lie in allowed folders, only policies that name no file, no shell anywhere.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from maxcode.authoring.opening import OpenedTask
from maxcode.config import load_config
from maxcode.core import Frozen, InputError
from maxcode.critic.choose import CRITICS
from maxcode.optimize.run import SearchSettings, choose
from maxcode.plugins import Choice, forms
from maxcode.policy.choose import models_of
from maxcode.policy.providers import require_prices
from maxcode.policy.table import POLICIES
from maxcode.search.budget import Budget
from maxcode.search.observe.render import Prompts
from maxcode.search.strategies import DEFAULT, STRATEGIES, additions
from maxcode.store.journal import OPENED, Store
from maxcode.system.children import own_python
from maxcode.system.home import home
from maxcode.system.processes import Process
from maxcode.task import load_task
from maxcode.view.overview import RunOverview
from maxcode.view.processes import ends_within, interrupt, spawned
from maxcode.view.programs import ProgramRequest, task_of_program
from maxcode.view.resuming import resuming

T = TypeVar("T")
ADDITIONS = ((), ("maxcode",), ("maxcode", "ucb"), ("maxcode", "value"))
MODEL = re.compile(r"openai:[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}")
ENDING = 20.0
"""Seconds that a process may take to end after it has noted that it leaves a run."""


class SearchRequest(Frozen):
    """Request for a search."""

    task: str = Field(max_length=1000)
    policy: str = Field(default="rewrite", max_length=200)
    strategy: str = Field(default=DEFAULT, max_length=100)
    critic: str = Field(default="rules", max_length=200)
    evals: int = Field(default=64, ge=1, le=100_000)
    max_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    max_seconds: float | None = Field(default=None, ge=1, allow_inf_nan=False)
    seed: int = Field(default=0, ge=0, le=2**31)


class Control:
    def __init__(self, store: Store, folders: list[Path]) -> None:
        self._store = store
        self._folders = [folder.resolve() for folder in folders]
        self._made: dict[str, str] = {}
        self._started: dict[str, Process] = {}
        self._one_at_a_time, self._making = threading.Lock(), threading.Lock()

    def choices(self) -> dict[str, Any]:
        """Choices that a search may be started with."""
        return {
            "tasks": [{"folder": folder, "name": name} for folder, name in self.tasks().items()],
            "strategies": [
                DEFAULT,
                *(
                    name + "".join(f"+{each}" for each in added)
                    for name in STRATEGIES
                    for added in ADDITIONS
                    if set(added) <= set(additions(name))
                ),
            ],
            "policies": sorted({*_plain(POLICIES), *self._used("policy")}),
            "critics": _plain(CRITICS),
        }

    def tasks(self) -> dict[str, str]:
        """Names of tasks by folder: those made here, those of runs on record, and those in folders of the server's."""
        found = dict(self._made)
        for info in reversed(self._store.runs()):
            folder = info.settings.get("task")
            if isinstance(folder, str) and Path(folder, "task.toml").is_file():
                found.setdefault(folder, info.task)
        for folder in self._folders:
            for file in [folder / "task.toml", *sorted(folder.glob("*/task.toml"))]:
                if file.is_file():
                    found.setdefault(str(file.parent), file.parent.name)
        return found

    def make(self, wanted: ProgramRequest) -> OpenedTask:
        """Makes a task of a program, which may be started from then on; it takes up to a minute."""
        with self._making:
            opened = task_of_program(wanted, self._folders)
        self._made[str(opened.task.folder)] = opened.task.name
        return opened

    def start(self, wanted: SearchRequest) -> str:
        """Starts a search and returns its run, which is in the journal by then."""
        if wanted.task not in self.tasks():
            raise InputError(
                f"task {wanted.task}: not one of those that may be started here; start the server with --tasks FOLDER."
            )
        self._check_policy(wanted)
        task, config = load_task(wanted.task), load_config()
        settings = SearchSettings(
            task=str(task.folder),
            policy=wanted.policy,
            strategy=wanted.strategy,
            critic=wanted.critic,
            budget=Budget(evals=wanted.evals, usd=wanted.max_usd, seconds=wanted.max_seconds),
            seed=wanted.seed,
            prompts=Prompts(config.prompts).version,
        )
        choose(settings, config)
        if wanted.max_usd is not None:
            require_prices(tuple(models_of(settings.policy)), config)
        run = self._store.start(task.name, settings.model_dump(mode="json")).run
        self.resume(RunOverview(self._store.info(run)))  # as one that was stopped before it did anything
        return run

    def resume(self, overview: RunOverview) -> None:
        run, log = overview.info.id, log_of(overview.info.id)
        words = own_python("-m", "maxcode", *resuming(overview, log.parent))
        started_in = overview.session.get("started_in")
        with self._one_at_a_time:
            before = self._started.get(run)
            if before is not None and not ends_within(before, ENDING if overview.left else 0.0):
                raise InputError(f"run {run}: is running already.")
            process = self._started[run] = spawned(words, log, Path(started_in) if started_in else None)
        self._store.append(run, OPENED, "", {"process": process.model_dump()})

    def stop(self, overview: RunOverview) -> None:
        if overview.bench is not None:
            raise InputError(f"run {overview.info.id}: is part of benchmark {overview.bench}; stop that.")
        if overview.process is None or not overview.process.alive:
            raise InputError(
                f"run {overview.info.id}: no process of it is known here. Press Ctrl-C in the terminal that it runs in."
            )
        interrupt(overview.process)

    def log(self, run: str) -> str:
        """The last 4000 bytes of the log of a run's process; empty where there is none."""
        try:
            return log_of(run).read_bytes()[-4000:].decode(errors="replace")
        except OSError:
            return ""

    def _check_policy(self, wanted: SearchRequest) -> None:
        """Refuses policies and critics that name a new file: it would be read or written with the server's rights."""
        for name, given, plain in (
            ("policy", wanted.policy, _plain(POLICIES)),
            ("critic", wanted.critic, _plain(CRITICS)),
        ):
            if given not in plain and given not in self._used(name) and not MODEL.fullmatch(given):
                raise InputError(f"{name} {given}: use {', '.join(plain)}, openai:MODEL, or one of an earlier run.")

    def _used(self, name: str) -> set[str]:
        """Values of a setting in earlier searches, without recordings, which belong to one run each."""
        found = {str(info.settings[name]) for info in self._store.runs() if isinstance(info.settings.get(name), str)}
        return {each for each in found if not each.startswith(("record:", "replay:"))}


def _plain(choices: Mapping[str, Choice[T]]) -> list[str]:
    """Choices that take no argument, which could be a file's name."""
    return [form for form in forms(choices) if ":" not in form]


def log_of(run: str) -> Path:
    return home() / "results" / run / "log.txt"
