"""Weights that every construction begins with: which they are, what they become, and where another model has them."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.kinds.torch.harness.trials import LoadedProblem  # noqa: E402
from maxcode.kinds.torch.harness.weights import counterparts, other_values  # noqa: E402

PROBLEM = """
import torch
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.norm = torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4)
        self.drawn = torch.nn.Parameter(torch.randn(1))
        self.turn = torch.nn.Parameter(torch.eye(4))
        self.register_buffer("mask", torch.ones(4, 4).tril())
        self.register_buffer("unsaved", torch.ones(4), persistent=False)
    def forward(self, x):
        return {result}
def get_inputs():
    return [torch.rand(3, 4)]
def get_init_inputs():
    return []
"""
FIXED = {"norm.weight", "norm.bias", "norm.running_mean", "norm.running_var", "turn"}


def problem(result: str = "self.norm(self.layer(x)) @ self.turn") -> LoadedProblem:
    return LoadedProblem(PROBLEM.format(result=result), "model.py", "cpu")


def test_what_is_drawn_or_a_table_is_not_fixed() -> None:
    assert problem().fixed.keys() == FIXED


def test_other_values_differ_everywhere_and_variances_stay_positive() -> None:
    fixed = problem().fixed
    found = other_values(fixed, 3)
    assert all(bool((found[name] != fixed[name]).all()) for name in fixed)
    assert bool((found["norm.running_var"] > 0).all())


def test_nothing_is_varied_where_the_model_gives_nothing_finite_then() -> None:
    found = problem("torch.sqrt(-self.norm.bias.abs()) + x")
    assert found.fixed.keys() == FIXED and found.varied == {}


def test_weights_of_other_names_are_known_by_size_and_beginning() -> None:
    fixed = {"norm.weight": torch.ones(4), "norm.bias": torch.zeros(4), "gone": torch.ones(9)}
    state = {"shift": torch.zeros(1, 4), "other": torch.rand(4), "scale": torch.ones(4, 1)}
    assert counterparts(fixed, state) == {"norm.weight": "scale", "norm.bias": "shift"}
