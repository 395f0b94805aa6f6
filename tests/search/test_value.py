"""A model in the search: it decides what is expanded and what is run, is asked once, and is paid for."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from maxcode.core import InputError, Proposal
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import search
from maxcode.search.parts import Parts
from maxcode.search.selection import Expansion, Values
from maxcode.search.strategies import strategy
from maxcode.search.strategies.beam import beam
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored
from maxcode.value.features import log_reward
from maxcode.value.model import NEVER, Models, model_screen, model_value
from maxcode.value.state import State
from tests.search.fakes import COST, TASK, in_memory, instant_parts, shape


class Slowest:
    """Believes in slow programs: the opposite of greed, so that its choices show."""

    def __init__(self, reads: Literal["features", "text"] = "features") -> None:
        self.reads: Literal["features", "text"] = reads
        self.asked: list[int] = []

    def scores(self, states: Sequence[State]) -> list[float]:
        self.asked.append(len(states))
        return [-log_reward(state.reward or 0.0) if not state.masked else float(state.depth) for state in states]


def with_model(model: Slowest, parts: Parts | None = None) -> Parts:
    models = Models(model, model, frozenset())
    made = parts or instant_parts()
    return replace(made, value=model_value(models), screen=model_screen(models))


def run(name: str, parts: Parts, budget: Budget, screen: float | None = None) -> tuple[Tree, Spent]:
    chosen = replace(strategy(name), screen=screen)
    found = asyncio.run(search(TASK, chosen, parts, budget=budget))
    return found.tree, found.spent


def expanded(tree: Tree) -> list[Node]:
    return [node for node in tree.nodes[1:] if tree.children(node)]


def test_the_model_decides_which_correct_program_is_expanded() -> None:
    tree, _ = run("cuda-llm+value", with_model(Slowest()), Budget(evals=64))
    assert expanded(tree)
    for node in expanded(tree):
        correct = [each for each in tree.made_in(node.step) if each.correct]
        assert not correct or node.reward == min(each.reward for each in correct)


def test_without_value_the_model_is_not_asked() -> None:
    model = Slowest()
    tree, spent = run("cuda-llm", with_model(model), Budget(evals=24))
    assert model.asked == []
    assert shape(tree) == shape(run("cuda-llm", instant_parts(), Budget(evals=24))[0])
    assert spent.value.seconds == 0


def test_a_round_is_one_batch() -> None:
    model = Slowest()
    tree, _ = run("beam+value", with_model(model), Budget(evals=36))
    assert len(model.asked) == tree.last_step == 4


def test_scores_on_record_are_not_asked_for_again() -> None:
    journal = in_memory()
    first, _ = run("cuda-llm+value", with_model(Slowest(), instant_parts(journal)), Budget(evals=40), screen=0.5)

    async def value(tree: Tree, nodes: list[Node]) -> Scored:
        raise AssertionError((tree, nodes))

    async def screen(tree: Tree, node: Node, proposals: list[Proposal]) -> Scored:
        raise AssertionError((tree, node, proposals))

    again = replace(instant_parts(journal), value=value, screen=screen)
    assert shape(run("cuda-llm+value", again, Budget(evals=40), screen=0.5)[0]) == shape(first)


def test_what_a_model_reads_is_paid_for_from_the_same_purse() -> None:
    free, _ = run("cuda-llm+value", with_model(Slowest()), Budget(evals=None, tokens=40 * COST.tokens))
    tree, spent = run("cuda-llm+value", with_model(Slowest("text")), Budget(evals=None, tokens=40 * COST.tokens))
    assert spent.value.tokens > 0
    assert spent.total.tokens == spent.cost.tokens + spent.value.tokens >= 40 * COST.tokens
    assert len(tree) < len(free)


def test_screening_counts_as_spending_too() -> None:
    _, spent = run("flat", with_model(Slowest("text")), Budget(evals=16), screen=0.5)
    assert spent.value.tokens > 0


def test_a_program_that_the_tree_has_is_screened_out_first() -> None:
    tree, _ = run("flat", instant_parts(), Budget(evals=8))
    known = next(node.candidate for node in tree.nodes[1:] if node.candidate.files)
    fresh = TASK.candidate("int main() { return 0; }\n")
    proposals = [Proposal(text="", candidate=known), Proposal(text=""), Proposal(text="", candidate=fresh)]
    screen = model_screen(Models(Slowest(), Slowest(), frozenset()))
    found = asyncio.run(screen(tree, tree.root, proposals))
    assert found.scores == (NEVER, NEVER, 1.0)


def test_equal_states_are_scored_once() -> None:
    tree, _ = run("flat", instant_parts(), Budget(evals=8))
    model = Slowest()
    value = model_value(Models(model, model, frozenset()))
    twice = [asyncio.run(value(tree, tree.nodes[1:])).scores for _ in range(2)]
    assert twice[0] == twice[1]
    assert sum(model.asked) <= 8


def test_rules_see_the_rewards_a_model_expects_not_their_logarithms() -> None:
    seen: list[float] = []

    def select(tree: Tree, values: Values, rng: random.Random) -> list[Expansion]:
        seen.extend(values(tree.nodes).values())
        return beam(1, 2, 8)(tree, values, rng)

    class Hopeless(Slowest):
        def scores(self, states: Sequence[State]) -> list[float]:
            return [math.log(0.25)] * len(states)

    chosen = replace(strategy("beam+value"), select=lambda: select)
    asyncio.run(search(TASK, chosen, with_model(Hopeless()), budget=Budget(evals=4)))
    assert {round(value, 6) for value in seen} == {1.0, 0.25}


@pytest.mark.parametrize("name", ["flat+value", "paths+ucb", "evolve+maxcode+value"])
def test_a_rule_that_does_not_look_at_values_is_not_given_any(name: str) -> None:
    with pytest.raises(InputError, match="only where states are ranked; leave it out"):
        strategy(name)


@pytest.mark.parametrize("name", ["cuda-llm+maxcode+value", "beam+value", "mcts+value", "rollouts+value"])
def test_every_strategy_takes_a_model(name: str) -> None:
    tree, spent = run(name, with_model(Slowest()), Budget(evals=40), screen=0.5)
    assert spent.evals == 40
    assert spent.value.seconds > 0
    assert len(tree) < 41
