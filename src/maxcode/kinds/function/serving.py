"""Processes that make calls of a function, and the memory that calls and results go through."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from maxcode.core import Status
from maxcode.evaluate.failure import Failure, failure_of
from maxcode.evaluate.sandbox.running import Call, Ended, Forged, Running, Woken
from maxcode.evaluate.sandbox.sandbox import Lane
from maxcode.evaluate.sandbox.view import BOX, Caps, View
from maxcode.kinds.command.copies import REPOSITORY
from maxcode.kinds.command.environment import commands_environment, commands_view, python_home
from maxcode.kinds.function.calls import packed
from maxcode.kinds.function.files import package_of
from maxcode.kinds.function.table import PackageFunction
from maxcode.task.model import Task

INSIDE = f"{BOX}/inside"
HERE = Path(__file__).parent / "inside"
HEAD, RESULTS_MB = 4096, 64
LOAD, CALL, ANSWER = 1, 2, 3
FORGERY = "answered before it was asked: a forged reply"
WAKING = "its process went on while it was stopped between calls"
_FIXED_SIZE = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL


@dataclass(frozen=True)
class Answers:
    """Results of calls in a row, as texts."""

    each: tuple[bytes, ...]
    beside: bytes
    """What was printed and warned of, and the module's variables afterwards."""


class CallMemory:
    """Memory file for calls and their results. What a process left in it is read as bytes of a known layout."""

    def __init__(self, calls: list[bytes]) -> None:
        given = packed(calls)
        self.count = len(calls)
        self._place = HEAD + -(-len(given) // HEAD) * HEAD
        size = self._place + max(RESULTS_MB << 20, 8 * len(given))
        self._calls = given
        self.descriptor = os.memfd_create("calls", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.descriptor, size)
        fcntl.fcntl(self.descriptor, fcntl.F_ADD_SEALS, _FIXED_SIZE)  # a shrunk file would crash us, its reader
        self._map = mmap.mmap(self.descriptor, size)

    @property
    def megabytes(self) -> int:
        return (len(self._map) >> 20) + 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._map.close()
        os.close(self.descriptor)

    def put(self) -> None:
        """Puts the calls in place: not before the process has started."""
        self._map[HEAD : HEAD + len(self._calls)] = self._calls
        struct.pack_into("QQQ", self._map, 0, len(self._calls), self._place, 0)

    def answers(self, where: str) -> Answers:
        (length,) = struct.unpack_from("Q", self._map, 16)
        if self._place + length > len(self._map):
            raise Failure(Status.WRONG, f"{where}: the results take {length >> 20} MB as text, which is too much")
        data, at, parts = self._map[self._place : self._place + length], 0, []
        while at + 8 <= len(data):
            (size,) = struct.unpack_from("Q", data, at)
            parts.append(data[at + 8 : at + 8 + size])
            at += 8 + size
        if len(parts) != self.count + 1:
            raise Failure(Status.REJECTED, f"{where}: the results are not in the form that our process writes")
        return Answers(tuple(parts[:-1]), parts[-1])


def settings_in_process(task: Task, **more: Any) -> str:
    """Settings of our programs in the package's interpreter, as JSON."""
    function = task.table(PackageFunction)
    path = [str(Path(REPOSITORY) / each) for each in function.path]
    wanted = {"module": function.module, "name": function.function, "globals": list(function.globals), "path": path}
    return json.dumps({**wanted, "folder": REPOSITORY, **more})


def function_view(task: Task, tree: Path) -> View:
    view = commands_view(package_of(task))
    return replace(view, read={**view.read, REPOSITORY: tree, INSIDE: HERE}, proc=True)


def interpreter(task: Task) -> str:
    return str(python_home(package_of(task)) / "bin" / "python")


@contextmanager
def serving(task: Task, lane: Lane, tree: Path, memory: CallMemory, where: str) -> Iterator[Running]:
    """Starts a process that makes calls, and waits until it is ready. Failure when it does not get that far."""
    limits = task.limits
    caps = Caps(
        limits.seconds,
        limits.memory_mb + memory.megabytes,
        limits.output_mb,
        limits.scratch_mb,
        lane.cpus[: limits.cpus],
    )
    words = [interpreter(task), "-B", f"{INSIDE}/maxcode_serve.py", settings_in_process(task)]
    environment = commands_environment(package_of(task))
    view = function_view(task, tree)
    with lane.sandbox.start(words, view, caps, environment=environment, shared=memory.descriptor) as running:
        running.ready()
        running.go()
        ended = running.serving()
        if ended is not None:
            raise _early_end(ended, task, f"{where}: importing the module")
        yield running


def told(running: Running, what: int, count: int, task: Task, where: str) -> Call:
    running.begin(what, count)
    return finished(running, task, where)


def finished(running: Running, task: Task, where: str) -> Call:
    try:
        answer = running.finish()
    except (Forged, Woken) as misdeed:
        reason = FORGERY if isinstance(misdeed, Forged) else WAKING
        raise Failure(Status.REJECTED, f"{where}: {reason}") from None
    if isinstance(answer, Ended):
        raise _early_end(answer, task, where)
    return answer


def _early_end(ended: Ended, task: Task, where: str) -> Failure:
    return failure_of(ended, task.limits, where, hidden=False) or Failure(
        Status.CRASHED, f"{where}: the process ended where it had to answer"
    )


def answered(task: Task, lane: Lane, tree: Path, calls: list[bytes], where: str) -> Answers:
    """Results of calls in a fresh process."""
    with CallMemory(calls) as memory, serving(task, lane, tree, memory, where) as running:
        memory.put()
        for what in (LOAD, CALL, ANSWER):
            told(running, what, len(calls), task, where)
        return memory.answers(where)
