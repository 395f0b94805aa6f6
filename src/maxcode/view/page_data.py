"""Data that the page shows of a run besides its tree, cached for each state of the run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from maxcode.core import InputError
from maxcode.optimize.run import SearchSettings
from maxcode.report.data import report_data
from maxcode.report.html import RUN_SCRIPTS, page
from maxcode.report.nodes import figure
from maxcode.report.reproduce import command_of
from maxcode.search.tree import Tree
from maxcode.store.journal import Store
from maxcode.train.archive_record import KIND as ARCHIVE
from maxcode.train.archive_record import RecordedArchive, recorded_archive
from maxcode.view.boards import board_of
from maxcode.view.elites import elite_data, elite_map
from maxcode.view.follow import Follower
from maxcode.view.node import node_data
from maxcode.view.overview import RunOverview
from maxcode.view.series import series_of

MOST_KEPT = 64


class PageData:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[object, ...], dict[str, Any]] = {}
        self._lock = threading.Lock()

    def about(self, overview: RunOverview) -> dict[str, Any]:
        """Settings of a run, and the command that starts such a run."""
        settings = overview.info.settings
        command = command_of(SearchSettings.model_validate(settings)) if overview.kind == "search" else None
        return {"settings": settings, "command": command, "folder": settings.get("task")}

    def of_journal(self, name: str, overview: RunOverview) -> dict[str, Any]:
        def make() -> dict[str, Any]:
            if name == "board":
                return board_of(self._store, overview)
            if name == "series":
                return {"series": series_of(self._store.read(overview.info.id))}
            if name == "archive":
                return elite_map(self._archive(overview))
            raise InputError(f"{name}: nothing of that name is known of a run.")

        return self._once((name, overview.info.id, overview.last, overview.state), make)

    def elite(self, overview: RunOverview, cell: int) -> dict[str, Any]:
        return elite_data(self._archive(overview), cell)

    def _archive(self, overview: RunOverview) -> RecordedArchive | None:
        return recorded_archive(self._store.read(overview.info.id, ARCHIVE))

    def of_tree(self, name: str, follower: Follower) -> dict[str, Any]:
        if name == "archive":
            key = (name, follower.journal.run, len(follower.columns))
            return self._once(key, lambda: {**follower.kinds.map(), "strategy": follower.settings.strategy})
        rounds = list(follower.rounds)
        rows = [[r.evals, r.tokens, figure(r.usd), figure(r.seconds), figure(r.best)] for r in rounds]
        return {"rounds": rows, "caught_up": follower.caught_up}

    def node(self, follower: Follower, tree: Tree, number: int) -> dict[str, Any]:
        return node_data(follower, tree, number)

    def report(self, run: str) -> str:
        """The report as `maxcode report` writes it."""
        data = report_data(self._store, run)
        title = f"{data['task']}: run {run}"
        return page(title, "report.html", RUN_SCRIPTS, data, {"task": data["task"], **data["verdict"]})

    def _once(self, key: tuple[object, ...], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        found = self._kept.get(key)
        if found is None:
            found = make()
            with self._lock:
                self._kept[key] = found
                while len(self._kept) > MOST_KEPT:
                    del self._kept[next(iter(self._kept))]
        return found
