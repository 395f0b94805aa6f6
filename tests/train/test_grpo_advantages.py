"""Advantages: what an answer is worth beside its group."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations, pairwise, product
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.train.grpo.advantages import DROPPED, EPSILON, gains_of_best, weighed
from maxcode.train.grpo.config import Advantage

Objective = Callable[[list[float]], float]
GROUPS = st.lists(st.floats(-100, 100), min_size=2, max_size=16)


@given(GROUPS)
def test_leave_one_out_is_the_reward_over_the_mean_of_the_others(rewards: list[float]) -> None:
    spread = max(rewards) - min(rewards)
    for i, each in enumerate(weighed(rewards, len(rewards), Advantage.LEAVE_ONE_OUT)):
        others = fmean(rewards[:i] + rewards[i + 1 :])
        expected = (rewards[i] - others) / (spread + EPSILON) if each.kept else 0.0
        assert each.advantage == pytest.approx(expected, abs=1e-6)


@given(GROUPS)
def test_leave_one_out_is_proportional_to_the_distance_from_the_groups_mean(rewards: list[float]) -> None:
    found = weighed(rewards, len(rewards), Advantage.LEAVE_ONE_OUT)
    if found[0].kept:
        n, mean, spread = len(rewards), fmean(rewards), max(rewards) - min(rewards)
        for reward, each in zip(rewards, found, strict=True):
            assert each.advantage * (spread + EPSILON) == pytest.approx(n / (n - 1) * (reward - mean), abs=1e-6)


@given(st.lists(st.floats(-100, 100) | st.sampled_from([-100.0, 50.0]), min_size=2, max_size=7), st.data())
def test_gain_to_the_best_is_the_mean_over_all_sets_of_others(rewards: list[float], data: st.DataObject) -> None:
    best_of = data.draw(st.integers(2, len(rewards)))
    for i, gain in enumerate(gains_of_best(rewards, best_of)):
        others = list(combinations(rewards[:i] + rewards[i + 1 :], best_of - 1))
        assert gain == pytest.approx(fmean(max(rewards[i], *each) - max(each) for each in others), abs=1e-6)


def slope(objective: Objective, chances: list[float], answer: int, step: float = 1e-6) -> float:
    moved = [chance + step * (i == answer) for i, chance in enumerate(chances)]
    return (objective(moved) - objective(chances)) / step


def test_gains_to_the_best_estimate_how_the_expected_best_changes_with_the_policy() -> None:
    """Over all samples of a policy with three answers: their weights times the scores make the gradient."""
    values, chances, best_of, group = [1.0, 2.0, 5.0], [0.5, 0.3, 0.2], 2, 3

    def expected(chances: list[float]) -> float:
        sets = product(range(3), repeat=best_of)
        return math.fsum(math.prod(chances[i] for i in each) * max(values[i] for i in each) for each in sets)

    slopes = [slope(expected, chances, answer) for answer in range(3)]
    mean = math.fsum(chance * each for chance, each in zip(chances, slopes, strict=True))
    for answer in range(3):
        estimate = 0.0
        for drawn in product(range(3), repeat=group):
            gains = gains_of_best([values[i] for i in drawn], best_of)
            scored = (gain * ((i == answer) - chances[answer]) for i, gain in zip(drawn, gains, strict=True))
            estimate += math.prod(chances[i] for i in drawn) * math.fsum(scored)
        of_logit = chances[answer] * (slopes[answer] - mean)
        assert estimate * best_of / group == pytest.approx(of_logit, rel=1e-3)


@given(GROUPS, st.sampled_from(Advantage))
def test_advantages_of_a_group_sum_to_nothing_and_keep_its_order(rewards: list[float], kind: Advantage) -> None:
    found = [each.advantage for each in weighed(rewards, len(rewards), kind)]
    assert math.fsum(found) == pytest.approx(0.0, abs=1e-6)
    ranked = [advantage for _, advantage in sorted(zip(rewards, found, strict=True))]
    assert all(low <= high + 1e-9 for low, high in pairwise(ranked))


@given(st.floats(-100, 100), st.integers(2, 8), st.sampled_from(Advantage))
def test_a_group_that_is_all_alike_is_dropped(reward: float, group: int, kind: Advantage) -> None:
    assert weighed([reward] * group, group, kind) == [DROPPED] * group


@pytest.mark.parametrize("kind", Advantage)
def test_groups_do_not_touch_each_other(kind: Advantage) -> None:
    alone = weighed([1.0, 2.0, 4.0], 3, kind)
    assert weighed([1.0, 2.0, 4.0, -100.0, -100.0, 90.0], 3, kind)[:3] == alone


@pytest.mark.parametrize("kind", Advantage)
def test_an_answer_without_a_reward_is_as_if_it_were_not_there(kind: Advantage) -> None:
    first, lost, second = weighed([10.0, None, 30.0], 3, kind)
    assert lost == DROPPED
    assert [first, second] == weighed([10.0, 30.0], 2, kind)
