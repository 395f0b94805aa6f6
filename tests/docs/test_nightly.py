"""docs/ci.md: the nightly job proposes confirmed gains and no others, beside a stand-in for the service's API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.docs.walk import ROOT

SCRIPT = ROOT / "runs/ci/nightly.py"
CONFIRMED = {"improved": True, "speedup": 3.28, "ci_low": 2.9, "ci_high": 3.77}


@contextmanager
def service() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Address of the API, and the pull requests that were opened."""
    opened: list[dict[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert (self.path, self.headers["Authorization"]) == ("/repos/o/r/pulls", "Bearer secret-token")
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = any(each["head"] == asked["head"] for each in opened)
            opened.extend([] if known else [asked])
            self.send_response(422 if known else 201)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", opened
    finally:
        server.shutdown()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a slow program, and one that it is pushed to."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "slow.cpp").write_text("int main() { return 0; } // slow\n")
    script = """git init -q -b main . && git init -q --bare ../origin.git && git remote add origin ../origin.git
    git add -A && git -c user.name=A -c user.email=a@example.org commit -qm first && git push -q origin main"""
    subprocess.run(["bash", "-e", "-c", script], cwd=folder, check=True)
    return folder


def propose(checkout: Path, api: str, result: dict[str, object], best: str, text: str) -> str:
    left = checkout.parent / "maxcode-nightly"
    left.mkdir(exist_ok=True)
    (left / best).write_text(text)
    (left / "summary.md").write_text("**3.28x faster**")
    (left / "result.json").write_text(json.dumps({**result, "best": str(left / best)}))
    settings = {"GITHUB_API_URL": api, "GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "secret-token"}
    env = {**os.environ, **settings, "RUNNER_TEMP": str(checkout.parent)}
    words = [sys.executable, SCRIPT, "propose", "slow.cpp"]
    return subprocess.run(words, cwd=checkout, env=env, check=True, capture_output=True, text=True).stdout


def pushed(checkout: Path) -> str:
    words = ["git", "show", "maxcode/slow.cpp:slow.cpp"]
    return subprocess.run(words, cwd=checkout.parent / "origin.git", check=True, capture_output=True, text=True).stdout


def test_a_confirmed_gain_is_proposed_once_and_then_updated(checkout: Path) -> None:
    with service() as (api, opened):
        assert propose(checkout, api, CONFIRMED, "best.cpp", "// fast\n").startswith("Opened: ")
        assert propose(checkout, api, CONFIRMED, "best.cpp", "// faster\n").startswith("Updated: ")
    assert [each["title"] for each in opened] == ["slow.cpp: 3.28x faster (2.9 to 3.77)"]
    assert opened[0]["base"] == "main" and opened[0]["body"] == "**3.28x faster**"
    assert pushed(checkout) == "// faster\n"
    assert "// slow" in (checkout / "slow.cpp").read_text(), "the checkout stays as it was"


def test_a_patch_is_applied(checkout: Path) -> None:
    patch = "--- a/slow.cpp\n+++ b/slow.cpp\n@@ -1 +1 @@\n-int main() { return 0; } // slow\n+int main() {}\n"
    with service() as (api, _):
        propose(checkout, api, CONFIRMED, "best.patch", patch)
    assert pushed(checkout) == "int main() {}\n"


def test_what_is_not_confirmed_is_not_proposed(checkout: Path) -> None:
    with service() as (api, opened):
        assert "nothing is proposed" in propose(checkout, api, {"improved": False}, "best.cpp", "")
    assert opened == []
