"""The torch examples and their ready-made candidates, by plain calls on a CPU."""

from __future__ import annotations

import importlib.util
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from maxcode.kinds.torch.table import Torch
from maxcode.task import load_task

torch = pytest.importorskip("torch", reason="needs torch: pip install maxcode[torch]")

EXAMPLES = Path(__file__).parents[3] / "examples" / "torch"
PROBLEMS = sorted(path.parent.name for path in EXAMPLES.glob("*/task.toml"))
SOLUTIONS = sorted(EXAMPLES.glob("*/solutions/*.py"))
PLAIN = [path for path in SOLUTIONS if path.stem == "fused"]
WRONG = [path for path in SOLUTIONS if path.stem.startswith("wrong_") and "load_inline" not in path.read_text()]


def label(path: Path) -> str:
    return f"{path.parents[1].name}-{path.stem}"


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{label(path)}", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def settings(name: str) -> Torch:
    return load_task(EXAMPLES / name).table(Torch)


def sizes(name: str) -> Iterator[ModuleType]:
    """The problem at its sizes for a CPU, then at each of its further shapes."""
    for shape in ({}, *settings(name).shapes):
        problem = load(EXAMPLES / name / "model.py")
        vars(problem).update(settings(name).constants_cpu | shape)
        yield problem


def outputs(problem: ModuleType, kind: Any) -> tuple[Any, ...]:
    with torch.random.fork_rng(), torch.no_grad():
        torch.manual_seed(5)
        model = kind(*problem.get_init_inputs())
        torch.manual_seed(6)
        result = model(*problem.get_inputs())
    return result if isinstance(result, tuple) else (result,)


def agree(problem: ModuleType, solution: ModuleType) -> bool:
    want, got = outputs(problem, problem.Model), outputs(problem, solution.ModelNew)
    tolerances = [1e-2 if a.dtype == torch.float16 else 1e-4 for a in want]
    return len(want) == len(got) and all(
        a.shape == b.shape and a.dtype == b.dtype and torch.allclose(a, b, rtol=t, atol=t)
        for a, b, t in zip(want, got, tolerances, strict=True)
    )


def test_there_are_sixteen() -> None:
    assert len(PROBLEMS) == 16


@pytest.mark.parametrize("name", PROBLEMS)
def test_constants_are_those_of_the_problem(name: str) -> None:
    problem = load(EXAMPLES / name / "model.py")
    used = set(itertools.chain(settings(name).constants_cpu, *settings(name).shapes))
    assert used and all(isinstance(vars(problem).get(constant), int | float) for constant in used)


@pytest.mark.parametrize("name", PROBLEMS)
def test_outputs_depend_on_the_inputs_and_are_finite(name: str) -> None:
    problem = next(sizes(name))
    model = problem.Model(*problem.get_init_inputs())
    with torch.no_grad():
        first, second = model(*problem.get_inputs()), model(*problem.get_inputs())
    for a, b in zip(first, second, strict=True) if isinstance(first, tuple) else [(first, second)]:
        assert torch.isfinite(a).all() and not torch.allclose(a, b, rtol=1e-2, atol=1e-2)


@pytest.mark.parametrize("path", PLAIN, ids=label)
def test_plain_solutions_agree_at_every_size(path: Path) -> None:
    solution = load(path)
    assert all(agree(problem, solution) for problem in sizes(path.parents[1].name))


@pytest.mark.parametrize("path", WRONG, ids=label)
def test_wrong_solutions_differ_at_some_size(path: Path) -> None:
    solution = load(path)
    assert not all(agree(problem, solution) for problem in sizes(path.parents[1].name))


@pytest.mark.parametrize("path", SOLUTIONS, ids=label)
def test_weights_are_declared_as_in_the_original(path: Path) -> None:
    pattern = r"self\.\w+ = nn\..*"
    original = (path.parents[1] / "model.py").read_text()
    assert re.findall(pattern, path.read_text()) == re.findall(pattern, original)


def test_the_one_that_raises_raises() -> None:
    solution = load(EXAMPLES / "mlp_norm" / "solutions" / "raises.py")
    with pytest.raises(RuntimeError, match="shapes"):
        outputs(next(sizes("mlp_norm")), solution.ModelNew)
