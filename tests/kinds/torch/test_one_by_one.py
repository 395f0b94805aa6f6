"""Calls that are asked for one at a time by shared memory, of a real process: what they see, what is read of them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.core import Status  # noqa: E402
from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.evaluate.measure.pairs import Timing  # noqa: E402
from maxcode.kinds.torch.harness import timing  # noqa: E402
from maxcode.kinds.torch.harness.late_input import LEAST_BYTES, MOST_BYTES, LateInput  # noqa: E402
from maxcode.kinds.torch.harness.model_process import ModelProcess  # noqa: E402
from maxcode.kinds.torch.harness.timing import Stopwatch  # noqa: E402
from maxcode.kinds.torch.harness.trials import LoadedProblem  # noqa: E402
from maxcode.kinds.torch.harness.values import Layout  # noqa: E402
from maxcode.kinds.torch.harness.verifying import Verifier  # noqa: E402
from maxcode.kinds.torch.problem.memory import Footprint, plan_memory  # noqa: E402
from tests.kinds.torch.processes import SETTINGS, called, inputs, process_with, running  # noqa: E402

pytestmark = pytest.mark.long


def test_each_call_gets_its_own_inputs_and_its_result_is_read() -> None:
    with process_with("return x * 2") as model_process:
        assert called(model_process, 1, 2, 3) == [2, 4, 6]
        assert called(model_process, 4, 5) == [8, 10]


def test_a_call_does_not_see_the_inputs_of_later_ones() -> None:
    """It remembers the tensors that it was given, and gives what is in the last of them."""
    with process_with("self.kept[x.data_ptr()] = x\nreturn self.kept[max(self.kept)] * 1") as model_process:
        assert called(model_process, 1, 2, 3) == [1, 2, 3]
        assert called(model_process, 7, 8, 9) == [0, 0, 9]


@pytest.mark.parametrize("elements", [10, LEAST_BYTES // 4, MOST_BYTES // 4, 5 * MOST_BYTES // 4])
def test_inputs_are_not_there_before_their_last_piece(elements: int) -> None:
    data = [torch.rand(elements)]
    layout, memory = Layout(data), torch.zeros(10 * MOST_BYTES, dtype=torch.uint8)
    late_input = LateInput(layout, 1, data)
    late_input.put(memory)
    (there,) = layout.arguments(memory, 1)
    missing = int((there != data[0]).sum())
    assert missing >= 0.999 * min(elements, MOST_BYTES // 4 - 1) - 1  # drawn by lot, some of them may be the same
    late_input.put_last()
    assert torch.equal(there, data[0])


def test_what_is_computed_after_a_call_is_done_does_not_count() -> None:
    later = "out = torch.zeros_like(x)\nthreading.Timer(0.02, lambda: out.copy_(x)).start()\nreturn out"
    with process_with(later) as model_process:
        assert called(model_process, 1, 2, 3) == [0, 0, 0]


def test_the_seconds_are_those_of_a_call_to_its_end() -> None:
    with process_with("time.sleep(0.02)\nreturn x * 2") as model_process:
        found = model_process.one_by_one(Layout(inputs(0)), [inputs(1), inputs(2), inputs(3)])
    assert 0.02 <= found.seconds < 0.2


@pytest.mark.timing
@pytest.mark.parametrize(
    ("forward", "status", "reason"),
    [
        ("raise ValueError('no such row')", Status.CRASHED, "no such row"),
        ("os._exit(3)", Status.CRASHED, "ended"),
        ("time.sleep(60)", Status.TIMEOUT, "no answer within the time limit of 8 s"),
    ],
)
def test_what_goes_wrong_in_a_call_is_told_as_such(forward: str, status: Status, reason: str) -> None:
    with process_with(f"if x[0, 0] == 2:\n    {forward}\nreturn x * 2", seconds=8) as model_process:
        began = time.monotonic()
        with pytest.raises(Failure, match=reason) as failure:
            called(model_process, 1, 2, 3)
    assert failure.value.status is status
    assert time.monotonic() - began < 40


def test_after_a_failure_the_process_waits_for_nobody() -> None:
    with process_with("if x[0, 0] == 2:\n    raise ValueError('no such row')\nreturn x * 2") as model_process:
        with pytest.raises(Failure):
            called(model_process, 1, 2, 3)
        assert called(model_process, 3, 4) == [6, 8]


@pytest.mark.parametrize("told", ["[(-8, 4)]", "[(8, 1 << 60)]", "[(8, 4)] * 100", "[]"])
def test_places_that_are_none_are_the_candidates_failure(told: str) -> None:
    forged = "from maxcode.kinds.torch.harness.shared_flags import SharedFlags\n"
    forged += "honest = self.kept.setdefault(0, SharedFlags.place)\n"
    forged += f"SharedFlags.place = lambda flags, _: honest(flags, {told})\nreturn x * 2"
    with process_with(forged) as model_process, pytest.raises(Failure) as failure:
        called(model_process, 1, 2, 3)
    assert failure.value.status is Status.REJECTED


@pytest.mark.parametrize(
    "forward",
    [
        "return self.kept.setdefault(0, torch.zeros(4, 8)).copy_(x * 2)",
        "out = self.kept.setdefault(0, torch.zeros(4, 8)).zero_()\ntime.sleep(0.002)\nreturn out.add_(x * 2)",
    ],
)
def test_a_result_that_the_next_call_overwrites_is_read_before(forward: str) -> None:
    with process_with(forward) as model_process:
        assert called(model_process, 1, 2, 3) == [2, 4, 6]


def test_who_is_done_before_it_is_asked_is_refused() -> None:
    early = "from maxcode.kinds.torch.harness.shared_flags import SharedFlags, Say\n"
    early += "honest = self.kept.setdefault(0, SharedFlags.say)\n"
    early += (
        "SharedFlags.say = lambda flags, what, number: honest(flags, what, number + (what == Say.DONE))\nreturn x * 2"
    )
    with process_with(early) as model_process, pytest.raises(Failure, match="has not begun: forged"):
        called(model_process, 1, 2, 3)


def test_a_call_of_almost_nothing_shows_what_asking_takes() -> None:
    with process_with("time.sleep(0.2)\nreturn x * 2") as model_process:
        assert model_process.one_by_one(Layout(inputs(0)), [inputs(1)] * 3, idle=True).seconds < 0.1


PROBLEM = """
import torch
class {name}(torch.nn.Module):
    def forward(self, x):
        {forward}
def get_inputs():
    return [torch.rand(8, 8)]
def get_init_inputs():
    return []
"""


def refused_together(original: str, other: str, in_a_row: float) -> str:
    """Why a pair is refused whose calls are said to take so many seconds in a row; of two real processes."""
    text = PROBLEM.format(name="Model", forward=original)
    problem = LoadedProblem(text, "model.py", "cpu")
    settings = replace(SETTINGS, problems=((text, ""),), most_bytes=1 << 30)
    plan = plan_memory(Footprint(256, 256, 0, 256), 1 << 20, 64)
    watch = Stopwatch(settings, problem, Verifier(settings, [problem], lambda: plan), lambda: plan)
    size = watch.slots * watch.layout.size + LEAST_BYTES
    with running(size) as a, running(size) as b:
        candidate = ModelProcess(b, PROBLEM.format(name="ModelNew", forward=other), "ModelNew", compiled=False)
        sides: Any = {"baseline": ModelProcess(a, text, "Model", compiled=False), "candidate": candidate}
        for each in sides.values():
            watch.pace(each)
        try:
            watch.refuse_batching(sides, dict.fromkeys(sides, Timing(in_a_row, in_a_row)))
        except Failure as failure:
            return failure.reason
    return ""


@pytest.mark.parametrize(
    ("original", "other"),
    [
        ("return x * 2", "return x + x"),
        ("return x.mul_(2)", "return x * 2"),
        ("y = x * 2; return y, y[0], y[:1]", "y = x + x; return y, y[0], y[:1]"),
        ("return torch.complex(x, x).conj()", "return torch.complex(x, -x)"),
        ("return [x * i for i in range(300)]", "return [x * i for i in range(300)]"),
        ("return x[x > 0.5]", "return x.masked_select(x > 0.5)"),
        ("return {'a': x * 2, 'b': x[:0]}", "return {'b': x[:0].clone(), 'a': x + x}"),
    ],
)
def test_honest_results_of_any_kind_are_accepted(original: str, other: str) -> None:
    assert refused_together(original, other, in_a_row=1.0) == ""


def test_a_pair_is_refused_whose_calls_take_much_longer_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timing, "TIMES_BEYOND", 1)
    wait = "import time; time.sleep(0.12); return x * 2"
    assert "computed together" in refused_together(wait, wait, in_a_row=0.02)
    assert refused_together(wait, wait, in_a_row=0.12) == ""
