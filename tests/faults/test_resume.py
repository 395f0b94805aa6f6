"""Commands killed and resumed, as users do it: budgets hold, search time is sane, nothing is on record twice, and
results go where they were asked to go.

A model on this machine answers at once, without a program in it, until the request at which the command is killed. The
days that a run may lie there are made by moving its notes into the past. Trainings have tests of their own, which go on
from a checkpoint (tests/train/test_grpo_run.py).
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from maxcode.store.journal import Store
from maxcode.system.home import home
from tests.conftest import SMALL_TASK
from tests.evaluate.ray_cluster import Worker
from tests.policy.endpoint import Body, Endpoint, Response, completion
from tests.waiting import until

pytestmark = pytest.mark.long
DAY = 86_400.0
DIES_AT = 2
"""Number of the request that is never answered, from 0."""
TOKENS, USD = 130, 0.13
"""What a request costs."""
CONFIG = "[models.m]\nprice_prompt = 1000.0\nprice_completion = 1000.0\n"
POLICY = ["--policy", "openai:m", "--critic", "none"]
Words = list[str]
ROUNDS = ["--strategy", "flat", "--ahead", "0"]


def answering(number: int, body: Body) -> Response:
    """A round's answers after a moment, and none at all to the request that is the last of the first session."""
    said = completion(*["no"] * int(body.get("n") or 1))
    return replace(said, delay=60.0 if number == DIES_AT else 0.2)


@dataclass(frozen=True)
class Place:
    """Where commands are run, and whom they ask."""

    folder: Path
    endpoint: Endpoint

    def begun(self, *words: str, within: str = "here") -> subprocess.Popen[str]:
        (self.folder / within).mkdir(exist_ok=True)
        (self.folder / within / "maxcode.toml").write_text(CONFIG)
        return subprocess.Popen(
            [sys.executable, "-m", "maxcode", *words],
            cwd=self.folder / within,
            env={**os.environ, "OPENAI_BASE_URL": self.endpoint.url, "OPENAI_API_KEY": "k"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def killed(self, *words: str) -> str:
        """The run that a command began, killed with its processes while a request was under way, a day ago."""
        before = ids()
        process = self.begun(*words)
        until(lambda: len(self.endpoint.requests) > DIES_AT or process.poll() is not None, 60)
        os.killpg(process.pid, signal.SIGKILL)
        _, told = process.communicate()
        assert process.returncode == -signal.SIGKILL, told
        new = [run for run in ids() if run not in before]
        with sqlite3.connect(home() / "journal.db") as connection:
            for run in new:
                connection.execute("UPDATE events SET time = time - ? WHERE run = ?", (DAY, run))
        return new[0]

    def ended(self, *words: str) -> list[dict[str, Any]]:
        """What a command printed, run from elsewhere."""
        process = self.begun(*words, within="elsewhere")
        printed, told = process.communicate(timeout=120)
        assert process.returncode == 0, told
        return [json.loads(line) for line in printed.splitlines()]


def ids() -> list[str]:
    with Store() as store:
        return [info.id for info in store.runs()]


def assert_recorded_once(run: str) -> None:
    with Store() as store:
        events = list(store.read(run))
    counts = Counter((event.kind, event.key) for event in events)
    repeated = {place: count for place, count in counts.items() if count > 1 and place[0].endswith(".answered")}
    asked = [count for (kind, _), count in counts.items() if kind.endswith(".asked")]
    assert repeated == {}
    assert sorted(asked)[-2:] in ([1, 1], [1, 2]), "only what was under way is asked for again"
    assert counts[("finished", "")] <= 1
    assert counts[("session.opened", "")] == 2


@pytest.fixture(scope="module", autouse=True)
def judged_before(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The baseline's outcome is kept, so that what follows has no machine to wait for."""
    place = Place(tmp_path_factory.mktemp("first"), Endpoint(lambda *_: completion("no")))
    with place.endpoint:
        place.ended("optimize", str(SMALL_TASK), *POLICY, *ROUNDS, "--evals", "1", "--json")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with Endpoint(answering) as endpoint:
        yield Place(tmp_path, endpoint)


LIMITS: dict[str, Words] = {
    "evals": ["--evals", "32"],
    "tokens": ["--max-tokens", str(4 * TOKENS - 20), "--evals", "200"],
    "usd": ["--max-usd", f"{4 * USD - 0.02:.2f}", "--evals", "200"],
    "all": ["--evals", "32", "--max-tokens", "9000", "--max-usd", "9", "--max-seconds", "100"],
}
"""Each of them reached by four rounds of eight programs."""


@pytest.mark.timing
@pytest.mark.parametrize("asked", ["never", "at the start", "at the end"])
@pytest.mark.parametrize("limit", LIMITS)
def test_a_search_goes_on_within_its_budget_and_writes_where_it_was_told(limit: str, asked: str, place: Place) -> None:
    first = ["--out", "first"] if asked == "at the start" else []
    second = ["--out", "second"] if asked == "at the end" else []
    words = ["optimize", str(SMALL_TASK), *POLICY, *ROUNDS, *LIMITS[limit], *first]
    began = time.monotonic()
    run = place.killed(*words)
    (found,) = place.ended("resume", run, *second, "--json")
    assert found["evals"] == 32
    assert found["tokens"] == 4 * TOKENS
    assert found["usd"] == pytest.approx(4 * USD)
    assert 0.6 <= found["seconds"] <= time.monotonic() - began, "three answers that were waited for"
    assert_recorded_once(run)
    here, elsewhere = place.folder / "here", place.folder / "elsewhere"
    wanted = elsewhere / "second" if second else here / "first" if first else here / f"maxcode-{run}"
    assert (elsewhere / found["summary"]).parent == wanted
    folders = [each for each in (*here.iterdir(), *elsewhere.iterdir()) if each.is_dir()]
    assert folders == [wanted], "nowhere else"


@pytest.mark.timing
def test_time_is_left_after_a_long_rest_and_ends_the_search(place: Place) -> None:
    words = ["optimize", str(SMALL_TASK), *POLICY, *ROUNDS, "--evals", "100000", "--max-seconds", "3"]
    run = place.killed(*words)
    (found,) = place.ended("resume", run, "--json")
    assert found["evals"] > 8 * DIES_AT
    assert 3.0 <= found["seconds"] < 8.0
    assert_recorded_once(run)


def test_a_finished_search_that_is_resumed_is_on_record_as_before(place: Place) -> None:
    words = ["optimize", str(SMALL_TASK), *POLICY, *ROUNDS, *LIMITS["evals"]]
    run = place.killed(*words)
    first, again = place.ended("resume", run, "--json"), place.ended("resume", run, "--json")
    assert first == again
    with Store() as store:
        assert len(list(store.read(run, "finished"))) == 1


def test_a_replay_that_goes_on_with_a_model_is_resumed_like_a_search(place: Place) -> None:
    """Answers of the run that it repeats are on record before its own session begins."""
    with Endpoint(lambda _, body: completion(*["no"] * int(body.get("n") or 1))) as quick:
        recorded = Place(place.folder, quick)
        words = ["optimize", str(SMALL_TASK), *POLICY, *ROUNDS, "--evals", "8", "--json"]
        (old,) = recorded.ended(*words)
    with Store() as store, sqlite3.connect(home() / "journal.db") as connection:
        settings = {**store.info(old["run"]).settings, "budget": {"evals": 40, "seconds": 60.0}}
        connection.execute("UPDATE runs SET settings = ? WHERE id = ?", (json.dumps(settings), old["run"]))
    run = place.killed("replay", old["run"], "--policy", "openai:m")
    (found,) = place.ended("resume", run, "--json")
    assert found["evals"] == 40
    assert 0.0 < found["seconds"] < 60.0
    assert_recorded_once(run)


BENCHES: dict[str, Words] = {
    "bench": ["bench", "tasks", "tasks", "--method", "flat", "--method", "two=flat,evals=16", "--evals", "24"],
    "abreast": ["bench", "tasks", "tasks", "--method", "flat", "--seeds", "2", "--evals", "16", "--abreast", "2"],
    "only": ["bench", "tasks", "tasks", "--tasks", "total", "--method", "flat", "--evals", "32", "--json"],
    "collect": ["collect", "tasks", "--method", "flat", "--seeds", "1", "--evals", "32", "--note", "note.txt"],
}
PROGRAMS = {"bench": [24, 16], "abreast": [16, 16], "only": [32], "collect": [32]}


@pytest.mark.timing
@pytest.mark.parametrize("kind", BENCHES)
def test_a_benchmark_goes_on_within_the_budgets_of_its_searches(kind: str, place: Place) -> None:
    shutil.copytree(SMALL_TASK, place.folder / "here" / "tasks" / "total")
    config = ["--config", "maxcode.toml"]
    began = time.monotonic()
    bench = place.killed(*BENCHES[kind], *POLICY, *config)
    if kind == "collect":
        assert (place.folder / "here" / "note.txt").read_text().strip() == bench
    *cells, _ = place.ended("bench", "resume", bench, "--abreast", "1", *config, "--json")
    assert [cell["evals"] for cell in cells] == PROGRAMS[kind]
    assert all(0.0 < cell["seconds"] <= time.monotonic() - began for cell in cells)
    with Store() as store:
        answered = [event.key for event in store.read(bench, "cell.answered")]
        started = [event.payload["cell"] for event in store.read(bench, "cell.started")]
    assert sorted(answered) == sorted(started)
    assert len(set(answered)) == len(answered) == len(cells)
    assert_recorded_once(next(cell["run"] for cell in cells))


def test_a_run_is_resumed_by_one_process_at_a_time(place: Place) -> None:
    words = ["optimize", str(SMALL_TASK), *POLICY, *ROUNDS, *LIMITS["evals"]]
    before = ids()
    process = place.begun(*words)
    until(lambda: len(place.endpoint.requests) > DIES_AT, 60)
    (run,) = [each for each in ids() if each not in before]
    second = place.begun("resume", run, "--out", "second", within="elsewhere")
    _, told = second.communicate(timeout=60)
    assert second.returncode == 2
    assert f"run {run}: process {process.pid} on " in " ".join(told.split())
    with Store() as store:
        noted = [event.kind for event in store.read(run)]
    assert noted.count("session.opened") == noted.count("output") == 1
    assert "refused" not in noted
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.alone
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs the extra `ray`")
def test_a_search_on_a_cluster_goes_on_like_any_other(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", f"{os.environ['MAXCODE_HOME']}/ray-token")
    head = Worker("--head", "--port", "0", "--slots", "1")
    try:
        engine = ["--engine", "ray", "--address", head.address]
        words = ["optimize", str(SMALL_TASK), *POLICY, *ROUNDS, *LIMITS["all"], "--out", "first"]
        run = place.killed(*words, *engine)
        (found,) = place.ended("resume", run, *engine, "--json")
    finally:
        head.leave()
    assert found["evals"] == 32
    assert 0.6 <= found["seconds"] < 100
    assert Path(found["summary"]).parent == place.folder / "here" / "first"
    assert_recorded_once(run)
