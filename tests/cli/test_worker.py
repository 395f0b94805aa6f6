"""`maxcode worker`: what it refuses, and how it starts and leaves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evaluate.ray_cluster import Worker, descendants


def maxcode(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    command = [sys.executable, "-m", "maxcode", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "which cluster? Give --address HOST:PORT"),
        (("--head", "--address", "127.0.0.1:1"), "either starts a cluster or joins one"),
        (("--address", "127.0.0.1"), "give HOST:PORT"),
        (("--address", "127.0.0.1:1"), "nothing listens there"),
        (("--head", "--slots", "4096"), "CPUs are usable here"),
    ],
    ids=["no address", "both", "no port", "nobody there", "too many slots"],
)
def test_bad_input_names_the_fix(words: tuple[str, ...], message: str) -> None:
    done = maxcode("worker", *words)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def folders_of(worker: Worker) -> list[Path]:
    return list(Path("/tmp").glob(f"maxcode-ray-{worker.process.pid}-*"))


@pytest.mark.alone
@pytest.mark.long
def test_head_leaves_nothing_behind_when_it_is_told_to_leave() -> None:
    pytest.importorskip("ray", reason="needs the extra `ray`")
    os.environ["RAY_AUTH_TOKEN_PATH"] = f"{os.environ['MAXCODE_HOME']}/ray-token"
    head = Worker("--head", "--port", "0", "--slots", "0")
    children = descendants(head.process.pid)
    assert folders_of(head)
    assert children
    assert head.joined["node"] is None
    assert head.leave(signal.SIGTERM) == 0
    assert not folders_of(head)
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
