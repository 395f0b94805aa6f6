"""Races: held where a decision needs them, within their pairs, and the same again from the journal."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from math import exp

import pytest

from maxcode.core import Candidate, Mode, Noise, Outcome, Sample, Status
from maxcode.search.budget import PAIRS_AS_EVALUATION, Budget, Spent
from maxcode.search.loop import Searched, search
from maxcode.search.parts import Parts
from maxcode.search.racing import LAST_PAIRS
from maxcode.search.rewards import rescore
from maxcode.search.strategies import strategy
from maxcode.search.tree import Tree
from maxcode.store.journal import Journal
from maxcode.task import Task
from tests.search.fakes import (
    TASK,
    dawdling,
    grown,
    in_memory,
    instant_parts,
    measured,
    outcome,
    outcome_of,
    shape,
)

NOISE = 0.1
RACING = ["cuda-llm", "beam", "cuda-llm+maxcode"]


def noisy(found: Outcome, pairs: int, rng: random.Random) -> Outcome:
    """The outcome as so many pairs on a loud machine show it."""
    m = found.measurement
    if m is None:
        return found
    samples = [
        Sample(baseline=m.speedup * rng.lognormvariate(0, NOISE), candidate=1.0, method="exclusive")
        for _ in range(pairs)
    ]
    speedup = exp(sum(rng.gauss(0, NOISE) for _ in range(pairs)) / pairs) * m.speedup
    update = {"samples": tuple(samples), "speedup": speedup, "noise": Noise(exclusive=NOISE, pairs=5)}
    return found.model_copy(update={"measurement": m.model_copy(update=update)})


class Machine:
    """Measures by what programs say of themselves, with noise; counts the pairs that were asked for later."""

    def __init__(self, fails: bool = False) -> None:
        self.pairs = 0
        self._fails = fails

    async def evaluate(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del task, mode, seed
        return [noisy(outcome_of(each), 5, random.Random(each.id)) for each in candidates]

    async def further(self, task: Task, candidate: Candidate, pairs: int) -> Outcome:
        del task
        self.pairs += pairs
        if self._fails:
            return outcome(Status.CRASHED, reason="crashed in a timed run", candidate=candidate.id)
        return noisy(outcome_of(candidate), pairs, random.Random(f"{candidate.id}/{self.pairs}"))

    def parts(self, journal: Journal | None = None) -> Parts:
        return replace(instant_parts(journal), evaluate=self.evaluate, further=self.further)


def searched(name: str, parts: Parts, **limits: float) -> Searched:
    budget = Budget(evals=60).model_copy(update=limits)
    return asyncio.run(search(TASK, strategy(name), parts, budget=budget, seed=7))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("name", [*RACING, "mcts", "evolve", "flat"])
def test_races_stay_within_their_share_and_count_as_programs(name: str, share: float) -> None:
    machine = Machine()
    spent = searched(name, machine.parts(), race=share).spent
    assert spent.race_pairs == machine.pairs <= share * spent.evals * PAIRS_AS_EVALUATION + LAST_PAIRS
    assert spent.evals <= 60
    assert spent.evals >= 60 - share * 60 - 1


@pytest.mark.parametrize("name", RACING)
def test_close_programs_are_raced(name: str) -> None:
    assert searched(name, Machine().parts(), race=0.5).spent.race_pairs > LAST_PAIRS


@pytest.mark.parametrize("name", ["mcts", "evolve", "flat"])
def test_methods_that_do_not_expand_the_best_race_only_for_what_is_reported(name: str) -> None:
    assert searched(name, Machine().parts(), race=1.0).spent.race_pairs <= LAST_PAIRS


def test_what_is_reported_is_raced_for() -> None:
    assert searched("flat", Machine().parts()).spent.race_pairs > 0


def test_nothing_is_raced_where_nothing_can_be_measured_further() -> None:
    parts = replace(Machine().parts(), further=None)
    assert searched("cuda-llm", parts).spent.race_pairs == 0


@pytest.mark.parametrize("name", RACING)
def test_the_same_journal_gives_the_same_races_again(name: str) -> None:
    journal = in_memory()
    first = searched(name, Machine().parts(journal))

    async def never(task: Task, candidate: Candidate, pairs: int) -> Outcome:
        raise AssertionError(f"{task.name}, {candidate.id}: {pairs} pairs are on record")

    again = searched(name, dawdling(replace(Machine().parts(journal), further=never), 2))
    assert shape(again.tree) == shape(first.tree)
    assert [node.u for node in again.tree] == [node.u for node in first.tree]
    assert again.spent.race_pairs == first.spent.race_pairs > 0


def test_a_program_that_fails_in_a_race_is_no_longer_correct() -> None:
    found = searched("cuda-llm", Machine(fails=True).parts())
    failed = [node for node in found.tree if node.outcome.reason == "crashed in a timed run"]
    assert failed
    assert all(node.reward == 0.0 and not node.correct for node in failed)


def test_further_pairs_are_part_of_what_is_known_of_a_program() -> None:
    found = searched("cuda-llm", Machine().parts(), race=0.5)
    samples = [len(node.outcome.measurement.samples) for node in found.tree.nodes[1:] if node.outcome.measurement]
    assert sum(samples) == 5 * len(samples) + found.spent.race_pairs


@pytest.mark.parametrize("name", ["cuda-llm", "beam", "mcts", "evolve"])
def test_a_tree_that_was_rescored_is_consistent(name: str) -> None:
    """u and values are what a tree grown with these rewards has."""
    tree = searched(name, Machine().parts()).tree
    other = Tree(tree.task, tree.root.outcome)
    for node in tree.nodes[1:]:
        other.add(other.nodes[node.parent or 0], node.candidate, node.outcome, node.reward, step=node.step)
    assert [node.u for node in other] == [node.u for node in tree]
    assert [other.value(node) for node in other] == [tree.value(node) for node in tree]
    assert other.best.id == tree.best.id


def test_rescoring_changes_nothing_where_measurements_are_exact() -> None:
    tree = grown((0, 1.5, 1), (0, 0.0, 1), (1, 3.0, 2))
    before = shape(tree)
    rescore(tree)
    assert shape(tree) == before


def test_a_program_that_is_met_again_keeps_its_further_pairs() -> None:
    tree = grown((0, 1.5, 1))
    node = tree.nodes[1]
    tree.remeasure(node.candidate, outcome(measurement=measured(1.2), candidate=node.candidate.id))
    again = tree.add(tree.root, node.candidate, node.outcome, 1.5, step=2)
    rescore(tree)
    assert tree.nodes[again.id].reward == tree.nodes[1].reward == 1.2


@pytest.mark.parametrize(("spent", "room"), [(Spent(evals=10), 20), (Spent(evals=10, race_pairs=25), 18)])
def test_ten_pairs_of_races_count_as_a_program(spent: Spent, room: int) -> None:
    assert spent.room(Budget(evals=30)) == room
