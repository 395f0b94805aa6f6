"""What a clock outside makes of processes that are slow at chosen moments; only their times are simulated."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from math import exp, log
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.kinds.torch.harness import timing  # noqa: E402
from maxcode.kinds.torch.harness.rounds import Afterwards, TimedRound  # noqa: E402
from maxcode.kinds.torch.problem.memory import Footprint, plan_memory  # noqa: E402
from maxcode.kinds.torch.processes.settings import HarnessSettings  # noqa: E402

SETTINGS = HarnessSettings((("", ""),), "", "cpu", 1, False, True, 1, False, 8.0, "", 1 << 30)
OUTPUT = torch.zeros(1)
WARM_UP = 6
AFTER = Afterwards(150e-6, 400e-6)
Extra = Callable[[int, int, int], float]
"""Seconds that a call takes besides, by how many there were, its place in the round, and the calls of the run."""


class SimulatedProcess:
    def __init__(self, fixed: float, call: float, extra: Extra, early: float = 0.0, seen: str = "gpu") -> None:
        self._fixed, self._call, self._extra, self._calls = fixed, call, extra, 0
        self._early, self._seen = early, seen
        self._loaded, self.remote = False, self

    def run(self, first: int, count: int) -> TimedRound:
        wall = self._fixed * random.gauss(1, 0.1)
        for place in range(first, first + count):
            self._calls += 1
            wall += self._call * random.gauss(1, 0.02) + self._extra(self._calls, place, count)
        early = min(self._early, 0.9 * wall)
        after = replace(AFTER, **{self._seen: getattr(AFTER, self._seen) + early})
        return TimedRound([OUTPUT] * count, False, wall - early, wall, wall, wall, after)

    def has(self, *_: Any) -> bool:
        return self._loaded

    def load(self, *_: Any) -> None:
        self._loaded = True

    def nothing(self, *_: Any) -> None: ...

    program = 0
    write = refuse_mutation = lay_out = forget = seal = hold = nothing


@pytest.fixture(autouse=True)
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounds as long as there."""
    monkeypatch.setitem(timing.SAMPLE_SECONDS, "cpu", timing.SAMPLE_SECONDS["cuda"])
    monkeypatch.setitem(timing.MOST_CALLS, "cpu", timing.MOST_CALLS["cuda"])
    random.seed(1)


def measured(
    fixed: float,
    call: float,
    *,
    faster: float = 1.0,
    extra: Extra = lambda *_: 0.0,
    early: float = 0.0,
    seen: str = "gpu",
) -> float:
    """The speedup as it looks of a candidate that is so many times as fast as the original."""
    problem: Any = SimpleNamespace(
        inputs=lambda *_: [torch.rand(4)], model=lambda _: "model", other_weights=lambda _: {}
    )
    verifier: Any = SimpleNamespace(compare=lambda *_: None, errors=None)
    plan = plan_memory(Footprint(512, 16, 0, 16), 1 << 30, timing.MOST_CALLS["cuda"])
    watch = timing.Stopwatch(SETTINGS, problem, verifier, lambda: plan)
    sides: Any = {
        "baseline": SimulatedProcess(fixed, call, lambda *_: 0.0),
        "candidate": SimulatedProcess(fixed, call / faster, extra, early, seen),
    }
    orders: Any = (("baseline", "candidate"), ("candidate", "baseline"))
    pairs = [watch.exclusive(sides, orders[i % 2]) for i in range(13)]
    return exp(fmean(log(a.wall / b.wall) for a, b in pairs[1:]))


CALLS = [6e-6, 100e-6, 1e-3]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("faster", [1.0, 2.0, 10.0])
def test_an_honest_candidate_is_as_fast_as_it_is(call: float, faster: float) -> None:
    assert measured(100e-6, call, faster=faster) == pytest.approx(faster, rel=0.04)


@pytest.mark.parametrize("few", [0.8e-3, 1e-3, 1.2e-3, 9e-3])
def test_as_much_is_taken_off_both_whatever_the_few_calls_of_the_other_take(few: float) -> None:
    def ran(wall: float, calls: int) -> TimedRound:
        return TimedRound([OUTPUT] * calls, False, wall, wall, wall, wall, AFTER)

    original, other = timing._Pace(1e-3), timing._Pace(1e-3)
    first = timing._timing((ran(1e-3, 1), ran(9e-3, 10)), original, original)
    second = timing._timing((ran(few, 1), ran(9e-3, 10)), other, original)
    assert first.wall == second.wall < 9e-4


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("spin", [50e-6, 100e-6, 200e-6])
def test_nothing_is_gained_by_being_slow_when_there_are_few(call: float, spin: float) -> None:
    assert measured(100e-6, call, extra=lambda _, place, __: spin if place == 0 else 0.0) < 1.03


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("spin", [50e-6, 100e-6, 200e-6])
def test_nothing_is_gained_by_making_rounds_short_besides(call: float, spin: float) -> None:
    def slow(calls: int, place: int, _: int) -> float:
        return 0.3 if calls <= WARM_UP else spin if place == 0 else 0.0

    assert measured(100e-6, call, extra=slow) < 1.03


@pytest.mark.parametrize("seen", ["gpu", "still"])
@pytest.mark.parametrize("early", [50e-6, 200e-6, 1e-3])
def test_nothing_is_gained_by_saying_early_that_a_round_is_done(early: float, seen: str) -> None:
    assert measured(100e-6, 100e-6, early=early, seen=seen) < 1.03


def test_calls_that_are_computed_together_are_refused() -> None:
    def all_at_once(calls: int, place: int, _: int) -> float:
        return 5e-3 if calls <= WARM_UP or place == 0 else 0.0

    with pytest.raises(Failure, match="computed together"):
        measured(100e-6, 100e-6, faster=10.0, extra=all_at_once)
