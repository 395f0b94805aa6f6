"""What a candidate's own process says about empty commands changes nothing but a refusal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from maxcode.evaluate.failure import Failure
from maxcode.evaluate.sandbox.running import Call
from maxcode.kinds.kernel.data import Dataset
from maxcode.kinds.kernel.pairs import (
    MOST_ALONE,
    SLOW_PAIRS,
    KernelPairs,
    ProcessTimings,
    refuse_odd_clock,
    slots,
    timing,
)
from maxcode.kinds.kernel.serving import alike
from maxcode.task import load_task

SMOOTH = load_task(Path(__file__).parents[2] / "adversarial" / "tasks" / "smooth")
EMPTY = (10e-6, 12e-6, 11e-6, 11e-6, 400e-6)


def seen(seconds: float, empty: tuple[float, ...] = EMPTY, passes: float = 4.0) -> ProcessTimings:
    return ProcessTimings(
        "call", Call(seconds, seconds, seconds), passes, tuple(Call(each, each, each) for each in empty)
    )


@pytest.mark.parametrize("own", [0.0, 1e-6, 11e-6, 5e-3, 0.3])
def test_a_candidates_own_empty_commands_do_not_change_its_time(own: float) -> None:
    found = timing(seen(8e-3, (own,) * 5), seen(20e-3))
    assert (found.cpu, found.wall) == pytest.approx(((8e-3 - 11e-6) / 4,) * 2)


def test_a_program_beside_itself_has_the_same_time() -> None:
    assert timing(seen(8e-3), seen(8e-3)) == timing(seen(8e-3, (1e-6,) * 5), seen(8e-3))


@pytest.mark.parametrize("seconds", [1e-9, 11e-6, 13e-6])
def test_less_than_can_be_told_from_nothing_is_a_bound(seconds: float) -> None:
    found = timing(seen(seconds), seen(20e-3))
    assert found.unresolved
    assert found.cpu == pytest.approx(11e-6 / 2 / 4)


def test_what_is_well_above_an_empty_command_is_a_time() -> None:
    assert not timing(seen(40e-6), seen(20e-3)).unresolved


@pytest.fixture
def pairs() -> KernelPairs:
    references: Any = type("Shapes", (), {"timed_shapes": ({"n": 1},)})()
    lane: Any = None
    return KernelPairs(SMOOTH, (lane, lane), Path(), Path(), references)


def test_a_candidate_that_works_in_empty_commands_is_refused(pairs: KernelPairs) -> None:
    slow = seen(8e-3, (5e-3,) * 5)
    for _ in range(SLOW_PAIRS - 1):
        pairs._refuse_slow_commands(seen(8e-3), slow)
    with pytest.raises(Failure, match="no calls"):
        pairs._refuse_slow_commands(seen(8e-3), slow)


@pytest.mark.parametrize(
    "empty", [(11e-6, 9e-3, 9e-3, 9e-3, 9e-3), (1e-3,) * 5], ids=["one is quick", "all a bit slow"]
)
def test_a_busy_machine_refuses_nobody(pairs: KernelPairs, empty: tuple[float, ...]) -> None:
    for _ in range(20):
        pairs._refuse_slow_commands(seen(8e-3), seen(8e-3, empty))


def test_two_slow_pairs_now_and_then_refuse_nobody(pairs: KernelPairs) -> None:
    for turn in range(20):
        pairs._refuse_slow_commands(seen(8e-3), seen(8e-3, (5e-3,) * 5) if turn % 3 else seen(8e-3))


def test_a_clock_inside_that_stands_still_is_refused_and_waiting_for_a_core_is_not() -> None:
    refuse_odd_clock(ProcessTimings("call", Call(cpu=2e-3, wall=0.5, inner=2e-3), 1, ()), threads=1)
    with pytest.raises(Failure, match="tampers with the clock"):
        refuse_odd_clock(ProcessTimings("call", Call(cpu=0.1, wall=0.1, inner=1e-6), 1, ()), threads=1)


def test_calls_one_at_a_time_are_timed_without_what_their_commands_cost() -> None:
    calls = tuple(Call(each, each, each) for each in (2e-3, 2e-3, 4e-3, 4e-3))
    found = timing(replace(seen(8e-3), alone=calls, shapes=2), seen(20e-3), standstill=0.5)
    assert found.alone and found.alone_at_least
    assert found.alone.cpu == pytest.approx((12e-3 - 4 * 11e-6) / 2)
    assert found.alone_at_least.cpu == pytest.approx(found.alone.cpu - 11e-6)


def test_a_single_call_need_not_be_made_alone_again() -> None:
    assert (slots(1, 1), slots(48, 1), slots(3, 3)) == (2, 48 + 1 + MOST_ALONE, 9)


@pytest.mark.parametrize(
    ("inputs", "outputs", "found"),
    [([1, 2], [5, 6], False), ([1, 1], [5, 5], True), ([1, 2], [5, 5], True), ([1, 2, 1], [5, 6, 5], True)],
    ids=["all differ", "same inputs", "same outputs", "one input recurs"],
)
def test_calls_that_repeat_are_found(inputs: list[int], outputs: list[int], found: bool) -> None:
    datasets = [
        Dataset({"n": 1}, {"x": np.array([x])}, {"y": np.array([y])}) for x, y in zip(inputs, outputs, strict=True)
    ]
    assert alike(datasets) is found
