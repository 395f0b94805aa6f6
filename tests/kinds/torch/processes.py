"""A candidate's process for tests: a real one, without a sandbox, on a CPU."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")

from maxcode.kinds.torch.harness.late_input import LEAST_BYTES  # noqa: E402
from maxcode.kinds.torch.harness.model_process import ModelProcess  # noqa: E402
from maxcode.kinds.torch.harness.reading import new_memory  # noqa: E402
from maxcode.kinds.torch.harness.remote_model import RemoteModel  # noqa: E402
from maxcode.kinds.torch.harness.values import Layout  # noqa: E402
from maxcode.kinds.torch.processes.channel import Channel  # noqa: E402
from maxcode.kinds.torch.processes.settings import HarnessSettings  # noqa: E402

CALLS = 3
SETTINGS = HarnessSettings((), "model.py", "cpu", 1, False, True, 1, False, 30.0, "", 1 << 20)
ARGUMENTS = {"device": "cpu", "builds": False, "threads": 1, "tf32": False}
START = "import json, sys; from maxcode.kinds.torch.processes import candidate; "
START += "candidate.main([int(sys.argv[1])], json.loads(sys.argv[2]))"
MODEL = """
import os, threading, time
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = {}
    def forward(self, x):
"""


@contextmanager
def running(size: int, seconds: float = SETTINGS.seconds) -> Iterator[RemoteModel]:
    """Our end of a candidate's process, with memory for inputs."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-c", START, str(theirs.fileno()), json.dumps(ARGUMENTS)]
    with subprocess.Popen(command, pass_fds=[theirs.fileno()]) as process:
        theirs.close()
        settings = replace(SETTINGS, seconds=seconds)
        remote = RemoteModel(Channel(ours.detach()), process.pid, settings, new_memory("cpu", size, 0))
        try:
            remote.open("")
            yield remote
        finally:
            remote.close()
            process.kill()


@contextmanager
def process_with(forward: str, seconds: float = SETTINGS.seconds) -> Iterator[ModelProcess]:
    """A candidate's process with that body of `forward`, ready for calls."""
    with running(LEAST_BYTES + (1 << 16), seconds) as remote:
        remote.load(MODEL + "".join(f"        {line}\n" for line in forward.splitlines()), "ModelNew", [], 1)
        remote.lay_out(Layout(inputs(0)), CALLS)
        yield ModelProcess(remote, "", "ModelNew", compiled=False)


def inputs(value: float) -> list[Any]:
    return [torch.full((4, 8), float(value))]


def called(model_process: ModelProcess, *values: float) -> list[float]:
    found = model_process.one_by_one(
        Layout(inputs(0)), [inputs(value) for value in values], like=[inputs(0)[0]] * len(values)
    )
    return [each[0, 0].item() for each in found.results]
