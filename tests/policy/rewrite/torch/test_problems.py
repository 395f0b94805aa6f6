"""Every rewrite of the example problems obeys the rules and gives the same, at sizes other than the problem's own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from maxcode.core import Candidate, Language
from maxcode.kinds.torch.problem.problem import with_constants
from maxcode.kinds.torch.rewriting import TorchSetting
from maxcode.kinds.torch.table import Torch
from maxcode.policy.rewrite.actions import setting_of
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch import TRANSFORMATIONS
from maxcode.policy.rewrite.transformation import Setting
from maxcode.task import load_task

from .models import SLOW, assert_runs_in_one_way, assert_same

pytestmark = pytest.mark.long
torch = pytest.importorskip("torch", reason="models are run with torch, which is not installed")
PROBLEMS = sorted(Path(__file__).parents[4].glob("examples/torch/*/task.toml"))
each_problem = pytest.mark.parametrize("path", PROBLEMS, ids=lambda path: path.parent.name)


def settings(task) -> list[Setting]:
    own = setting_of(task)
    assert own.torch is not None
    return [own, Setting(torch=TorchSetting(device="cuda", problem=own.torch.problem))]


@each_problem
def test_every_rewrite_obeys_the_rules(path: Path) -> None:
    from maxcode.kinds.torch.rules.check import broken_rule

    task = load_task(path.parent)
    source = SourceFile(task.baseline_candidate.files[task.main_file], Language.PYTHON)
    made = [
        (each.name, apply(source, rewrite.edits).code)
        for setting in settings(task)
        for each in TRANSFORMATIONS
        for rewrite in each.find(source, setting)
    ]
    assert len(made) >= 4
    for name, code in made:
        assert broken_rule(task, Candidate(files={task.main_file: code})) is None, (name, code)


@each_problem
def test_kernels_are_what_a_task_that_requires_them_wants(path: Path) -> None:
    from maxcode.kinds.torch.rules.check import broken_rule

    task = load_task(path.parent)
    for device in ("cuda", "cpu"):
        table = task.table(Torch).model_copy(update={"rule": "custom-kernel-required", "device": device})
        strict = task.model_copy(update={"settings": table})
        source = SourceFile(task.baseline_candidate.files[task.main_file], Language.PYTHON)
        for each in TRANSFORMATIONS:
            for rewrite in each.find(source, setting_of(strict)) if each.makes_kernel else ():
                code = apply(source, rewrite.edits).code
                assert broken_rule(strict, Candidate(files={task.main_file: code})) is None, code


@each_problem
def test_every_rewrite_gives_the_same(path: Path) -> None:
    task = load_task(path.parent)
    text = task.baseline_candidate.files[task.main_file]
    source = SourceFile(text, Language.PYTHON)
    problem = with_constants(text, task.table(Torch).shapes[0])
    for each in TRANSFORMATIONS:
        for rewrite in each.find(source, setting_of(task)) if each.name not in SLOW else ():
            assert_same(apply(source, rewrite.edits).code, problem)


@pytest.mark.long
@each_problem
def test_rewrites_follow_each_other(path: Path) -> None:
    task, rng = load_task(path.parent), random.Random(path.parent.name)
    text = task.baseline_candidate.files[task.main_file]
    problem = with_constants(text, task.table(Torch).shapes[0])
    for _ in range(4):
        source = SourceFile(text, Language.PYTHON)
        for _ in range(8):
            found = [
                r for each in TRANSFORMATIONS if each.name not in SLOW for r in each.find(source, setting_of(task))
            ]
            if not found:
                break
            source = apply(source, rng.choice(found).edits)
        assert_same(source.code, problem)


@each_problem
def test_on_a_gpu_rewrites_that_follow_each_other_compile_and_record_once(path: Path) -> None:
    task, rng = load_task(path.parent), random.Random(path.parent.name)
    for _ in range(4):
        source = SourceFile(task.baseline_candidate.files[task.main_file], Language.PYTHON)
        for _ in range(6):
            found = [r for each in TRANSFORMATIONS for r in each.find(source, settings(task)[1])]
            if not found:
                break
            source = apply(source, rng.choice(found).edits)
            assert_runs_in_one_way(source.code)
