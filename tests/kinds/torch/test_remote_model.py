"""What a process answers is checked before it is believed, and it is stopped while its inputs are written."""

from __future__ import annotations

import gc
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.core import Status  # noqa: E402
from maxcode.evaluate.failure import Failure  # noqa: E402
from maxcode.kinds.torch.harness.model_process import ModelProcess  # noqa: E402
from maxcode.kinds.torch.harness.reading import new_memory  # noqa: E402
from maxcode.kinds.torch.harness.remote_model import RemoteModel  # noqa: E402
from maxcode.kinds.torch.harness.timing import hold_others  # noqa: E402
from maxcode.kinds.torch.harness.values import Layout  # noqa: E402
from maxcode.kinds.torch.processes.channel import Channel, Gone  # noqa: E402
from maxcode.kinds.torch.processes.settings import HarnessSettings  # noqa: E402

SETTINGS = HarnessSettings((), "model.py", "cpu", 1, False, True, 1, False, 10.0, "", 1 << 20)
CLOCKS = {"inner": 0.1, "events": 0.1}
TENSOR = {"at": 4096, "dtype": "float32", "shape": [2], "strides": [1]}


@contextmanager
def process_that_answers(answer: dict[str, Any] | None) -> Iterator[RemoteModel]:
    """A harness's end, of a process that says this to whatever it is asked, or nothing."""
    ours, theirs = socket.socketpair()
    there = Channel(theirs.detach())

    def serve() -> None:
        with suppress(Gone):
            nonce = there.receive(10)["nonce"]
            if answer is not None:
                there.send({**answer, "nonce": nonce})

    with subprocess.Popen(["sleep", "60"]) as process:
        remote = RemoteModel(Channel(ours.detach()), process.pid, SETTINGS, new_memory("cpu", 4096, 0))
        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        try:
            yield remote
        finally:
            process.kill()
            remote.close()


def state(remote: RemoteModel) -> str:
    return Path(f"/proc/{remote.pid}/stat").read_text().rpartition(")")[2].split()[0]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"results": {"each": []}, **CLOCKS},
        {"results": {"each": [{"plain": 1}] * 3}, **CLOCKS},
        {"results": {"each": [{"plain": 1}] * 2}, "inner": "soon"},
        {"results": {"each": [{"plain": 1}] * 2}, "inner": None},
        {"results": {"each": [{"plain": 1}] * 2}, "inner": float("nan")},
        {"results": {"each": [{"dtype": "no_such"}] * 2}, **CLOCKS},
        {"results": {"each": [{"dict": []}] * 2}, **CLOCKS},
        {"results": {"first": {"tensor": TENSOR}, "places": [[float("inf")]] * 2}, **CLOCKS},
        {"results": {"first": {"tensor": {**TENSOR, "shape": [1 << 50]}}, "places": [[0]] * 2}, **CLOCKS},
    ],
)
def test_an_answer_that_is_none_is_the_candidates_failure(answer: dict[str, Any]) -> None:
    with process_that_answers(answer) as remote, pytest.raises(Failure) as failure:
        remote.run(0, 2)
    assert failure.value.status is Status.REJECTED


@pytest.mark.parametrize(
    "answer",
    [{}, {"events": 5, "seconds": 1}, {"events": [{"name": "x"}], "seconds": 1}, {"events": [], "seconds": "long"}],
)
def test_a_profile_that_is_none_is_the_candidates_failure(answer: dict[str, Any]) -> None:
    with process_that_answers(answer) as remote, pytest.raises(Failure) as failure:
        remote.profile()
    assert failure.value.status is Status.REJECTED


def test_the_process_stands_still_from_its_first_input_until_it_is_asked() -> None:
    inputs = [torch.ones(4)]
    with process_that_answers({"results": {"each": [{"plain": 1}]}, **CLOCKS}) as remote:
        ModelProcess(remote, "", "ModelNew", compiled=False).write(Layout(inputs), [inputs])
        assert state(remote) == "T"
        remote.run(0, 1)
        assert state(remote) != "T"


def test_many_answers_may_not_take_longer_than_the_worker_waits() -> None:
    with process_that_answers(None) as remote, pytest.raises(Failure) as failure:
        remote.until = time.monotonic() + 0.2
        remote.forget()
    assert failure.value.status is Status.TIMEOUT
    assert "in all" in failure.value.reason


def test_a_process_that_only_says_it_is_sealed_is_refused() -> None:
    with process_that_answers({}) as remote, pytest.raises(Failure) as failure:
        remote.seal()
    assert failure.value.status is Status.REJECTED


def test_while_one_process_runs_the_others_stand_still() -> None:
    with process_that_answers({}) as a, process_that_answers({}) as b:
        hold_others(
            {"baseline": ModelProcess(a, "", "", compiled=False), "candidate": ModelProcess(b, "", "", compiled=False)},
            "baseline",
        )
        assert (state(a) == "T", state(b) == "T") == (False, True)
        b.forget()
        assert state(b) != "T"


def test_results_larger_than_the_process_may_be_are_not_copied() -> None:
    large = {"tensor": {**TENSOR, "shape": [1 << 16], "strides": [1]}}
    with (
        process_that_answers({"results": {"each": [large] * 5}, **CLOCKS}) as remote,
        pytest.raises(Failure, match="more than the 1 MiB that its process may have"),
    ):
        remote.run(0, 5)


def test_descriptors_that_nobody_asked_for_are_closed() -> None:
    def opened() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    ours, theirs = socket.socketpair()
    here, there = Channel(ours.detach()), Channel(theirs.detach())
    gc.collect()  # what other tests have left open
    before = opened()
    for _ in range(3):
        there.send({"some": "message"}, (0, 1, 2))
        here.receive(5)
    assert opened() == before
    here.close()
    there.close()
