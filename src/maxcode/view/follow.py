"""A run's tree as it grows: the search again with the journal's answers, waiting where there is none yet.

Reports make the tree once, from what there is. A page stays, so its search stays too, each in a thread of its own, and
a new round costs a round and not the whole run again.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Any

from maxcode.bench.cell import RoundSummary
from maxcode.core import Frozen, InputError
from maxcode.optimize.recorded import NotRecorded, recorded_parts, settings_and_task
from maxcode.optimize.run import strategy_of
from maxcode.search.budget import Spent
from maxcode.search.loop import search
from maxcode.search.tree import Tree
from maxcode.store.journal import Journal, Store
from maxcode.view.archive import Kinds
from maxcode.view.columns import Columns

AT_ONCE = 500
"""Events that are read at a time, so that a large run shows its beginning before its end is read."""
PAUSE = 0.1
MOMENT = 0.1
"""Seconds between two looks, and seconds that a first answer may wait; both too short to be noticed."""


class Following(Journal):
    """Journal of one run that waits for answers which are not on record yet, until `close`."""

    def __init__(self, store: Store, run: str, newest: Callable[[], int]) -> None:
        self._newest, self._closed, self.last = newest, False, 0
        self.begun, self._idle = False, 0
        super().__init__(store, run)

    def _replay(self) -> None:
        """Reads nothing: events are read when an answer is asked for."""

    async def remembered(self, kind: str, key: str, work: Callable[[], Awaitable[Frozen]]) -> dict[str, Any]:
        del work
        while (kind, key) not in self._answers:
            if not self._read():
                self._check_baseline(kind)
                await self._news((kind, key))
        return self._answers[(kind, key)]

    def answer(self, kind: str, key: str) -> dict[str, Any] | None:
        return self._answers.get((kind, key))

    def close(self) -> None:
        self._closed = True

    def _read(self) -> bool:
        if self._closed:
            raise NotRecorded
        events = list(islice(self.store.read(self.run, since=self.last), AT_ONCE))
        for event in events:
            kind, _, stage = event.kind.rpartition(".")
            if stage == "answered":
                self._answers[(kind, event.key)] = event.payload
            self.last = event.number
        return bool(events)

    def _check_baseline(self, kind: str) -> None:
        """InputError if the run judged another program first. Runs begin with the baseline, so the task has changed."""
        judged = any(place[0] == "evaluate" for place in self._answers)
        if kind in ("evaluate", "verify") and judged and not self.begun:
            raise InputError("The baseline in the task's folder is not the one it began with. Put it back as it was.")

    @property
    def waits(self) -> bool:
        """Whether the search waits for an answer and all events in the journal have been read."""
        return self._idle > 0 and self._newest() <= self.last

    async def _news(self, place: tuple[str, str]) -> None:
        """Waits until the journal has new events, or another caller has read this answer."""
        self._idle += 1
        try:
            while self._newest() <= self.last and place not in self._answers:
                if self._closed:
                    raise NotRecorded
                await asyncio.sleep(PAUSE)
        finally:
            self._idle -= 1


class Follower:
    """The tree of one run by now, and the parts of the page that are made from it. Only its own thread changes it."""

    def __init__(self, store: Store, run: str, newest: Callable[[], int]) -> None:
        self.settings, self.task = settings_and_task(store, run)
        self.journal = Following(store, run, newest)
        self.tree: Tree | None = None
        self.columns, self.kinds = Columns(), Kinds()
        self.firsts: dict[str, int] = {}
        """The first node with a program, by the program's id."""
        self.rounds: list[RoundSummary] = []
        self.problem: str | None = None
        self._thread = threading.Thread(target=self._follow, name=f"follow {run}", daemon=True)
        self._thread.start()

    @property
    def complete(self) -> bool:
        """Whether the search has come to its end, or its record cannot be followed any further."""
        return not self._thread.is_alive()

    @property
    def caught_up(self) -> bool:
        """Whether all that is on record is in the tree."""
        return self.complete or (self.tree is not None and self.journal.waits)

    def settle(self, seconds: float) -> None:
        """Waits up to `seconds` until all on record is in the tree, so that a small run is complete at once."""
        end = time.monotonic() + seconds
        while not self.caught_up and time.monotonic() < end:
            time.sleep(0.005)

    def close(self) -> None:
        self.journal.close()
        self._thread.join(5)

    def _follow(self) -> None:
        settings = self.settings
        parts = recorded_parts(self.journal, settings, self._watch)
        try:
            asyncio.run(search(self.task, strategy_of(settings), parts, budget=settings.budget, seed=settings.seed))
        except NotRecorded:
            pass
        except InputError as error:
            self.problem = str(error)
        except Exception as error:  # perhaps of another version: the page says that it cannot follow
            self.problem = f"The record of this run cannot be followed: {type(error).__name__}: {error}"

    def _watch(self, tree: Tree, spent: Spent) -> None:
        self.tree, self.journal.begun = tree, True
        self.rounds.append(RoundSummary.of(tree, spent))
        for node in tree.nodes[len(self.columns) :]:
            self.firsts.setdefault(node.candidate.id, node.id)
            self.kinds.add(node)
            self.columns.add(node)


class Followers:
    """Followers of the runs that were looked at last; a few, as each holds all programs of its run."""

    def __init__(self, store: Store, most: int = 4) -> None:
        self._store, self._most = store, most
        self._kept: dict[str, Follower] = {}
        self._lock = threading.Lock()

    def of(self, run: str, newest: Callable[[], int]) -> Follower:
        with self._lock:
            known = self._kept.pop(run, None)
            found = self._kept[run] = known or Follower(self._store, run, newest)
            while len(self._kept) > self._most:
                self._kept.pop(next(iter(self._kept))).close()
        if known is None:
            found.settle(MOMENT)
        return found

    def at_hand(self, run: str) -> Follower | None:
        return self._kept.get(run)

    def close(self) -> None:
        with self._lock:
            for each in self._kept.values():
                each.close()
            self._kept.clear()
