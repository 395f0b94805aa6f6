"""Statistics against SciPy and by simulation: what is called 95% is 95%."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from maxcode.bench.statistics import (
    Spread,
    average_ranks,
    best_at,
    geometric_mean,
    geometric_mean_interval,
    median_interval,
    power,
    spread,
    student_quantile,
    tasks_needed,
    wilcoxon,
)
from maxcode.evaluate.measure.statistics import holm

differences = st.lists(st.floats(-3, 3, allow_subnormal=False).filter(lambda x: abs(x) > 1e-6), min_size=1, max_size=40)


@given(differences)
def test_the_signed_rank_test_is_scipys(values: list[float]) -> None:
    ties = len({abs(v) for v in values}) < len(values)
    exact = len(values) <= 25
    if ties and exact:
        return  # SciPy's exact distribution knows no ties; ours is checked by enumeration below
    wanted = scipy.stats.wilcoxon(values, method="exact" if exact else "approx", correction=not exact).pvalue
    assert wilcoxon(values) == pytest.approx(wanted, abs=1e-9)


@given(st.lists(st.sampled_from([-2.0, -1.0, -0.5, 0.5, 1.0, 2.0]), min_size=1, max_size=9))
def test_with_ties_it_is_the_share_of_sign_patterns(values: list[float]) -> None:
    ranks = scipy.stats.rankdata(np.abs(values))
    patterns = ((np.arange(2 ** len(values))[:, None] >> np.arange(len(values))) & 1) @ ranks
    seen = min(ranks[np.array(values) > 0].sum(), ranks[np.array(values) < 0].sum())
    assert wilcoxon(values) == pytest.approx(min(1.0, 2 * float((patterns <= seen).mean())))


@given(st.floats(0.01, 0.99), st.integers(1, 200))
def test_students_quantiles_are_scipys(p: float, degrees: int) -> None:
    assert student_quantile(p, degrees) == pytest.approx(scipy.stats.t.ppf(p, degrees), rel=1e-6, abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_corrected_p_values_are_larger_and_keep_their_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(after >= before for before, after in zip(values, corrected, strict=True))
    order = sorted(range(len(values)), key=lambda i: values[i])
    assert [corrected[i] for i in order] == sorted(corrected)


@given(st.lists(st.lists(st.floats(1, 100), min_size=3, max_size=3), min_size=1, max_size=6))
def test_ranks_of_a_row_add_up(rows: list[list[float]]) -> None:
    assert sum(average_ranks(rows)) == pytest.approx(6.0)


def test_equal_speedups_share_their_rank() -> None:
    assert average_ranks([[2.0, 2.01, 4.0]]) == [2.5, 2.5, 1.0]


@given(st.lists(st.floats(0, 50), max_size=20), st.integers(1, 20))
def test_best_of_k_never_falls_below_the_baseline_nor_with_k(curve: list[float], k: int) -> None:
    assert 1.0 <= best_at(curve, k) <= best_at(curve, k + 1)


def test_geometric_mean_of_reciprocals_is_one() -> None:
    assert geometric_mean([4.0, 0.25]) == pytest.approx(1.0)


def coverage(interval, tasks: int, seeds: int, rounds: int = 600) -> float:
    """Share of simulated experiments whose interval holds the truth, a median (and geometric mean) of 2."""
    rng, held = np.random.default_rng(7), 0
    for _ in range(rounds):
        means = math.log(2.0) + 0.5 * rng.standard_normal(tasks)
        values = np.exp(means[:, None] + 0.1 * rng.standard_normal((tasks, seeds)))
        found = interval(values.tolist())
        held += found.low <= 2.0 <= found.high
    return held / rounds


@pytest.mark.parametrize("tasks", [6, 16])
def test_the_interval_of_the_mean_covers_what_it_says(tasks: int) -> None:
    assert 0.93 <= coverage(geometric_mean_interval, tasks, 3) <= 0.97


@pytest.mark.long
@pytest.mark.parametrize("tasks", [16, 40])
def test_the_interval_of_the_median_covers_what_it_says(tasks: int) -> None:
    assert 0.925 <= coverage(median_interval, tasks, 3, rounds=400) <= 0.98


@pytest.mark.parametrize("tasks", [6, 16, 40])
def test_equal_methods_are_told_apart_in_at_most_one_of_twenty_experiments(tasks: int) -> None:
    rng = np.random.default_rng(11)
    false = sum(wilcoxon(rng.standard_normal(tasks).tolist()) <= 0.05 for _ in range(2000))
    assert false / 2000 <= 0.06  # 5% and three standard errors


def test_many_equal_methods_give_no_more_false_alarms_than_one() -> None:
    rng = np.random.default_rng(12)
    alarms = sum(min(holm([wilcoxon(rng.standard_normal(16).tolist()) for _ in range(5)])) <= 0.05 for _ in range(600))
    assert alarms / 600 <= 0.077


def test_the_power_calculation_agrees_with_simulated_experiments() -> None:
    found, tasks, seeds = Spread(tasks=0.1, seeds=0.1), 30, 3
    rng, seen = np.random.default_rng(3), 0
    for _ in range(1500):
        means = math.log(1.05) + found.tasks * rng.standard_normal(tasks)
        seen += wilcoxon((means + found.seeds / math.sqrt(seeds) * rng.standard_normal(tasks)).tolist()) <= 0.05
    assert power(1.05, found, tasks, seeds) == pytest.approx(seen / 1500, abs=0.06)


def test_the_number_of_tasks_needed_is_the_smallest_with_the_power() -> None:
    found = Spread(tasks=0.2, seeds=0.1)
    needed = tasks_needed(1.05, found, seeds=3)
    assert needed is not None
    assert power(1.05, found, needed, 3) >= 0.8 > power(1.05, found, needed - 1, 3)


def test_spreads_are_found_again() -> None:
    rng = np.random.default_rng(5)
    means = 0.3 * rng.standard_normal(4000)
    found = spread((means[:, None] + 0.2 * rng.standard_normal((4000, 3))).tolist())
    assert (found.tasks, found.seeds) == (pytest.approx(0.3, rel=0.05), pytest.approx(0.2, rel=0.05))
