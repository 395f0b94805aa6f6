"""The max-reward recursion and its variants, as algebra."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import accumulate
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maxcode.core import Noise, Status, Verdict
from maxcode.search.mdp import best_so_far, max_backup, reward, reward_to_go, sum_backup
from maxcode.search.rewards import lower_bound
from tests.search.fakes import measured, outcome

ROOT = Path(__file__).parents[2]
gammas = st.floats(0.05, 1.0)
amounts = st.floats(0.0, 100.0)
paths = st.lists(amounts, min_size=1, max_size=12)


def same(a: float, b: float) -> bool:
    return isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def discounted(rewards: list[float], gamma: float) -> float:
    """G by its definition."""
    return max((gamma**k * r for k, r in enumerate(rewards)), default=0.0)


@given(amounts, paths, gammas)
def test_the_recursion_keeps_the_larger_of_past_and_future(u: float, rewards: list[float], gamma: float) -> None:
    """max(u, gamma G_t) == gamma max(u', gamma G_(t+1)) with u' = max(u / gamma, r)."""
    first, *later = rewards
    after = best_so_far(u, first, gamma)
    assert same(max(u, gamma * discounted(rewards, gamma)), gamma * max(after, gamma * discounted(later, gamma)))


@given(paths, gammas)
def test_best_so_far_at_the_end_of_a_path_is_the_return_of_all_of_it(rewards: list[float], gamma: float) -> None:
    u, *later = rewards
    for r in later:
        u = best_so_far(u, r, gamma)
    assert same(gamma ** len(later) * u, discounted(rewards, gamma))


@given(paths)
def test_undiscounted_best_so_far_is_the_running_maximum(rewards: list[float]) -> None:
    assert list(accumulate(rewards, lambda u, r: best_so_far(u, r, 1.0))) == list(accumulate(rewards, max))


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
    assert same(backed_up(twig, gamma), max(discounted(path, gamma) for path in paths_of(twig)))


@given(paths, gammas)
def test_sum_backup_of_a_chain_is_its_sum_return(rewards: list[float], gamma: float) -> None:
    value = 0.0
    for i, r in enumerate(reversed(rewards)):
        value = sum_backup(r, [value] if i else [], gamma)
    assert same(value, sum(gamma**k * r for k, r in enumerate(rewards)))


@given(amounts, st.lists(amounts, min_size=1, max_size=5), gammas)
def test_sum_backup_takes_the_mean_of_the_children(r: float, children: list[float], gamma: float) -> None:
    assert same(sum_backup(r, children, gamma), r + gamma * sum(children) / len(children))


@given(paths)
def test_reward_to_go_is_the_best_of_what_follows_or_the_sum_of_it(rewards: list[float]) -> None:
    assert reward_to_go(rewards, "max") == max(rewards)
    assert reward_to_go(rewards, "sum") == sum(rewards)


def test_nothing_to_come_is_worth_nothing() -> None:
    assert reward_to_go([], "max") == reward_to_go([], "sum") == 0.0


def test_every_function_runs_in_a_search_or_in_the_data_of_a_value_model() -> None:
    source = ROOT / "src/maxcode"
    functions = re.findall(r"^def (\w+)", (source / "search/mdp.py").read_text(), re.MULTILINE)
    others = [file.read_text() for file in source.rglob("*.py") if file.name != "mdp.py"]
    assert [name for name in functions if not any(re.search(rf"\b{name}\(", text) for text in others)] == []


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.OK])
def test_a_failure_is_worth_nothing_even_when_it_was_timed(status: Status) -> None:
    assert reward(outcome(status, measured(3.0))) == 0.0


@pytest.mark.parametrize("verdict", Verdict)
@given(speedup=st.floats(0.1, 50))
def test_what_is_counted_is_worth_its_speedup_whatever_the_verdict(verdict: Verdict, speedup: float) -> None:
    assert reward(outcome(measurement=measured(speedup, verdict))) == speedup


@pytest.mark.parametrize("verdict", Verdict)
def test_a_difference_within_the_noise_is_worth_about_one(verdict: Verdict) -> None:
    noisy = measured(1.04, verdict).model_copy(update={"noise": Noise(exclusive=0.1, pairs=5)})
    assert 1.0 < reward(outcome(measurement=noisy)) < 1.02


@pytest.mark.parametrize("verdict", [Verdict.TIE, Verdict.UNCLEAR])
def test_recorded_runs_count_a_tie_as_exactly_one(verdict: Verdict) -> None:
    assert lower_bound(outcome(measurement=measured(1.3, verdict))) == 1.0


def test_a_correct_program_that_was_not_timed_is_worth_nothing() -> None:
    assert reward(outcome()) == 0.0
