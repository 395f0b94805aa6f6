"""The max-reward recursion and its variants, as algebra."""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Status, Verdict
from maxcode.search.mdp import (
    best_along,
    max_backup,
    max_return,
    next_best,
    reward,
    reward_to_go,
    sum_backup,
    sum_return,
    value_of,
)
from tests.search.fakes import measured, outcome

gammas = st.floats(0.05, 1.0)
amounts = st.floats(0.0, 100.0)
paths = st.lists(amounts, min_size=1, max_size=12)


def same(a: float, b: float) -> bool:
    return isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


@given(amounts, paths, gammas)
def test_best_so_far_in_units_of_the_next_step_keeps_the_larger_of_past_and_future(
    u: float, rewards: list[float], gamma: float
) -> None:
    """max(u, G_t) == gamma * max(u', G_(t+1)) with u' = max(u, r) / gamma."""
    first, *later = rewards
    before = max(u, max_return(rewards, gamma))
    assert same(before, gamma * max(next_best(u, first, gamma), max_return(later, gamma)))


@given(amounts, paths, gammas)
def test_best_so_far_at_the_end_of_a_path_is_the_return_of_all_of_it(
    u: float, rewards: list[float], gamma: float
) -> None:
    carried = u
    for r in rewards:
        carried = next_best(carried, r, gamma)
    assert same(gamma ** len(rewards) * carried, max(u, max_return(rewards, gamma)))


@given(paths)
def test_undiscounted_best_along_a_path_is_the_running_maximum(rewards: list[float]) -> None:
    assert best_along(rewards) == [max(rewards[: t + 1]) for t in range(len(rewards))]


@given(paths, gammas)
def test_best_along_a_path_obeys_the_recursion(rewards: list[float], gamma: float) -> None:
    found = best_along(rewards, gamma)
    carried = 0.0
    for u, r in zip(found, rewards, strict=True):
        carried = next_best(carried, r, gamma)
        assert same(u / gamma, carried)


@given(paths, gammas)
def test_best_along_a_path_ends_in_its_return(rewards: list[float], gamma: float) -> None:
    assert same(gamma ** (len(rewards) - 1) * best_along(rewards, gamma)[-1], max_return(rewards, gamma))


def test_nothing_to_come_returns_nothing() -> None:
    assert max_return([]) == sum_return([]) == 0.0
    assert best_along([]) == reward_to_go([]) == []


@dataclass(frozen=True)
class Twig:
    reward: float
    children: tuple[Twig, ...] = ()


twigs = st.recursive(
    amounts.map(Twig), lambda inner: st.builds(Twig, amounts, st.lists(inner, max_size=3).map(tuple)), max_leaves=15
)


def paths_of(twig: Twig) -> list[list[float]]:
    return [[twig.reward], *([twig.reward, *rest] for child in twig.children for rest in paths_of(child))]


def backed_up(twig: Twig, gamma: float) -> float:
    return max_backup(twig.reward, [backed_up(child, gamma) for child in twig.children], gamma)


@given(twigs, gammas)
def test_max_backup_is_the_best_discounted_path(twig: Twig, gamma: float) -> None:
    assert same(backed_up(twig, gamma), max(max_return(path, gamma) for path in paths_of(twig)))


@given(paths, gammas)
def test_sum_backup_of_a_chain_is_its_sum_return(rewards: list[float], gamma: float) -> None:
    value = 0.0
    for i, r in enumerate(reversed(rewards)):
        value = sum_backup(r, [value] if i else [], gamma)
    assert same(value, sum_return(rewards, gamma))


@given(amounts, st.lists(amounts, min_size=1, max_size=5), gammas)
def test_sum_backup_takes_the_mean_of_the_children(r: float, children: list[float], gamma: float) -> None:
    assert same(sum_backup(r, children, gamma), r + gamma * sum(children) / len(children))


@given(paths, gammas)
def test_reward_to_go_is_the_return_of_what_follows(rewards: list[float], gamma: float) -> None:
    found = reward_to_go(rewards, gamma)
    assert len(found) == len(rewards)
    for t, label in enumerate(found):
        assert same(label, max([gamma**k * r for k, r in enumerate(rewards[t + 1 :])], default=0.0))


@given(paths, st.data(), amounts, gammas)
def test_reward_to_go_does_not_see_the_present_or_the_past(
    rewards: list[float], data: st.DataObject, other: float, gamma: float
) -> None:
    t = data.draw(st.integers(0, len(rewards) - 1))
    at = data.draw(st.integers(0, t))
    changed = [*rewards[:at], other, *rewards[at + 1 :]]
    assert reward_to_go(changed, gamma)[t] == reward_to_go(rewards, gamma)[t]


@given(paths, st.data())
def test_value_with_the_best_so_far_is_the_best_of_the_whole_path(rewards: list[float], data: st.DataObject) -> None:
    t = data.draw(st.integers(0, len(rewards) - 1))
    assert value_of(best_along(rewards)[t], reward_to_go(rewards)[t]) == max(rewards)


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.OK])
def test_a_failure_is_worth_nothing_even_when_it_was_timed(status: Status) -> None:
    assert reward(outcome(status, measured(3.0))) == 0.0


@pytest.mark.parametrize("verdict", [Verdict.TIE, Verdict.UNCLEAR])
def test_a_tie_is_worth_exactly_one(verdict: Verdict) -> None:
    assert reward(outcome(measurement=measured(1.3, verdict))) == 1.0


@given(st.floats(0.1, 50))
def test_a_difference_is_worth_the_lower_bound_of_its_interval(speedup: float) -> None:
    found = measured(speedup)
    assert reward(outcome(measurement=found)) == found.ci_low < speedup


def test_a_correct_program_that_was_not_timed_is_worth_nothing() -> None:
    assert reward(outcome()) == 0.0
