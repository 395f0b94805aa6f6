"""A round: the expansions of one selection, each on its way from question to verdict, beside those of other rounds."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import partial

from maxcode.core import Candidate, Cost, Outcome, Proposal, Status
from maxcode.search.asking import Question, answers, criticised, profiled
from maxcode.search.flight import Flight
from maxcode.search.parts import Judged, Parts
from maxcode.search.remembered import evaluated
from maxcode.search.screening import screened
from maxcode.search.selection import Expansion
from maxcode.search.strategy import Strategy
from maxcode.search.tree import Tree
from maxcode.task.model import Task


@dataclass
class Round:
    """Expansions of one selection, with the tree as it was then: what arrives later does not change their questions."""

    questions: list[Question]
    tree: Tree
    screening: Cost = field(default_factory=Cost)

    @property
    def expansions(self) -> list[Expansion]:
        return [question.expansion for question in self.questions]

    @property
    def programs(self) -> range:
        """Numbers in the run of its programs."""
        first = self.questions[0].program
        return range(first, first + sum(each.samples for each in self.expansions))


def round_of(step: int, expansions: list[Expansion], tree: Tree, program: int) -> Round:
    """A round that begins now. `program` is the number of the first program it asks for."""
    firsts = itertools.accumulate((each.samples for each in expansions), initial=program)
    places = enumerate(zip(expansions, firsts, strict=False))
    return Round([Question(f"{step}.{i}", each, first) for i, (each, first) in places], tree.copy())


@dataclass(frozen=True)
class RoundRunner:
    """Carries rounds out: asks their questions and judges each answer the moment it is complete."""

    task: Task
    strategy: Strategy
    parts: Parts
    flight: Flight
    baseline: asyncio.Task[Outcome]
    """Answers wait for its verdict: without it there is nothing to compare them with."""
    seed: int
    checking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while an answer is built and tested beside the baseline's timing: one at a time, so that none is at it for
    long when the timing ends."""

    async def run(self, round_: Round) -> None:
        if self.strategy.profile:
            await profiled(round_.tree, round_.expansions, self.parts)
        if self.strategy.critique == "expanded":
            nodes = [round_.tree.nodes[each.node.id] for each in round_.expansions]
            nodes = list(filter(self.strategy.criticises, nodes))
            round_.tree.critiques |= await criticised(round_.tree, nodes, self.parts)
        if self.strategy.screen is not None and self.parts.screen is not None:
            await self._screened(round_)
            return
        for question in round_.questions:
            self.flight.start(self._streamed(question, round_))

    async def _streamed(self, question: Question, round_: Round) -> None:
        program = itertools.count(question.program)
        async for proposal in self._answers(question, round_):
            self.flight.start(self._judged(next(program), question.expansion, proposal))

    async def _screened(self, round_: Round) -> None:
        """All answers of the round first, since they are compared with each other; then those worth running."""
        asked = await asyncio.gather(*(self._collected(each, round_) for each in round_.questions))
        chosen, round_.screening = await screened(round_.tree, round_.questions, asked, self.strategy, self.parts)
        made = [(each.expansion, answer) for each, few in zip(round_.questions, asked, strict=True) for answer in few]
        for place, (expansion, proposal) in enumerate(made):
            program = round_.programs[place]
            if place in chosen:
                self.flight.start(self._judged(program, expansion, proposal))
            else:
                self.flight.fell(Judged(program, expansion, proposal, proposal.candidate, None))

    async def _collected(self, question: Question, round_: Round) -> list[Proposal]:
        return [proposal async for proposal in self._answers(question, round_)]

    def _answers(self, question: Question, round_: Round) -> AsyncIterator[Proposal]:
        return answers(question, round_.tree, self.strategy, self.parts, self.seed)

    async def _judged(self, program: int, expansion: Expansion, proposal: Proposal) -> None:
        """Brings an answer its verdict. One without a program gets an empty candidate, which is rejected."""
        candidate = proposal.candidate
        if candidate is None:
            candidate, outcome, recorded = *_rejected(self.task, expansion, proposal), False
        else:
            recorded = self.parts.journal.has("evaluate", candidate.id)
            outcome = await evaluated(self.task, self.parts, candidate, partial(self._failed, candidate))
        self.flight.fell(Judged(program, expansion, proposal, candidate, outcome, recorded))

    async def _failed(self, candidate: Candidate) -> Outcome | None:
        """Waits for the baseline's verdict. Meanwhile builds and tests a candidate; the outcome if it fails in this."""
        beside, found = self.parts.beside, None
        async with self.checking:
            if beside is not None and not self.baseline.done():
                found = await beside(self.task, candidate)
        await asyncio.shield(self.baseline)
        return None if found is None or found.status is Status.OK else found


def _rejected(task: Task, expansion: Expansion, proposal: Proposal) -> tuple[Candidate, Outcome]:
    empty = Candidate(files={}, parent=expansion.node.candidate.id, origin=proposal.model)
    reason = proposal.problem or "the answer contains no program"
    return empty, Outcome(candidate=empty.id, task=task.hash, status=Status.REJECTED, reason=reason)
