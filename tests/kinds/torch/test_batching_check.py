"""Who computes calls together is refused; who computes one after the other is not, however host and GPU share them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.kinds.torch.harness.batching_check import ENOUGH, BatchingCheck, is_beyond  # noqa: E402
from maxcode.kinds.torch.harness.rounds import TimedRound  # noqa: E402

ASKING = 20e-6
SECONDS = st.floats(1e-6, 1e-2)


@given(SECONDS, SECONDS)
def test_honest_calls_are_never_refused(host: float, gpu: float) -> None:
    """The host launches the next call while the GPU is at work on this one."""
    assert not is_beyond(ASKING, ASKING + host + gpu, max(host, gpu))


@given(st.floats(1.5e-4, 1e-2), st.floats(3.0, 100.0))
def test_calls_computed_together_are_refused(alone: float, gain: float) -> None:
    assert is_beyond(ASKING, ASKING + alone, alone / gain)


@pytest.mark.parametrize("beyond", [True, False])
def test_one_disturbed_round_is_no_proof(beyond: bool) -> None:
    check, refused = BatchingCheck(), False
    try:
        for at in range(3 * ENOUGH):
            check.refuse_other_streams(1, rounds(6e-3, 1e-3 if beyond or at % 3 == 0 else 6e-3))
    except Failure:
        refused = True
    assert refused is beyond


def test_programs_are_told_apart() -> None:
    check = BatchingCheck()
    for program in range(3 * ENOUGH):
        check.refuse_other_streams(program, rounds(6e-3, 1e-3))


def rounds(inner: float, events: float) -> tuple[TimedRound, TimedRound]:
    return tuple(TimedRound([None] * calls, False, inner, inner, inner, events) for calls in (6, 44))  # type: ignore[return-value]


@pytest.mark.parametrize(("inner", "events", "refused"), [(6e-3, 5.6e-3, False), (6e-3, 2e-3, True), (6e-3, 0, True)])
def test_the_gpus_own_clock_shows_work_in_other_streams(inner: float, events: float, refused: bool) -> None:
    check, said = BatchingCheck(), ""
    try:
        for _ in range(ENOUGH):
            check.refuse_other_streams(1, rounds(inner, events))
    except Failure as failure:
        said = failure.reason
    assert ("stream" in said) is refused
