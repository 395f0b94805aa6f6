"""The archive of elites: what it keeps, how full it is, and what it shows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("ribs", reason="the archive needs maxcode[rl]")

from maxcode.core import InputError
from maxcode.task import Task, load_task
from maxcode.train.archive import TECHNIQUE_SETS, Archive, load_archive
from maxcode.train.curriculum import STAGES
from maxcode.train.masks import EVERYTHING, Mask
from maxcode.train.problem import Problem
from maxcode.train.reward_answer import Rewarded
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


def _filled(given: Found) -> Archive:
    archive = Archive(NAMES)
    for task, rewarded in given:
        archive.add(Problem(task=task, mask=EVERYTHING), rewarded)
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
    assert 0 <= archive.mean_qd_score <= archive.coverage + 1e-9


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
    archive.add(Problem(task=TASKS[0], mask=EVERYTHING), more)
    assert archive.coverage >= coverage
    assert archive.qd_score >= score - 1e-9


@settings(max_examples=40, deadline=None)
@given(found, st.sampled_from(STAGES), st.integers(0, 5))
def test_examples_keep_to_the_mask_and_rise_in_speed(given: Found, mask: Mask, n: int) -> None:
    archive = _filled(given)
    problem = Problem(task=TASKS[0], mask=mask)
    shown = archive.examples(problem, n)
    assert len(shown) <= n
    assert all(each.task == NAMES[0] and each.techniques <= problem.mask.permitted for each in shown)
    speeds = [each.gflops or 0.0 for each in shown]
    assert speeds == sorted(speeds)
    fitting = [e.gflops for e in archive.elites if e.task == NAMES[0] and e.techniques <= problem.mask.permitted]
    assert not (n and fitting) or speeds[-1] == max(fitting)


def test_failures_are_not_kept() -> None:
    archive = Archive(NAMES)
    failed = Rewarded(reward=-10, tier="wrong", candidate="x")
    assert not archive.add(Problem(task=TASKS[0], mask=EVERYTHING), failed)
    assert len(archive) == 0


@settings(max_examples=10, deadline=None)
@given(found)
def test_an_archive_is_read_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, given: Found) -> None:
    archive, file = _filled(given), tmp_path_factory.mktemp("archive") / "elites.json"
    archive.save(file)
    again = load_archive(file)
    assert again.state() == archive.state()
    assert again.qd_score == pytest.approx(archive.qd_score)


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elites.json").write_text('{"tasks": ["a"]}')
    with pytest.raises(InputError, match="is not an archive of elites"):
        load_archive(tmp_path / "elites.json")


def test_an_archive_of_other_tasks_is_refused() -> None:
    with pytest.raises(InputError, match="resume with the tasks"):
        Archive(NAMES).restore(Archive(NAMES[:1]).state())
