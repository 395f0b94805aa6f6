"""A journal in PostgreSQL, with a server of the test's own: 20 runs write while it is killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from maxcode.core import InputError, JournalError
from maxcode.store.journal import Store
from maxcode.store.schema import ANSWERED
from maxcode.system.processes import process_of
from tests.waiting import until

pytestmark = pytest.mark.long
RUNS, ANSWERS = 20, 12
USER = "postgres" if os.getuid() == 0 else None
"""The server refuses to run as root."""


@dataclass(frozen=True)
class Server:
    programs: Path
    folder: Path

    @property
    def url(self) -> str:
        return f"postgresql+psycopg://maxcode@/postgres?host={self.folder}"

    def run(self, name: str, *words: str) -> bool:
        """Runs a program of the server's; whether it ends well."""
        command = [self.programs / name, "-D", self.folder / "data", *words]
        return subprocess.run(command, user=USER, cwd="/").returncode == 0

    def start(self) -> None:
        """Starts it; what is left of one that was killed has to end first."""
        options = f"-k {self.folder} -c listen_addresses= -c max_connections=100"
        until(lambda: self.run("pg_ctl", "-w", "-l", str(self.folder / "log"), "-o", options, "start"), 60)

    def kill(self) -> None:
        os.kill(int((self.folder / "data/postmaster.pid").read_text().split()[0]), 9)


@pytest.fixture
def server() -> Iterator[Server]:
    pytest.importorskip("psycopg", reason="pip install 'maxcode[postgres]'")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("no PostgreSQL on this machine: sh runs/install_test_tools.sh installs it")
    folder = Path(tempfile.mkdtemp(prefix="maxcode-postgres-"))
    if USER:
        shutil.chown(folder, USER)
    made = Server(found[-1].parent, folder)
    try:
        assert made.run("initdb", "-A", "trust", "-U", "maxcode", "-E", "UTF8", "--no-instructions", "-N")
        made.start()
        yield made
        made.run("pg_ctl", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _answer(number: int) -> dict[str, object]:
    return {"proposals": [{"text": f"program {number} ü\0"}]}


def _write(url: str, run: str, first: int) -> int:
    """Answers the questions of a run from one on, until the server is gone. Returns how many are known as written."""
    with Store(url) as store:
        for number in range(first, ANSWERS):
            try:
                assert store.answer(run, ANSWERED, str(number), _answer(number)) == _answer(number)
                store.append(run, "note", "", {"number": number})
            except JournalError:
                return number
            time.sleep(0.02)
    return ANSWERS


def test_nothing_is_lost_when_the_server_is_killed_while_twenty_runs_write(server: Server) -> None:
    with Store(server.url) as store:
        runs = [store.start("total", {"n": n}).run for n in range(RUNS)]
        with ThreadPoolExecutor(RUNS) as threads:
            going = [threads.submit(_write, server.url, run, 0) for run in runs]
            until(lambda: sum(store.programs().values()) > RUNS * ANSWERS / 3, 60)
            server.kill()
            written = [each.result() for each in going]
            assert 0 < sum(written) < RUNS * ANSWERS
            server.start()
            for run, number in zip(runs, written, strict=True):
                kept = [event.key for event in store.read(run, ANSWERED)]
                assert kept[:number] == [str(each) for each in range(number)]
                assert len(kept) <= number + 1  # what was under way may have been written, though nobody was told
            assert list(threads.map(_write, [server.url] * RUNS, runs, written)) == [ANSWERS] * RUNS
        assert [info.id for info in store.runs()] == runs
        assert store.programs() == dict.fromkeys(runs, ANSWERS)
        for run in runs:
            assert [event.payload for event in store.read(run, ANSWERED)] == [_answer(each) for each in range(ANSWERS)]


def test_one_process_works_on_a_run(server: Server) -> None:
    with Store(server.url) as store, Store(server.url) as other:
        run = store.start("total", {}).run
        others = {"process": process_of(1).model_dump()}
        other.open_session(run, others)
        with pytest.raises(InputError, match="is working on it"):
            store.open_session(run, {"process": None})
