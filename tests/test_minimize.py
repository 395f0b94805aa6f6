"""The smallest diff that keeps the speedup, with an evaluator that knows which lines matter."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maxcode.core import Candidate, Measurement, Outcome, Status, Verdict
from maxcode.minimize import Minimized, apply_hunks, hunks_of, minimize, other_sizes
from maxcode.task import Task, load_task
from tests.conftest import SMALL_TASK

TASK = load_task(SMALL_TASK)
BASE = TASK.baseline_candidate.files[TASK.main_file].splitlines(keepends=True)


def outcome(candidate: Candidate, speedup: float, status: Status = Status.OK) -> Outcome:
    measured = Measurement(
        samples=(),
        clock="cpu",
        method="exclusive",
        verdict=Verdict.FASTER,
        speedup=speedup,
        ci_low=speedup * 0.99,
        ci_high=speedup * 1.01,
        alpha=0.01,
        machine="none",
    )
    ok = status is Status.OK
    return Outcome(candidate=candidate.id, task=TASK.hash, status=status, measurement=measured if ok else None)


def changed(*marks: str) -> Candidate:
    """The baseline with a mark of its own before every second line."""
    lines = []
    for number, line in enumerate(BASE):
        mark = f"// {marks[number // 2]}\n" if number % 2 == 0 and number // 2 < len(marks) else ""
        lines.append(mark + line)
    return TASK.candidate("".join(lines))


def reduce(best: Candidate, gains: dict[str, float], needs: tuple[str, str] | None = None) -> Minimized:
    async def judge(candidate: Candidate) -> Outcome:
        text = candidate.files[TASK.main_file]
        if needs and f"// {needs[0]}\n" in text and f"// {needs[1]}\n" not in text:
            return outcome(candidate, 0, Status.WRONG)
        speedup = 1.0
        for mark, gain in gains.items():
            speedup *= gain if f"// {mark}\n" in text else 1.0
        return outcome(candidate, speedup)

    whole = 1.0
    for gain in gains.values():
        whole *= gain
    return asyncio.run(minimize(TASK, best, whole, judge))


def marks_of(found: Minimized) -> list[str]:
    text = found.candidate.files[TASK.main_file]
    return [line[3:].strip() for line in text.splitlines() if line.startswith("// m")]


@given(st.lists(st.sampled_from(["keep", "drop", "change"]), min_size=len(BASE), max_size=len(BASE)))
@settings(max_examples=40)
def test_all_hunks_together_give_back_the_program(what: list[str]) -> None:
    lines = [{"keep": line, "drop": "", "change": f"// {line}"}[w] for line, w in zip(BASE, what, strict=True)]
    best = TASK.candidate("".join(lines))
    assert apply_hunks(TASK, hunks_of(TASK, best)).files == best.files
    assert apply_hunks(TASK, []).files == TASK.baseline_candidate.files


@pytest.mark.parametrize("which", range(6))
def test_only_the_hunk_that_matters_is_kept(which: int) -> None:
    marks = [f"m{i}" for i in range(6)]
    found = reduce(changed(*marks), {f"m{which}": 3.0})
    assert marks_of(found) == [f"m{which}"]
    assert (found.hunks_before, found.hunks_after) == (6, 1)


def test_two_hunks_that_matter_are_both_kept_with_their_gains() -> None:
    found = reduce(changed(*[f"m{i}" for i in range(6)]), {"m1": 2.0, "m4": 1.5})
    assert marks_of(found) == ["m1", "m4"]
    assert [round(gain.factor or 0, 3) for gain in found.gains] == [2.0, 1.5]


def test_a_hunk_that_another_needs_is_kept_and_named_as_needed() -> None:
    found = reduce(changed(*[f"m{i}" for i in range(4)]), {"m1": 2.0}, needs=("m1", "m3"))
    assert marks_of(found) == ["m1", "m3"]
    assert [gain.without for gain in found.gains if gain.factor is None] == ["wrong"]


def test_evaluations_stay_within_the_limit() -> None:
    calls = 0

    async def judge(candidate: Candidate) -> Outcome:
        nonlocal calls
        calls += 1
        return outcome(candidate, 2.0 if candidate.files == best.files else 1.0)

    best = changed(*[f"m{i}" for i in range(10)])
    found = asyncio.run(minimize(TASK, best, 2.0, judge, most=7))
    assert calls <= 7
    assert found.candidate.files == best.files


def test_other_sizes_are_sizes_the_task_does_not_have(small_task: Task) -> None:
    arguments = [w.arguments for w in small_task.workloads]
    for _, changes in other_sizes(small_task):
        other = load_task(small_task.folder, changes)
        assert [w.arguments for w in other.workloads] != arguments
        assert other.hash != small_task.hash
