"""Trying problems out: what runs is described, what does not is named, and nothing that a problem does goes further."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="problems are tried out with torch")

from maxcode.kinds.torch.problem.sizing import DoesNotRun, brought_to_size, further_shapes
from maxcode.kinds.torch.problem.tryout import Tryouts
from tests.waiting import until

pytestmark = pytest.mark.long
LINEAR = """import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 8)

    def forward(self, x):
        return self.layer(x)

batch_size = 64
width = 16

def get_inputs():
    return [torch.rand(batch_size, width)]

def get_init_inputs():
    return [width]
"""


@pytest.fixture(scope="module")
def tryouts() -> Iterator[Tryouts]:
    with Tryouts("cpu", seconds=5, memory_mb=2048) as made:
        yield made


def test_what_runs_is_described(tryouts: Tryouts) -> None:
    tried = tryouts.run(LINEAR)
    assert tried.problem is None
    assert (tried.inputs, tried.outputs, tried.parameters) == (64 * 16, 64 * 8, 16 * 8 + 8)
    assert (tried.steady, tried.answers) == (True, "differ")


@pytest.mark.parametrize(
    ("forward", "reason"),
    [
        ("return self.layer(x.T)", "RuntimeError: mat1 and mat2 shapes"),
        ("import os; os.abort()", "its process died (SIGABRT)"),
        ("import os; os._exit(3)", "its process died (exit code 3)"),
        ("while True: pass", "takes more than 5 s"),
        ("return torch.ones(1 << 40)", "RuntimeError: "),
        ("raise SystemExit", "SystemExit"),
        ("return 3", "its model returns no tensor"),
        ("raise RuntimeError('No CUDA GPUs are available')", "RuntimeError: No CUDA GPUs are available (line 10); "),
        ("return self.layer(x.mul_(2))", "its model changes its inputs; let forward"),
    ],
)
def test_what_does_not_run_is_named_and_the_next_one_runs(tryouts: Tryouts, forward: str, reason: str) -> None:
    assert (tryouts.run(LINEAR.replace("return self.layer(x)", forward)).problem or "").startswith(reason)
    assert tryouts.run(LINEAR).problem is None


def test_chance_and_constants_are_seen(tryouts: Tryouts) -> None:
    def answers(result: str) -> tuple[bool, str]:
        tried = tryouts.run(LINEAR.replace("self.layer(x)", result))
        return tried.steady, tried.answers

    assert answers("torch.dropout(x, 0.5, True)") == (False, "differ")
    assert answers("torch.zeros(3)") == (True, "same")
    assert answers("x * 1e-5") == (True, "alike")


def test_sizes_that_do_not_work_are_passed_over(tryouts: Tryouts) -> None:
    picky = LINEAR.replace("return self.layer(x)", "assert len(x) >= 16; return self.layer(x)")
    sized = brought_to_size(picky, tryouts, scale=0.05)
    assert sized.changed == {"batch_size": 16}
    assert "it does not run at 0.05 times the size, but at 0.2 times" in sized.remarks(picky, 0.05)


@pytest.mark.timing
def test_what_hangs_is_tried_once(tryouts: Tryouts) -> None:
    began = time.monotonic()
    with pytest.raises(DoesNotRun, match="takes more than 5 s"):
        brought_to_size(LINEAR.replace("return self", "while True: pass\n        return self"), tryouts, scale=0.05)
    assert time.monotonic() - began < 30


def test_of_what_runs_at_no_size_the_failure_at_its_own_is_told(tryouts: Tryouts) -> None:
    with pytest.raises(DoesNotRun, match=r"ValueError: 64 \(line \d+\)"):
        brought_to_size(LINEAR.replace("return self", "raise ValueError(len(x)); return self"), tryouts, scale=0.05)


def test_a_call_that_is_dear_is_made_smaller(tryouts: Tryouts) -> None:
    dear = LINEAR.replace("return self", "import time; time.sleep(len(x) / 100); return self")
    sized = brought_to_size(dear, tryouts)
    assert sized.changed == {"batch_size": 16}


def test_nothing_to_check_is_said(tryouts: Tryouts) -> None:
    with pytest.raises(DoesNotRun, match="the same for all inputs"):
        brought_to_size(LINEAR.replace("self.layer(x)", "torch.zeros(3)"), tryouts)


def test_inputs_that_are_always_the_same_are_said_to_be(tryouts: Tryouts) -> None:
    with pytest.raises(DoesNotRun, match="get_inputs gives the same each time; take"):
        brought_to_size(LINEAR.replace("return [torch.rand", "torch.manual_seed(0); return [torch.rand"), tryouts)


def test_inputs_are_a_list(tryouts: Tryouts) -> None:
    alone = LINEAR.replace("[torch.rand(batch_size, width)]", "torch.rand(batch_size, width)")
    assert tryouts.run(alone).problem == "TypeError: get_inputs returns a Tensor; let it return a list of arguments"


@pytest.mark.parametrize("ends", ["stopped", "killed"])
def test_nothing_that_a_problem_started_outlives_who_asked(tmp_path: Path, ends: str) -> None:
    told = tmp_path / "pids"
    hangs = LINEAR.replace(
        "return self.layer(x)",
        f"import os, time; other = os.fork(); open({str(told)!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(60)",
    )
    program = f"""
from maxcode.kinds.torch.problem.tryout import Tryouts
with Tryouts("cpu") as tryouts: tryouts.run({hangs!r})
"""
    here = {**os.environ, "TMPDIR": str(tmp_path)}  # who is killed leaves its folder behind
    with subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL, env=here) as asking:
        until(lambda: told.exists() and len(told.read_text().split()) == 2, 60)
        asking.send_signal(signal.SIGINT if ends == "stopped" else signal.SIGKILL)
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in told.read_text().split()), 60)


def test_further_shapes_are_those_that_run(tryouts: Tryouts) -> None:
    picky = LINEAR.replace("return self.layer(x)", "assert len(x) > 1; return self.layer(x)")
    assert further_shapes(picky, tryouts) == [{"batch_size": 3}]
