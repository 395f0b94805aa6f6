"""Benchmarks and trainings are stopped and resumed from the page as searches are, and only where that is sound."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.system.processes import Process, this_process
from maxcode.view.overview import RunOverview
from maxcode.view.resuming import resuming
from tests.conftest import SMALL_TASK
from tests.report.recording import recorded
from tests.view.boards import benchmarked
from tests.waiting import until

pytestmark = pytest.mark.long
OURS = {"x-maxcode": "1"}
INTERRUPTED = 130


def asked(client: Any, run: str, what: str) -> str:
    """What is wrong with it, if anything is."""
    return str(client.post(f"/api/runs/{run}/{what}", headers=OURS).json().get("error", ""))


def reached(client: Any, run: str, **wanted: object) -> dict[str, Any]:
    def look() -> dict[str, Any] | None:
        found: dict[str, Any] = client.get(f"/api/runs/{run}").json()
        return found if {name: found[name] for name in wanted} == wanted else None

    return until(look, 60)


@contextmanager
def in_a_terminal(folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([sys.executable, "-m", "maxcode", *words], stdout=subprocess.DEVNULL, cwd=folder)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def at_work(run: str, since: int) -> None:
    """Waits for a process to say so itself."""
    with Store() as store:
        until(lambda: any("started_in" in event.payload for event in store.read(run, since=since)), 60)


def stopped_and_resumed(client: Any, terminal: subprocess.Popen[bytes], task: str) -> dict[str, Any]:
    """The run when it has been resumed, does something, and is stopped for good."""

    def begun() -> str | None:
        found = client.get(f"/api/runs?q={task}").json()["runs"]
        return found[0]["run"] if found else None

    run = until(begun, 60)
    reached(client, run, state="running")
    at_work(run, 0)
    assert asked(client, run, "stop") == ""
    assert terminal.wait(60) == INTERRUPTED
    before = reached(client, run, state="stopped")
    assert asked(client, run, "resume") == ""
    assert "running" in asked(client, run, "resume")
    at_work(run, before["last"])
    assert asked(client, run, "stop") == ""
    return reached(client, run, state="stopped")


def test_a_benchmark_is_stopped_and_resumed(client: Any, open_folder: Path) -> None:
    shutil.copytree(SMALL_TASK, open_folder / "tasks" / "total")
    words = ["bench", "tasks", "tasks", "--method", "flat", "--evals", "500"]
    with in_a_terminal(open_folder, *words) as terminal:
        run = stopped_and_resumed(client, terminal, "bench:tasks")
    assert f"`maxcode bench resume {run['run']}` goes on" in " ".join(run["log"].split())


def test_a_training_is_stopped_and_resumed_in_its_folder(client: Any, tmp_path: Path) -> None:
    """Its folder was named from where it was started, not from where the page's server is."""
    pytest.importorskip("trl", reason="needs the extra `rl`")
    words = ["rl", "train", "-o", "model", "--preset", "tiny", "--actions", "named", "--ceiling", "16"]
    spec = ["--tasks", "hpc:dgemm:m=24,n=24,k=24", "--steps", "1000"]
    with in_a_terminal(tmp_path, *words, *spec) as terminal:
        run = stopped_and_resumed(client, terminal, "rl:dgemm")
    assert f"`maxcode rl train --resume {tmp_path / 'model'}` goes on" in " ".join(run["log"].split())


@pytest.mark.usefixtures("empty_home")
def test_a_benchmark_whose_process_is_not_on_record_is_not_resumed(tmp_path: Path) -> None:
    """Quiet for long, it may be under way all the same: in a search that takes its time."""
    with Store() as store:
        overview = RunOverview(store.info(benchmarked({"flat": 1.2})))
    assert overview.state == "stopped"
    with pytest.raises(InputError, match="may still be under way"):
        resuming(overview, tmp_path)


def trained(changes: dict[str, object]) -> str:
    with Store() as store:
        journal = store.start("rl:dgemm", {"kind": "rl", "steps": 3})
        ended = this_process().model_copy(update={"born": "0"})
        journal.note("session.opened", {"process": ended.model_dump(), "processes": 1, **changes})
        return journal.run


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, "its folder is not on record"),
        ({"folder": "/nowhere", "processes": 2}, "was started in 2 processes"),
        ({"process": {"pid": 1, "born": "1", "host": "elsewhere"}}, "on elsewhere; resume it there"),
        ({"folder": "/nowhere"}, "has no run.json"),
    ],
    ids=str,
)
def test_a_training_that_cannot_go_on_here_says_why(client: Any, changes: dict[str, object], reason: str) -> None:
    run = trained(changes)
    reached(client, run, state="stopped")
    assert reason in asked(client, run, "resume")


def test_a_folder_with_another_training_is_left_alone(client: Any, tmp_path: Path) -> None:
    from maxcode.train.grpo.config import Actions, preset
    from maxcode.train.grpo.run import RunSettings

    there = RunSettings(
        config=preset("tiny", Actions.NAMED), tasks=("hpc:dgemm",), curriculum="none", steps=1, run="other"
    )
    (tmp_path / "run.json").write_text(there.model_dump_json())
    run = trained({"folder": str(tmp_path)})
    reached(client, run, state="stopped")
    assert "now has another training, run other" in asked(client, run, "resume")


@pytest.mark.usefixtures("empty_home")
def test_what_a_cluster_judged_goes_on_there(tmp_path: Path) -> None:
    ended = this_process().model_copy(update={"born": "0"}).model_dump()
    engine = {"name": "ray", "address": "10.0.0.1:6379"}
    with Store() as store:
        overview = RunOverview(store.info(recorded(finish=False)))
    overview.process, overview.session = Process.model_validate(ended), {"engine": engine}
    assert resuming(overview, tmp_path)[-4:] == ["--engine", "ray", "--address", "10.0.0.1:6379"]
