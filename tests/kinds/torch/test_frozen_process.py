"""A process that is stopped stands still, and is known to."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from math import inf

import pytest

from maxcode.evaluate.failure import Failure
from maxcode.kinds.torch.harness.frozen_process import Stoppable

BUSY = """
import hashlib, threading
def work():
    while True: hashlib.sha256(bytes(100_000)).digest()
for _ in range(3): threading.Thread(target=work).start()
print(flush=True)
"""


@pytest.fixture
def busy() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.kill()


def test_none_of_its_threads_moves_while_it_is_stopped(busy: int) -> None:
    process = Stoppable(busy)
    for _ in range(20):
        process.stop()
        time.sleep(0.005)
        process.refuse_moved()
        process.go_on()


def test_one_that_was_woken_in_between_is_refused(busy: int) -> None:
    process = Stoppable(busy)
    process.stop()
    process.go_on()
    time.sleep(0.1)
    process.begin_to_stop()
    with pytest.raises(Failure, match="went on while it was stopped"):
        process.refuse_moved()


def test_one_that_is_awake_is_refused(busy: int) -> None:
    process = Stoppable(busy)
    process.stop()
    process._stood = inf
    process.go_on()
    with pytest.raises(Failure, match="went on while it was stopped"):
        process.refuse_moved()


def test_one_that_was_killed_in_between_has_ended(busy: int) -> None:
    process = Stoppable(busy)
    process.stop()
    process._signal(signal.SIGKILL)
    with pytest.raises(Failure, match="ended"):
        while True:
            process.refuse_moved()


def test_one_that_leaves_its_core_late_has_not_moved(busy: int) -> None:
    process = LateToLeave(busy)
    process.stop()
    process.refuse_moved()


class LateToLeave(Stoppable):
    """The kernel says that a thread is stopped a moment before its clock is."""

    def __init__(self, pid: int) -> None:
        super().__init__(pid)
        self._late = iter((0.0, 4e-3))

    def cpu_seconds(self) -> float:
        return super().cpu_seconds() + next(self._late, 4e-3)
