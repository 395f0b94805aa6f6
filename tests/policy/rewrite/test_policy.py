"""The rewriter as a policy: same seed, same programs; what is in view changes what it proposes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from maxcode.core import Critique, Diagnosis, Outcome, Status
from maxcode.policy.rewrite.actions import BY_NAME, RewriteStep, carried_out, read_action, setting_of, written_form
from maxcode.policy.rewrite.policy import SWEEPING, proposals
from maxcode.search.observe.observation import Attempt, Observation
from maxcode.task import load_task

TASK = load_task(Path("examples/matmul"))
SORT = load_task(Path("examples/sort"))


def attempt(task=TASK, status=Status.OK, reward=1.0, files=None, **fields) -> Attempt:
    files = files or task.baseline_candidate.files
    outcome = Outcome(candidate="c", task="t", status=status)
    return Attempt(node=0, depth=0, files=files, outcome=outcome, reward=reward, u=1.0, **fields)


def observation(task=TASK, **fields) -> Observation:
    return Observation(task=task, current=fields.pop("current", attempt(task)), **fields)


def test_the_same_seed_gives_the_same_programs() -> None:
    first, second = (proposals(observation(), 8, 7) for _ in range(2))
    assert [each.candidate for each in first] == [each.candidate for each in second]
    assert [each.candidate for each in first] != [each.candidate for each in proposals(observation(), 8, 8)]


def test_programs_differ_from_each_other_and_from_the_baseline() -> None:
    programs = [each.candidate.id for each in proposals(observation(), 24, 0) if each.candidate]
    assert len(programs) >= 20
    assert len({*programs, TASK.baseline_candidate.id}) == len(programs) + 1


def test_the_written_action_leads_to_the_program() -> None:
    for each in proposals(observation(), 8, 3):
        assert each.candidate is not None
        files = carried_out(read_action(each.text), TASK.baseline_candidate.files, TASK, setting_of(TASK))
        assert files == each.candidate.files


def test_an_action_reads_back() -> None:
    action = (
        RewriteStep(name="newline-for-endl", file="a b.cpp", line=3),
        RewriteStep(name="newline-for-endl", file="x.cpp", line=9, options="size=4"),
    )
    assert read_action(written_form(action)) == action


def test_some_actions_take_many_steps_that_go_together() -> None:
    actions = [read_action(each.text) for seed in range(40) for each in proposals(observation(SORT), 1, seed)
               if each.candidate]  # fmt: skip
    long = [action for action in actions if len(action) > 3]
    assert 0.2 < len(long) / len(actions) < 0.7
    assert all(BY_NAME[step.name].family in SWEEPING for action in long for step in action)


def named(found: list) -> Iterator[str]:
    return (step.name for each in found if each.candidate for step in read_action(each.text)[:1])


def test_a_critique_changes_what_is_proposed() -> None:
    slow_output = Diagnosis(kind="bottleneck", what="Every endl flushes", tags=("endl",))
    critique = Critique(text="1. Every endl flushes.", diagnoses=(slow_output,))

    def share(current: Attempt) -> float:
        seen = [name for seed in range(150) for name in named(proposals(observation(SORT, current=current), 1, seed))]
        return sum("endl" in BY_NAME[name].answers for name in seen) / len(seen)

    assert share(attempt(SORT, critique=critique)) > 2 * share(attempt(SORT))


def test_a_failed_program_is_left_for_the_last_one_that_worked() -> None:
    broken = attempt(SORT, Status.WRONG, 0.0, files={"baseline.cpp": "int main() {}\n"})
    for each in proposals(observation(SORT, current=broken, trajectory=(attempt(SORT),)), 4, 0):
        assert each.candidate is not None
        assert "struct Record" in each.candidate.files["baseline.cpp"]


def test_what_failed_on_this_path_is_proposed_less() -> None:
    failed = attempt(
        SORT,
        Status.WRONG,
        0.0,
        files={"baseline.cpp": "int main() {}\n"},
        origin="rewrite: newline-for-endl@baseline.cpp:41",
    )

    def count(current: Attempt) -> int:
        seen = observation(SORT, current=current, trajectory=(attempt(SORT),))
        return Counter(name for seed in range(150) for name in named(proposals(seen, 1, seed)))["newline-for-endl"]

    assert count(failed) < count(attempt(SORT, Status.WRONG, 0.0, files={"baseline.cpp": "int main() {}\n"}))


def test_nothing_to_rewrite_is_a_proposal_with_a_reason() -> None:
    (only,) = proposals(
        observation(
            current=attempt(files={"baseline.cpp": ""}),
        ),
        1,
        0,
    )
    assert only.candidate is None
    assert "nothing new" in (only.problem or "")


@pytest.mark.parametrize("text", ["", "unknown@a.cpp:1", "newline-for-endl", "newline-for-endl@a.cpp:x"])
def test_what_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(Exception, match="is not a step"):
        read_action(text)
