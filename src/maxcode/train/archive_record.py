"""The archive of a training in its journal: what it gained with each step, and the archive from there.

A training that is resumed goes back to its last checkpoint, so its first word is all that the archive has by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from maxcode.core import Frozen
from maxcode.store.journal import Event, Journal
from maxcode.train.archive import TECHNIQUE_SETS, Elite, EliteArchive
from maxcode.train.reward.scale import MOST

KIND = "rl.archive"
"""Kind of the journal's events that hold a `Gain`."""


class ArchiveGain(Frozen):
    step: int
    tasks: tuple[str, ...]
    whole: bool
    """Whether `elites` has all elites of the archive. If not, it has those that are new or replaced another one."""
    elites: tuple[Elite, ...]


class ArchiveRecorder:
    """Writes down what an archive gains. One for each process that works on a training."""

    def __init__(self, journal: Journal, archive: EliteArchive) -> None:
        self._journal, self._archive = journal, archive
        self._noted: set[Elite] | None = None

    def note(self, step: int) -> None:
        known, whole = self._noted or set(), self._noted is None
        fresh = tuple(each for each in self._archive.elites if each not in known)
        if fresh or whole:
            gain = ArchiveGain(step=step, tasks=self._archive.tasks, whole=whole, elites=fresh)
            self._journal.note(KIND, gain.model_dump(mode="json"))
        self._noted = known | set(fresh)


@dataclass(frozen=True)
class RecordedArchive:
    """Archive as read from the journal, which needs neither pyribs nor the tasks."""

    tasks: tuple[str, ...]
    elites: dict[int, Elite]
    """Elites by the number of their cell, which stays the same throughout a training."""

    @property
    def cells(self) -> int:
        return len(self.tasks) * len(TECHNIQUE_SETS)

    @property
    def coverage(self) -> float:
        return len(self.elites) / self.cells

    @property
    def qd_score(self) -> float:
        return sum(each.reward / MOST for each in self.elites.values())


def recorded_archive(events: Iterable[Event]) -> RecordedArchive | None:
    """Archive from the events of a training; None where there are none, as before the first step."""
    tasks: tuple[str, ...] = ()
    elites: dict[int, Elite] = {}
    for event in events:
        gain = ArchiveGain.model_validate(event.payload)
        if gain.whole:
            tasks, elites = gain.tasks, {}
        elites.update((_cell(tasks, each), each) for each in gain.elites)
    return RecordedArchive(tasks, elites) if tasks else None


def _cell(tasks: tuple[str, ...], elite: Elite) -> int:
    return tasks.index(elite.task) * len(TECHNIQUE_SETS) + TECHNIQUE_SETS.index(elite.techniques)
