"""The archive of elites: what it keeps, how full it is, and what it shows."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("ribs", reason="the archive needs maxcode[rl]")

from maxcode.core import InputError
from maxcode.task import Task, load_task
from maxcode.train.archive import TECHNIQUE_SETS, EliteArchive
from maxcode.train.curriculum import STAGES
from maxcode.train.masks import EVERYTHING, Mask
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded
from maxcode.train.techniques import Technique

EXAMPLES = Path(__file__).parents[2] / "examples"
TASKS = [load_task(EXAMPLES / name) for name in ("matmul", "stencil")]
NAMES = [task.name for task in TASKS]

successes = st.builds(
    Rewarded,
    reward=st.floats(0.01, 100),
    tier=st.just("ok"),
    gflops=st.floats(0.001, 1000),
    techniques=st.frozensets(st.sampled_from(list(Technique))),
    candidate=st.text(alphabet="abc", min_size=1, max_size=5),
)
Found = list[tuple[Task, Rewarded]]
found = st.lists(st.tuples(st.sampled_from(TASKS), successes), max_size=30)


def _filled(given: Found) -> EliteArchive:
    archive = EliteArchive(NAMES)
    for task, rewarded in given:
        archive.add(MaskedTask(task=task, mask=EVERYTHING), rewarded)
    return archive


@settings(max_examples=40, deadline=None)
@given(found)
def test_a_cell_keeps_its_highest_reward(given: Found) -> None:
    best: dict[tuple[str, frozenset[Technique]], float] = {}
    for task, rewarded in given:
        key = (task.name, rewarded.techniques)
        best[key] = max(best.get(key, 0.0), rewarded.reward)
    archive = _filled(given)
    assert {(each.task, each.techniques): each.reward for each in archive.elites} == best
    assert archive.qd_score == pytest.approx(sum(best.values()) / 100)
    assert archive.coverage == pytest.approx(len(best) / (len(NAMES) * len(TECHNIQUE_SETS)))


@settings(max_examples=20, deadline=None)
@given(found, st.integers(0, 100))
def test_the_scores_do_not_depend_on_the_order(given: Found, seed: int) -> None:
    other = list(given)
    random.Random(seed).shuffle(other)
    assert _filled(other).qd_score == pytest.approx(_filled(given).qd_score)


@settings(max_examples=20, deadline=None)
@given(found, successes)
def test_nothing_that_is_added_lowers_a_score(given: Found, more: Rewarded) -> None:
    archive = _filled(given)
    coverage, score = archive.coverage, archive.qd_score
    archive.add(MaskedTask(task=TASKS[0], mask=EVERYTHING), more)
    assert archive.coverage >= coverage
    assert archive.qd_score >= score - 1e-9


@settings(max_examples=40, deadline=None)
@given(found, st.sampled_from(STAGES), st.integers(0, 5))
def test_examples_keep_to_the_mask_and_rise_in_speed(given: Found, mask: Mask, n: int) -> None:
    archive = _filled(given)
    problem = MaskedTask(task=TASKS[0], mask=mask)
    shown = archive.examples(problem, n)
    assert len(shown) <= n
    assert all(each.task == NAMES[0] and each.techniques <= problem.mask.permitted for each in shown)
    speeds = [each.gflops or 0.0 for each in shown]
    assert speeds == sorted(speeds)
    fitting = [e.gflops for e in archive.elites if e.task == NAMES[0] and e.techniques <= problem.mask.permitted]
    assert not (n and fitting) or speeds[-1] == max(fitting)


def test_failures_are_not_kept() -> None:
    archive = EliteArchive(NAMES)
    failed = Rewarded(reward=-10, tier="wrong", candidate="x")
    assert not archive.add(MaskedTask(task=TASKS[0], mask=EVERYTHING), failed)
    assert len(archive) == 0


@settings(max_examples=10, deadline=None)
@given(found)
def test_an_archive_is_read_back_as_it_was(given: Found) -> None:
    archive, again = _filled(given), EliteArchive(NAMES)
    again.restore(json.loads(json.dumps(archive.state())))
    assert again.state() == archive.state()
    assert again.qd_score == pytest.approx(archive.qd_score)


def test_an_archive_of_other_tasks_is_refused() -> None:
    with pytest.raises(InputError, match="resume with the tasks"):
        EliteArchive(NAMES).restore(EliteArchive(NAMES[:1]).state())
