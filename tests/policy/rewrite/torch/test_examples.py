"""Every transformation of models gives the same results, strides and weights as what it started from."""

from __future__ import annotations

import pytest

from maxcode.core import Language
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.torch import TRANSFORMATIONS
from maxcode.policy.rewrite.transformation import Setting, Transformation

from .models import SLOW, assert_same

torch = pytest.importorskip("torch", reason="models are run with torch, which is not installed")
each_transformation = pytest.mark.parametrize("each", TRANSFORMATIONS, ids=lambda each: each.name)


@each_transformation
def test_every_rewrite_of_the_example_gives_the_same(each: Transformation) -> None:
    if each.name in SLOW:
        pytest.skip("starts a compiler; see test_compiled.py")
    for example in (each.example, *each.variants):
        source = SourceFile(example.before, Language.PYTHON)
        for rewrite in each.find(source, example.setting):
            assert_same(apply(source, rewrite.edits).code, example.before)


@each_transformation
def test_a_problem_becomes_a_candidate(each: Transformation) -> None:
    problem = each.example.before.replace("ModelNew", "Model")
    source = SourceFile(problem, Language.PYTHON)
    for rewrite in each.find(source, each.example.setting):
        code = apply(source, rewrite.edits).code
        compile(code, "model.py", "exec")
        assert "class ModelNew(" in code
        assert "class Model(" not in code
        assert "get_inputs" not in code


@each_transformation
def test_programs_of_other_tasks_are_left_alone(each: Transformation) -> None:
    assert list(each.find(SourceFile(each.example.before, Language.PYTHON), Setting())) == []
