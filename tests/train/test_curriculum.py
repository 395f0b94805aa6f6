"""Curricula: which masks come when, and that a resumed one goes on as if nothing had happened."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("ribs", reason="the archive needs maxcode[rl]")

from maxcode.core import InputError
from maxcode.task import load_task
from maxcode.train.curriculum import (
    STAGES,
    Curriculum,
    CurriculumKind,
    Progress,
    QualityDiversity,
    StagingRules,
    make_curriculum,
    stages_for,
)
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded

EXAMPLES = Path(__file__).parents[2] / "examples"
TASKS = [load_task(EXAMPLES / name) for name in ("matmul", "stencil", "histogram")]
KINDS = list(CurriculumKind)
FAILED = Rewarded(reward=-40, tier="build_error", candidate="x")


def _good(reward: float) -> Rewarded:
    return Rewarded(reward=reward, tier="ok", gflops=reward, candidate=f"/* {reward} */")


def _some_rewards(chance: random.Random) -> list[Rewarded]:
    return [_good(chance.uniform(1, 99)) if chance.random() < 0.6 else FAILED for _ in range(4)]


def _run(curriculum: Curriculum, steps: int, seed: int) -> list[str]:
    chance, names = random.Random(seed), []
    for _ in range(steps):
        for problem in curriculum.next(2):
            names.append(problem.name)
            curriculum.tell(problem, _some_rewards(chance))
    return names


@pytest.mark.parametrize(("groups", "kernels"), [(32, 2), (48, 1), (960, 3)])
@pytest.mark.parametrize("kind", [CurriculumKind.STAGED, CurriculumKind.SQD])
def test_stages_that_reach_a_plateau_leave_time_for_everything(kind: CurriculumKind, groups: int, kernels: int) -> None:
    curriculum = make_curriculum(kind, TASKS[:kernels], rules=StagingRules.within(groups, len(TASKS[:kernels])))
    masks = []
    for _ in range(groups):
        (problem,) = curriculum.next(1)
        curriculum.tell(problem, [_good(50)] * 4)
        masks.append(problem.mask)
    assert masks[0] == STAGES[0]
    assert masks[groups * 3 // 4 :].count(EVERYTHING) > 0.4 * groups / 4


def test_threads_have_a_stage_where_they_can_be_measured() -> None:
    limits = TASKS[0].limits.model_copy(update={"cpus": 2})
    on_two_cores = TASKS[0].model_copy(update={"limits": limits})
    assert stages_for([TASKS[1], on_two_cores]) == STAGES
    assert [mask.name for mask in STAGES if mask not in stages_for(TASKS)] == ["threads"]


def test_stages_permit_more_and_more() -> None:
    assert all(earlier.permitted < later.permitted for earlier, later in pairwise(STAGES))
    assert STAGES[0].permitted == frozenset()
    assert STAGES[-1] == EVERYTHING


def test_none_permits_everything() -> None:
    curriculum = make_curriculum(CurriculumKind.NONE, TASKS)
    assert {problem.mask for problem in curriculum.next(30)} == {EVERYTHING}


def test_staged_goes_through_the_masks_in_order_for_all_kernels() -> None:
    curriculum = make_curriculum(CurriculumKind.STAGED, TASKS, rules=StagingRules(groups_per_stage=6))
    masks = [problem.mask for problem in curriculum.next(6 * len(STAGES) + 6)]
    stages = stages_for(TASKS)
    assert masks == [stages[min(number // 6, len(stages) - 1)] for number in range(len(masks))]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kernel_has_its_turn_in_each_round(kind: CurriculumKind) -> None:
    names = [problem.task.name for problem in make_curriculum(kind, TASKS, seed=5).next(30)]
    rounds = [names[at : at + 3] for at in range(0, 30, 3)]
    assert all(sorted(each) == sorted(task.name for task in TASKS) for each in rounds)
    assert len({tuple(each) for each in rounds}) > 1


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(KINDS), st.integers(0, 1000), st.integers(0, 15), st.integers(1, 15))
def test_a_resumed_curriculum_goes_on_as_before(kind: CurriculumKind, seed: int, before: int, after: int) -> None:
    first, second = make_curriculum(kind, TASKS, seed=seed), make_curriculum(kind, TASKS, seed=seed)
    _run(first, before, seed)
    second.restore(json.loads(json.dumps(first.state())))
    assert _run(second, after, seed + 1) == _run(first, after, seed + 1)
    assert second.state() == first.state()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000))
def test_no_kernel_skips_a_stage(seed: int) -> None:
    curriculum, chance = QualityDiversity(TASKS, seed, StagingRules()), random.Random(seed)
    stages = stages_for(TASKS)
    for _ in range(60):
        before = {name: progress.stage for name, progress in curriculum.progress.items()}
        for problem in curriculum.next(3):
            assert stages.index(problem.mask) <= before[problem.task.name]
            curriculum.tell(problem, _some_rewards(chance))
        for name, progress in curriculum.progress.items():
            assert 0 <= progress.stage < len(stages)
            assert abs(progress.stage - before[name]) <= 1


def test_about_a_third_is_replayed_once_there_are_earlier_stages() -> None:
    curriculum = QualityDiversity(TASKS, 1, StagingRules())
    curriculum.progress = {task.name: Progress(stage=4) for task in TASKS}
    stages = [stages_for(TASKS).index(problem.mask) for problem in curriculum.next(2000)]
    assert 0.26 < sum(stage < 4 for stage in stages) / 2000 < 0.34
    assert set(stages) == set(range(5))


def _groups(progress: Progress, rules: StagingRules, *means: float) -> Progress:
    """Progress after groups of successes with these rewards."""
    for reward in means:
        progress = progress.after([_good(reward)] * 2, rules)
    return progress


def test_a_kernel_whose_answers_all_succeed_stays_while_its_rewards_rise() -> None:
    rules = StagingRules(window=2, patience=3)
    assert _groups(Progress(), rules, *range(2, 60, 3)).stage == 0


def test_a_kernel_advances_when_neither_best_nor_mean_rises() -> None:
    rules = StagingRules(window=1, patience=3, improvement=1.0)
    risen = _groups(Progress(), rules, 10, 10.5, 10.9, 20, 20.5, 20.6)
    assert (risen.stage, risen.stalled) == (0, 2)
    assert risen.after([FAILED, _good(20)], rules).stage == 1


def test_a_mean_that_rises_below_the_best_is_progress() -> None:
    rules = StagingRules(window=1, patience=3, improvement=1.0)
    progress = Progress()
    for good in (1, 2, 3, 4, 5, 6, 7):
        progress = progress.after([_good(30)] * good + [FAILED] * (8 - good), rules)
        assert progress.stage == 0


def test_a_kernel_falls_back_when_its_rewards_collapse() -> None:
    rules = StagingRules(window=2, collapse=20)
    settled = _groups(Progress(stage=3), rules, 50, 50)
    assert _groups(settled, rules, 35, 35).stage == 3
    assert _groups(settled, rules, 25, 25) == Progress(stage=2)
    first = _groups(Progress(), rules, 50, 50)
    assert _groups(first, rules, 5, 5).stage == 0, "there is no earlier stage"


def test_the_state_of_the_version_before_is_read() -> None:
    curriculum = QualityDiversity(TASKS, 0, StagingRules())
    state = curriculum.state()
    for progress in state["progress"].values():
        progress["successes"] = [0.5]
        del progress["means"], progress["level"]
    curriculum.restore(state)
    assert curriculum.progress == {task.name: Progress() for task in TASKS}


def test_a_kernel_that_never_succeeds_stays() -> None:
    progress = Progress()
    for _ in range(50):
        progress = progress.after([FAILED] * 4, StagingRules())
    assert progress.stage == 0


def test_what_is_replayed_does_not_move_a_kernel() -> None:
    curriculum = QualityDiversity(TASKS, 0, StagingRules(window=1, patience=1))
    curriculum.progress[TASKS[0].name] = Progress(stage=3)
    curriculum.tell(MaskedTask(task=TASKS[0], mask=STAGES[1]), [_good(50)])
    assert curriculum.progress[TASKS[0].name] == Progress(stage=3)
    assert len(curriculum.archive) == 1


def test_a_group_without_verdicts_changes_nothing() -> None:
    curriculum = QualityDiversity(TASKS, 0, StagingRules())
    before = curriculum.state()
    curriculum.tell(MaskedTask(task=TASKS[0], mask=STAGES[0]), [])
    assert curriculum.state() == before


def test_tasks_need_names_of_their_own() -> None:
    with pytest.raises(InputError, match="names of their own"):
        make_curriculum(CurriculumKind.SQD, [TASKS[0], TASKS[0]])
