"""Rewards on a real task with a real compiler: each tier, the cache, deadlines, and workers that die."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Literal

import pytest

from maxcode.bench.suites.hpc.shapes import load_hpc
from maxcode.core import Candidate, EvaluatorError, InputError, Measurement, Mode, Outcome, Status, Verdict
from maxcode.evaluate.outcomes import keep_outcome, read_outcome
from maxcode.evaluate.pool import LocalPool
from maxcode.task import Task, load_task
from maxcode.train.masks import EVERYTHING, Mask
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import Rewarded, Rewards, fixed_ceiling, reward_function
from maxcode.train.reward.thread import rewards_in_thread

SIGNATURE = "void dgemm(int m, int n, int k, const double *a, const double *b, double *c)"
ORDERED = f"""{SIGNATURE} {{
    for (int i = 0; i < m * n; i++) c[i] = 0;
    for (int i = 0; i < m; i++) for (int p = 0; p < k; p++) for (int j = 0; j < n; j++) c[i*n+j] += a[i*k+p] * b[p*n+j];
}}
"""
PLAIN = Mask(name="plain", permitted=frozenset())


def answer(source: str) -> str:
    return f"Here it is:\n```c\n{source}\n```\n"


@pytest.fixture(scope="module")
def task() -> Task:
    small = load_hpc("dgemm", m=96, n=96, k=96)
    return load_task(small.folder, {"limits": {"seconds": 1}})


@pytest.fixture(scope="module")
def problem(task: Task) -> MaskedTask:
    return MaskedTask(task=task, mask=EVERYTHING)


@pytest.fixture(scope="module")
def rewards() -> Iterator[Rewards]:
    with rewards_in_thread(LocalPool(), ceiling=fixed_ceiling(40.0)) as found:
        yield found


def score(rewards: Rewards, problem: MaskedTask, *answers: str, deadline: float | None = None) -> list[Rewarded | None]:
    assert rewards.loop is not None
    return asyncio.run_coroutine_threadsafe(rewards.score(problem, answers, deadline), rewards.loop).result()


@pytest.mark.timing
def test_every_tier(rewards: Rewards, problem: MaskedTask) -> None:
    programs = {
        "ok": ORDERED,
        "wrong": f"{SIGNATURE} {{ for (int i = 0; i < m * n; i++) c[i] = k; }}",
        "crashed": f"{SIGNATURE} {{ *(volatile int *)0 = m; }}",
        "timeout": f"{SIGNATURE} {{ for (volatile int i = 0;; i++) {{}} }}",
        "build_error": f"{SIGNATURE} {{ undeclared = 1; }}",
        "rule": f"#include <cblas.h>\n{SIGNATURE} {{ cblas_dgemm(); }}",
    }
    found = score(rewards, problem, *map(answer, programs.values()), "I cannot do that.")
    assert [each.tier if each else None for each in found] == [*programs, "format"]
    values = [each.reward for each in found if each]
    assert 0 < values[0] <= 100 and values[1:] == [-10, -20, -30, -40, -100, -100]
    first = found[0]
    assert first and first.gflops and first.speedup and first.candidate == ORDERED + "\n"


def test_a_program_that_is_known_is_not_run_again(rewards: Rewards, problem: MaskedTask) -> None:
    before = rewards.throughput
    first, second, other = score(rewards, problem, answer(ORDERED), "Again:" + answer(ORDERED), answer(ORDERED + "//"))
    again = score(rewards, problem, answer(ORDERED + "//"))[0]
    after = rewards.throughput
    assert first and second and other and again
    assert second.cached and again.cached and first.reward == second.reward and other.reward == again.reward
    assert after.evaluated - before.evaluated <= 2 and after.cached - before.cached >= 2


def test_masks_set_rule_and_flags_and_are_problems_of_their_own(task: Task, problem: MaskedTask) -> None:
    plain = MaskedTask(task=task, mask=PLAIN)
    assert plain.id != problem.id and plain.name == f"{task.name}/plain"
    assert "-fno-tree-vectorize" in plain.judged.build.flags and plain.judged.hash != problem.judged.hash
    assert problem.task.hash and MaskedTask(task=task, mask=EVERYTHING).id == problem.id


def test_past_its_deadline_an_answer_has_no_reward_and_a_later_one_finds_it_done(
    rewards: Rewards, problem: MaskedTask
) -> None:
    late = answer(ORDERED.replace("i < m;", "i <= m - 1;"))
    before = rewards.throughput.dropped
    assert score(rewards, problem, late, deadline=0.05) == [None]
    assert rewards.throughput.dropped == before + 1
    (found,) = score(rewards, problem, late)
    assert found and found.tier == "ok"


def test_a_killed_worker_costs_an_answer_nothing(problem: MaskedTask) -> None:
    async def main() -> Rewarded | None:
        async with (
            LocalPool(1, use_cache=False) as pool,
            Rewards(pool, slots=1, ceiling=fixed_ceiling(40.0)) as rewards,
        ):
            scoring = asyncio.create_task(rewards.score(problem, [answer(ORDERED)]))
            while not pool.worker_pids:
                await asyncio.sleep(0.05)
            await asyncio.sleep(0.3)
            os.kill(pool.worker_pids[0], signal.SIGKILL)
            return (await scoring)[0]

    found = asyncio.run(main())
    assert found and found.tier == "ok" and found.reward > 0


def test_the_function_for_trainers_groups_by_problem_and_tells(
    rewards: Rewards, problem: MaskedTask, task: Task
) -> None:
    plain = MaskedTask(task=task, mask=PLAIN)
    told: list[tuple[str, int]] = []
    function = reward_function(
        rewards, {"a": problem, "b": plain}, tell=lambda which, group: told.append((which.name, len(group)))
    )
    threads = answer(f"#include <omp.h>\n{SIGNATURE} {{\n#pragma omp parallel\n  {{ c[0] = 1; }}\n}}")
    chat = [{"role": "assistant", "content": "no code"}]
    found = function(prompts=["", "", ""], completions=["", threads, chat], problem=["a", "b", "a"], extra=[1, 2, 3])
    assert found == [-100.0, -100.0, -100.0]
    assert told == [(problem.name, 2), (plain.name, 1)]
    with pytest.raises(InputError, match="'c' is not known; there are: a, b"):
        function(prompts=[""], completions=[""], problem=["c"])


def outcome(*, sure: bool) -> Outcome:
    """Of a fast program; unless the machine is sure, its clocks disagree."""
    m = Measurement(
        samples=(), clock="cpu", method="exclusive", verdict=Verdict.FASTER, speedup=3.0, ci_low=2.9, ci_high=3.1,
        alpha=0.05, machine="here",
    )  # fmt: skip
    if sure:
        return Outcome(candidate="c", task="t", status=Status.OK, measurement=m)
    return Outcome(candidate="c", task="t", status=Status.REJECTED, reason="the candidate tampers with the clock")


class Loaded:
    """An evaluator on a machine that fails, or whose clocks disagree until it looks closely, or always."""

    def __init__(self, *, fails: bool = False, sure: bool = True) -> None:
        self._fails, self._sure = fails, sure

    async def __call__(
        self,
        task: Task,  # noqa: ARG002
        candidates: list[Candidate],
        *,
        mode: Mode = Mode.SEARCH,
        seed: int | None = None,  # noqa: ARG002
    ) -> list[Outcome]:
        if self._fails:
            raise EvaluatorError("the disk is full")
        return [outcome(sure=self._sure and mode is Mode.CONFIRM) for _ in candidates]


class Waiting(Loaded):
    """Answers when it is let, and has as many slots as it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.slots, self.begun, self.called_off = 1, 0, 0
        self.let, self.busy = asyncio.Event(), threading.Event()

    async def __aenter__(self) -> Waiting:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def __call__(
        self, task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        del mode
        self.begun += 1
        self.busy.set()
        try:
            await self.let.wait()
        except asyncio.CancelledError:
            self.called_off += 1
            raise
        return await super().__call__(task, candidates, mode=Mode.CONFIRM, seed=seed)


def test_an_error_calls_off_what_is_being_judged(problem: MaskedTask) -> None:
    evaluate = Waiting()
    waiting: list[Future[Literal[True]]] = []

    def work() -> None:
        with rewards_in_thread(evaluate, ceiling=fixed_ceiling(40.0)) as rewards:
            assert rewards.loop is not None
            asyncio.run_coroutine_threadsafe(rewards.score(problem, [answer(ORDERED)]), rewards.loop)
            waiting.append(asyncio.run_coroutine_threadsafe(asyncio.Event().wait(), rewards.loop))
            assert evaluate.busy.wait(20)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        work()
    assert evaluate.called_off == 1
    assert waiting[0].cancelled()


def test_slots_that_come_later_are_used(problem: MaskedTask) -> None:
    async def main() -> None:
        evaluate = Waiting()
        texts = [answer(f"{ORDERED}// {number}") for number in range(6)]
        async with Rewards(evaluate, ceiling=fixed_ceiling(40.0)) as rewards:
            first = asyncio.create_task(rewards.score(problem, texts[:2]))
            await asyncio.sleep(0.05)
            assert (evaluate.begun, rewards.throughput.slots) == (1, 1)
            evaluate.slots = 4
            evaluate.let.set()
            await first
            evaluate.let.clear()
            second = asyncio.create_task(rewards.score(problem, texts[2:]))
            await asyncio.sleep(0.05)
            assert (evaluate.begun, rewards.throughput.slots) == (6, 4)
            evaluate.let.set()
            await second

    asyncio.run(main())


def scored_by(evaluate: Loaded, problem: MaskedTask) -> Rewarded | None:
    async def main() -> Rewarded | None:
        async with Rewards(evaluate, ceiling=fixed_ceiling(40.0)) as rewards:
            return (await rewards.score(problem, [answer(ORDERED)]))[0]

    return asyncio.run(main())


def test_what_the_machine_cannot_judge_has_no_reward(problem: MaskedTask) -> None:
    assert scored_by(Loaded(fails=True), problem) is None
    assert scored_by(Loaded(sure=False), problem) is None


def test_clocks_that_disagree_are_looked_at_again_before_anyone_is_punished(problem: MaskedTask) -> None:
    found = scored_by(Loaded(), problem)
    assert found and found.tier == "ok"


@pytest.mark.long
def test_only_what_the_clocks_agree_on_is_kept() -> None:
    keep_outcome("key", outcome(sure=False))
    assert read_outcome("key") is None
    keep_outcome("key", outcome(sure=True))
    assert read_outcome("key")
