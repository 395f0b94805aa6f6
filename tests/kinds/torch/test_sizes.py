"""Trials of a torch model are timed against the original, and count as if against the winner."""

from __future__ import annotations

from pathlib import Path

import pytest

from maxcode.core import Status, Verdict
from maxcode.optimize.minimize import beside_winner
from maxcode.task import load_task
from tests.search.fakes import measured, outcome

SOFTMAX = Path(__file__).parents[3] / "examples" / "torch" / "softmax"


@pytest.mark.parametrize(("speedup", "verdict"), [(3.2, Verdict.TIE), (2.0, Verdict.SLOWER)])
def test_speed_is_told_relative_to_the_winner(speedup: float, verdict: Verdict) -> None:
    m = beside_winner(outcome(measurement=measured(speedup)), 3.0).measurement
    assert m is not None
    assert m.speedup == pytest.approx(speedup / 3.0)
    assert m.ci_low < m.speedup < m.ci_high
    assert m.verdict is verdict


def test_a_failure_stays_what_it_is() -> None:
    failed = outcome(Status.WRONG, reason="no")
    assert beside_winner(failed, 3.0) == failed


def test_other_sizes_are_those_of_the_inputs_on_this_device() -> None:
    task = load_task(SOFTMAX, {"torch": {"device": "cpu"}})
    found = {variant.label: variant.changes["torch"]["constants_cpu"] for variant in task.kind.sizes(task)}
    assert found == {
        "at batch_size = 384, dim = 512": {"batch_size": 384, "dim": 512},
        "at batch_size = 3072": {"batch_size": 3072, "dim": 1024},
    }
