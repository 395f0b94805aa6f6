"""The command: where it listens, what it refuses, how it ends, and what it streams."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from maxcode.store.journal import Store
from tests.cli.test_main import maxcode
from tests.report.recording import recorded
from tests.view.serving import serving

pytestmark = pytest.mark.long
TOKEN = "correct horse battery staple"


def test_an_address_for_others_needs_a_token() -> None:
    done = maxcode("view", "--host", "0.0.0.0", "--port", "0")
    assert done.returncode == 2
    assert "a token is needed" in done.stderr


def test_a_short_token_is_refused() -> None:
    done = maxcode("view", "--token", "secret")
    assert done.returncode == 2
    assert "guessed" in done.stderr


def test_a_busy_port_is_named_with_a_way_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        done = maxcode("view", "--port", str(port))
    assert done.returncode == 2
    assert f"--port {port + 1}" in done.stderr


def test_without_the_extra_the_fix_is_named(tmp_path: Path) -> None:
    (tmp_path / "uvicorn.py").write_text("raise ModuleNotFoundError('no', name='uvicorn')\n")
    done = maxcode("view", PYTHONPATH=str(tmp_path))
    assert done.returncode == 2
    assert "pip install 'maxcode[view]'" in done.stderr


def messages(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    yield from (json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: "))


@pytest.mark.usefixtures("empty_home")
def test_what_happens_is_streamed_from_where_the_reader_was() -> None:
    """And a server with an open stream ends at once when interrupted, without having told anybody its token."""
    run = recorded(finish=False)
    with Store() as store, serving(MAXCODE_VIEW_TOKEN=TOKEN) as address:
        numbers = [event.number for event in store.read(run)]
        headers = {"authorization": f"Bearer {TOKEN}", "last-event-id": str(numbers[-3])}
        with httpx.stream("GET", f"{address}api/runs/{run}/events", headers=headers, timeout=20) as answer:
            told = messages(answer.iter_lines())
            while not (said := next(told))["happened"]:
                pass
            assert [each["number"] for each in said["happened"]] == numbers[-2:]
            store.append(run, "evaluate.asked", "x", {})
            while said["last"] == numbers[-1]:
                said = next(told)
            assert said["happened"][-1]["kind"] == "evaluate.asked"
            assert "judging 1" in said["doing"]
