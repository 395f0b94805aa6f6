"""The snippets and the command of docs/rewards.md run as they stand."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/rewards.md").read_text()
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
FIRST, CLIENT = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_rewards_in_python() -> None:
    home = {"MAXCODE_HOME": os.environ["MAXCODE_HOME"]}
    done = subprocess.run(
        [sys.executable, "-c", FIRST], capture_output=True, text=True, check=False, env={**ENVIRONMENT, **home}
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("('ok', ") and second == "('format', -100, None)"


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_service_and_its_client() -> None:
    pytest.importorskip("fastapi", reason="the reward service needs maxcode[rl]")
    pytest.importorskip("uvicorn", reason="the reward service needs maxcode[rl]")
    (command,) = re.findall(r"^maxcode rl serve .*$", PAGE, re.MULTILINE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    env = {**ENVIRONMENT, "MAXCODE_HOME": os.environ["MAXCODE_HOME"]}
    server = subprocess.Popen(command.replace("8321", port).split(), env=env)
    try:
        _wait(int(port), server)
        names: dict[str, object] = {}
        exec(CLIENT.replace("8321", port), names)  # the page's own text
        score = names["compute_score"]
        assert callable(score)
        answers, problems = ["no", "nothing"], ["dgemm-128/everything", "dgemm-128/reorder"]
        assert score(["hpc"] * 2, answers, problems, [None] * 2) == [-100.0, -100.0]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


def _wait(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the service does not answer")
