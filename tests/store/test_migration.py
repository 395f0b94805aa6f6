"""Journals of older versions are brought up to date, once and wholly or not at all."""

from __future__ import annotations

import json
import multiprocessing
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import InputError
from maxcode.store.journal import Store
from maxcode.store.schema import SCHEMA

SCHEMA_1 = """
CREATE TABLE about (name VARCHAR NOT NULL, value VARCHAR, PRIMARY KEY (name));
CREATE TABLE runs (id VARCHAR NOT NULL, started FLOAT NOT NULL, task VARCHAR NOT NULL, settings TEXT NOT NULL,
                   PRIMARY KEY (id));
CREATE TABLE events (number INTEGER NOT NULL, run VARCHAR NOT NULL, time FLOAT NOT NULL, kind VARCHAR NOT NULL,
                     "key" VARCHAR NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (number));
CREATE INDEX events_by_run ON events (run, number);
INSERT INTO about VALUES ('schema', '1');
"""
COUNTS = {"first": [3, 1, 2], "second": [4]}
Row = tuple[Any, ...]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A journal as schema 1 had it, with a run that was answered three times, one answered once, and an empty one."""
    file = tmp_path / "journal.db"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.executescript(SCHEMA_1)
    for number, run in enumerate([*COUNTS, "empty"]):
        connection.execute("INSERT INTO runs VALUES (?, ?, 'total', '{}')", (run, float(number)))
    for run, counts in COUNTS.items():
        for i, count in enumerate(counts, 1):
            _add(connection, run, "policy.asked", f"{i}.0", "{}")
            _add(connection, run, "policy.answered", f"{i}.0", json.dumps({"proposals": [{"text": "a"}] * count}))
            _add(connection, run, "evaluate.answered", str(i), json.dumps({"status": "ok"}))
    connection.commit()
    connection.close()
    return file


def _add(connection: sqlite3.Connection, run: str, kind: str, key: str, payload: str) -> None:
    values = (run, 1.5, kind, key, payload)
    connection.execute('INSERT INTO events (run, time, kind, "key", payload) VALUES (?, ?, ?, ?, ?)', values)


def rows(file: Path, query: str) -> list[Row]:
    connection = sqlite3.connect(file)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def tables(file: Path) -> dict[str, Any]:
    """Columns of the events, indexes and the version."""
    return {
        "columns": {row[1]: row[2] for row in rows(file, "PRAGMA table_info(events)")},
        "indexes": {
            row[1]: [column[2] for column in rows(file, f"PRAGMA index_info({row[1]})")]
            for row in rows(file, "PRAGMA index_list(events)")
        },
        "about": rows(file, "SELECT * FROM about"),
    }


def opened(file: Path) -> Store:
    return Store(f"sqlite:///{file}")


def test_an_old_journal_gets_the_tables_of_a_new_one(old: Path, tmp_path: Path) -> None:
    opened(old).close()
    opened(tmp_path / "new.db").close()
    assert tables(old) == tables(tmp_path / "new.db")
    assert tables(old)["about"] == [("schema", str(SCHEMA))]


def test_programs_of_old_runs_are_counted(old: Path) -> None:
    with opened(old) as store:
        assert store.programs() == {run: sum(counts) for run, counts in COUNTS.items()}


def test_no_event_is_changed(old: Path) -> None:
    query = "SELECT number, run, time, kind, key, payload FROM events ORDER BY number"
    before = rows(old, query)
    opened(old).close()
    assert rows(old, query) == before
    assert len(before) == 12


def test_of_two_answers_to_a_question_the_last_stays(old: Path) -> None:
    connection = sqlite3.connect(old)
    _add(connection, "second", "policy.answered", "1.0", '{"proposals": []}')
    _add(connection, "second", "cell.answered", "", "{}")
    _add(connection, "second", "cell.answered", "", "{}")
    connection.commit()
    connection.close()
    with opened(old) as store:
        assert [event.payload for event in store.read("second", "policy.answered")] == [{"proposals": []}]
        assert len(list(store.read("second", "cell.answered"))) == 2, "what has no key is no question"


def test_an_old_run_goes_on(old: Path) -> None:
    with opened(old) as store:
        store.append("second", "policy.answered", "2.0", {"proposals": [{"text": "a"}] * 5})
    with opened(old) as store:
        assert store.programs()["second"] == 9
        assert [event.key for event in store.read("second", "policy.answered")] == ["1.0", "2.0"]


def test_what_cannot_be_brought_up_to_date_is_left_as_it_was(old: Path) -> None:
    connection = sqlite3.connect(old)
    _add(connection, "second", "policy.answered", "2.0", '{"proposals": [')
    connection.commit()
    connection.close()
    before = tables(old), rows(old, "SELECT * FROM events")
    message = rf"journal\.db: is of schema 1 and cannot be brought to {SCHEMA}: .*Nothing was changed"
    with pytest.raises(InputError, match=message):
        opened(old)
    assert (tables(old), rows(old, "SELECT * FROM events")) == before


def _count(file: Path, gate: Any, found: Any) -> None:
    gate.wait()
    with opened(file) as store:
        found.put(store.programs())


def test_several_processes_can_open_an_old_journal_at_once(old: Path) -> None:
    context = multiprocessing.get_context("fork")
    gate, found = context.Barrier(4), context.Queue()
    openers = [context.Process(target=_count, args=(old, gate, found)) for _ in range(4)]
    for opener in openers:
        opener.start()
    counted = [found.get(timeout=60) for _ in openers]
    for opener in openers:
        opener.join(60)
    assert counted == [{run: sum(counts) for run, counts in COUNTS.items()}] * 4
    assert tables(old)["about"] == [("schema", str(SCHEMA))]


def test_listing_runs_reads_no_payloads(old: Path) -> None:
    opened(old).close()
    query = "SELECT run, sum(programs) FROM events WHERE kind = 'policy.answered' GROUP BY run"
    (plan,) = rows(old, f"EXPLAIN QUERY PLAN {query}")
    assert "USING COVERING INDEX events_by_kind" in plan[3]
