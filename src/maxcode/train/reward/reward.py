"""Rewards of a model's answers, measured on real machines.

    async with LocalPool() as evaluate, Rewards(evaluate) as rewards:
        found = await rewards.score(problem, answers, deadline=120)

What the numbers mean is in reward_scale.py. Answers are raw text; the program in them is found as for any policy. An
answer is judged once: the same program for the same problem gets the reward it got before, and one that is under way
is waited for. A worker or machine that fails is never held against an answer: it is tried again, and an answer that
has no verdict at its deadline has no reward (None): a trainer drops it. Its evaluation goes on once begun, so that a
later answer with the same program finds it done.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Self

from maxcode.core import Candidate, EvaluatorError, InputError, Mode, Outcome
from maxcode.evaluate.machine import usable_cpus
from maxcode.evaluate.outcomes import clocks_disagree
from maxcode.evaluate.pool import Evaluator
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded, read_answer, rewarded
from maxcode.train.reward.ceiling import Ceiling, fixed_ceiling, roofline_ceiling
from maxcode.train.reward.counts import RewardCounts, Throughput

__all__ = ["Ceiling", "Rewarded", "Rewards", "Throughput", "fixed_ceiling", "reward_function"]

MOST_KEPT = 20_000
"""Number of rewards kept in memory. The evaluator also keeps outcomes on disk."""
ATTEMPTS = (Mode.SEARCH, Mode.SEARCH, Mode.CONFIRM)
"""Modes of the attempts at an evaluation, as long as the machine fails. The evaluator replaces dead workers by itself.
The last attempt is not kept for later runs, but nothing else runs beside it."""


@dataclass
class _Job:
    """One program being judged, for all answers that contain it."""

    task: asyncio.Task[Rewarded | None] = field(init=False)
    waiting: int = 0
    begun: bool = False


class Rewards:
    """Judges answers on the cores of an evaluator. One event loop; use as `async with Rewards(evaluate) as rewards`.

    `slots` is how many programs are judged at a time. When absent, it is the number of benchmark cores that the
    evaluator has at the moment, or else the CPUs of this machine.
    """

    def __init__(
        self,
        evaluate: Evaluator,
        *,
        slots: int | None = None,
        ceiling: Ceiling | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._given = slots
        self._evaluate, self._clock = evaluate, clock
        self._ceiling = ceiling or roofline_ceiling(evaluate)
        self._freed = asyncio.Event()
        self._taken = 0
        self._known: OrderedDict[tuple[str, str], Rewarded] = OrderedDict()
        self._jobs: dict[tuple[str, str], _Job] = {}
        self._scoring: set[asyncio.Task[Any]] = set()
        self._counts = RewardCounts(self._slots(), clock)
        self.loop: asyncio.AbstractEventLoop | None = None
        """Event loop that computes scores; set by `async with`."""

    async def __aenter__(self) -> Self:
        self.loop = asyncio.get_running_loop()
        return self

    async def __aexit__(self, kind: type[BaseException] | None = None, *_: object) -> None:
        """Waits for what has begun; where it is left by an exception, such as Ctrl-C, everything is called off."""
        called_off: list[asyncio.Task[Any]] = [
            job.task for job in self._jobs.values() if kind is not None or not job.begun
        ]
        if kind is not None:
            called_off += self._scoring
        under_way = [job.task for job in self._jobs.values()]
        for task in called_off:
            task.cancel()
        await asyncio.gather(*called_off, *under_way, return_exceptions=True)
        self.loop = None

    @property
    def throughput(self) -> Throughput:
        return self._counts.now()

    async def prepare(self, problem: MaskedTask) -> float:
        """Finds the ceiling that scales the problem's rewards. The first call takes seconds, outside any deadline."""
        return await self._ceiling(problem)

    async def score(
        self, problem: MaskedTask, answers: Sequence[str], deadline: float | None = None
    ) -> list[Rewarded | None]:
        """What each answer earned, in their order; None for those without a verdict after `deadline` seconds.

        InputError where the problem's task is at fault.
        """
        with self._tracked():
            return await self._scores(problem, answers, deadline)

    @contextmanager
    def _tracked(self) -> Iterator[None]:
        task = asyncio.current_task()
        assert task is not None
        self._scoring.add(task)
        try:
            yield
        finally:
            self._scoring.discard(task)

    async def _scores(
        self, problem: MaskedTask, answers: Sequence[str], deadline: float | None
    ) -> list[Rewarded | None]:
        reads = [read_answer(problem, answer) for answer in answers]
        if any(isinstance(read, Candidate) for read in reads):
            await self.prepare(problem)
        ends = None if deadline is None else self._clock() + deadline
        return list(await asyncio.gather(*(self._score(problem, read, ends) for read in reads)))

    async def _score(self, problem: MaskedTask, read: Candidate | Rewarded, ends: float | None) -> Rewarded | None:
        self._counts.asked()
        found = read if isinstance(read, Rewarded) else await self._judged(problem, read, ends)
        if found is None:
            self._counts.dropped += 1
            return None
        self._counts.tiers[found.tier] += 1
        self._counts.cached += found.cached
        return found

    async def _judged(self, problem: MaskedTask, candidate: Candidate, ends: float | None) -> Rewarded | None:
        key = (problem.id, candidate.id)
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key].model_copy(update={"cached": True})
        shared = key in self._jobs
        job = self._jobs[key] if shared else self._start(key, problem, candidate)
        found = await self._wait(job, ends)
        return found.model_copy(update={"cached": True}) if found and shared else found

    def _start(self, key: tuple[str, str], problem: MaskedTask, candidate: Candidate) -> _Job:
        job = self._jobs[key] = _Job()
        job.task = asyncio.create_task(self._judge(job, key, problem, candidate))
        job.task.add_done_callback(lambda _: self._jobs.pop(key, None))
        return job

    async def _wait(self, job: _Job, ends: float | None) -> Rewarded | None:
        """The job's result, or None at the deadline. A job that nobody waits for is cancelled, unless it has begun."""
        job.waiting += 1
        try:
            left = None if ends is None else max(ends - self._clock(), 0.0)
            done, _ = await asyncio.wait({job.task}, timeout=left)
            return job.task.result() if done else None
        finally:
            job.waiting -= 1
            if not job.waiting and not job.begun:
                job.task.cancel()

    async def _judge(
        self, job: _Job, key: tuple[str, str], problem: MaskedTask, candidate: Candidate
    ) -> Rewarded | None:
        self._counts.queue += 1
        try:
            await self._take_slot()
        finally:
            self._counts.queue -= 1
        try:
            job.begun = True
            with self._counts.working():
                outcome = await self._outcome(problem, candidate)
        finally:
            self._taken -= 1
            self._freed.set()
        if outcome is None:
            return None
        self._counts.evaluated += not outcome.cached
        found = rewarded(problem, candidate, outcome, await self._ceiling(problem))
        self._known[key] = found
        if len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)
        return found

    def _slots(self) -> int:
        """Number of programs to judge at a time. It is read for each program, since nodes of a cluster come and go."""
        return self._given or getattr(self._evaluate, "slots", None) or len(usable_cpus())

    async def _take_slot(self) -> None:
        while self._taken >= (slots := self._slots()):
            self._freed.clear()
            await self._freed.wait()
        self._counts.slots = slots
        self._taken += 1

    async def _outcome(self, problem: MaskedTask, candidate: Candidate) -> Outcome | None:
        """Outcome of a candidate; None if the machine failed at every attempt, which is not the candidate's fault."""
        for mode in ATTEMPTS:
            try:
                (outcome,) = await self._evaluate(problem.judged, [candidate], mode=mode)
            except EvaluatorError:
                continue
            if not clocks_disagree(outcome):
                return outcome
        return None


RewardFunction = Callable[..., list[float | None]]
"""Function for TRL's `reward_funcs`: (prompts, completions, **columns) -> a reward per completion, or None."""
Tell = Callable[[MaskedTask, list[Rewarded | None]], None]


def reward_function(
    rewards: Rewards, problems: Mapping[str, MaskedTask], *, deadline: float | None = None, tell: Tell | None = None
) -> RewardFunction:
    """A plain function for trainers; it may be called from any thread but that of the rewards' event loop.

    The data set's column `problem` names the problem of each prompt. `tell` hears what each group earned: for
    curricula and logs. Get `rewards` from `rewards_in_thread` where no event loop is running.
    """

    def gflops_reward(
        prompts: Sequence[Any],  # noqa: ARG001 - the problem says all
        completions: Sequence[Any],
        *,
        problem: Sequence[str],
        **columns: Any,  # noqa: ARG001 - of the data set and the trainer
    ) -> list[float | None]:
        if rewards.loop is None:
            raise RuntimeError("enter the rewards first: `with rewards_in_thread(LocalPool()) as rewards`")
        places: dict[str, list[int]] = {}
        for place, name in enumerate(problem):
            places.setdefault(name, []).append(place)
        groups = [(_named(problems, name), [_text(completions[i]) for i in at]) for name, at in places.items()]
        found = asyncio.run_coroutine_threadsafe(_scores(rewards, groups, deadline), rewards.loop).result()
        scores: list[float | None] = [None] * len(completions)
        for (each, _), at, group in zip(groups, places.values(), found, strict=True):
            if tell:
                tell(each, group)
            for place, one in zip(at, group, strict=True):
                scores[place] = one.reward if one else None
        return scores

    return gflops_reward


async def _scores(
    rewards: Rewards, groups: list[tuple[MaskedTask, list[str]]], deadline: float | None
) -> list[list[Rewarded | None]]:
    return await asyncio.gather(*(rewards.score(problem, answers, deadline) for problem, answers in groups))


def _named(problems: Mapping[str, MaskedTask], name: str) -> MaskedTask:
    if name not in problems:
        raise InputError(f"column problem: '{name}' is not known; there are: {', '.join(problems)}")
    return problems[name]


def _text(completion: Any) -> str:
    """Text of a completion: plain text, or the assistant's last message where the data set is conversational."""
    return completion if isinstance(completion, str) else str(completion[-1]["content"])
