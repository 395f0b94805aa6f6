"""A run of the version before the present one: its task has the same hash; it is listed, replayed and resumed.

`previous/journal.sql` is what that version left of `maxcode optimize` of the task in tests/adversarial/tasks/total with
two answers from a folder: one faster program and one that crashes. FOLDER, ANSWERS and RESULTS stand for folders.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from maxcode.cli.main import app
from maxcode.store.journal import Store
from maxcode.task import load_task

DUMP = Path(__file__).parent / "previous" / "journal.sql"
FIGURES = ("improved", "speedup", "ci_low", "ci_high", "evals", "nodes")


@pytest.fixture
def journal(tmp_path: Path, small_task_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAXCODE_HOME", str(tmp_path / "home"))
    file = tmp_path / "home" / "journal.db"
    file.parent.mkdir()
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "1.cpp").write_text("nobody asks for it: the answers are on record\n")
    places = {"FOLDER": small_task_folder, "ANSWERS": tmp_path / "answers", "RESULTS": tmp_path / "results"}
    dump = DUMP.read_text()
    for word, place in places.items():
        dump = dump.replace(word, str(place))
    connection = sqlite3.connect(file)
    connection.executescript(dump)
    connection.close()
    return file


def said(*words: str) -> list[dict[str, Any]]:
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def recorded(kind: str) -> list[dict[str, Any]]:
    with Store() as store:
        (run,) = store.runs()
        return [event.payload for event in store.read(run.id, kind)]


@pytest.mark.usefixtures("journal")
def test_its_task_has_the_hash_that_is_on_record(small_task_folder: Path) -> None:
    assert {each["task"] for each in recorded("evaluate.answered")} == {load_task(small_task_folder).hash}


@pytest.mark.usefixtures("journal")
def test_it_is_listed_and_shown() -> None:
    (row,) = said("runs")
    assert (row["task"], row["state"]) == ("total", "finished")
    (shown,) = said("show", row["run"])
    assert [node["status"] for node in shown["nodes"]] == ["ok", "ok", "crashed"]


@pytest.mark.usefixtures("journal")
def test_a_replay_finds_the_same(tmp_path: Path) -> None:
    (before,) = said("resume", "last", "--out", str(tmp_path / "before"))
    (again,) = said("replay", "last", "--out", str(tmp_path / "again"))
    assert again["run"] != before["run"]
    assert [again[name] for name in FIGURES] == [before[name] for name in FIGURES]
    assert again["improved"] is True


def test_a_run_that_was_killed_before_its_end_is_resumed_from_what_it_knows(journal: Path, tmp_path: Path) -> None:
    connection = sqlite3.connect(journal)
    connection.execute("DELETE FROM events WHERE kind IN ('finished', 'session.closed')")
    connection.commit()
    connection.close()
    (found,) = said("resume", "last", "--out", str(tmp_path / "out"))
    (finished,) = recorded("finished")
    assert found["improved"] is True
    assert finished["run"] == found["run"]
    assert len(recorded("evaluate.answered")) == 3 and len(recorded("confirm.answered")) == 1, "nothing is judged again"
