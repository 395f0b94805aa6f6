"""The confidence sequence: its shape, its coverage, and what follows from it."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from maxcode.core import Verdict
from maxcode.evaluate.measure.statistics import (
    LEAST_FOR_DEPENDENCE,
    MIN_PAIRS,
    TIE,
    LogInterval,
    dependence,
    estimate,
    half_width,
    holm,
    holm_levels,
    own_noise,
    pooled_noise,
    total,
    winsorise,
)

ALPHA = 0.02
deviations = st.floats(1e-4, 1.0)
alphas = st.floats(1e-4, 0.2)
log_ratios = st.lists(st.floats(-3, 3), min_size=1, max_size=40)


@given(st.integers(1, 200), deviations, alphas)
def test_interval_narrows_with_every_pair(pairs: int, deviation: float, alpha: float) -> None:
    assert half_width(pairs + 1, deviation, alpha) < half_width(pairs, deviation, alpha)


@given(st.integers(1, 200), deviations, st.floats(1.01, 10), alphas)
def test_interval_widens_with_the_deviation(pairs: int, deviation: float, factor: float, alpha: float) -> None:
    assert half_width(pairs, deviation * factor, alpha) > half_width(pairs, deviation, alpha)


@given(st.integers(1, 200), deviations, alphas, st.floats(0.1, 0.9))
def test_interval_widens_with_the_confidence(pairs: int, deviation: float, alpha: float, factor: float) -> None:
    assert half_width(pairs, deviation, alpha * factor) > half_width(pairs, deviation, alpha)


def ever_wrong(sequences: int, looks: int, *, truth: float, deviation: float, noise: float) -> float:
    """Share of sequences whose interval excludes the truth at any look at which a verdict could be given."""
    rng = np.random.default_rng(20240229)
    wrong = 0
    for _ in range(sequences):
        values = rng.normal(truth, deviation, looks).tolist()
        found = (estimate(values[:n], noise=noise, alpha=ALPHA) for n in range(MIN_PAIRS, looks + 1))
        wrong += any(not each.low <= truth <= each.high for each in found)
    return wrong / sequences


@pytest.mark.long
@pytest.mark.parametrize("deviation", [0.005, 0.03])
def test_a_program_against_itself_is_seldom_ever_told_apart(deviation: float) -> None:
    assert ever_wrong(300, 60, truth=0.0, deviation=deviation, noise=deviation) <= ALPHA


@pytest.mark.long
def test_the_noise_of_a_loud_machine_may_be_estimated_from_few_pairs() -> None:
    """The A/A noise is itself an estimate, held towards a prior; the promise of the interval includes that."""
    rng = np.random.default_rng(11)
    wrong = 0
    for _ in range(500):
        noise = pooled_noise(rng.normal(0, 0.05, 5).tolist(), prior=0.015)
        values = rng.normal(0, 0.05, 60).tolist()
        found = (estimate(values[:n], noise=noise, alpha=ALPHA) for n in range(MIN_PAIRS, 61))
        wrong += any(each.verdict in (Verdict.FASTER, Verdict.SLOWER) for each in found)
    assert wrong / 500 <= ALPHA


def test_outliers_do_not_make_a_program_faster_than_itself() -> None:
    """Heavy tails, as a shared machine has them."""
    rng = np.random.default_rng(7)
    wrong = 0
    for _ in range(200):
        values = (0.02 * rng.standard_t(3, 30)).tolist()
        found = (estimate(values[:n], noise=0.02, alpha=ALPHA).verdict for n in range(1, 31))
        wrong += any(verdict in (Verdict.FASTER, Verdict.SLOWER) for verdict in found)
    assert wrong / 200 <= ALPHA


def often_slow(rng: np.random.Generator, share: float, pairs: int) -> list[float]:
    """A program twice as fast as the original on some inputs and ten times slower on the others."""
    slow = rng.random(pairs) < share
    return (np.where(slow, -log(10), log(2)) + rng.normal(0, 0.02, pairs)).tolist()


def test_a_program_that_is_slow_on_a_third_of_its_inputs_is_not_faster() -> None:
    rng = np.random.default_rng(13)
    found = [estimate(often_slow(rng, 0.35, 60), noise=0.015, alpha=ALPHA).verdict for _ in range(200)]
    assert Verdict.FASTER not in found


def test_hiccups_of_the_machine_do_not_hide_a_gain() -> None:
    """They hit either side."""
    rng = np.random.default_rng(15)
    found = []
    for _ in range(200):
        hiccups = np.where(rng.random(60) < 0.3, rng.choice([-1.0, 1.0], 60), 0.0)
        values = (log(1.2) + hiccups + rng.normal(0, 0.02, 60)).tolist()
        found.append(estimate(values, noise=0.015, alpha=ALPHA).verdict)
    assert np.mean([each is Verdict.FASTER for each in found]) > 0.95


def drifting(rng: np.random.Generator, pairs: int, alike: float, deviation: float) -> list[float]:
    """Pairs of a program with itself, each like the one before it to this degree."""
    value, found = rng.normal(), []
    for _ in range(pairs):
        value = alike * value + rng.normal() * (1 - alike**2) ** 0.5
        found.append(deviation * value)
    return found


@pytest.mark.parametrize("alike", [0.0, 0.5, 0.7])
def test_a_machine_that_is_slow_for_seconds_does_not_make_a_confirmation_false(alike: float) -> None:
    rng = np.random.default_rng(3)
    found = [estimate(drifting(rng, 60, alike, 0.1), noise=0.015, alpha=0.01) for _ in range(500)]
    assert np.mean([not each.low <= 0 <= each.high for each in found]) <= 0.02


@given(st.lists(st.floats(-3, 3), max_size=60))
def test_dependence_never_makes_an_interval_narrower(values: list[float]) -> None:
    assert dependence(values) >= 1


@given(st.lists(st.floats(-3, 3), max_size=LEAST_FOR_DEPENDENCE - 1))
def test_few_pairs_do_not_show_dependence(values: list[float]) -> None:
    assert dependence(values) == 1


def test_independent_pairs_are_seldom_held_for_dependent() -> None:
    rng = np.random.default_rng(9)
    assert np.mean([dependence(rng.normal(0, 1, 40).tolist()) > 1 for _ in range(500)]) < 0.05


@given(st.lists(st.floats(-3, 3), max_size=60).filter(lambda values: np.std([0.0, *values]) > 1e-6), st.integers(1, 9))
def test_dependence_knows_no_unit(values: list[float], doubled: int) -> None:
    assert dependence([each * 2**doubled for each in values]) == dependence(values)


def test_a_real_difference_is_found_soon() -> None:
    rng = np.random.default_rng(5)
    values = rng.normal(log(1.2), 0.02, 10).tolist()
    assert estimate(values, noise=0.02, alpha=ALPHA).verdict is Verdict.FASTER


@given(st.lists(st.floats(-1e6, 1e6), max_size=40))
def test_winsorised_values_stay_within_the_range_of_the_given(values: list[float]) -> None:
    pulled = winsorise(values)
    assert len(pulled) == len(values)
    assert all(min(values) <= v <= max(values) for v in pulled)


@given(st.lists(st.floats(-1e6, 1e6), min_size=5, max_size=40))
def test_winsorised_values_are_within_three_robust_deviations(values: list[float]) -> None:
    median = float(np.median(values))
    deviation = 1.4826 * float(np.median(np.abs(np.asarray(values) - median)))
    assume(deviation > 0)
    slack = 1e-9 * (1 + abs(median) + deviation)
    assert all(abs(v - median) <= 3 * deviation + slack for v in winsorise(values))


@given(st.lists(st.floats(-1e3, 1e3), min_size=5, max_size=40))
def test_winsorising_leaves_values_that_are_already_near(values: list[float]) -> None:
    """Every value either stays or is moved to one of the two bounds."""
    moved = {after for before, after in zip(values, winsorise(values), strict=True) if before != after}
    assert len(moved) <= 2
    assert all(min(values) < v < max(values) for v in moved)


@given(st.lists(st.floats(-1e3, 1e3), max_size=40))
def test_winsorising_keeps_the_order(values: list[float]) -> None:
    assert sorted(winsorise(values)) == winsorise(sorted(values))


@given(st.lists(st.floats(-1e3, 1e3), min_size=5, max_size=39))
def test_winsorising_does_not_move_the_median(values: list[float]) -> None:
    assert float(np.median(winsorise(values))) == pytest.approx(float(np.median(values)), abs=1e-9)


def test_one_wild_value_is_pulled_in() -> None:
    calm = [0.01, -0.01, 0.02, -0.02, 0.0, 0.015, -0.015]
    assert max(winsorise([*calm, 5.0])) < 0.1


def test_few_values_are_taken_as_they_are() -> None:
    assert winsorise([0.0, 0.0, 0.0, 9.0]) == [0.0, 0.0, 0.0, 9.0]


@given(log_ratios, deviations)
def test_estimate_is_antisymmetric(values: list[float], noise: float) -> None:
    forward = estimate(values, noise=noise, alpha=ALPHA)
    backward = estimate([-v for v in values], noise=noise, alpha=ALPHA)
    assert backward.centre == pytest.approx(-forward.centre, abs=1e-12)
    assert backward.half == pytest.approx(forward.half, rel=1e-9)


@given(log_ratios, deviations)
def test_centre_lies_within_the_values(values: list[float], noise: float) -> None:
    found = estimate(values, noise=noise, alpha=ALPHA)
    assert min(values) - 1e-12 <= found.centre <= max(values) + 1e-12
    assert found.pairs == len(values)


@given(log_ratios, deviations, st.floats(1.1, 10))
def test_estimate_is_no_sharper_on_a_noisier_machine(values: list[float], noise: float, factor: float) -> None:
    calm = estimate(values, noise=noise, alpha=ALPHA)
    assert estimate(values, noise=noise * factor, alpha=ALPHA).half >= calm.half


def test_a_lucky_calm_run_does_not_look_exact() -> None:
    found = estimate([0.001] * 5, noise=0.02, alpha=ALPHA)
    assert found.half == half_width(5, 0.02, ALPHA)


def test_nothing_measured_says_nothing() -> None:
    found = estimate([], noise=0.02, alpha=ALPHA)
    assert found.verdict is Verdict.UNCLEAR
    assert found.half == float("inf")


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.001, 0.5, Verdict.FASTER),
        (-0.5, -0.001, Verdict.SLOWER),
        (-TIE / 2, TIE / 2, Verdict.TIE),
        (-TIE * 2, TIE / 2, Verdict.UNCLEAR),
        (-TIE / 2, TIE * 2, Verdict.UNCLEAR),
        (-0.5, 0.5, Verdict.UNCLEAR),
        (TIE / 4, TIE / 2, Verdict.FASTER),
    ],
)
def test_verdict_follows_from_the_interval(low: float, high: float, verdict: Verdict) -> None:
    assert LogInterval((low + high) / 2, (high - low) / 2, MIN_PAIRS).verdict is verdict


def test_too_few_pairs_give_no_verdict() -> None:
    assert LogInterval(1.0, 0.1, MIN_PAIRS - 1).verdict is Verdict.UNCLEAR


@given(st.floats(-3, 3), st.floats(0, 3))
def test_ratios_are_in_order_and_invert_with_the_sign(centre: float, half: float) -> None:
    speedup, low, high = LogInterval(centre, half, 5).ratios
    assert low <= speedup <= high
    inverse, inverse_low, inverse_high = LogInterval(-centre, half, 5).ratios
    assert inverse * speedup == pytest.approx(1)
    assert inverse_low * high == pytest.approx(1)
    assert inverse_high * low == pytest.approx(1)
    assert speedup == exp(centre)


@given(st.lists(st.floats(-1, 1), max_size=20), st.floats(1e-3, 0.1))
def test_noise_is_pooled_between_the_prior_and_what_was_seen(values: list[float], prior: float) -> None:
    seen = [1.4826 * abs(v) for v in values]
    found = pooled_noise(values, prior=prior)
    assert min([prior, *seen]) - 1e-12 <= found <= max([prior, *seen]) + 1e-12


@given(st.lists(st.floats(-0.01, 0.01), min_size=3, max_size=3), st.floats(0.5, 1))
def test_two_loud_pairs_of_five_do_not_make_a_loud_machine(calm: list[float], loud: float) -> None:
    assert pooled_noise([*calm, loud, -loud], prior=0.01) < 0.02


def test_who_is_faster_in_every_pair_is_faster_in_total() -> None:
    assert total([(1.0, 0.9), (30.0, 29.0), (2.0, 1.0)], alpha=0.01).low > 0


def test_in_total_a_pair_counts_by_the_time_it_took() -> None:
    found = total([(0.03, 0.01)] * 56 + [(0.03, 0.5)] * 4, alpha=0.01)
    assert found.centre == pytest.approx(log(1.8 / 2.56))
    assert found.verdict is not Verdict.FASTER


@given(st.lists(st.floats(-0.3, 0.3), min_size=3, max_size=30), st.floats(0.001, 0.1))
def test_a_p_value_is_the_level_at_which_the_interval_ends_at_0(values: list[float], noise: float) -> None:
    found = estimate(values, noise=noise, alpha=0.01)
    if 1e-12 < found.p_value < 1:
        assert found.at(found.p_value).half == pytest.approx(abs(found.centre), rel=1e-6, abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.2))
def test_levels_of_holm_reject_what_corrected_p_values_reject(p_values: list[float], alpha: float) -> None:
    corrected = holm(p_values)
    assume(all(abs(p - alpha) > 1e-9 for p in corrected))
    by_level = [p <= level for p, level in zip(p_values, holm_levels(p_values, alpha), strict=True)]
    assert by_level == [p <= alpha for p in corrected]


def test_noise_without_pairs_of_its_own_is_drawn_towards_the_usual() -> None:
    assert own_noise([], prior=0.015) == 0.015
    assert own_noise([0.3] * 5, prior=0.015) == pytest.approx(0.015 * (4 / 9) ** 0.5)


def test_a_difference_up_to_the_least_that_counts_is_a_tie() -> None:
    certain = LogInterval(0.006, 0.002, 20)
    assert (certain.verdict, certain.verdict_beyond(0.01)) == (Verdict.FASTER, Verdict.TIE)
    assert LogInterval(0.0, 0.008, 20).verdict_beyond(0.005) is Verdict.UNCLEAR


def test_loud_pairs_are_seldom_ever_told_apart_from_themselves() -> None:
    alarms = 0
    for seed in range(80):
        values = np.random.default_rng(seed).normal(0, 0.1, 40).tolist()
        looks = [values[:n] for n in (3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 25, 32, 40)]
        found = [estimate(each, noise=own_noise(each, prior=0.015), alpha=0.01).for_loud_pairs(0.01) for each in looks]
        alarms += any(each.verdict_beyond(0.0) in (Verdict.FASTER, Verdict.SLOWER) for each in found)
    assert alarms <= 3


def test_an_interval_of_loud_pairs_is_narrower_and_of_calm_ones_the_same() -> None:
    loud = estimate([0.3, -0.3] * 5, noise=0.01, alpha=0.01)
    assert loud.for_loud_pairs(0.01).half < 0.6 * loud.half
    calm = estimate([0.01, -0.01] * 5, noise=0.01, alpha=0.01)
    assert calm.for_loud_pairs(0.01) == calm
