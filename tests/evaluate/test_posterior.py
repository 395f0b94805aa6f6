"""The posterior as algebra: what it must do whatever the figures are, and what a race rests on."""

from __future__ import annotations

import random
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Measurement, Noise, Sample, Verdict
from maxcode.evaluate.measure.further import with_more
from maxcode.evaluate.measure.posterior import (
    BEFORE_ANY,
    MOST_RACING,
    SURE,
    Evidence,
    Posterior,
    Prior,
    evidence,
    fitted,
    posterior,
    posteriors,
    undecided,
)

centres = st.floats(-4, 4)
errors = st.floats(1e-4, 0.5)
pieces = st.builds(Evidence, centres, errors)
priors = st.lists(pieces, max_size=20).map(fitted)
FLOOR = 0.02


def measurement(ratios: list[float], noise: float = FLOOR, duets: tuple[float, ...] = ()) -> Measurement:
    """A measurement of these log-ratios: of the duets, where there are any."""
    samples = [Sample(baseline=exp(x), candidate=1.0, method="exclusive") for x in ratios]
    samples += [Sample(baseline=exp(x), candidate=1.0, method="duet") for x in duets]
    counting = duets or ratios
    speedup = exp(sum(counting) / len(counting))
    return Measurement(
        samples=tuple(samples),
        clock="cpu",
        method="duet" if duets else "exclusive",
        verdict=Verdict.UNCLEAR,
        speedup=speedup,
        ci_low=speedup / 2,
        ci_high=speedup * 2,
        alpha=0.01,
        noise=Noise(exclusive=noise, duet=noise / 4, pairs=5),
        machine="none",
    )


@given(centres, centres, errors, priors)
def test_a_higher_estimate_has_a_higher_mean(a: float, b: float, error: float, prior: Prior) -> None:
    low, high = (posterior(Evidence(each, error), prior).mean for each in sorted((a, b)))
    assert low <= high + 1e-12


@given(pieces, priors)
def test_the_mean_lies_between_the_estimate_and_the_centre_of_the_run(found: Evidence, prior: Prior) -> None:
    low, high = sorted((found.centre, prior.centre))
    assert low - 1e-9 <= posterior(found, prior).mean <= high + 1e-9


@given(centres, errors, st.floats(1, 50))
def test_noise_draws_a_program_towards_the_centre(centre: float, error: float, times: float) -> None:
    """With the prior before any program, whose scales weigh the same."""
    calm, loud = (posterior(Evidence(centre, each), BEFORE_ANY) for each in (error, error * times))
    assert abs(loud.mean) <= abs(calm.mean) + 1e-9


@given(st.lists(pieces, min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_programs_does_not_matter(found: list[Evidence], rng: random.Random) -> None:
    shuffled = rng.sample(found, len(found))
    assert fitted(shuffled) == fitted(found)
    one, other = posteriors(found, fitted(found)), posteriors(shuffled, fitted(shuffled))
    assert sorted((p.mean, p.deviation) for p in one) == sorted((p.mean, p.deviation) for p in other)


@given(centres, priors)
def test_with_more_and_more_pairs_the_mean_becomes_the_estimate(centre: float, prior: Prior) -> None:
    found = [posterior(Evidence(centre, 0.1 / sqrt(n)), prior) for n in (10, 1_000, 10_000_000)]
    assert found[-1].mean == pytest.approx(centre, abs=2e-3)
    assert found[-1].deviation < 1e-3


@given(centres)
def test_what_is_exact_is_left_alone(centre: float) -> None:
    assert posterior(Evidence(centre, 0.0), fitted([Evidence(0.0, 0.2)] * 9)) == Posterior(centre, 0.0)


def test_a_large_gain_survives_among_programs_that_differ_by_noise() -> None:
    rng = random.Random(3)
    found = [Evidence(rng.gauss(0, 0.05), 0.05) for _ in range(40)] + [Evidence(log(2), 0.05)]
    *rest, gain = posteriors(found, fitted(found))
    assert gain.speedup > 1.95
    assert max(abs(each.mean) for each in rest) < 0.07


def test_programs_that_differ_by_noise_are_worth_about_one() -> None:
    rng = random.Random(4)
    found = [Evidence(rng.gauss(0, 0.05), 0.05) for _ in range(40)]
    assert max(abs(each.mean) for each in posteriors(found, fitted(found))) < 0.03


@given(st.floats(-0.3, 0.3), st.floats(0, 0.3), st.integers(2, 10), st.integers(2, 4))
def test_the_error_falls_with_the_number_of_pairs(centre: float, apart: float, half: int, times: int) -> None:
    ratios = [centre - apart, centre + apart] * half  # neighbours are not alike
    assert evidence(measurement(ratios * times)).error < evidence(measurement(ratios)).error


def test_few_calm_pairs_are_no_better_than_the_noise_floor() -> None:
    assert evidence(measurement([0.1, 0.1, 0.1])).error == pytest.approx(FLOOR / sqrt(3))


def test_duets_are_not_believed_beyond_their_bias() -> None:
    assert evidence(measurement([0.01] * 5, duets=(0.01,) * 20)).error > 0.006


def test_further_pairs_sharpen_a_measurement() -> None:
    rng = random.Random(1)
    first, more = (measurement([rng.gauss(0.2, 0.05) for _ in range(n)], noise=0.05) for n in (5, 40))
    joined = with_more(first, more)
    assert len(joined.samples) == 45
    assert joined.verdict is Verdict.FASTER
    assert joined.ci_low < joined.speedup < joined.ci_high
    assert evidence(joined).error < evidence(first).error / 2
    assert log(joined.speedup) == pytest.approx(0.2, abs=0.03)


def test_duets_that_further_pairs_contradict_no_longer_count() -> None:
    first = measurement([0.0] * 5, duets=(0.0,) * 8)
    assert with_more(first, measurement([0.0] * 8)).method == "duet"
    assert with_more(first, measurement([0.1] * 30)).method == "exclusive"


def test_times_of_different_clocks_do_not_go_together() -> None:
    other = measurement([0.3] * 4).model_copy(update={"clock": "wall"})
    assert with_more(measurement([0.0] * 5), other) == other


posterior_lists = st.lists(st.builds(Posterior, st.floats(-1, 1), st.floats(0, 0.3)), max_size=10)


@given(posterior_lists, st.integers(1, 4))
def test_a_race_is_held_exactly_where_the_last_place_is_in_doubt(found: list[Posterior], count: int) -> None:
    order = sorted(range(len(found)), key=lambda i: (-found[i].mean, i))
    inside, outside = order[:count], order[count:]
    doubt = sum(found[i].chance_of_beating(found[inside[-1]]) for i in outside) if outside else 0.0
    racing = undecided(found, count)
    assert bool(racing) == (doubt > 1 - SURE)
    assert len(racing) <= MOST_RACING


def test_a_tie_is_not_raced_for_ever() -> None:
    assert undecided([Posterior(0.2, 0.002), Posterior(0.2, 0.002)]) == []


def test_programs_that_have_lost_are_not_measured_further() -> None:
    assert undecided([Posterior(0.5, 0.1), Posterior(0.45, 0.1), Posterior(-0.5, 0.1)]) == [0, 1]
