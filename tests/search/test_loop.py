"""The loop itself: budgets, charges, screening, critiques."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from maxcode.core import Candidate, Cost, Critique, InputError, Mode, Outcome, Proposal, Status
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Parts
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored, novelty
from maxcode.task import Task
from tests.search.fakes import (
    COST,
    TASK,
    constant_policy,
    instant_evaluator,
    instant_parts,
    instant_policy,
    program,
    ticking,
)

NAMES = [name + addition for name in STRATEGIES for addition in ("", "+maxcode")]
WHOLE = f"```cpp\n{program('speed 1.5')}```"


def run(name: str, parts: Parts, budget: Budget, screen: float | None = None, hedge: float = 0.0) -> tuple[Tree, Spent]:
    chosen = replace(strategy(name), screen=screen, hedge=hedge)
    found = asyncio.run(search(TASK, chosen, parts, budget=budget))
    return found.tree, found.spent


@pytest.mark.parametrize("evals", [1, 7, 100])
@pytest.mark.parametrize("name", NAMES)
def test_budget_of_programs_is_kept_exactly(name: str, evals: int) -> None:
    tree, spent = run(name, instant_parts(), Budget(evals=evals))
    assert spent.evals == evals
    assert len(tree) == evals + 1


@pytest.mark.parametrize("name", NAMES)
def test_tokens_stop_it_after_the_round_that_spent_them(name: str) -> None:
    limit = 25 * COST.tokens
    tree, spent = run(name, instant_parts(), Budget(evals=None, tokens=limit))
    last = len(tree.made_in(tree.last_step))
    assert limit <= spent.cost.tokens < limit + last * COST.tokens


def test_usd_stops_it() -> None:
    _, spent = run("beam", instant_parts(), Budget(evals=None, usd=0.2))
    assert spent.cost.usd is not None
    assert 0.2 <= spent.cost.usd < 0.3


def test_seconds_stop_it() -> None:
    tree, spent = run("flat", replace(instant_parts(), clock=ticking(10.0)), Budget(evals=None, seconds=45.0))
    assert spent.seconds == 50.0
    assert tree.last_step == 4, "rounds began at 10, 20, 30 and 40 seconds"


def test_critiques_are_paid_for_from_the_same_purse() -> None:
    async def critic(tree: Tree, node: Node) -> Critique:
        del tree, node
        return Critique(text="slow", cost=Cost(prompt_tokens=10_000, usd=1.0))

    parts = instant_parts(critic=critic)
    _, spent = run("cuda-llm+maxcode", parts, Budget(evals=None, tokens=15_000))
    assert spent.critique.tokens == 20_000
    assert spent.evals == 16


def test_costs_of_all_answers_are_counted() -> None:
    _, spent = run("cuda-llm", instant_parts(), Budget(evals=20))
    assert spent.cost.tokens == 20 * COST.tokens
    assert spent.cost.usd == pytest.approx(20 * 0.01)


def test_an_unknown_price_stays_unknown() -> None:
    parts = replace(instant_parts(), policy=constant_policy(WHOLE, cost=Cost(prompt_tokens=5)))
    _, spent = run("flat", parts, Budget(evals=8))
    assert spent.cost.usd is None
    assert spent.cost.tokens == 40


def test_an_answer_without_code_is_a_rejected_node_and_is_charged() -> None:
    parts = replace(instant_parts(), policy=constant_policy("No.", WHOLE))
    tree, spent = run("flat", parts, Budget(evals=2))
    assert [node.outcome.status for node in tree] == [Status.OK, Status.REJECTED, Status.OK]
    assert "no code block" in (tree.nodes[1].outcome.reason or "")
    assert tree.nodes[1].reward == 0.0
    assert (spent.evals, spent.cost.tokens) == (2, 2 * COST.tokens)


def test_an_answer_without_code_is_not_sent_to_the_evaluator() -> None:
    seen: list[Candidate] = []

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        seen.extend(candidates)
        return await instant_evaluator(task, candidates, mode=mode, seed=seed)

    run("flat", replace(instant_parts(), policy=constant_policy("No."), evaluate=evaluate), Budget(evals=8))
    assert [candidate.origin for candidate in seen] == ["baseline"]


@pytest.mark.parametrize("name", ["cuda-llm+maxcode", "beam+maxcode", "mcts+maxcode", "effi-learner+maxcode"])
def test_a_search_without_any_code_spends_its_budget_and_keeps_the_baseline(name: str) -> None:
    parts = replace(instant_parts(), policy=constant_policy("No."))
    tree, spent = run(name, parts, Budget(evals=30))
    assert spent.evals == 30
    assert tree.best is tree.root


def test_each_program_is_asked_for_with_its_own_seed() -> None:
    asked: list[int] = []
    seeds: list[int] = []

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        asked.extend(range(observation.program, observation.program + n))
        seeds.extend(range(seed, seed + n))
        return await instant_policy(observation, n, seed)

    asyncio.run(
        search(TASK, strategy("beam"), replace(instant_parts(), policy=policy), budget=Budget(evals=50), seed=3)
    )
    assert sorted(asked) == list(range(50))
    assert sorted(seeds) == list(range(3_000_000, 3_000_050))


def test_the_same_program_twice_in_a_round_is_evaluated_once() -> None:
    seen: list[str] = []

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        await asyncio.sleep(0)
        seen.extend(candidate.id for candidate in candidates)
        return await instant_evaluator(task, candidates, mode=mode, seed=seed)

    parts = replace(instant_parts(), policy=constant_policy(WHOLE), evaluate=evaluate)
    tree, _ = run("flat", parts, Budget(evals=8))
    assert len(tree) == 9
    assert len(seen) == len(set(seen)) == 2
    assert parts.journal.asked_again() == []


def test_screening_evaluates_its_share_and_charges_for_all() -> None:
    tree, spent = run("flat", replace(instant_parts(), screen=novelty), Budget(evals=16), screen=0.5)
    assert spent.evals == 16
    assert len(tree) == 1 + 8


def test_screening_leaves_out_answers_without_code_first() -> None:
    parts = replace(instant_parts(), policy=constant_policy("No.", WHOLE), screen=novelty)
    tree, _ = run("flat", parts, Budget(evals=8), screen=0.5)
    assert [node.correct for node in tree] == [True] * 5


def test_screening_takes_one_program_once() -> None:
    other = f"```cpp\n{program('speed 1.5', 'more', 'lines')}```"
    parts = replace(instant_parts(), policy=constant_policy(other, other, other, WHOLE), screen=novelty)
    tree, _ = run("flat", parts, Budget(evals=4), screen=0.5)
    assert len({node.candidate.id for node in tree}) == 3


def test_screening_is_over_all_proposals_of_a_round() -> None:
    """Rounds of many expansions with one sample each are screened like one expansion with many."""
    tree, spent = run("evolve", replace(instant_parts(), screen=novelty), Budget(evals=16), screen=0.5)
    assert spent.evals == 16
    assert len(tree) == 1 + 8


def test_screening_keeps_the_order_of_the_answers() -> None:
    texts = [f"```cpp\n{program(f'speed 1.{i}', *['more'] * i)}```" for i in range(1, 9)]
    parts = replace(instant_parts(), policy=constant_policy(*texts), screen=novelty)
    tree, _ = run("flat", parts, Budget(evals=8), screen=0.5)
    rewards = [node.reward for node in tree.nodes[1:]]
    assert rewards == sorted(rewards)


def test_a_hedged_screen_keeps_the_most_promising_and_gives_the_other_places_to_chance() -> None:
    async def last_is_best(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
        del tree, node
        return Scored(scores=tuple(range(len(proposals))))

    kept: list[int] = []
    for turn in range(10):
        texts = [f"```cpp\n{program(f'speed 1.{i}', f'turn {turn}')}```" for i in range(8)]
        parts = replace(instant_parts(), policy=constant_policy(*texts), screen=last_is_best)
        tree, _ = run("flat", parts, Budget(evals=8), screen=0.5, hedge=0.5)
        kept += [round((node.reward - 1) * 10) for node in tree.nodes[1:]]
    counts = Counter(kept)
    assert counts[6] == counts[7] == 10
    assert sum(counts.values()) == 40
    assert all(0 < counts[i] < 10 for i in range(6))


def test_a_state_is_criticised_once_and_only_when_it_is_expanded() -> None:
    seen: list[int] = []

    async def critic(tree: Tree, node: Node) -> Critique:
        del tree
        seen.append(node.id)
        return Critique(text="slow")

    tree, _ = run("cuda-llm+maxcode", instant_parts(critic=critic), Budget(evals=80))
    expanded = {node.parent for node in tree if node.parent is not None}
    assert len(seen) == len(set(seen))
    assert set(seen) == expanded


def test_a_strategy_without_critique_asks_no_critic() -> None:
    async def critic(tree: Tree, node: Node) -> Critique:
        raise AssertionError((tree, node))

    tree, _ = run("cuda-llm", instant_parts(critic=critic), Budget(evals=20))
    assert tree.critiques == {}


def test_a_strategy_with_critique_works_without_a_critic() -> None:
    tree, spent = run("cuda-llm+maxcode", instant_parts(critic=None), Budget(evals=20))
    assert (spent.evals, tree.critiques) == (20, {})


def test_the_root_is_worth_one_whatever_was_measured() -> None:
    tree, _ = run("flat", instant_parts(), Budget(evals=1))
    assert (tree.root.reward, tree.root.u) == (1.0, 1.0)


def test_a_baseline_that_does_not_work_is_said_before_anything_is_asked() -> None:
    async def wrong(task: Task, candidates: list[Candidate], **_: object) -> list[Outcome]:
        return [
            Outcome(candidate=c.id, task=task.hash, status=Status.WRONG, reason="hidden 3: wrong output")
            for c in candidates
        ]

    with pytest.raises(InputError, match="the baseline itself is wrong: hidden 3"):
        asyncio.run(search(TASK, strategy("flat"), replace(instant_parts(), evaluate=wrong), budget=Budget(evals=4)))
