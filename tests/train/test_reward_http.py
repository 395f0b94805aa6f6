"""The service as others meet it: a real server on loopback, its schema, its page and its refusals."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from typer.testing import CliRunner

from maxcode.bench.suites.hpc.shapes import load_hpc
from maxcode.cli.main import app
from maxcode.cli.rl_serve import mask_of, problems_of
from maxcode.core import InputError
from maxcode.evaluate.pool import LocalPool
from maxcode.train.masks import EVERYTHING
from maxcode.train.problem import MaskedTask
from maxcode.train.reward.reward import fixed_ceiling
from maxcode.train.techniques import Technique

pytest.importorskip("fastapi", reason="the reward service needs maxcode[rl]")
uvicorn = pytest.importorskip("uvicorn", reason="the reward service needs maxcode[rl]")
from maxcode.train.reward.http import MOST_ANSWERS, MOST_BYTES, make_app, serve  # noqa: E402 - only with the extra

NAME = "dgemm-96/everything"
WRONG = "```c\nvoid dgemm(int m, int n, int k, const double *a, const double *b, double *c) { c[0] = m; }\n```"


@contextmanager
def serving(token: str | None = None) -> Iterator[int]:
    problem = MaskedTask(task=load_hpc("dgemm", m=96, n=96, k=96), mask=EVERYTHING)
    app = make_app(LocalPool(1), {problem.name: problem}, token=token, slots=1, ceiling=fixed_ceiling(40.0))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as found:
        yield found


def ask(port: int, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    connection.request(method, path, data, {"Content-Type": "application/json", **(headers or {})})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, json.loads(text) if "json" in response.headers["content-type"] else text


def test_answers_are_scored_in_their_order(port: int) -> None:
    status, found = ask(port, "POST", "/score", {"problem": NAME, "answers": [WRONG, "no code"], "deadline": 60})
    assert status == 200 and found["rewards"] == [-10.0, -100.0]
    assert [each["tier"] for each in found["results"]] == ["wrong", "format"]
    assert found["results"][0]["candidate"].startswith("void dgemm")


def test_health_counts_and_has_a_page(port: int) -> None:
    ask(port, "POST", "/score", {"problem": NAME, "answers": ["nothing"]})
    status, found = ask(port, "GET", "/health")
    assert status == 200 and found["status"] == "ok" and found["throughput"]["tiers"]["format"] >= 1
    assert {"queue", "cached", "per_core_second", "busy_share", "idle_share"} <= set(found["throughput"])
    status, page = ask(port, "GET", "/health", headers={"Accept": "text/html"})
    assert status == 200 and page.startswith("<!doctype html>") and "<td>format</td>" in page


def test_the_schema_and_the_problems_are_told(port: int) -> None:
    _, schema = ask(port, "GET", "/schema")
    assert set(schema["paths"]) >= {"/score", "/health", "/problems"}
    assert set(schema["components"]["schemas"]["ScoreRequest"]["properties"]) == {"problem", "answers", "deadline"}
    _, (problem,) = ask(port, "GET", "/problems")
    assert problem["name"] == NAME and "void dgemm" in problem["baseline"]


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"problem": "other", "answers": ["x"]}, 404, "GET /problems lists them"),
        ({"problem": NAME, "answers": []}, 422, "answers"),
        ({"problem": NAME, "answers": ["x"] * (MOST_ANSWERS + 1)}, 422, "answers"),
        ({"problem": NAME, "answers": ["x"], "deadline": -1}, 422, "deadline"),
        ({"problem": NAME, "answers": ["x"], "typo": 1}, 422, "typo"),
        (b"{not json", 422, "JSON"),
        (b" " * (MOST_BYTES + 1), 413, "at most 32 MB"),
    ],
)
def test_bad_requests_are_refused_with_the_reason(port: int, body: Any, status: int, words: str) -> None:
    found, answer = ask(port, "POST", "/score", body)
    assert found == status and words in json.dumps(answer)


def test_a_body_without_a_length_is_bounded_too(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    chunks = (b" " * (1 << 20) for _ in range((MOST_BYTES >> 20) + 2))
    connection.request("POST", "/score", chunks, {"Content-Type": "application/json"}, encode_chunked=True)
    assert connection.getresponse().status == 413
    connection.close()


def test_another_name_for_this_machine_is_refused(port: int) -> None:
    assert ask(port, "GET", "/health", headers={"Host": "rebound.example"})[0] == 400


def test_with_a_token_only_those_who_send_it_are_served() -> None:
    with serving("secret") as port:
        assert ask(port, "GET", "/health")[0] == 401
        assert ask(port, "GET", "/health", headers={"Authorization": "Bearer wrong"})[0] == 401
        assert ask(port, "GET", "/health", headers={"Authorization": "Bearer secret"})[0] == 200


def test_the_command_refuses_to_serve_others_without_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MAXCODE_REWARD_TOKEN", raising=False)
    found = CliRunner().invoke(app, ["rl", "serve", "--tasks", "dgemm-64", "--host", "0.0.0.0"])
    assert found.exit_code == 2 and "MAXCODE_REWARD_TOKEN" in found.output


def test_the_command_says_where_a_port_is_taken(port: int) -> None:
    found = CliRunner().invoke(app, ["rl", "serve", "--tasks", "dgemm-64", "--port", str(port)])
    assert found.exit_code == 2 and f"--port {port}: another program listens there" in found.output
    assert "Rewards at" not in found.output


def test_an_engine_that_cannot_start_is_an_error_of_the_caller() -> None:
    class Nowhere(LocalPool):
        async def __aenter__(self) -> LocalPool:
            raise InputError("nothing listens there")

    with pytest.raises(InputError, match="nothing listens there"):
        serve(Nowhere(), {}, port=0)


def test_problems_are_tasks_under_masks() -> None:
    assert list(problems_of("dgemm-64,gemv-512", ["everything", "simd+unrolling"])) == [
        "dgemm-64/everything", "dgemm-64/simd+unrolling", "gemv-512/everything", "gemv-512/simd+unrolling",
    ]  # fmt: skip
    assert not mask_of("nothing").permitted and mask_of("cache").permitted == {Technique.CACHE_BLOCKING}
    with pytest.raises(InputError, match="no stage or technique 'magic'"):
        mask_of("simd+magic")
    with pytest.raises(InputError, match="neither a folder nor a kernel"):
        problems_of("nowhere", ["everything"])
