"""Makes task folders of many problems, in parallel, with a message for each that needs one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from typing import TypeVar

from maxcode.bench.suites.making.problem import LoadedSuite, MadeTask, SuiteProblem, SuiteSettings, Unread
from maxcode.bench.suites.making.task_folder import make
from maxcode.bench.suites.pairs import PairOptions
from maxcode.bench.suites.suite import Progress
from maxcode.evaluate.build import Builder
from maxcode.evaluate.cases import Programs
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.sandbox.sandbox import Sandbox

Item = TypeVar("Item")


def load_pairs(found: Sequence[SuiteProblem | Unread], options: PairOptions, progress: Progress) -> LoadedSuite:
    """Makes tasks as the options of the command say."""
    return load(found, SuiteSettings(metric=options.metric, most_tests=options.tests), progress)


def load(
    found: Sequence[SuiteProblem | Unread], settings: SuiteSettings, progress: Progress = lambda *_: None
) -> LoadedSuite:
    """Makes a task of each problem, unless that was done before. A problem that fails does not stop the others."""

    def one(problem: SuiteProblem | Unread, programs: Programs) -> MadeTask:
        if isinstance(problem, Unread):
            return MadeTask(name="", where=problem.where, problem=problem.reason)
        return make(problem, settings, programs)

    return made_side_by_side(found, one, progress)


def made_side_by_side(
    found: Sequence[Item], one: Callable[[Item, Programs], MadeTask], progress: Progress = lambda *_: None
) -> LoadedSuite:
    """Makes each item on a core of its own; results are in the order of the items."""
    made: list[MadeTask] = []
    with ExitStack() as stack:
        lanes: SimpleQueue[Programs] = SimpleQueue()
        for slot, cpu in enumerate(usable_cpus()):
            sandbox = stack.enter_context(Sandbox(slot))
            lanes.put(Programs(sandbox, Builder(sandbox, (cpu,)), (cpu,)))

        def in_turn(item: Item) -> MadeTask:
            programs = lanes.get()
            try:
                return one(item, programs)
            finally:
                lanes.put(programs)

        pool = stack.enter_context(ThreadPoolExecutor(lanes.qsize()))
        for each in pool.map(in_turn, found):
            made.append(each)
            progress(len(made), len(found))
    return LoadedSuite(made=tuple(made))
