"""Several policies as one, and policies by name."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from maxcode.config import Config
from maxcode.core import InputError, Proposal
from maxcode.policy.choose import choose_policy
from maxcode.policy.mixture import mixture
from maxcode.search.observe.observation import Observation, observe
from maxcode.search.parts import Policy
from tests.search.fakes import answers_of, grown


def named(name: str) -> Policy:
    async def propose(observation: Observation, n: int, seed: int) -> list[Proposal]:
        del observation
        return [Proposal(text=f"{name} {seed} {i}", model=name) for i in range(n)]

    return propose


def ask(policy: Policy, n: int, seed: int) -> list[Proposal]:
    tree = grown()
    return asyncio.run(answers_of(policy, observe(tree, tree.root, frozenset()), n, seed))


def drawn(policy: Policy, seeds: int, n: int = 8) -> Counter[str]:
    async def all_of_them() -> Counter[str]:
        tree = grown()
        observation = observe(tree, tree.root, frozenset())
        answers = [await answers_of(policy, observation, n, seed) for seed in range(seeds)]
        return Counter(each.model for few in answers for each in few)

    return asyncio.run(all_of_them())


def test_samples_are_drawn_by_weight() -> None:
    counts = drawn(mixture([(0.7, named("a")), (0.3, named("b"))]), 500)
    assert counts.total() == 4000
    assert 0.67 < counts["a"] / 4000 < 0.73


def test_weights_need_not_sum_to_one() -> None:
    counts = drawn(mixture([(6, named("a")), (2, named("b"))]), 500)
    assert 0.72 < counts["a"] / 4000 < 0.78


@pytest.mark.parametrize("n", [1, 2, 7])
def test_as_many_answers_come_as_were_asked_for(n: int) -> None:
    policy = mixture([(1, named("a")), (1, named("b")), (1, named("c"))])
    assert all(len(ask(policy, n, seed)) == n for seed in range(20))


def test_the_same_seed_draws_the_same() -> None:
    policy = mixture([(1, named("a")), (1, named("b"))])
    assert [ask(policy, 8, seed) for seed in range(20)] == [ask(policy, 8, seed) for seed in range(20)]


def test_another_seed_draws_differently() -> None:
    policy = mixture([(1, named("a")), (1, named("b"))])
    assert len({tuple(each.model for each in ask(policy, 8, seed)) for seed in range(20)}) > 3


def script(folder: Path, name: str) -> str:
    file = folder / f"{name}.jsonl"
    file.write_text(json.dumps(name))
    return f"scripted:{file}"


def test_a_mixture_is_chosen_by_name(tmp_path: Path) -> None:
    policy = choose_policy(f"0.8*{script(tmp_path, 'a')} + 0.2*{script(tmp_path, 'b')}", Config())
    counts = drawn(policy, 200)
    assert 0.75 < counts["scripted:a.jsonl"] / 1600 < 0.85
    assert set(counts) == {"scripted:a.jsonl", "scripted:b.jsonl"}


def test_parts_without_a_weight_count_alike(tmp_path: Path) -> None:
    counts = drawn(choose_policy(f"{script(tmp_path, 'a')} + {script(tmp_path, 'b')}", Config()), 200)
    assert 0.45 < counts["scripted:a.jsonl"] / 1600 < 0.55


@pytest.mark.parametrize("spec", ["nothing", "openai:", "scripted:", "", "magic:x", "openai"])
def test_an_unknown_policy_is_named_with_the_known_ones(spec: str) -> None:
    with pytest.raises(
        InputError, match=r"not known; use rewrite, scripted:FILE, target, openai:MODEL, .*, hf:CHECKPOINT"
    ):
        choose_policy(spec, Config())


@pytest.mark.parametrize("weight", ["x", "0", "-1", "nan", "inf", ""])
def test_a_weight_must_be_a_number_above_0(weight: str) -> None:
    with pytest.raises(InputError, match="must be a number above 0"):
        choose_policy(f"{weight}*openai:a + 1*openai:b", Config())
