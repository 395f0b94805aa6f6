"""A journal with a damaged event or settings: said in words, and other runs are as they were."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from maxcode.cli.console import reporting_errors
from maxcode.cli.optimize import engine_of
from maxcode.core import JournalError
from maxcode.evaluate.engine import Engine
from maxcode.store.journal import Store


@pytest.mark.parametrize("payload", ["{", "", "[]", "null", "[" * 100_000])
def test_a_damaged_event_is_named_and_other_runs_are_read(payload: str, tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with Store(f"sqlite:///{file}") as store:
        bad, good = store.start("a", {}), store.start("b", {})
        for journal in (bad, good):
            journal.note("output", {"folder": "x"})
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE events SET payload = ? WHERE run = ?", (payload, bad.run))
        with pytest.raises(JournalError, match=rf"run {bad.run}: event \d+ in .*journal\.db is damaged"):
            store.open(bad.run)
        assert len(store.runs()) == 2
        assert [event.payload for event in store.read(good.run)] == [{"folder": "x"}]
        with pytest.raises(BaseException, match="2"), reporting_errors():
            store.open(bad.run)


def test_damaged_settings_leave_the_list_of_runs(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    with Store(f"sqlite:///{file}") as store:
        run = store.start("a", {"x": 1}).run
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE runs SET settings = '{'")
        assert [(info.id, info.settings) for info in store.runs()] == [(run, {})]


def test_a_run_goes_on_with_the_machines_that_judged_before(tmp_path: Path) -> None:
    engine = Engine(name="ray", address="head:6379")
    with Store(f"sqlite:///{tmp_path / 'journal.db'}") as store:
        journal = store.start("a", {})
        assert engine_of(journal) == Engine()
        with journal.session({"engine": engine.model_dump(mode="json")}):
            pass
        assert engine_of(journal) == engine
