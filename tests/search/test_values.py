"""Values that need no model."""

from __future__ import annotations

import asyncio

from maxcode.core import Proposal
from maxcode.search.values import any_proposal, any_state, novelty, own_reward, upper_confidence
from tests.search.fakes import TASK, add, grown


def test_a_state_is_worth_what_its_program_reached() -> None:
    tree = grown((0, 2.0, 1), (1, 0.0, 2), (1, 5.0, 2))
    assert asyncio.run(own_reward(tree, tree.nodes)).scores == (1.0, 2.0, 0.0, 5.0)


def test_of_equals_the_one_that_was_tried_less_is_more_promising() -> None:
    tree = grown((0, 2.0, 1), (0, 2.0, 1), *((1, 1.0, 2) for _ in range(5)))
    tried, fresh = upper_confidence(tree, tree.nodes[1:3])
    assert fresh > tried


def test_a_state_is_worth_at_least_the_best_below_it() -> None:
    tree = grown((0, 1.0, 1), (1, 5.0, 2), (0, 2.0, 2))
    values = upper_confidence(tree, tree.nodes)
    assert all(value > tree.value(node) for value, node in zip(values, tree, strict=True))
    assert values[1] > values[3]


def test_without_exploration_only_the_best_below_counts() -> None:
    tree = grown((0, 1.0, 1), (1, 5.0, 2), (0, 2.0, 2))
    assert upper_confidence(tree, tree.nodes, exploration=0.0) == [5.0, 5.0, 5.0, 2.0]


def test_novelty_ranks_new_and_larger_changes_first() -> None:
    tree = grown()
    known = add(tree, tree.root, 2.0, 1).candidate
    base = TASK.baseline_candidate.files[TASK.main_file]
    small, large = TASK.candidate(base.replace("int n = 0;", "int n;")), TASK.candidate("int main() {}\n")
    proposals = [Proposal(text="", candidate=each) for each in (known, small, large)] + [Proposal(text="")]
    scores = asyncio.run(novelty(tree, tree.root, proposals)).scores
    assert scores[2] > scores[1] > 0 > scores[0] == scores[3]


def test_chance_is_the_same_for_the_same_program() -> None:
    tree = grown(*((0, 2.0, 1) for _ in range(20)))
    states = asyncio.run(any_state(tree, tree.nodes)).scores
    proposals = [Proposal(text="", candidate=node.candidate) for node in tree]
    assert asyncio.run(any_proposal(tree, tree.root, proposals)).scores == states
    assert len(set(states)) == 21
    assert all(0 <= score < 1 for score in states)
    assert asyncio.run(any_proposal(tree, tree.root, [Proposal(text="")])).scores == (-1.0,)
