"""Processes of one machine keep out of each other's way."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from maxcode.evaluate import machine

INSIDE = """
import sys, time
from pathlib import Path
from maxcode.evaluate import machine
machine.LOCKS = Path(sys.argv[1])
with machine.one_of_few("test", 2):
    begun = time.monotonic()
    time.sleep(0.2)
    print(begun, time.monotonic())
"""


def test_no_more_than_so_many_are_inside_at_a_time(tmp_path: Path) -> None:
    command = [sys.executable, "-c", INSIDE, str(tmp_path)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(5)]
    times = [tuple(map(float, each.communicate(timeout=60)[0].split())) for each in started]
    beside = [sum(begin <= other < end for other, _ in times) for begin, end in times]
    assert max(beside) <= 2


def test_who_cannot_open_the_locks_does_not_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LOCKS", tmp_path / "missing")
    with machine.one_of_few("test", 1), machine.reserved((0,)):
        pass
