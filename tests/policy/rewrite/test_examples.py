"""Every transformation does what its documentation shows, leaves alone what it must, and its output compiles."""

from __future__ import annotations

import pytest

from maxcode.policy.rewrite import TRANSFORMATIONS
from maxcode.policy.rewrite.source import SourceFile, apply
from maxcode.policy.rewrite.transformation import Transformation

from .programs import compiles, output, rewritten

each_transformation = pytest.mark.parametrize("each", TRANSFORMATIONS, ids=lambda each: each.name)


@each_transformation
def test_the_example_is_what_it_does(each: Transformation) -> None:
    for example in (each.example, *each.variants):
        assert rewritten(each.name, example.before, example.options) == example.after


@pytest.mark.long
@each_transformation
def test_the_example_compiles_and_means_the_same(each: Transformation) -> None:
    language = each.languages[-1]
    for example in (each.example, *each.variants):
        assert compiles(example.before, language) is None
        assert compiles(example.after, language) is None
    if each.family == "torch":
        return  # models are run in torch/test_examples.py
    if "main" in each.example.before or language == "python":
        assert output(each.example.before, language) == output(each.example.after, language)


@pytest.mark.long
@each_transformation
def test_every_rewrite_of_the_example_compiles(each: Transformation) -> None:
    source = SourceFile(each.example.before, each.languages[-1])
    for rewrite in each.find(source, each.example.setting):
        changed = apply(source, rewrite.edits)
        assert changed.code != source.code
        assert compiles(changed.code, changed.language) is None, changed.code


@pytest.mark.long
@each_transformation
def test_what_it_refuses(each: Transformation) -> None:
    assert each.refusals, "every transformation states a program that it leaves alone"
    for code in each.refusals:
        assert compiles(code, each.languages[-1]) is None
        assert list(each.find(SourceFile(code, each.languages[-1]), each.example.setting)) == []


def test_names_are_unique() -> None:
    names = [each.name for each in TRANSFORMATIONS]
    assert len(names) == len(set(names))
