"""The search: one loop for every method. What differs between methods is in the `Strategy`.

select → profile and criticise → observe → policy → screen → evaluate

A selection begins a round, whose questions, builds and timings run beside the loop (rounds.py, flight.py). The next
selection comes as soon as no more than `strategy.ahead` of the programs asked for are without a verdict. With 0, rounds
follow one another, and a round's programs enter the tree in the order they were asked for. With more, they enter it in
the order their verdicts fell, which is on record before it is used. So the tree depends only on task, strategy, seed,
answers and that order.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp

from maxcode.core import Critique, Frozen, InputError, Outcome, Status
from maxcode.search.asking import criticised
from maxcode.search.budget import Budget, Spent
from maxcode.search.flight import Flight
from maxcode.search.mdp import reward
from maxcode.search.parts import Judged, Parts, Verify
from maxcode.search.racing import raced
from maxcode.search.remembered import evaluated, remembered
from maxcode.search.rounds import Round, RoundRunner, round_of
from maxcode.search.selection import Expansion, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored, own_reward, upper_confidence
from maxcode.task.model import Task


@dataclass(frozen=True)
class Searched:
    """Tree of a search, and what it spent."""

    tree: Tree
    spent: Spent


class _Known(Frozen):
    """Programs that a selection knows, as the journal keeps them."""

    seconds: float
    """Seconds of search before it, so that a replay stops at the same round."""
    programs: tuple[int, ...] | None = None
    """Programs judged since the last selection, in the order of use; None for all that were asked for, in order."""


@dataclass
class _Growth:
    """A tree that grows: what it cost, how its nodes are valued, and the rounds that none of its nodes is from yet."""

    tree: Tree
    strategy: Strategy
    parts: Parts
    scores: dict[int, float]
    spent: Spent = field(default_factory=Spent)
    rounds: list[Round] = field(default_factory=list)


async def search(task: Task, strategy: Strategy, parts: Parts, *, budget: Budget, seed: int = 0) -> Searched:
    """Grows a tree until the budget is spent or the strategy has nothing left to expand."""
    started = parts.clock() - parts.journal.seconds_before
    async with Flight(parts.judged) as flight:
        baseline = flight.start(_baseline(task, parts))
        verify = _early(task, strategy, parts)
        first = await (_verified(task, parts, verify) if verify else baseline)
        tree = Tree(task, first, returns=strategy.returns, gamma=strategy.gamma)
        growth = _Growth(tree, strategy, parts, {0: 0.0})
        runner = RoundRunner(task, strategy, parts, flight, baseline, seed)
        select, values, ahead = strategy.select(), _values(growth), strategy.ahead
        for step in itertools.count(1):
            known = await _known(flight, strategy, parts, step, started, ahead)
            growth.spent = growth.spent.model_copy(update={"seconds": known.seconds})
            if taken := flight.take(known.programs):
                tree.expected.subtract(each.expansion.node.id for each in taken)
                _complete(tree, await baseline)
                await _grow(growth, taken, step - 1)
            if not flight.out or growth.spent.room(budget):  # the last race waits for the last verdict
                growth.spent = await raced(tree, strategy, parts, budget, growth.spent)
            parts.watch(tree, growth.spent)
            room = growth.spent.room(budget) - flight.out
            expansions = _affordable(select(tree, values, random.Random(f"{seed}/{step}")), room)
            if not expansions and not flight.out:
                return Searched(tree, growth.spent)
            ahead = strategy.ahead if expansions else 0  # nothing more to ask for: what is under way decides
            if expansions:
                _begin(growth, runner, round_of(step, expansions, tree, flight.asked))
    raise AssertionError("unreachable")


async def _baseline(task: Task, parts: Parts) -> Outcome:
    return _required(task, await evaluated(task, parts, task.baseline_candidate))


def _early(task: Task, strategy: Strategy, parts: Parts) -> Verify | None:
    """Check after which the first questions are asked; None where they wait until the baseline is timed.

    A run that is read or resumed begins as it began before.
    """
    known, baseline = parts.journal.has, task.baseline_candidate.id
    begins = strategy.ahead or (parts.early and not known("evaluate", baseline))
    return parts.verify if begins or known("verify", baseline) else None


async def _verified(task: Task, parts: Parts, verify: Verify) -> Outcome:
    """The baseline's outcome without its timing, which goes on: enough to ask the first questions."""
    baseline = task.baseline_candidate
    found = await remembered(parts.journal, "verify", baseline.id, Outcome, lambda: verify(task, baseline))
    return _required(task, found)


def _required(task: Task, baseline: Outcome) -> Outcome:
    if baseline.status is not Status.OK:
        reason = baseline.first_line or "no reason given"
        raise InputError(
            f"{task.folder}: the baseline itself is {baseline.status.value}: {reason}. See `maxcode check`."
        )
    return baseline


def _complete(tree: Tree, baseline: Outcome) -> None:
    """Gives the root its timing where the first questions did not wait for it."""
    if tree.root.outcome.measurement is None:
        tree.replace_outcome(tree.root, baseline.model_copy(update={"facts": tree.root.outcome.facts}))


async def _known(flight: Flight, strategy: Strategy, parts: Parts, step: int, started: float, ahead: int) -> _Known:
    """Waits until all but `ahead` programs have verdicts. On record: waits for those that the selection knew then."""

    async def note() -> _Known:
        order = tuple(flight.fallen) if strategy.ahead else None
        return _Known(seconds=parts.clock() - started, programs=order)

    if not parts.journal.has("clock", str(step)):
        await flight.until(lambda: flight.out - len(flight.fallen) <= ahead)
    known = await remembered(parts.journal, "clock", str(step), _Known, note)
    await flight.until(lambda: flight.has(known.programs), on_record=True)
    return known


def _begin(growth: _Growth, runner: RoundRunner, round_: Round) -> None:
    """Sets a round going beside the loop."""
    for each in round_.expansions:
        growth.tree.expected[each.node.id] += each.samples
    growth.rounds.append(round_)
    runner.flight.asked += len(round_.programs)
    runner.flight.start(runner.run(round_))


async def _grow(growth: _Growth, taken: list[Judged], step: int) -> None:
    """Puts verdicts into the tree in this order, with what their rounds found out about the nodes they expand."""
    tree, programs = growth.tree, {each.program for each in taken}
    for round_ in [each for each in growth.rounds if programs.intersection(each.programs)]:
        growth.rounds.remove(round_)
        _settle(growth, round_)
    growth.spent = _charged(growth.spent, taken)
    fresh = [_added(tree, each, step) for each in taken if each.outcome is not None]
    if growth.strategy.critique == "all":
        _learn(growth, await criticised(tree, list(filter(growth.strategy.criticises, fresh)), growth.parts))
    valued = await _valued(growth, fresh, str(step))
    growth.spent = growth.spent.model_copy(update={"value": growth.spent.value + valued.cost})
    growth.scores |= dict(zip((node.id for node in fresh), valued.scores, strict=True))


def _settle(growth: _Growth, round_: Round) -> None:
    """Takes over the profiles and critiques that a round had made for its questions, and charges for them."""
    for each in round_.expansions:
        facts = round_.tree.nodes[each.node.id].outcome.facts
        growth.tree.annotate(growth.tree.nodes[each.node.id], facts)
    _learn(growth, round_.tree.critiques)
    growth.spent = growth.spent.model_copy(update={"value": growth.spent.value + round_.screening})


def _learn(growth: _Growth, critiques: Mapping[int, Critique]) -> None:
    """Takes over critiques of nodes that have none yet. Each is charged for once, whichever rounds asked for it."""
    new = {node: critique for node, critique in critiques.items() if node not in growth.tree.critiques}
    growth.tree.critiques |= new
    cost = sum((critique.cost for critique in new.values()), growth.spent.critique)
    growth.spent = growth.spent.model_copy(update={"critique": cost})


def _charged(spent: Spent, taken: list[Judged]) -> Spent:
    """Adds the cost of answers to what was spent. Answers that screening leaves out are charged too."""
    cost = sum((each.proposal.cost for each in taken), spent.cost)
    return spent.model_copy(update={"evals": spent.evals + len(taken), "cost": cost})


def _added(tree: Tree, judged: Judged, step: int) -> Node:
    parent, outcome = tree.nodes[judged.expansion.node.id], judged.outcome
    assert judged.candidate is not None and outcome is not None
    return tree.add(
        parent,
        judged.candidate,
        outcome,
        reward(outcome),
        step=step,
        island=judged.expansion.island,
        cost=judged.proposal.cost,
        answer=judged.proposal.text,
        program=judged.program,
    )


async def _valued(growth: _Growth, nodes: list[Node], key: str) -> Scored:
    """Scores of new nodes. A model's are kept in the journal: a resumed run has the same, even if the model changed."""
    if growth.strategy.value != "model":
        return await own_reward(growth.tree, nodes)
    parts = growth.parts
    return await remembered(parts.journal, "value", key, Scored, lambda: parts.value(growth.tree, nodes))


def _values(growth: _Growth) -> Values:
    tree, scores = growth.tree, growth.scores
    if growth.strategy.value == "ucb":
        return lambda nodes: dict(zip((n.id for n in nodes), upper_confidence(tree, nodes), strict=True))
    if growth.strategy.value == "model":  # its scores are logarithms; rules may compare ratios
        return lambda nodes: {node.id: exp(scores[node.id]) for node in nodes}
    return lambda nodes: {node.id: node.reward for node in nodes}


def _affordable(expansions: list[Expansion], room: int) -> list[Expansion]:
    """The expansions that the budget still covers, the last one cut to what is left."""
    covered = []
    for expansion in expansions:
        samples = min(expansion.samples, room)
        if samples > 0:
            covered.append(Expansion(expansion.node, samples, expansion.island))
            room -= samples
    return covered
