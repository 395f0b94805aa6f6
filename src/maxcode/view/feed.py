"""Follows the journal: one thread that reads what is new, and what is known of every run by now."""

from __future__ import annotations

import threading
from typing import Any

from maxcode.bench.runner import is_bench
from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.view.overview import RunOverview

EVERY = 0.25
"""Seconds between two looks at the journal."""


class RunFeed:
    """State of all runs. Only its own thread changes it; others may read it at any time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.overviews: dict[str, RunOverview] = {}
        self.last = 0
        self.problem: str | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="feed", daemon=True)

    def start(self) -> None:
        self._list()
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join(5)

    def run(self, run_id: str) -> RunOverview:
        if run_id not in self.overviews:
            self._list()
        if run_id not in self.overviews:
            raise InputError(f"run {run_id}: no such run. `maxcode runs` lists them.")
        return self.overviews[run_id]

    def rows(self) -> list[dict[str, Any]]:
        """All runs, the newest first."""
        return [overview.row() for overview in sorted([*self.overviews.values()], key=lambda each: -each.info.started)]

    def _list(self) -> None:
        for info in self.store.runs():
            if info.id not in self.overviews:  # another thread may list it at the same time
                self.overviews.setdefault(info.id, RunOverview(info, time=info.started))

    def _follow(self) -> None:
        self._begin()
        while not self._closed.wait(EVERY):
            try:
                self.look()
                self.problem = None
            except Exception as error:  # a page that stops following without a word would be worse
                self.problem = f"{type(error).__name__}: {error}"

    def _begin(self) -> None:
        """Reads what is known of every run: of finished ones only how they ended, of others all events.

        Benchmarks come first, because their events name the runs of their cells; then the newest runs.
        """
        programs, latest = self.store.programs(), self.store.latest()
        self.last = max((head.number for head in latest), default=0)
        for head in latest:
            overview = self.run(head.run)
            overview.last, overview.time = head.number, head.time
        every = list(self.overviews.values())
        for overview in sorted(every, key=lambda each: (not is_bench(each.info), -each.info.started)):
            if self._closed.is_set():
                return
            self._first_look(overview, programs.get(overview.info.id, 0))

    def _first_look(self, overview: RunOverview, programs: int) -> None:
        last, heard, run = overview.last, overview.time, overview.info.id
        ends = list(self.store.read(run, "finished"))
        if not ends and not overview.finished:
            overview.last = 0
            return self._absorb(overview)
        for event in ends:
            overview.absorb(event)
        overview.programs, overview.last, overview.time = programs, last, heard
        return None

    def look(self) -> None:
        """Reads the events that are new in the journal."""
        heads = self.store.news(self.last)
        for run in dict.fromkeys(head.run for head in heads):
            self._absorb(self.run(run))
        if heads:
            self.last = heads[-1].number

    def _absorb(self, overview: RunOverview) -> None:
        for event in self.store.read(overview.info.id, since=overview.last):
            if self._closed.is_set():
                return
            overview.absorb(event)
            self._note_cell(overview, event.kind, event.payload)

    def _note_cell(self, overview: RunOverview, kind: str, payload: dict[str, Any]) -> None:
        if not is_bench(overview.info) or kind not in ("cell.started", "cell.answered"):
            return
        run = payload.get("run", "")
        if run not in self.overviews:
            self._list()  # it has only just begun
        cell = self.overviews.get(run)
        if cell is not None:
            cell.bench = overview.info.id
            if kind == "cell.answered":
                cell.cell(payload)
