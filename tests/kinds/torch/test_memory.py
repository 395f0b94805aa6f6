"""Problems of which only one call fits into memory: planned, verified and timed by the same code as others."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.kinds.torch.harness import state_parts  # noqa: E402
from maxcode.kinds.torch.harness.late_input import LEAST_BYTES  # noqa: E402
from maxcode.kinds.torch.harness.model_process import ModelProcess  # noqa: E402
from maxcode.kinds.torch.harness.timing import Redrawn, Stopwatch  # noqa: E402
from maxcode.kinds.torch.harness.trials import LoadedProblem  # noqa: E402
from maxcode.kinds.torch.harness.verifying import Verifier  # noqa: E402
from maxcode.kinds.torch.problem.memory import Footprint, plan_memory, room_on, too_large  # noqa: E402
from tests.kinds.torch.processes import SETTINGS, running  # noqa: E402

COMPUTED = runpy.run_path(str(Path(__file__).parents[3] / "runs/torch/footprint.py"))
GIB = 1 << 30
H200 = 139 * GIB
PROBLEM = """
import torch
class {name}(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(700))
        self.kept = {{}}
    def forward(self, x):
        {forward}
def get_inputs():
    return [torch.rand(64, 700)]
def get_init_inputs():
    return []
"""
calls = st.tuples(*(st.integers(0, 40 * GIB) for _ in range(4)))


def on_h200(*call: int) -> Any:
    return plan_memory(Footprint(*call), room_on(H200, H200), 256, H200)


@pytest.mark.parametrize("call", [(7, 7, 0, 14), (8, 8, 0, 8), (16, 0, 0, 0), (0, 0, 8, 8), (0, 4, 0, 12)])
def test_the_largest_problems_of_kernelbench_fit_into_an_h200(call: tuple[int, ...]) -> None:
    assert on_h200(*(each * GIB for each in call)).fits


@given(calls)
def test_a_problem_that_fits_with_one_call_at_a_time_always_gets_a_plan_that_fits(call: tuple[int, ...]) -> None:
    found, least = on_h200(*call), plan_memory(Footprint(*call), 0, 1, H200)
    assert found.fits or not least.fits
    assert found.fits or found.slots == 1


def test_what_does_not_fit_is_said_with_both_sizes() -> None:
    call = Footprint(6 * GIB, 6 * GIB, 0, 6 * GIB)
    assert too_large(call, H200) is None
    assert "82 GiB of memory, and there are 47" in (too_large(call, 47 * GIB) or "")


@given(calls)
def test_all_processes_at_once_take_more_than_those_of_a_phase(call: tuple[int, ...]) -> None:
    found = on_h200(*call)
    assert found.fits or not found.together


def test_sizes_are_computed_without_memory() -> None:
    text = PROBLEM.format(name="Model", forward="y = x * 2; z = y + 1; return z[:, :7] * 1").replace("64", "1 << 24")
    rows = 1 << 24
    assert COMPUTED["footprint"](text) == Footprint(rows * 2800, rows * 28, 2800, rows * (2800 + 2800 + 28))


def test_sizes_that_depend_on_values_are_said_to_be_unknown() -> None:
    with pytest.raises(COMPUTED["Unknown"]):
        COMPUTED["footprint"](PROBLEM.format(name="Model", forward="return x[: int(x.sum())]"))


@contextmanager
def judged(forward: str) -> Iterator[tuple[Stopwatch, Verifier, dict[Any, ModelProcess]]]:
    """Clock, verifier and processes of the original and of a candidate with that body, one call at a time."""
    text = PROBLEM.format(name="Model", forward="return x * self.weight")
    problem, settings = LoadedProblem(text, "model.py", "cpu"), replace(SETTINGS, problems=((text, ""),))
    settings = replace(settings, most_bytes=1 << 30, trials=2, distributions=True)
    size = 64 * 700 * 4
    plan = plan_memory(Footprint(size, size, 2800, size), size, 64)
    assert plan.redraws
    verifier = Verifier(settings, [problem], lambda: plan)
    with running(size + LEAST_BYTES) as a, running(size + LEAST_BYTES) as b:
        other = PROBLEM.format(name="ModelNew", forward=forward)
        sides: Any = {
            "baseline": ModelProcess(a, text, "Model", False),
            "candidate": ModelProcess(b, other, "ModelNew", False),
        }
        yield Stopwatch(settings, problem, verifier, lambda: plan), verifier, sides


@pytest.mark.long
def test_an_honest_program_is_verified_and_timed_with_one_call_in_memory() -> None:
    with judged("return self.weight * x") as (watch, verifier, sides):
        assert verifier.verify(sides["candidate"], 1, None) == 4
        original, other = watch.exclusive(sides, ("candidate", "baseline"))
    assert original.cpu > 0 and other.cpu > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("forward", "reason"),
    [
        ("return self.weight * x * 1.01", "off by more"),
        ("y = self.weight * x; x.fill_(0.5); return y", "input 0 was changed"),
        ("return x.mul_(self.weight)", "input 0 was changed"),
    ],
)
def test_programs_that_use_the_one_place_of_all_inputs_are_refused(forward: str, reason: str) -> None:
    with judged(forward) as (_, verifier, sides), pytest.raises(Failure, match=reason):
        verifier.verify(sides["candidate"], 1, None)


@pytest.mark.long
@pytest.mark.parametrize(
    "forward",
    [
        "self.kept[0] = self.kept.get(0, 0) + 1; return x * self.weight * (self.kept[0] < 6)",
        "return self.kept.setdefault(x.data_ptr(), self.weight * x).clone()",
    ],
)
def test_a_program_that_cheats_only_when_timed_is_refused_with_one_call_in_memory(forward: str) -> None:
    with judged(forward) as (watch, _, sides), pytest.raises(Failure, match="off by more"):
        for _ in range(4):
            watch.exclusive(sides, ("baseline", "candidate"))


def test_inputs_that_are_drawn_again_are_the_same() -> None:
    problem = LoadedProblem(PROBLEM.format(name="Model", forward="return x"), "model.py", "cpu")
    drawn = Redrawn(problem, [3, 4, 5])
    assert [len(drawn[:1]), len(drawn[1:])] == [1, 2]
    assert torch.equal(drawn[1:][0][0], drawn[1][0]) and not torch.equal(drawn[0][0], drawn[1][0])


def test_weights_are_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_parts, "WEIGHTS_AT_ONCE", 1000)
    text = PROBLEM.format(name="ModelNew", forward="return x").replace(
        "self.kept", "self.t = torch.nn.Parameter(torch.rand(3, 9).t()); self.kept"
    )
    with running(1 << 16) as remote:
        state = remote.load(text, "ModelNew", [], 7)
    torch.manual_seed(7)
    assert torch.equal(state["weight"], torch.randn(700)) and torch.equal(state["t"], torch.rand(3, 9).t())
