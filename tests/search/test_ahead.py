"""A search that never waits: answers are judged as they come, verdicts are told as they fall, questions go ahead."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from maxcode.core import Candidate, InputError, Mode, Outcome, PolicyError, Proposal, Status
from maxcode.optimize.run import SearchSettings, strategy_of
from maxcode.search.budget import Budget, Spent
from maxcode.search.loop import Searched, search
from maxcode.search.observe.observation import Observation
from maxcode.search.parts import Judged, Parts
from maxcode.search.selection import Expansion
from maxcode.search.strategies import STRATEGIES, strategy
from maxcode.search.strategies.mcts import puct
from maxcode.search.tree import Tree
from maxcode.store.journal import Journal
from maxcode.task import Task
from tests.search.fakes import (
    TASK,
    add,
    dawdling,
    grown,
    in_memory,
    instant_evaluator,
    instant_parts,
    instant_policy,
    rewards,
    shape,
)

STREAMED = [name for name in STRATEGIES if not STRATEGIES[name].whole_rounds]
MOMENT = 0.01


def run(name: str, parts: Parts, ahead: int, evals: int = 40, seed: int = 7) -> Searched:
    return asyncio.run(search(TASK, replace(strategy(name), ahead=ahead), parts, budget=Budget(evals=evals), seed=seed))


async def one_by_one(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
    """Yields answers with a moment between them."""
    for answer in await instant_policy(observation, n, seed):
        await asyncio.sleep(MOMENT)
        yield answer


@pytest.mark.parametrize("ahead", [1, 5, 8, 30])
@pytest.mark.parametrize("name", STREAMED)
def test_the_budget_of_programs_is_kept_exactly(name: str, ahead: int) -> None:
    found = run(f"{name}+maxcode", dawdling(instant_parts(), ahead), ahead)
    assert (found.spent.evals, len(found.tree)) == (40, 41)


@pytest.mark.parametrize("name", STREAMED)
def test_a_selection_knows_all_but_as_many_programs_as_it_may_be_ahead(name: str) -> None:
    found = list[tuple[int, int]]()
    asked = 0

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        nonlocal asked
        asked += n
        return await instant_policy(observation, n, seed)

    def watch(tree: Tree, spent: Spent) -> None:
        found.append((asked, spent.evals))
        assert len(tree) == spent.evals + 1

    run(name, dawdling(replace(instant_parts(), policy=policy, watch=watch), 3), ahead=4)
    assert all(known >= out - 4 for out, known in found)
    assert any(known < out for out, known in found), "it does go ahead"


@pytest.mark.parametrize("name", [f"{name}{added}" for name in STREAMED for added in ("", "+maxcode")])
def test_the_same_journal_gives_the_same_tree_whatever_arrives_first(name: str) -> None:
    journal = in_memory()
    first = shape(run(name, dawdling(instant_parts(journal), 1), ahead=6).tree)
    for arrival in (2, 3):
        assert shape(run(name, dawdling(instant_parts(journal), arrival), ahead=6).tree) == first


@pytest.mark.parametrize("arrival", range(6))
def test_the_order_of_use_is_that_in_which_verdicts_fell(arrival: int) -> None:
    fallen: list[int] = []
    parts = replace(dawdling(instant_parts(), arrival), judged=lambda each: fallen.append(each.program))
    journal = parts.journal
    run("flat", parts, ahead=5)
    used = [event.payload["programs"] for event in journal.store.read(journal.run, "clock.answered")]
    assert [program for few in used for program in few] == fallen


def test_an_answer_is_judged_before_the_next_one_is_written() -> None:
    judged = asyncio.Queue[int]()

    async def policy(observation: Observation, n: int, seed: int) -> AsyncIterator[Proposal]:
        for i, answer in enumerate(await instant_policy(observation, n, seed)):
            yield answer
            assert await asyncio.wait_for(judged.get(), 30) == i

    parts = replace(instant_parts(), policy=policy, judged=lambda each: judged.put_nowait(each.program))
    assert len(run("flat", parts, ahead=0, evals=8).tree) == 9


def test_answers_one_by_one_and_at_once_give_the_same_tree() -> None:
    whole = shape(run("cuda-llm+maxcode", instant_parts(), ahead=0).tree)
    assert shape(run("cuda-llm+maxcode", replace(instant_parts(), policy=one_by_one), ahead=0).tree) == whole


def test_a_policy_that_gives_too_few_answers_is_charged_for_all_and_the_search_ends() -> None:
    async def stingy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        return (await instant_policy(observation, n, seed))[: n // 2]

    found = run("flat", replace(instant_parts(), policy=stingy), ahead=0, evals=8)
    problems = [node.outcome.reason for node in found.tree if node.outcome.reason]
    assert found.spent.evals == 8
    assert problems.count("the policy gave fewer answers than it was asked for") == 4


def test_asking_and_judging_overlap() -> None:
    """Each takes a moment a program; one after the other they would take twice as long as side by side."""

    async def slow(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        async with evaluator:
            await asyncio.sleep(2 * MOMENT)
        return await instant_evaluator(task, candidates, mode=mode, seed=seed)

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        async with model:
            await asyncio.sleep(2 * MOMENT * n)
        return await instant_policy(observation, n, seed)

    evaluator, model = asyncio.Semaphore(1), asyncio.Semaphore(1)
    under_way: list[set[str]] = []
    parts = replace(instant_parts(), policy=policy, evaluate=slow)

    async def watched() -> None:
        while True:
            await asyncio.sleep(MOMENT)
            under_way.append({kind for kind in parts.journal.under_way() if kind in ("policy", "evaluate")})

    async def both() -> None:
        watching = asyncio.create_task(watched())
        await search(TASK, replace(strategy("cuda-llm"), ahead=8), parts, budget=Budget(evals=64))
        watching.cancel()

    asyncio.run(both())
    together = [each == {"policy", "evaluate"} for each in under_way]
    assert sum(together) > 0.3 * len(together)


def test_an_error_of_one_question_leaves_what_else_was_under_way_on_record() -> None:
    calls = 0

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise PolicyError("no answer")
        await asyncio.sleep(MOMENT)
        return await instant_policy(observation, n, seed)

    journal = in_memory()
    with pytest.raises(PolicyError, match="no answer"):
        run("flat", replace(instant_parts(journal), policy=policy), ahead=8)
    judged = list(journal.store.read(journal.run, "policy.answered"))
    assert len(judged) == 1, "the question beside it was paid for"


def early(journal: Journal, seen: list[str], status: Status = Status.OK) -> Parts:
    """Parts that note when the baseline was tested and timed, and when the policy was asked."""

    async def verify(task: Task, candidate: Candidate) -> Outcome:
        seen.append("verified")
        return Outcome(candidate=candidate.id, task=task.hash, status=status, reason="hidden 3: wrong output")

    async def evaluate(
        task: Task, candidates: list[Candidate], *, mode: Mode = Mode.SEARCH, seed: int | None = None
    ) -> list[Outcome]:
        for _ in range(30):
            if "asked" not in seen:
                await asyncio.sleep(MOMENT)
        seen.append("timed")
        return await instant_evaluator(task, candidates, mode=mode, seed=seed)

    async def policy(observation: Observation, n: int, seed: int) -> list[Proposal]:
        seen.append("asked")
        return await instant_policy(observation, n, seed)

    return replace(instant_parts(journal), verify=verify, evaluate=evaluate, policy=policy)


def test_the_first_questions_are_asked_while_the_baseline_is_timed() -> None:
    seen: list[str] = []
    tree = run("flat", early(in_memory(), seen), ahead=2, evals=8).tree
    assert seen[:3] == ["verified", "asked", "timed"]
    assert tree.root.outcome.measurement is not None, "it is there by the end"


def test_without_asking_ahead_the_baseline_is_timed_first() -> None:
    seen: list[str] = []
    run("flat", early(in_memory(), seen), ahead=0, evals=8)
    assert seen[:2] == ["timed", "asked"]


def test_a_policy_that_needs_no_times_is_asked_while_the_baseline_is_timed() -> None:
    seen, journal = [], in_memory()
    parts = replace(early(journal, seen), early=True)
    tree = run("flat", parts, ahead=0, evals=8).tree
    assert seen[:3] == ["verified", "asked", "timed"]
    again = run("flat", replace(parts, early=False), ahead=0, evals=8).tree
    assert [node.candidate.id for node in again] == [node.candidate.id for node in tree], "read as it was"


def test_a_run_that_waited_for_the_time_of_the_baseline_is_resumed_as_it_began() -> None:
    seen, journal = [], in_memory()
    parts = early(journal, seen)
    run("flat", parts, ahead=0, evals=8)
    run("flat", replace(parts, early=True), ahead=0, evals=16)
    assert "verified" not in seen


def test_an_answer_that_fails_is_known_before_the_baseline_is_timed() -> None:
    seen: list[str] = []

    async def beside(task: Task, candidate: Candidate) -> Outcome:
        seen.append("failed")
        return Outcome(candidate=candidate.id, task=task.hash, status=Status.WRONG, reason="hidden 3")

    parts = replace(early(in_memory(), seen), early=True, beside=beside)
    tree = run("flat", parts, ahead=0, evals=8).tree
    assert seen[:3] == ["verified", "asked", "failed"]
    assert Status.WRONG in {node.outcome.status for node in tree}
    assert tree.root.outcome.measurement is not None


def test_a_baseline_that_does_not_work_is_said_before_anything_is_asked() -> None:
    seen: list[str] = []
    with pytest.raises(InputError, match="the baseline itself is wrong: hidden 3"):
        run("flat", early(in_memory(), seen, Status.WRONG), ahead=8)
    assert "asked" not in seen


def test_programs_on_their_way_count_as_visits_that_found_nothing() -> None:
    """Virtual loss: of two equal children, the one that is being expanded is left alone."""
    tree = grown((0, 2.0, 1), (0, 2.0, 1))
    select = puct(samples=1, depth=8, exploration=1.0, batch=1)
    tree.expected[1] += 3
    (picked,) = select(tree, rewards, random.Random(0))
    assert picked == Expansion(tree.nodes[2], 1)


def test_a_copy_of_a_tree_stays_what_it_was() -> None:
    tree = grown((0, 2.0, 1))
    copy = tree.copy()
    add(tree, tree.nodes[1], 3.0, 2)
    assert (len(copy), copy.best.id, copy.value(copy.root), copy.children(copy.nodes[1])) == (2, 1, 2.0, [])


@pytest.mark.parametrize("changes", [{"screen": 0.5}, {"strategy": "rollouts"}], ids=str)
def test_what_compares_whole_rounds_does_not_go_ahead(changes: dict[str, object]) -> None:
    settings = SearchSettings(task="t", policy="rewrite", ahead=4).model_copy(update=changes)
    with pytest.raises(InputError, match=r"--ahead 4: .* compares all programs of a round"):
        strategy_of(settings)


def test_each_verdict_is_told_once() -> None:
    journal, told, again = in_memory(), list[Judged](), list[Judged]()
    run("flat", replace(instant_parts(journal), judged=told.append), ahead=3)
    run("flat", replace(instant_parts(journal), judged=again.append), ahead=3)
    assert sorted(each.program for each in told) == list(range(40))
    with_program = [each for each in again if each.proposal.candidate]
    assert with_program and all(each.recorded for each in with_program), "what is on record is said to be"
