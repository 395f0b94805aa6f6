"""Makes task folders of many problems, in parallel, with a message for each that needs one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from maxcode.bench.sources.making import make
from maxcode.bench.sources.problem import Made, Problem, Settings
from maxcode.core import Frozen, InputError
from maxcode.evaluate.build import Builder
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.sandbox import Sandbox

Progress = Callable[[int, int], None]
Item = TypeVar("Item")


class Unread(Frozen):
    """A row or folder that could not be read as a problem, with the reason."""

    where: str
    reason: str


class Suite(Frozen):
    """What was loaded, in the order of the source."""

    made: tuple[Made, ...]
    sha256: str
    """SHA-256 of the programs and tests that were read, in this order."""

    @property
    def tasks(self) -> list[Made]:
        return [each for each in self.made if each.folder]

    @property
    def messages(self) -> list[str]:
        return [line for each in self.made for line in each.in_words()]


def load(found: Sequence[Problem | Unread], settings: Settings, progress: Progress = lambda *_: None) -> Suite:
    """Makes a task of each problem, unless that was done before. A problem that fails does not stop the others."""

    def one(problem: Problem | Unread, programs: Programs) -> Made:
        if isinstance(problem, Unread):
            return Made(name="", where=problem.where, problem=problem.reason)
        return make(problem, settings, programs)

    return made_side_by_side(found, one, progress)


def made_side_by_side(
    found: Sequence[Item], one: Callable[[Item, Programs], Made], progress: Progress = lambda *_: None
) -> Suite:
    """Makes each item on a core of its own; results are in the order of the items."""
    made: list[Made] = []
    with ExitStack() as stack:
        lanes: SimpleQueue[Programs] = SimpleQueue()
        for slot, cpu in enumerate(usable_cpus()):
            sandbox = stack.enter_context(Sandbox(slot))
            lanes.put(Programs(sandbox, Builder(sandbox, (cpu,)), (cpu,)))

        def in_turn(item: Item) -> Made:
            programs = lanes.get()
            try:
                return one(item, programs)
            finally:
                lanes.put(programs)

        pool = stack.enter_context(ThreadPoolExecutor(lanes.qsize()))
        for each in pool.map(in_turn, found):
            made.append(each)
            progress(len(made), len(found))
    return Suite(made=tuple(made), sha256=hashlib.sha256("\n".join(each.sha256 for each in made).encode()).hexdigest())


def task_folders(suite: Suite, *, with_target: bool) -> tuple[str, ...]:
    """Task folders that a benchmark runs on. InputError when there are none."""
    chosen = [each for each in suite.tasks if each.has_target or not with_target]
    if not chosen:
        wanted = "a faster program to go with it" if with_target else "a program and tests that work"
        raise InputError(f"none of the {len(suite.made)} entries has {wanted}; the messages above say why.")
    return tuple(each.folder for each in chosen if each.folder)


def check_digest(wanted: str | None, known: dict[str, str]) -> None:
    """InputError when none of the digests is the wanted one."""
    if wanted is not None and wanted.lower() not in known.values():
        told = ", ".join(f"{what} has {digest}" for what, digest in known.items())
        raise InputError(f"--sha256 {wanted}: the data is not the expected one: {told}.")


def single_file(folder: Path, pattern: str) -> Path:
    """The only file of a folder that fits."""
    found = sorted(folder.glob(pattern))
    if len(found) == 1:
        return found[0]
    if not found:
        raise InputError(f"{folder}: has no {pattern} in it.")
    raise InputError(f"{folder}: has several ({', '.join(path.name for path in found)}); give one of them.")
