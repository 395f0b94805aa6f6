"""What the harness tells the worker when something goes wrong."""

from __future__ import annotations

import getpass
import os
import socket
import sys
import threading
from multiprocessing.connection import Connection
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.core import InputError  # noqa: E402
from maxcode.kinds.torch.harness import harness  # noqa: E402
from maxcode.kinds.torch.harness.values import Unsupported, all_words, from_words  # noqa: E402
from maxcode.kinds.torch.processes.candidate import _Process  # noqa: E402
from maxcode.kinds.torch.processes.process_spawner import child_environment  # noqa: E402
from maxcode.kinds.torch.processes.settings import HarnessSettings  # noqa: E402

PROBLEM = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        raise torch.OutOfMemoryError("CUDA out of memory.")
def get_inputs():
    return [torch.ones(4)]
def get_init_inputs():
    return []
"""
SETTINGS = HarnessSettings(
    ((PROBLEM, "the usual sizes"),), "model.py", "cpu", 1, False, True, 1, False, 5.0, "", 1 << 30
)
TWO_CALLS = {"first": 0, "count": 2, "flags": False}


@pytest.mark.parametrize(("has_candidate", "told"), [(True, "failure"), (False, "input")])
def test_whose_memory_it_was_that_ran_out(monkeypatch: Any, has_candidate: bool, told: str) -> None:
    """A candidate that fills the GPU costs one evaluation; a problem that does not fit is the user's to change."""
    monkeypatch.setattr(harness.Harness, "has_candidate", has_candidate)
    ours, theirs = socket.socketpair()
    serving = threading.Thread(target=harness.main, args=([theirs.detach()], {}), daemon=True)
    serving.start()
    with Connection(ours.detach()) as worker:
        worker.send(("set up", {"settings": SETTINGS}))
        assert worker.recv()[0] == "done"
        worker.send(("_measured", {}))
        kind, answer = worker.recv()
    assert kind == told
    assert "memory" in str(answer)


def test_a_problem_too_large_for_the_gpu_is_told_with_its_sizes_and_what_to_do(monkeypatch: Any) -> None:
    def full(*_: Any) -> None:
        raise RuntimeError("cuMemCreate failed with CUDA error 2")

    monkeypatch.setattr(harness, "new_memory", full)
    with pytest.raises(InputError, match=r"too large for this GPU: .*100 MiB for inputs .*--scale"):
        harness.Harness(SETTINGS)._made(100 << 20, 200 << 20)


def process_with(model: Any) -> Any:
    """A candidate's process, but for the process, whose memory for results has no room."""
    options = {"device": "cpu", "builds": False, "threads": torch.get_num_threads(), "tf32": False}
    process: Any = _Process(None, options)  # type: ignore[arg-type]
    process._model, process._arguments, process._high = model, [[], []], 0
    return process


def test_a_tensor_of_another_class_is_not_told_as_one_too_large() -> None:
    with pytest.raises(Unsupported, match="a Parameter instead of a plain"):
        process_with(lambda: torch.nn.Parameter(torch.ones(2))).run(TWO_CALLS)


def test_results_that_do_not_fit_are_told_as_too_large() -> None:
    with pytest.raises(MemoryError, match="these take more"):
        process_with(lambda: torch.ones(2)).run(TWO_CALLS)


def test_a_result_that_is_always_at_the_same_place_is_copied_call_by_call() -> None:
    place, values = torch.zeros(3), iter(range(100))
    process = process_with(lambda: place.fill_(next(values)))
    process._high = sys.maxsize
    process.run(TWO_CALLS)
    first, second = process._kept
    assert first.data_ptr() != second.data_ptr() and torch.equal(second - first, torch.ones(3))


def run_twice(model: Any) -> Any:
    """Its process, after two calls whose results may be anywhere."""
    process = process_with(model)
    process._high = sys.maxsize
    process.answer = process.run(TWO_CALLS)
    return process


def test_results_that_share_memory_within_a_call_are_not_taken_for_reused_memory() -> None:
    def views() -> Any:
        whole = torch.ones(3)
        return whole, whole[:1]

    assert not run_twice(views)._copies


@pytest.mark.parametrize("lazy", [lambda x: x.conj(), lambda x: x.conj().imag])
def test_a_sign_that_is_only_noted_is_in_the_memory_that_is_read(lazy: Any) -> None:
    values = torch.tensor([1 + 2j, 3 - 4j])
    process = run_twice(lambda: lazy(values.clone()))
    (found, _) = process._kept
    assert not found.is_conj() and not found.is_neg() and torch.equal(found, lazy(values).resolve_conj().resolve_neg())


def test_results_that_are_one_element_many_times_are_copied_when_their_memory_is_used_again() -> None:
    kept = torch.arange(3.0)
    process = run_twice(lambda: kept.add_(1)[:, None].expand(3, 4))
    first, second = process._kept
    assert torch.equal(second - first, torch.ones(3, 4)) and second.stride() == (1, 0)


def test_results_of_a_kind_that_cannot_be_compared_are_named() -> None:
    with pytest.raises(Unsupported, match=r"a tensor of torch\.float8_e5m2"):
        run_twice(lambda: torch.zeros(3).to(torch.float8_e5m2))


def test_a_tuple_with_names_is_a_tuple() -> None:
    process = run_twice(lambda: torch.max(torch.ones(2, 3), dim=1))
    results = [from_words(each, lambda words: words["dtype"]) for each in all_words(process.answer["results"], 2)]
    assert results == [("float32", "int64")] * 2


def test_buffers_that_cannot_be_compared_are_left_out() -> None:
    model = torch.nn.Linear(2, 2)
    model.register_buffer("sparse", torch.eye(3).to_sparse_csr())
    process = process_with(model)
    assert set(process.state({})["state"]) == {"weight", "bias"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_user_without_a_name_has_one_in_a_candidates_environment() -> None:
    """torch.compile asks who it is, and our users are in no list."""
    hears, tells = os.pipe()
    child = os.fork()
    if child == 0:
        os.environ.clear()
        os.environ.update(child_environment())
        os.setresuid(720_000, 720_000, 720_000)
        os.write(tells, getpass.getuser().encode())
        os._exit(0)
    os.close(tells)
    os.waitpid(child, 0)
    assert os.read(hears, 100) == b"candidate"
    os.close(hears)
