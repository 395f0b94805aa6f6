"""The commands of docs/view.md serve the page, and the addresses that it lists answer."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.report.recording import record
from tests.view.trainings import trained

httpx = pytest.importorskip("httpx")
pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'maxcode[view]'")
pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'maxcode[view]'")
ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/view.md").read_text()
COMMANDS = [block.strip() for block in re.findall(r"^```sh\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)]
ADDRESSES = sorted(set(re.findall(r"GET (/api/[\w/]+)", TEXT)) - {"/api/runs/RUN/events", "/api/events"})


@contextmanager
def served(command: str, folder: Path) -> Iterator[str]:
    """The address of a server that is started as the page says, at a port that is free."""
    (folder / "my-tasks").mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HOME": str(folder), "MAXCODE_HOME": str(folder / "home")}
    words = ["bash", "-c", f"{command} --port 0 --json"]
    server = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment)
    assert server.stdout is not None
    try:
        yield json.loads(server.stdout.readline())["url"].replace("//" + os.uname().nodename, "//127.0.0.1")
    finally:
        server.send_signal(signal.SIGINT)
    assert server.wait(20) == 0


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_serves_the_page(command: str, tmp_path: Path) -> None:
    with served(command, tmp_path) as address:
        assert httpx.get(f"{address}api/runs").status_code == (401 if "TOKEN" in command else 200)


@pytest.mark.long
def test_the_addresses_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    names = {"RUN": record(), "TRAINING": trained({("dgemm-64", ()): 20.0}, tasks=("dgemm-64",)), "N": "0"}
    with served("maxcode view", tmp_path) as address, httpx.Client(base_url=address) as client:
        places = {each: "/".join(names.get(part, part) for part in each.split("/")) for each in ADDRESSES}
        found = {each: client.get(place).status_code for each, place in places.items()}
    assert len(found) >= 4
    assert set(found.values()) == {200}, found
