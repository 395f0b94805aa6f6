"""The search: one loop for every method. What differs between methods is in the `Strategy`.

select → observe → policy → screen → evaluate → critic, round by round. A round's answers are taken in the order they
were asked for, whatever the order they arrived in, so the tree depends only on task, strategy, seed and answers.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from math import ceil, exp
from typing import TypeVar

from maxcode.core import Candidate, Cost, Critique, Fact, Frozen, InputError, Mode, Outcome, Proposal, Status
from maxcode.search.budget import Budget, Spent
from maxcode.search.mdp import reward
from maxcode.search.observe.observation import Example, observe
from maxcode.search.parts import Parts, Screen
from maxcode.search.selection import Expansion, Values
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree
from maxcode.search.values import Scored, chance_of, own_reward, upper_confidence
from maxcode.store.journal import Journal
from maxcode.task.model import Task

_SEEDS = 1_000_000
"""Stride of seeds: a policy's seed is the run's seed times this, plus the number of the first program asked for."""


@dataclass(frozen=True)
class Searched:
    """What a search has found, and what it took."""

    tree: Tree
    spent: Spent


class _Facts(Frozen):
    facts: tuple[Fact, ...]


class _Examples(Frozen):
    examples: tuple[Example, ...]


class _Proposals(Frozen):
    proposals: tuple[Proposal, ...]


class _Seconds(Frozen):
    seconds: float


_Record = TypeVar("_Record", bound=Frozen)


async def _kept(
    journal: Journal, kind: str, key: str, record: type[_Record], work: Callable[[], Awaitable[_Record]]
) -> _Record:
    """Returns the answer in the journal; without one, runs `work` and writes its answer to the journal."""
    return record.model_validate(await journal.remembered(kind, key, work))


async def search(task: Task, strategy: Strategy, parts: Parts, *, budget: Budget, seed: int = 0) -> Searched:
    """Grows a tree until the budget is spent or the strategy has nothing left to expand."""
    started = parts.clock() - parts.journal.seconds_before
    baseline = await evaluated(task, parts, task.baseline_candidate)
    if baseline.status is not Status.OK:
        reason = (baseline.reason or "no reason given").splitlines()[0]
        raise InputError(
            f"{task.folder}: the baseline itself is {baseline.status.value}: {reason}. See `maxcode check`."
        )
    tree = Tree(task, baseline, returns=strategy.returns, gamma=strategy.gamma)
    select, spent = strategy.select(), Spent()
    scores = {0: 0.0 if strategy.value == "model" else 1.0}
    values = _values(strategy, tree, scores)
    for step in itertools.count(1):
        spent = spent.model_copy(update={"seconds": await _clock(parts, step, started)})
        parts.watch(tree, spent)
        expansions = _affordable(select(tree, values, random.Random(f"{seed}/{step}")), spent.room(budget))
        if not expansions:
            return Searched(tree, spent)
        if strategy.profile:
            await _profile(tree, expansions, parts)
        if strategy.critique == "expanded":
            spent = await _criticise(tree, [tree.nodes[each.node.id] for each in expansions], parts, spent)
        firsts = itertools.accumulate((each.samples for each in expansions), initial=spent.evals)
        asked = await asyncio.gather(
            *(
                _proposed(tree, each, strategy, parts, f"{step}.{i}", first, seed)
                for i, (each, first) in enumerate(zip(expansions, firsts, strict=False))
            )
        )
        spent = _charged(spent, asked)
        chosen, screening = await _screened(tree, expansions, asked, strategy, parts, step)
        spent = spent.model_copy(update={"value": spent.value + screening})
        judged = await asyncio.gather(*(_judged(task, parts, each.node, proposal) for each, proposal in chosen))
        fresh = [
            tree.add(each.node, candidate, outcome, reward(outcome), step=step, island=each.island)
            for (each, _), (candidate, outcome) in zip(chosen, judged, strict=True)
        ]
        if strategy.critique == "all":
            spent = await _criticise(tree, fresh, parts, spent)
        valued = await _valued(tree, fresh, strategy, parts, str(step))
        spent = spent.model_copy(update={"value": spent.value + valued.cost})
        scores |= dict(zip((node.id for node in fresh), valued.scores, strict=True))
    raise AssertionError("unreachable")


def _charged(spent: Spent, asked: Sequence[Sequence[Proposal]]) -> Spent:
    """Adds the cost of a round's answers to what was spent. Programs that screening leaves out are charged too."""
    proposals = [proposal for answers in asked for proposal in answers]
    cost = sum((proposal.cost for proposal in proposals), spent.cost)
    return spent.model_copy(update={"evals": spent.evals + len(proposals), "cost": cost})


async def _valued(tree: Tree, nodes: list[Node], strategy: Strategy, parts: Parts, key: str) -> Scored:
    """Scores of new nodes. A model's are kept in the journal: a resumed run has the same, even if the model changed."""
    if strategy.value != "model":
        return await own_reward(tree, nodes)
    return await _kept(parts.journal, "value", key, Scored, lambda: parts.value(tree, nodes))


async def _clock(parts: Parts, step: int, started: float) -> float:
    """Seconds of search before this round, kept in the journal, so that a replay stops at the same round."""

    async def read() -> _Seconds:
        return _Seconds(seconds=parts.clock() - started)

    return (await _kept(parts.journal, "clock", str(step), _Seconds, read)).seconds


def _values(strategy: Strategy, tree: Tree, scores: dict[int, float]) -> Values:
    if strategy.value == "ucb":
        return lambda nodes: dict(zip((n.id for n in nodes), upper_confidence(tree, nodes), strict=True))
    if strategy.value == "model":  # its scores are logarithms; rules may compare ratios
        return lambda nodes: {node.id: exp(scores[node.id]) for node in nodes}
    return lambda nodes: {node.id: scores[node.id] for node in nodes}


def _affordable(expansions: list[Expansion], room: int) -> list[Expansion]:
    """The expansions that the budget still covers, the last one cut to what is left."""
    kept = []
    for expansion in expansions:
        samples = min(expansion.samples, room)
        if samples:
            kept.append(Expansion(expansion.node, samples, expansion.island))
            room -= samples
    return kept


async def _proposed(
    tree: Tree, expansion: Expansion, strategy: Strategy, parts: Parts, key: str, program: int, seed: int
) -> tuple[Proposal, ...]:
    node = tree.nodes[expansion.node.id]
    examples = await _retrieved(tree.task, node, strategy, parts)
    observation = observe(tree, node, strategy.blocks, examples, program=program)

    async def ask() -> _Proposals:
        answers = await parts.policy(observation, expansion.samples, seed * _SEEDS + program)
        return _Proposals(proposals=tuple(answers))

    return (await _kept(parts.journal, "policy", key, _Proposals, ask)).proposals


async def _retrieved(task: Task, node: Node, strategy: Strategy, parts: Parts) -> tuple[Example, ...]:
    """Examples for a node, kept in the journal at the first request: other runs add cases at any time."""
    retrieve = parts.retrieve
    if retrieve is None or "examples" not in strategy.blocks:
        return ()

    async def ask() -> _Examples:
        return _Examples(examples=retrieve(task, node))

    return (await _kept(parts.journal, "examples", node.candidate.id, _Examples, ask)).examples


_Chosen = list[tuple[Expansion, Proposal]]


async def _screened(
    tree: Tree,
    expansions: list[Expansion],
    asked: Sequence[Sequence[Proposal]],
    strategy: Strategy,
    parts: Parts,
    step: int,
) -> tuple[_Chosen, Cost]:
    """The proposals of a round that will be run, in their order, and the cost of screening them.

    Call it before any program of the round runs: a model on this machine would disturb timings.
    """
    made = [(each, proposal) for each, answers in zip(expansions, asked, strict=True) for proposal in answers]
    if strategy.screen is None or parts.screen is None or len(made) < 2:
        return made, Cost()
    scored = [
        await _promises(tree, tree.nodes[each.node.id], answers, parts.screen, parts.journal, f"{step}.{i}")
        for i, (each, answers) in enumerate(zip(expansions, asked, strict=True))
    ]
    scores = [score for each in scored for score in each.scores]
    worthless = _worthless([proposal for _, proposal in made])
    places = ceil(strategy.screen * len(made))
    by_score = sorted(range(len(made)), key=lambda i: (worthless[i], -scores[i], i))
    best = by_score[: places - int(strategy.hedge * places)]
    others = sorted(by_score[len(best) :], key=lambda i: (worthless[i], -chance_of(made[i][1]), i))
    kept = [*best, *others[: places - len(best)]]
    return [made[i] for i in sorted(kept)], sum((each.cost for each in scored), Cost())


async def _promises(
    tree: Tree, node: Node, proposals: Sequence[Proposal], screen: Screen, journal: Journal, key: str
) -> Scored:
    return await _kept(journal, "screen", key, Scored, lambda: screen(tree, node, list(proposals)))


def _worthless(proposals: Sequence[Proposal]) -> list[int]:
    """Rank of each proposal: 0 for a new program, 1 for one that an earlier proposal has too, 2 for no program."""
    met: set[str] = set()
    found = []
    for proposal in proposals:
        program = proposal.candidate.id if proposal.candidate else None
        found.append(2 if program is None else int(program in met))
        met |= {program} if program else set()
    return found


async def _judged(task: Task, parts: Parts, parent: Node, proposal: Proposal) -> tuple[Candidate, Outcome]:
    """Candidate and outcome of a proposal. One without a program gets an empty candidate, which is rejected."""
    if proposal.candidate is None:
        empty = Candidate(files={}, parent=parent.candidate.id, origin=proposal.model)
        reason = proposal.problem or "the answer contains no program"
        return empty, Outcome(candidate=empty.id, task=task.hash, status=Status.REJECTED, reason=reason)
    return proposal.candidate, await evaluated(task, parts, proposal.candidate)


async def evaluated(task: Task, parts: Parts, candidate: Candidate) -> Outcome:
    """Outcome of a candidate, from the journal or from the evaluator."""

    async def ask() -> Outcome:
        (outcome,) = await parts.evaluate(task, [candidate], mode=Mode.SEARCH)
        return outcome

    return await _kept(parts.journal, "evaluate", candidate.id, Outcome, ask)


async def _profile(tree: Tree, expansions: list[Expansion], parts: Parts) -> None:
    """Profiles the correct programs that are about to be expanded, each program once."""
    profile = parts.profile
    if profile is None:
        return
    nodes = {each.node.id: tree.nodes[each.node.id] for each in expansions}
    wanted = [node for node in nodes.values() if node.correct and not node.outcome.facts]

    async def one(node: Node) -> tuple[Fact, ...]:
        async def ask() -> _Facts:
            return _Facts(facts=await profile(tree.task, node.candidate))

        return (await _kept(parts.journal, "profile", node.candidate.id, _Facts, ask)).facts

    for node, facts in zip(wanted, await asyncio.gather(*map(one, wanted)), strict=True):
        tree.annotate(node, facts)


async def _criticise(tree: Tree, nodes: list[Node], parts: Parts, spent: Spent) -> Spent:
    """Asks for critiques of the nodes that have none yet; a node gets one critique, however often it is expanded."""
    critic = parts.critic
    if critic is None:
        return spent
    wanted = [node for node in {node.id: node for node in nodes}.values() if tree.critique(node) is None]

    async def one(node: Node) -> Critique:
        return await _kept(parts.journal, "critic", str(node.id), Critique, lambda: critic(tree, node))

    for node, critique in zip(wanted, await asyncio.gather(*map(one, wanted)), strict=True):
        tree.critiques[node.id] = critique
        spent = spent.model_copy(update={"critique": spent.critique + critique.cost})
    return spent
