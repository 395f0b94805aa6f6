"""Who computes calls together is refused; who computes one after the other is not, however host and GPU share them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.evaluate.pytorch.side import Ran  # noqa: E402
from maxcode.evaluate.pytorch.together import ENOUGH, Paces, Together  # noqa: E402

ASKING = 12e-6
SECONDS = st.floats(1e-6, 1e-2)


def honest(host: float, gpu: float) -> Paces:
    """The host launches the next call while the GPU is at work on this one."""
    return Paces(ASKING + host + gpu, max(host, gpu))


def judged(original: Paces, other: Paces, rounds: int = ENOUGH) -> None:
    together = Together()
    for _ in range(rounds):
        together.refuse_on_gpu(1, original, other)


@given(SECONDS, SECONDS, SECONDS, SECONDS)
def test_honest_calls_are_never_refused(host: float, gpu: float, other_host: float, other_gpu: float) -> None:
    judged(honest(host, gpu), honest(other_host, other_gpu))


@given(st.floats(1.5e-4, 1e-2), st.floats(3.0, 100.0))
def test_calls_computed_together_are_refused(alone: float, gain: float) -> None:
    with pytest.raises(Failure, match="computed together"):
        judged(Paces(ASKING + alone, alone), Paces(ASKING + alone, alone / gain))


def test_one_disturbed_round_is_no_proof() -> None:
    together = Together()
    for at in range(3 * ENOUGH):
        disturbed = 5e-3 if at % 3 == 0 else 0.0
        together.refuse_on_gpu(1, honest(2e-5, 5e-5), Paces(8e-5 + disturbed, 5e-5))


def test_programs_are_told_apart() -> None:
    together = Together()
    for program in range(3 * ENOUGH):
        together.refuse_on_gpu(program, Paces(1e-3, 1e-3), Paces(1e-3, 1e-5))


def rounds(inner: float, events: float) -> tuple[Ran, Ran]:
    return tuple(Ran([None] * calls, False, inner, inner, inner, events) for calls in (6, 44))  # type: ignore[return-value]


@pytest.mark.parametrize(("inner", "events", "refused"), [(6e-3, 5.6e-3, False), (6e-3, 2e-3, True), (6e-3, 0, True)])
def test_the_gpus_own_clock_shows_work_in_other_streams(inner: float, events: float, refused: bool) -> None:
    together, said = Together(), ""
    try:
        for _ in range(ENOUGH):
            together.refuse_other_streams(1, rounds(inner, events))
    except Failure as failure:
        said = failure.reason
    assert ("stream" in said) is refused
