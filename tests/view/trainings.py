"""A training in the journal, with an archive, as `maxcode rl train` leaves it there."""

from __future__ import annotations

from collections.abc import Mapping

from maxcode.store.journal import Store
from maxcode.train.archive import Elite
from maxcode.train.archive_record import KIND as ARCHIVE
from maxcode.train.archive_record import ArchiveGain
from maxcode.train.techniques import Technique

Found = Mapping[tuple[str, tuple[Technique, ...]], float]
"""Rewards by task and techniques."""


def trained(found: Found, *, tasks: tuple[str, ...], program: str = "void f() {}\n") -> str:
    """One step; gives its run."""
    with Store() as store:
        run = store.start("rl:dgemm", {"kind": "rl", "steps": 9}).run
    step(run, 1, found, tasks=tasks, program=program)
    return run


def step(run: str, number: int, found: Found, *, tasks: tuple[str, ...], program: str = "void f() {}\n") -> None:
    elites = [
        Elite(task=task, mask="simd", techniques=frozenset(used), reward=reward, gflops=2.5, candidate=program)
        for (task, used), reward in found.items()
    ]
    gain = ArchiveGain(step=number, tasks=tasks, whole=number == 1, elites=tuple(elites))
    with Store() as store:
        store.append(run, ARCHIVE, "", gain.model_dump(mode="json"))
        store.append(run, "rl.step", "", {"step": number, "reward": 3.0})
