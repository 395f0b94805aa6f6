"""What a verdict may say of a run on a hidden test: nothing that the program could have chosen to tell."""

from __future__ import annotations

import signal

import pytest

from maxcode.core import Status
from maxcode.evaluate.failure import LONGEST_REASON, Failure, failure_of
from maxcode.evaluate.sandbox.running import Ended
from maxcode.task.model import Limits


def reason(*, exit_code: int = 0, number: int = 0, stderr: bytes = b"", hidden: bool) -> str:
    ended = Ended(exit_code, number, False, None, False, False, 0.1, 0.1, 1.0, 0, 0, 0, b"", stderr)
    failure = failure_of(ended, Limits(), "test 1", hidden=hidden)
    assert failure is not None
    return failure.reason


def test_every_exit_code_of_a_hidden_test_reads_alike() -> None:
    assert {reason(exit_code=code, hidden=True) for code in range(1, 256)} == {
        "test 1: ended with an exit code other than 0"
    }


def test_the_exit_code_of_a_public_test_is_told() -> None:
    assert reason(exit_code=7, hidden=False) == "test 1: ended with exit code 7"


def test_only_signals_that_accidents_send_are_told_apart_on_a_hidden_test() -> None:
    told = {reason(number=number, hidden=True) for number in range(1, 65)}
    assert len(told) == 7
    assert "test 1: was ended by a signal" in told
    assert reason(number=signal.SIGSEGV, hidden=True) == "test 1: crashed (SIGSEGV, invalid memory access)"


@pytest.mark.parametrize("stderr", [b"corrupted double free AddressSanitizer 12345", b"double free"])
def test_at_most_one_of_the_words_we_know_is_told_of_a_hidden_test(stderr: bytes) -> None:
    assert reason(number=signal.SIGABRT, stderr=stderr, hidden=True) == "test 1: crashed (SIGABRT, abort): double free"


def test_a_long_reason_keeps_its_ends() -> None:
    found = Failure(Status.WRONG, "first" + "x" * 10**7 + "last").reason
    assert found.startswith("first") and found.endswith("last")
    assert len(found) < LONGEST_REASON + 100
