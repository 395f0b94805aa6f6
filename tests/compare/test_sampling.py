"""Rounds and verdicts, on times that a test makes up: no clock."""

from __future__ import annotations

import random
from math import exp

import pytest

from maxcode.compare.comparison import ComparisonResult
from maxcode.compare.sampling import ComparePlan, Comparing, Timings
from maxcode.core import InputError, Verdict
from maxcode.evaluate.measure.pairs import Timing


def compared(*means: dict[str, float], noise: float = 0.005, rounds: int = 60, seed: int = 0) -> ComparisonResult:
    """Sides with benchmarks of these means, until clear or so many rounds of the clock."""
    rng = random.Random(seed)
    ran: list[int] = []

    def run(side: int) -> Timings:
        ran.append(side)
        return {name: Timing(0.0, mean * exp(rng.gauss(0, noise))) for name, mean in means[side].items()}

    comparing = Comparing(run, [f"side {i}" for i in range(len(means))], ComparePlan(seconds=1e9), rng=rng)
    for found in comparing.results():
        if max(len(side.samples) for side in found.sides) >= rounds:
            break
    return found


@pytest.mark.parametrize(("time", "verdict"), [(0.9, Verdict.FASTER), (1.1, Verdict.SLOWER), (1.0, Verdict.TIE)])
def test_a_verdict_is_the_truth(time: float, verdict: Verdict) -> None:
    found = compared({"": 1.0}, {"": time})
    assert (found.sides[0].verdict, found.settled) == (verdict, True)
    assert found.sides[0].ci_low < 1 / time < found.sides[0].ci_high


def test_a_large_difference_takes_few_pairs() -> None:
    assert len(compared({"": 1.0}, {"": 0.5}).sides[0].samples) <= 6


def test_a_difference_that_does_not_count_is_a_tie_however_certain() -> None:
    found = compared({"": 1.0}, {"": 1.004}, noise=0.001, rounds=400)
    assert found.sides[0].verdict is Verdict.TIE and found.settled


def test_a_side_that_is_settled_is_not_run_any_more() -> None:
    found = compared({"": 1.0}, {"": 0.5}, {"": 1.0})
    clear, tie = (len(side.samples) for side in found.sides)
    assert clear < tie


def test_many_benchmarks_are_seldom_ever_told_apart_from_themselves() -> None:
    same = {f"b{i}": 1.0 for i in range(10)}
    found = [compared(same, same, noise=0.03, rounds=40, seed=seed) for seed in range(5)]
    alarms = [side for each in found for side in each.sides if side.verdict in (Verdict.FASTER, Verdict.SLOWER)]
    assert alarms == []


def test_levels_of_many_add_up_to_alpha_at_most_until_some_are_found_to_differ() -> None:
    found = compared({"a": 1.0, "b": 1.0}, {"a": 0.8, "b": 1.0})
    levels = {side.name: side.level for side in found.sides}
    assert levels == {"a": 0.005, "b": 0.01}


def test_only_benchmarks_of_both_sides_are_compared() -> None:
    found = compared({"a": 1.0, "b": 1.0}, {"b": 0.8, "c": 1.0})
    assert [side.name for side in found.sides] == ["b"]
    with pytest.raises(InputError, match="nothing to compare"):
        compared({"a": 1.0}, {"b": 1.0})


def test_each_side_runs_first_as_often_as_last() -> None:
    orders: list[list[int]] = []

    def run(side: int) -> Timings:
        if not orders or len(orders[-1]) == 3:
            orders.append([])
        orders[-1].append(side)
        return {"": Timing(0.0, 1.0 + 0.1 * len(orders) % 3)}

    results = Comparing(run, ["a", "b", "c"], ComparePlan(seconds=1e9), rng=random.Random(1)).results()
    for _ in range(6):
        next(results)
    assert all(second == first[::-1] for first, second in zip(orders[::2], orders[1::2], strict=False))


def test_a_clock_that_was_not_read_is_an_error() -> None:
    comparing = Comparing(lambda _: {"": Timing(0.0, 1.0)}, ["a", "b"], ComparePlan(metric="cpu"))
    with pytest.raises(InputError, match="no CPU time"):
        list(comparing.results())
