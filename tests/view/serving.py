"""A `maxcode view` as people start it: a process of its own, which is interrupted at the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

pytest.importorskip("fastapi", reason="fastapi is not installed: pip install 'maxcode[view]'")
pytest.importorskip("uvicorn", reason="uvicorn is not installed: pip install 'maxcode[view]'")


@contextmanager
def serving(*words: str, **environment: str) -> Iterator[str]:
    """The address. It must end at once when interrupted, without a word of complaint, even while pages are open."""
    command = [sys.executable, "-c", "from maxcode.cli.main import app; app()", "view", "--port", "0", "--json", *words]
    given = {**os.environ, **environment}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given)
    assert server.stdout is not None
    try:
        line = server.stdout.readline()
        assert line, server.communicate()[1]
        yield json.loads(line)["url"]
    finally:
        server.send_signal(signal.SIGINT)
        _, said = server.communicate(timeout=20)
    assert (server.returncode, said) == (0, "")
