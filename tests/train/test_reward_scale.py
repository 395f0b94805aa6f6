"""The numbers: order of the ladder, bounds, and that faster is never worth less."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Status
from maxcode.train.reward.scale import LADDER, MOST, success_reward, tier_of

speedups = st.floats(1e-6, 1e6)
ceilings = st.floats(0.01, 1e5)


def test_failures_stand_in_the_order_of_how_far_they_got() -> None:
    rewards = [LADDER[tier_of(status)] for status in Status if status is not Status.OK]
    assert rewards == [-100, -40, -30, -20, -10] and all(a < b for a, b in pairwise(rewards))
    assert LADDER["format"] == LADDER["rule"] == -100


@given(speedups, ceilings)
def test_every_success_is_above_every_failure_and_bounded(speedup: float, ceiling: float) -> None:
    assert max(LADDER.values()) < 0 < success_reward(speedup, ceiling) <= MOST


@given(speedups, st.floats(1.001, 100), ceilings)
def test_faster_is_never_worth_less_and_below_the_ceiling_worth_more(
    speedup: float, factor: float, ceiling: float
) -> None:
    slow, fast = success_reward(speedup, ceiling), success_reward(speedup * factor, ceiling)
    assert slow <= fast
    if speedup * factor <= ceiling:
        assert slow < fast


@given(st.floats(0.1, 100), st.floats(0.01, 10), ceilings)
def test_the_same_gain_is_worth_less_the_faster_the_program_is_already(
    speedup: float, gain: float, ceiling: float
) -> None:
    first, second, third = (success_reward(speedup + i * gain, ceiling) for i in range(3))
    assert third - second <= second - first + 1e-9


@given(ceilings)
def test_what_reaches_the_ceiling_earns_everything(ceiling: float) -> None:
    assert success_reward(max(ceiling, 2.0), ceiling) == pytest.approx(MOST)


def test_no_speed_is_no_success() -> None:
    with pytest.raises(ValueError, match="above 0"):
        success_reward(0.0, 10.0)
