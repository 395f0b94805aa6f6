"""`maxcode new` from a PyTorch problem."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from maxcode.cli.main import app
from maxcode.kinds.torch.table import Torch
from maxcode.task import load_task

pytestmark = pytest.mark.long
PROBLEMS = Path(__file__).parents[2] / "bench/data/kernelbench/KernelBench"
CONVOLUTION = PROBLEMS / "level2/1_Conv2d_Scale_GroupNorm.py"


def new(*words: str | Path) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["new", *map(str, words)])
    return done.exit_code, " ".join(done.output.split())


def test_a_problem_becomes_a_torch_task_with_sizes_for_a_cpu(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the problem is tried out")
    code, said = new(tmp_path / "conv", "--from", CONVOLUTION)
    assert code == 0, said
    task = load_task(tmp_path / "conv")
    assert task.read(task.main_file) == CONVOLUTION.read_text()
    assert set(task.table(Torch).constants_cpu) == {"batch_size", "height", "width"}
    assert {"batch_size": 1} in task.table(Torch).shapes
    assert "On a CPU: sizes: batch_size = " in said


def test_a_problem_that_does_not_run_is_no_task(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the problem is tried out")
    code, said = new(tmp_path / "wrong", "--from", PROBLEMS / "level1/10_Wrong_sizes.py")
    assert code == 2
    assert "does not run: RuntimeError: mat1 and mat2 shapes cannot be multiplied" in said
    assert not (tmp_path / "wrong").exists()


def test_what_a_problem_lacks_is_named(tmp_path: Path) -> None:
    source = tmp_path / "model.py"
    source.write_text(CONVOLUTION.read_text().replace("def get_init_inputs", "def get_inits"))
    code, said = new(tmp_path / "task", "--from", source)
    assert code == 2
    assert "model.py: has no def get_init_inputs()" in said


def test_a_name_that_will_not_do_is_refused_at_once(tmp_path: Path) -> None:
    code, said = new(tmp_path / "task", "--from", CONVOLUTION, "--name", "a b/c")
    assert code == 2
    assert "--name a b/c: may have letters" in said
    assert "a-b-c" in said


def test_inputs_and_flags_are_not_for_problems(tmp_path: Path) -> None:
    for words in (("--input", CONVOLUTION), ("--flags=-O2",)):
        code, said = new(tmp_path / "task", "--from", CONVOLUTION, *words)
        assert code == 2
        assert "Leave --" in said
