"""Follows the journal: one thread that reads what is new, and what is known of every run by now."""

from __future__ import annotations

import threading
from typing import Any

from maxcode.bench.runner import is_bench
from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.view.known import Known

EVERY = 0.25
"""Seconds between two looks at the journal."""


class Feed:
    """State of all runs. Only its own thread changes it; others may read it at any time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.known: dict[str, Known] = {}
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

    def run(self, run_id: str) -> Known:
        if run_id not in self.known:
            self._list()
        if run_id not in self.known:
            raise InputError(f"run {run_id}: no such run. `maxcode runs` lists them.")
        return self.known[run_id]

    def rows(self) -> list[dict[str, Any]]:
        """All runs, the newest first."""
        return [known.row() for known in sorted([*self.known.values()], key=lambda each: -each.info.started)]

    def _list(self) -> None:
        for info in self.store.runs():
            if info.id not in self.known:
                self.known.setdefault(info.id, Known(info, time=info.started))  # another thread may just have listed it

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
            known = self.run(head.run)
            known.last, known.time = head.number, head.time
        for known in sorted([*self.known.values()], key=lambda each: (not is_bench(each.info), -each.info.started)):
            if self._closed.is_set():
                return
            self._first_look(known, programs.get(known.info.id, 0))

    def _first_look(self, known: Known, programs: int) -> None:
        last, heard, run = known.last, known.time, known.info.id
        ends = list(self.store.read(run, "finished"))
        if not ends and not known.finished:
            known.last = 0
            return self._absorb(known)
        for event in ends:
            known.absorb(event)
        known.programs, known.last, known.time = programs, last, heard
        return None

    def look(self) -> None:
        """Reads the events that are new in the journal."""
        heads = self.store.news(self.last)
        for run in dict.fromkeys(head.run for head in heads):
            self._absorb(self.run(run))
        if heads:
            self.last = heads[-1].number

    def _absorb(self, known: Known) -> None:
        for event in self.store.read(known.info.id, since=known.last):
            if self._closed.is_set():
                return
            known.absorb(event)
            self._told_by_bench(known, event.kind, event.payload)

    def _told_by_bench(self, known: Known, kind: str, payload: dict[str, Any]) -> None:
        if not is_bench(known.info) or kind not in ("cell.started", "cell.answered"):
            return
        run = payload.get("run", "")
        if run not in self.known:
            self._list()  # it has only just begun
        cell = self.known.get(run)
        if cell is not None:
            cell.bench = known.info.id
            if kind == "cell.answered":
                cell.cell(payload)
