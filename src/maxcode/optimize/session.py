"""The same search, step by step, for people and agents who bring their own proposer.

async with Session(task, "default", evaluate=pool, journal=journal) as session:
    while (observation := await session.ask()) is not None:
        outcome = await session.tell(my_program(observation))
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Self

from maxcode.core import Candidate, InputError, Outcome, Proposal, Status
from maxcode.evaluate.pool import Evaluator
from maxcode.policy.openai import read_answer
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import Searched, search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Critic, Parts
from maxcode.search.remembered import evaluated
from maxcode.search.strategies import DEFAULT, strategy
from maxcode.search.strategy import one_by_one
from maxcode.search.tree import Tree
from maxcode.search.values import own_reward
from maxcode.store.journal import Journal
from maxcode.system.processes import session, this_process
from maxcode.task.model import Task
from maxcode.value.model import SHIPPED, load_models, model_value


@dataclass(frozen=True)
class _Question:
    observation: Observation
    answer: asyncio.Future[Proposal]


class Session:
    """`ask` for the next observation, `tell` the program it led to. Everything is in the journal, as in any run."""

    def __init__(
        self,
        task: Task,
        method: str = DEFAULT,
        *,
        evaluate: Evaluator,
        journal: Journal,
        critic: Critic | None = None,
        budget: Budget | None = None,
        seed: int = 0,
        singly: bool = False,
    ) -> None:
        """With `singly`, each program is in the tree before the next observation, whatever the method's rounds are."""
        self.task = task
        self._questions: asyncio.Queue[_Question] = asyncio.Queue()
        self._open: _Question | None = None
        self._state: tuple[Tree, Spent] | None = None
        self._strategy = one_by_one(strategy(method)) if singly else strategy(method)
        self._budget, self._seed = budget or Budget(), seed
        by_model = self._strategy.value == "model"
        self._parts = Parts(
            policy=self._propose,
            evaluate=evaluate,
            journal=journal,
            critic=critic,
            value=model_value(load_models(SHIPPED)) if by_model else own_reward,
            watch=self._watch,
        )
        self._search: asyncio.Task[Searched] | None = None
        self._at_work = journal.session(session(this_process()))

    async def __aenter__(self) -> Self:
        self._at_work.__enter__()
        running = search(self.task, self._strategy, self._parts, budget=self._budget, seed=self._seed)
        self._search = asyncio.create_task(running)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._search and not self._search.done():
            self._search.cancel()
            await asyncio.gather(self._search, return_exceptions=True)
        self._at_work.__exit__(None, None, None)

    @property
    def tree(self) -> Tree | None:
        """The tree so far; None before the baseline is measured."""
        return self._state[0] if self._state else None

    async def ask(self) -> Observation | None:
        """The next observation; None when the budget is spent. Asking again before `tell` gives the same one."""
        if self._open is None:
            self._open = await self._next()
        return self._open.observation if self._open else None

    async def tell(self, answer: str | Candidate) -> Outcome:
        """Outcome of a proposal: a candidate, or the text of an answer with code or edits in it."""
        if self._open is None:
            raise InputError("nothing was asked: call ask() before tell().")
        question, self._open = self._open, None
        proposal = (
            Proposal(text="", candidate=answer) if isinstance(answer, Candidate) else self._read(answer, question)
        )
        try:
            outcome = await self._judge(proposal)
        except BaseException:  # who told it was stopped: the question is still to be answered
            self._questions.put_nowait(question)
            raise
        question.answer.set_result(proposal)
        return outcome

    def _read(self, text: str, question: _Question) -> Proposal:
        return read_answer(text, question.observation, "session")

    async def _judge(self, proposal: Proposal) -> Outcome:
        if proposal.candidate is None:
            return Outcome(candidate="", task=self.task.hash, status=Status.REJECTED, reason=proposal.problem)
        return await evaluated(self.task, self._parts, proposal.candidate)

    async def _next(self) -> _Question | None:
        assert self._search is not None, "use it as: async with Session(...) as session"
        waiting = asyncio.create_task(self._questions.get())
        await asyncio.wait({waiting, self._search}, return_when=asyncio.FIRST_COMPLETED)
        if waiting.done():
            return waiting.result()
        waiting.cancel()
        self._search.result()  # raises what went wrong, if anything did
        return None

    async def _propose(self, observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        """Answers as they are told, so that each is on record at once."""
        del seed
        asked = [_Question(observation, asyncio.get_running_loop().create_future()) for _ in range(n)]
        for question in asked:
            self._questions.put_nowait(question)
        for question in asked:
            yield await question.answer

    def _watch(self, tree: Tree, spent: Spent) -> None:
        self._state = (tree, spent)
