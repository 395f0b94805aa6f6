"""Prompts of a training: half of them show elites of the archive, in both modes."""

from __future__ import annotations

import pytest

pytest.importorskip("ribs", reason="the archive needs maxcode[rl]")

from maxcode.evaluate.pool import LocalPool
from maxcode.store.journal import Store
from maxcode.train.curriculum import CurriculumKind, make_curriculum
from maxcode.train.grpo.config import Actions, preset
from maxcode.train.grpo.feed import CurriculumFeed
from maxcode.train.grpo.menu import menu
from maxcode.train.grpo.prompts import named_prompt
from maxcode.train.grpo.steps import AnswerRow
from maxcode.train.grpo.tasks import named_task
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.answer import Rewarded
from maxcode.train.reward.reward import Rewards
from maxcode.train.techniques import Technique

TASK = named_task("hpc:dgemm:m=24,n=24,k=24")
PROBLEM = MaskedTask(task=TASK, mask=EVERYTHING)
FOUND = (
    Rewarded(reward=10, tier="ok", gflops=2.5, candidate="int loops;"),
    Rewarded(reward=60, tier="ok", gflops=31.0, candidate="int lanes;", techniques=frozenset({Technique.SIMD})),
)
"""Two programs that fill two cells of the archive."""


def rows(actions: Actions, elites: int = 2) -> list[AnswerRow]:
    curriculum = make_curriculum(CurriculumKind.NONE, [TASK])
    curriculum.tell(PROBLEM, FOUND)
    config = preset("smollm2-135m", actions, elites=elites)
    with Store() as store:
        journal = store.start("rl:dgemm", {"kind": "rl"})
        feed = CurriculumFeed(config, curriculum, Rewards(LocalPool(1)), journal, lambda _: None)
        return feed.rows(40)


@pytest.mark.parametrize("actions", Actions)
def test_half_of_the_prompts_have_elites_of_different_cells(actions: Actions) -> None:
    found = rows(actions)
    shown = [row for row in found if row.elites]
    assert 8 <= len(shown) <= 32
    assert all([each.gflops for each in row.elites] == [2.5, 31.0] for row in shown)


def test_prompts_for_programs_show_the_text_of_elites() -> None:
    for row in rows(Actions.PROGRAMS):
        assert ("int lanes;" in row.prompt[0]["content"]) == bool(row.elites)


def test_prompts_for_names_tell_the_techniques_of_elites() -> None:
    row = next(row for row in rows(Actions.NAMED) if row.elites)
    program = TASK.baseline_candidate.files[TASK.main_file]
    (message,) = named_prompt(TASK, EVERYTHING, program, menu(PROBLEM, program), row.elites)
    assert "Reached before: 2.5 GFLOPS with other loops; 31 GFLOPS with simd." in message["content"]


def test_no_prompt_has_elites_where_none_are_asked_for() -> None:
    assert not any(row.elites for row in rows(Actions.PROGRAMS, elites=0))
