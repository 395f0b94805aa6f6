"""From an expansion to answers: profile and critique of the node, its observation, and the policy's answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from maxcode.core import Critique, Fact, Frozen, Proposal
from maxcode.search.observe.observation import Observation, SolvedCase, observe
from maxcode.search.parts import Parts, Policy, batches
from maxcode.search.remembered import remembered
from maxcode.search.selection import Expansion
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Node, Tree

_SEEDS = 1_000_000
"""Stride of seeds: a policy's seed is the run's seed times this, plus the number of the first program asked for."""


@dataclass(frozen=True)
class Question:
    """An expansion as it is put to the policy."""

    key: str
    """Round and place in it, as in the journal."""
    expansion: Expansion
    program: int
    """Number in the run of the first program asked for."""


class _Facts(Frozen):
    facts: tuple[Fact, ...]


class _Examples(Frozen):
    examples: tuple[SolvedCase, ...]


class _Proposals(Frozen):
    proposals: tuple[Proposal, ...]
    program: int | None = None
    """Number in the run of the first of them; None in journals that have whole questions only."""


async def profiled(tree: Tree, expansions: list[Expansion], parts: Parts) -> None:
    """Profiles the correct programs that are about to be expanded, each program once."""
    profile = parts.profile
    if profile is None:
        return
    nodes = {each.node.id: tree.nodes[each.node.id] for each in expansions}
    wanted = [node for node in nodes.values() if node.correct and not node.outcome.facts]

    async def one(node: Node) -> tuple[Fact, ...]:
        async def ask() -> _Facts:
            return _Facts(facts=await profile(tree.task, node.candidate))

        return (await remembered(parts.journal, "profile", node.candidate.id, _Facts, ask)).facts

    for node, facts in zip(wanted, await asyncio.gather(*map(one, wanted)), strict=True):
        tree.annotate(node, facts)


async def criticised(tree: Tree, nodes: list[Node], parts: Parts) -> dict[int, Critique]:
    """Critiques of the nodes that have none yet; a node gets one critique, however often it is expanded."""
    critic = parts.critic
    if critic is None:
        return {}
    wanted = [node for node in {node.id: node for node in nodes}.values() if tree.critique(node) is None]

    async def one(node: Node) -> Critique:
        return await remembered(parts.journal, "critic", str(node.id), Critique, lambda: critic(tree, node))

    found = await asyncio.gather(*map(one, wanted))
    return {node.id: critique for node, critique in zip(wanted, found, strict=True)}


async def answers(
    question: Question, tree: Tree, strategy: Strategy, parts: Parts, seed: int
) -> AsyncIterator[Proposal]:
    """Answers to a question in the order they came, each on record before it is given.

    The first answers are kept under the question's key, later ones under that and the number of those before. After
    a resume, the policy is asked for what is missing.
    """
    node, samples, given = tree.nodes[question.expansion.node.id], question.expansion.samples, 0
    examples = await _retrieved(node, tree, strategy, parts)
    observation = observe(tree, node, strategy.blocks, examples, best=strategy.best)
    parts.asked(observation.model_copy(update={"program": question.program}))
    coming: _Coming | None = None

    async def more() -> _Proposals:
        nonlocal coming
        program = question.program + given
        if coming is None:
            now = observation.model_copy(update={"program": program})
            coming = _Coming(parts.policy, now, samples - given, seed * _SEEDS + program)
        return _Proposals(program=program, proposals=tuple(await coming.next())[: samples - given])

    try:
        while given < samples:
            key = f"{question.key}.{given}" if given else question.key
            found = await remembered(parts.journal, "policy", key, _Proposals, more)
            for proposal in found.proposals:
                yield proposal
            given += len(found.proposals)
    finally:
        if coming is not None:
            coming.stop()


class _Coming:
    """A policy at work on one question. One task drives it from beginning to end, as a generator may need."""

    def __init__(self, policy: Policy, observation: Observation, n: int, seed: int) -> None:
        self._answers: asyncio.Queue[list[Proposal]] = asyncio.Queue()
        self._work = asyncio.create_task(self._ask(policy, observation, n, seed))

    async def _ask(self, policy: Policy, observation: Observation, n: int, seed: int) -> None:
        async for batch in batches(policy, observation, n, seed):
            if batch:
                self._answers.put_nowait(batch)

    async def next(self) -> list[Proposal]:
        """The next answers; one that says so where the policy ends without enough of them."""
        getting = asyncio.create_task(self._answers.get())
        try:
            await asyncio.wait({getting, self._work}, return_when=asyncio.FIRST_COMPLETED)
            if getting.done():
                return getting.result()
            self._work.result()
            if not self._answers.empty():
                return await getting
            return [Proposal(text="", problem="the policy gave fewer answers than it was asked for")]
        finally:
            getting.cancel()

    def stop(self) -> None:
        self._work.cancel()


async def _retrieved(node: Node, tree: Tree, strategy: Strategy, parts: Parts) -> tuple[SolvedCase, ...]:
    """Examples for a node, kept in the journal at the first request: other runs add cases at any time."""
    retrieve = parts.retrieve
    if retrieve is None or "examples" not in strategy.blocks:
        return ()

    async def ask() -> _Examples:
        return _Examples(examples=retrieve(tree.task, node))

    return (await remembered(parts.journal, "examples", node.candidate.id, _Examples, ask)).examples
