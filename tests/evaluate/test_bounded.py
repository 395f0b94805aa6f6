"""A cache with a bound: the least recently used go, what is in use stays, however many trim it at once."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import pytest

from maxcode.evaluate.bounded_cache import trim, used
from maxcode.evaluate.once import made_once

SIZE = 20_000
HOUR = 3600.0


def things(folder: Path, ages: dict[str, float]) -> None:
    """Things of one size that were last used so many hours ago."""
    for name, hours in ages.items():
        made_once(folder / name[:2] / name, lambda new: new.joinpath("program").write_bytes(b"x" * SIZE) and None)
        os.utime(folder / name[:2] / name, (0, time.time() - hours * HOUR))


def left(folder: Path) -> set[str]:
    return {each.name for each in folder.glob("*/*")}


def test_the_least_recently_used_go_until_the_rest_fits(tmp_path: Path) -> None:
    things(tmp_path, {"aa1": 9.0, "ab2": 3.0, "aa3": 7.0, "ac4": 5.0})
    trim(tmp_path, 2.5 * SIZE / 1e6)
    assert left(tmp_path) == {"ab2", "ac4"}


def test_what_fits_stays(tmp_path: Path) -> None:
    things(tmp_path, {"aa1": 900.0, "ab2": 3.0})
    trim(tmp_path, 1.0)
    assert left(tmp_path) == {"aa1", "ab2"}


def test_what_may_be_in_use_stays_whatever_the_bound(tmp_path: Path) -> None:
    things(tmp_path, {"aa1": 5.0, "ab2": 5.0, "ac3": 0.5})
    used(tmp_path / "aa" / "aa1")
    trim(tmp_path, 0.0)
    assert left(tmp_path) == {"aa1", "ac3"}


def test_it_is_not_looked_at_again_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trim(tmp_path, 0.0)
    things(tmp_path, {"aa1": 5.0})
    trim(tmp_path, 0.0)
    assert left(tmp_path) == {"aa1"}
    monkeypatch.setattr("maxcode.evaluate.bounded_cache.BETWEEN", 0.0)
    trim(tmp_path, 0.0)
    assert left(tmp_path) == set()


def test_what_a_killed_process_left_behind_goes(tmp_path: Path) -> None:
    things(tmp_path, {"aa1": 0.1})
    (tmp_path / "aa" / ".going-77-aa0").mkdir()
    trim(tmp_path, 1.0)
    assert left(tmp_path) == {"aa1"}


def _make_and_use(folder: Path, gate: Any, problems: Any) -> None:
    gate.wait()
    for number in range(60):
        target = folder / "aa" / f"aa{number % 12}"
        used(target)
        made_once(target, lambda new: new.joinpath("program").write_bytes(b"x" * SIZE) and None)
        trim(folder, 3 * SIZE / 1e6)
        if not (target / "program").exists():
            problems.put(target.name)


def test_several_processes_trim_and_none_loses_what_it_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maxcode.evaluate.bounded_cache.BETWEEN", 0.0)
    things(tmp_path, {f"aa{number}": 5.0 for number in range(12)})
    context = multiprocessing.get_context("fork")
    gate, problems = context.Barrier(3), context.SimpleQueue()
    makers = [context.Process(target=_make_and_use, args=(tmp_path, gate, problems)) for _ in range(3)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join(60)
    assert [maker.exitcode for maker in makers] == [0, 0, 0]
    assert problems.empty()
