"""What may be started from the page: known tasks, policies without files, figures within bounds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.system.processes import Process
from maxcode.view.control import Control, SearchRequest
from maxcode.view.processes import spawned
from maxcode.view.programs import ProgramRequest
from tests.conftest import SMALL_TASK
from tests.report.recording import recorded
from tests.waiting import until

OURS = {"x-maxcode": "1"}


def refused(client: Any, **wanted: Any) -> str:
    answer = client.post("/api/runs", json={"task": str(SMALL_TASK), **wanted}, headers=OURS)
    assert answer.status_code in (400, 422), answer.text
    return str(answer.json()["error"])


@pytest.mark.parametrize("task", ["/", "/etc", "../..", "examples/sort", str(SMALL_TASK / "task.toml"), ""])
def test_a_task_must_be_known(client: Any, task: str) -> None:
    recorded()
    assert "not one of those" in refused(client, task=task)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("policy", "scripted:/etc/passwd"),
        ("policy", "record:/tmp/x,rewrite"),
        ("policy", "openai:$(reboot)"),
        ("policy", "rewrite; reboot"),
        ("critic", "scripted:x"),
        ("strategy", "--help"),
        ("strategy", "none"),
        ("evals", 0),
        ("evals", 10**9),
        ("evals", "many"),
        ("seed", -1),
        ("out", "/tmp"),
    ],
)
def test_every_field_is_checked(client: Any, field: str, value: object) -> None:
    recorded()
    assert field in refused(client, **{field: value}) or "not known" in refused(client, **{field: value})
    with Store() as store:
        assert len(store.runs()) == 1


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("/etc/passwd", "not in a folder that the server was given"),
        ({"name": "../..", "text": "int main() {}"}, "not the name of a file"),
        ({"name": "../../my slow.txt", "text": "x"}, "my_slow.txt: "),
    ],
)
def test_a_program_is_sent_or_lies_in_a_given_folder(client: Any, program: Any, words: str) -> None:
    answer = client.post("/api/tasks", json={"program": program}, headers=OURS)
    assert answer.status_code == 400 and words in answer.json()["error"]
    assert "maxcode-sent" not in answer.json()["error"]


def test_a_path_does_not_lead_out_of_a_given_folder(empty_home: Path, tmp_path: Path) -> None:
    del empty_home
    folder = tmp_path / "tasks"
    folder.mkdir()
    (tmp_path / "secret.cpp").write_text("int main() {}\n")
    (folder / "link.cpp").symlink_to(tmp_path / "secret.cpp")
    with Store() as store:
        for name in ("../secret.cpp", "link.cpp", str(tmp_path / "secret.cpp")):
            with pytest.raises(InputError, match="not in a folder"):
                Control(store, [folder]).make(ProgramRequest(program=name))
        with pytest.raises(InputError, match="no such file"):
            Control(store, [folder]).make(ProgramRequest(program="slow.cpp"))


def test_tasks_in_given_folders_are_known(empty_home: Path, tmp_path: Path) -> None:
    del empty_home
    (tmp_path / "tasks" / "mine").mkdir(parents=True)
    (tmp_path / "tasks" / "mine" / "task.toml").write_text("")
    with Store() as store:
        assert list(Control(store, [tmp_path / "tasks"]).tasks()) == [str(tmp_path / "tasks" / "mine")]


def test_a_finished_run_is_not_resumed(client: Any) -> None:
    run = recorded()
    until(lambda: client.get(f"/api/runs/{run}").json()["state"] == "finished")
    answer = client.post(f"/api/runs/{run}/resume", headers=OURS)
    assert "is finished, not stopped" in answer.json()["error"]


def test_a_run_of_a_terminal_can_be_stopped(client: Any, tmp_path: Path) -> None:
    words = ["optimize", str(SMALL_TASK), "--policy", "rewrite", "--evals", "200", "--out", str(tmp_path / "out")]
    terminal = subprocess.Popen([sys.executable, "-m", "maxcode", *words], stdout=subprocess.DEVNULL)
    try:
        run = until(lambda: client.get("/api/runs").json()["runs"])[0]["run"]
        until(lambda: client.get(f"/api/runs/{run}").json()["state"] == "running")
        assert client.post(f"/api/runs/{run}/stop", headers=OURS).status_code == 200
        assert terminal.wait(60) == 130
    finally:
        terminal.kill()


def test_a_run_without_a_known_process_is_not_stopped(client: Any) -> None:
    run = recorded(finish=False)
    assert "Ctrl-C" in client.post(f"/api/runs/{run}/stop", headers=OURS).json()["error"]


def test_a_run_has_stopped_when_its_process_has_ended(client: Any, tmp_path: Path) -> None:
    run, state = recorded(finish=False), lambda: client.get(f"/api/runs/{run}").json()["state"]
    with Store() as store:
        process = spawned(["sleep", "1"], tmp_path / "log.txt")
        store.append(run, "session.opened", "", {"process": process.model_dump()})
        store.append(run, "session.opened", "", {})
        until(lambda: state() == "running")
        until(lambda: state() == "stopped")
        store.append(run, "session.opened", "", {})
        until(lambda: state() == "active")


def test_a_process_is_known_until_it_ends(tmp_path: Path) -> None:
    process = spawned(["sleep", "0.3"], tmp_path / "log.txt")
    assert process.alive
    until(lambda: not process.alive)


def test_a_process_id_that_was_given_away_is_not_taken_for_ours(tmp_path: Path) -> None:
    process = spawned(["sleep", "1"], tmp_path / "log.txt")
    assert not process.model_copy(update={"born": "1"}).alive
    assert not process.model_copy(update={"host": "elsewhere"}).alive


def test_what_was_wanted_has_sane_defaults() -> None:
    assert SearchRequest(task="x").policy == "rewrite"
    assert Process(pid=1, born="1", host="").alive is False
