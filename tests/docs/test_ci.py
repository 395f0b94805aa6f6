"""docs/ci.md and action.yml: the steps of the action run in a clean folder, beside a stand-in for the service's API."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml

from tests.docs.walk import DOCS, ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
TIMES = {"before": 0.01, "same": 0.01, "slow": 0.06}


class Comments:
    """Comments of pull request 7, as the service keeps them."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.bodies: dict[int, str] = {1: "looks good"}
        self.refuses, self.url = refuses, ""

    def answer(self, method: str, path: str, body: dict[str, str]) -> tuple[int, Any]:
        if self.refuses:
            return 403, {"message": "Resource not accessible by integration"}
        if found := re.fullmatch(r"/repos/o/r/issues/7/comments\?per_page=100&page=(\d+)", path):
            return 200, [{"id": i, "body": text} for i, text in self.bodies.items()] if found[1] == "1" else []
        if (method, path) == ("POST", "/repos/o/r/issues/7/comments"):
            self.bodies[len(self.bodies) + 1] = body["body"]
            return 201, {}
        found = re.fullmatch(r"/repos/o/r/issues/comments/(\d+)", path)
        assert method == "PATCH" and found, path
        self.bodies[int(found[1])] = body["body"]
        return 200, {}


@contextmanager
def service(*, refuses: bool = False) -> Iterator[Comments]:
    comments = Comments(refuses=refuses)

    class Handler(BaseHTTPRequestHandler):
        def __getattr__(self, name: str) -> Any:
            """Answers every method alike."""
            if name.startswith("do_"):
                return self._reply
            raise AttributeError(name)

        def _reply(self) -> None:
            assert self.headers["Authorization"] == "Bearer secret-token"
            given = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            code, answer = comments.answer(self.command, self.path, json.loads(given or b"{}"))
            self.send_response(code)
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    comments.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield comments
    finally:
        server.shutdown()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with a commit for each bench."""
    folder = tmp_path / "checkout"
    folder.mkdir()
    for tag, seconds in TIMES.items():
        (folder / "bench.sh").write_text(f"# {tag}\nsleep {seconds}\n")
        script = f"git init -q . && git add -A && git -c user.name=A -c user.email=a@example.org commit -qm {tag}"
        subprocess.run(f"{script} && git tag {tag}", shell=True, cwd=folder, check=True)
    return folder


def run_action(checkout: Path, head: str, api: Comments, **inputs: str) -> int:
    """Runs the steps of the action but for the installation; the exit code of the first that fails."""
    runner = checkout.parent / "runner"
    runner.mkdir(exist_ok=True)
    if not (runner / "maxcode").exists():
        (runner / "maxcode").symlink_to(Path(sys.executable).parents[1])
    sha = {tag: _sha(checkout, tag) for tag in (head, "before")}
    event = {"pull_request": {"number": 7, "head": {"sha": sha[head]}, "base": {"sha": sha["before"]}}}
    (runner / "event.json").write_text(json.dumps(event))
    given = {name: str(each.get("default", "")) for name, each in ACTION["inputs"].items()}
    given |= {"token": "secret-token", **inputs}
    common = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_API_URL": api.url,
        "GITHUB_EVENT_PATH": str(runner / "event.json"),
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        "RUNNER_TEMP": str(runner),
    }
    failed = 0
    for step in ACTION["runs"]["steps"][1:]:
        if failed and "always()" not in step.get("if", ""):
            continue
        env = {name: _filled(value, given) for name, value in step.get("env", {}).items()}
        whole = {**os.environ, **common, **env}
        done = subprocess.run(["bash", "-e", "-c", step["run"]], cwd=checkout, env=whole, check=False)
        failed = failed or done.returncode
    return failed


def _sha(checkout: Path, tag: str) -> str:
    words = ["git", "rev-parse", tag]
    return subprocess.run(words, cwd=checkout, capture_output=True, text=True, check=True).stdout.strip()


def _filled(value: str, inputs: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], value)


QUICK = {"bench": "sh bench.sh", "max-seconds": "10"}


def test_a_slower_head_fails_and_the_comment_says_so_and_is_updated(checkout: Path) -> None:
    with service() as api:
        assert run_action(checkout, "slow", api, **QUICK) == 1
        assert list(api.bodies) == [1, 2] and "### Speed: slower" in api.bodies[2]
        assert "| slower |" in api.bodies[2] and "Failed: certainly slower by 3% or more" in api.bodies[2]
        assert run_action(checkout, "same", api, **{**QUICK, "max-seconds": "2"}) == 0
        assert list(api.bodies) == [1, 2] and "Passed: nothing is certainly slower" in api.bodies[2]
    assert "### Speed" in (checkout.parent / "runner/summary.md").read_text()


def test_the_compared_code_sees_no_token(checkout: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen.txt"
    with service() as api:
        run_action(checkout, "same", api, bench=f"env > {seen}; sleep 0.01", **{"max-seconds": "0"})
    text = seen.read_text()
    assert "RUNNER_TEMP" in text and "secret-token" not in text and "GITHUB_STEP_SUMMARY" not in text


def test_what_does_not_build_is_said_in_the_comment(checkout: Path) -> None:
    with service() as api:
        assert run_action(checkout, "same", api, bench="true", build="echo no compiler >&2; exit 1") == 2
        assert "could not be compared" in api.bodies[2] and "no compiler" in api.bodies[2]


def test_a_comment_that_is_not_permitted_does_not_fail_the_job(
    checkout: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with service(refuses=True) as api:
        assert run_action(checkout, "same", api, bench="sleep 0.01", **{"max-seconds": "0"}) == 0
    assert "::warning::the comment could not be written" in capfd.readouterr().out


def test_inputs_are_those_of_the_page() -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", (DOCS / "ci.md").read_text(), re.MULTILINE)
    assert {name for row in rows for name in re.findall(r"`([\w-]+)`", row)} == set(ACTION["inputs"])
