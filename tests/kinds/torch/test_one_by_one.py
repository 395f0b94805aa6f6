"""Calls that are asked for one at a time by shared memory, of a real process: what they see, what is read of them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.core import Status  # noqa: E402
from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.evaluate.pairs import Timing  # noqa: E402
from maxcode.kinds.torch import timing  # noqa: E402
from maxcode.kinds.torch.driven import Driven  # noqa: E402
from maxcode.kinds.torch.parcel import LEAST_BYTES, MOST_BYTES, Parcel  # noqa: E402
from maxcode.kinds.torch.timing import Stopwatch  # noqa: E402
from maxcode.kinds.torch.trials import Problem  # noqa: E402
from maxcode.kinds.torch.values import Layout  # noqa: E402
from maxcode.kinds.torch.verifying import Verifier  # noqa: E402
from tests.kinds.torch.processes import SETTINGS, called, inputs, process_with, running  # noqa: E402


def test_each_call_gets_its_own_inputs_and_its_result_is_read() -> None:
    with process_with("return x * 2") as driven:
        assert called(driven, 1, 2, 3) == [2, 4, 6]
        assert called(driven, 4, 5) == [8, 10]


def test_a_call_does_not_see_the_inputs_of_later_ones() -> None:
    """It remembers the tensors that it was given, and gives what is in the last of them."""
    with process_with("self.kept[x.data_ptr()] = x\nreturn self.kept[max(self.kept)] * 1") as driven:
        assert called(driven, 1, 2, 3) == [1, 2, 3]
        assert called(driven, 7, 8, 9) == [0, 0, 9]


@pytest.mark.parametrize("elements", [10, LEAST_BYTES // 4, MOST_BYTES // 4, 5 * MOST_BYTES // 4])
def test_inputs_are_not_there_before_their_last_piece(elements: int) -> None:
    data = [torch.rand(elements)]
    layout, memory = Layout(data), torch.zeros(10 * MOST_BYTES, dtype=torch.uint8)
    parcel = Parcel(layout, 1, data)
    parcel.put(memory)
    (there,) = layout.arguments(memory, 1)
    missing = int((there != data[0]).sum())
    assert missing >= 0.999 * min(elements, MOST_BYTES // 4 - 1) - 1  # drawn by lot, some of them may be the same
    parcel.put_last()
    assert torch.equal(there, data[0])


def test_what_is_computed_after_a_call_is_done_does_not_count() -> None:
    later = "out = torch.zeros_like(x)\nthreading.Timer(0.02, lambda: out.copy_(x)).start()\nreturn out"
    with process_with(later) as driven:
        assert called(driven, 1, 2, 3) == [0, 0, 0]


def test_the_seconds_are_those_of_a_call_to_its_end() -> None:
    with process_with("time.sleep(0.02)\nreturn x * 2") as driven:
        found = driven.one_by_one(Layout(inputs(0)), [inputs(1), inputs(2), inputs(3)])
    assert 0.02 <= found.seconds < 0.2


@pytest.mark.parametrize(
    ("forward", "status", "reason"),
    [
        ("raise ValueError('no such row')", Status.CRASHED, "no such row"),
        ("os._exit(3)", Status.CRASHED, "ended"),
        ("time.sleep(60)", Status.TIMEOUT, "no answer within the time limit of 8 s"),
    ],
)
def test_what_goes_wrong_in_a_call_is_told_as_such(forward: str, status: Status, reason: str) -> None:
    with process_with(f"if x[0, 0] == 2:\n    {forward}\nreturn x * 2", seconds=8) as driven:
        began = time.monotonic()
        with pytest.raises(Failure, match=reason) as failure:
            called(driven, 1, 2, 3)
    assert failure.value.status is status
    assert time.monotonic() - began < 12


def test_after_a_failure_the_process_waits_for_nobody() -> None:
    with process_with("if x[0, 0] == 2:\n    raise ValueError('no such row')\nreturn x * 2") as driven:
        with pytest.raises(Failure):
            called(driven, 1, 2, 3)
        assert called(driven, 3, 4) == [6, 8]


@pytest.mark.parametrize("told", ["[(-8, 4)]", "[(8, 1 << 60)]", "[(8, 4)] * 100", "[]"])
def test_places_that_are_none_are_the_candidates_failure(told: str) -> None:
    forged = "from maxcode.kinds.torch.bell import Bell\nhonest = self.kept.setdefault(0, Bell.place)\n"
    forged += f"Bell.place = lambda bell, _: honest(bell, {told})\nreturn x * 2"
    with process_with(forged) as driven, pytest.raises(Failure) as failure:
        called(driven, 1, 2, 3)
    assert failure.value.status is Status.REJECTED


@pytest.mark.parametrize(
    "forward",
    [
        "return self.kept.setdefault(0, torch.zeros(4, 8)).copy_(x * 2)",
        "out = self.kept.setdefault(0, torch.zeros(4, 8)).zero_()\ntime.sleep(0.002)\nreturn out.add_(x * 2)",
    ],
)
def test_a_result_that_the_next_call_overwrites_is_read_before(forward: str) -> None:
    with process_with(forward) as driven:
        assert called(driven, 1, 2, 3) == [2, 4, 6]


def test_who_is_done_before_it_is_asked_is_refused() -> None:
    early = "from maxcode.kinds.torch.bell import Bell, Say\nhonest = self.kept.setdefault(0, Bell.say)\n"
    early += "Bell.say = lambda bell, what, number: honest(bell, what, number + (what == Say.DONE))\nreturn x * 2"
    with process_with(early) as driven, pytest.raises(Failure, match="has not begun: forged"):
        called(driven, 1, 2, 3)


def test_a_call_of_almost_nothing_shows_what_asking_takes() -> None:
    with process_with("time.sleep(0.2)\nreturn x * 2") as driven:
        assert driven.one_by_one(Layout(inputs(0)), [inputs(1)] * 3, idle=True).seconds < 0.1


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
    problem = Problem(text, "model.py", "cpu")
    settings = replace(SETTINGS, problems=((text, ""),), most_bytes=1 << 30)
    watch = Stopwatch(settings, problem, Verifier(settings, [problem]), lambda: 256)
    size = watch.slots * watch.layout.size + LEAST_BYTES
    with running(size) as a, running(size) as b:
        candidate = Driven(b, PROBLEM.format(name="ModelNew", forward=other), "ModelNew", compiled=False)
        sides: Any = {"baseline": Driven(a, text, "Model", compiled=False), "candidate": candidate}
        for each in sides.values():
            watch.pace(each)
        try:
            watch.refuse_together(sides, dict.fromkeys(sides, Timing(in_a_row, in_a_row)))
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
