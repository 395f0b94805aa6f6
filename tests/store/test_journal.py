"""The journal: what is on record stays on record and is asked for once."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from maxcode.core import Cost, Frozen, InputError, JournalError
from maxcode.store.journal import Journal, Store
from maxcode.store.schema import SCHEMA
from maxcode.system.processes import process_of, session, this_process

Work = Callable[[], Awaitable[Frozen]]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'journal.db'}"


class Worker:
    """Counts how often it is asked."""

    def __init__(self, tokens: int = 7) -> None:
        self.asked = 0
        self._tokens = tokens

    async def __call__(self) -> Frozen:
        self.asked += 1
        await asyncio.sleep(0)
        return Cost(prompt_tokens=self._tokens + self.asked)


async def killed() -> Frozen:
    raise KeyboardInterrupt


async def never() -> Frozen:
    await asyncio.sleep(1000)
    raise AssertionError


def remember(journal: Journal, key: str, work: Work, kind: str = "policy") -> dict[str, object]:
    return asyncio.run(journal.remembered(kind, key, work))


def kinds(store: Store, run: str) -> list[tuple[str, str]]:
    return [(event.kind, event.key) for event in store.read(run)]


def test_events_are_read_in_order_as_they_were_written(url: str) -> None:
    with Store(url) as store:
        run = store.start("t", {}).run
        for i in range(20):
            store.append(run, "kind", str(i), {"i": i, "text": "ä\n\x00\U0001f600"})
    with Store(url) as store:
        events = list(store.read(run))
    assert [(event.key, event.payload) for event in events] == [
        (str(i), {"i": i, "text": "ä\n\x00\U0001f600"}) for i in range(20)
    ]
    assert [event.number for event in events] == sorted({event.number for event in events})


def test_reading_can_go_on_from_an_event(url: str) -> None:
    with Store(url) as store:
        run = store.start("t", {}).run
        for i in range(5):
            store.append(run, "kind", str(i), {})
        third = list(store.read(run))[2]
        assert [event.key for event in store.read(run, since=third.number)] == ["3", "4"]


def test_runs_do_not_see_each_other(url: str) -> None:
    with Store(url) as store:
        one, two = store.start("t", {}), store.start("t", {})
        assert remember(one, "1.0", Worker(10)) != remember(two, "1.0", Worker(20))
        assert kinds(store, one.run) == kinds(store, two.run) == [("policy.asked", "1.0"), ("policy.answered", "1.0")]


def test_settings_of_a_run_are_kept(url: str) -> None:
    with Store(url) as store:
        run = store.start("total", {"seed": 3, "budget": {"evals": 8}}).run
    with Store(url) as store:
        info = store.info(run)
    assert (info.task, info.settings) == ("total", {"seed": 3, "budget": {"evals": 8}})


def test_an_answer_is_asked_for_once(url: str) -> None:
    worker = Worker()
    with Store(url) as store:
        journal = store.start("t", {})
        first = remember(journal, "1.0", worker)
        assert remember(journal, "1.0", worker) == first
    with Store(url) as store:
        assert remember(store.open(journal.run), "1.0", worker) == first
    assert worker.asked == 1


def test_different_kinds_and_keys_are_different_questions(url: str) -> None:
    worker = Worker()
    with Store(url) as store:
        journal = store.start("t", {})
        for kind in ("policy", "critic"):
            for key in ("1.0", "1.1"):
                remember(journal, key, worker, kind)
    assert worker.asked == 4


def test_the_same_question_asked_at_once_is_asked_for_once(url: str) -> None:
    worker = Worker()
    with Store(url) as store:
        journal = store.start("t", {})

        async def both() -> list[dict[str, object]]:
            return list(await asyncio.gather(*(journal.remembered("evaluate", "x", worker) for _ in range(3))))

        answers = asyncio.run(both())
        assert worker.asked == 1
        assert answers[0] == answers[1] == answers[2]
        assert journal.asked_again() == []
        assert kinds(store, journal.run) == [("evaluate.asked", "x"), ("evaluate.answered", "x")]


def test_a_failed_question_can_be_asked_again_by_all_that_waited(url: str) -> None:
    async def fails() -> Frozen:
        await asyncio.sleep(0)
        raise ValueError("no")

    with Store(url) as store:
        journal = store.start("t", {})

        async def both() -> list[object]:
            waiting = (journal.remembered("evaluate", "x", fails) for _ in range(2))
            return list(await asyncio.gather(*waiting, return_exceptions=True))

        assert [type(each) for each in asyncio.run(both())] == [ValueError, ValueError]
        assert remember(journal, "x", Worker(), "evaluate")["prompt_tokens"] == 8


def test_who_gives_up_waiting_takes_the_answer_from_nobody_else(url: str) -> None:
    worker = Worker()
    with Store(url) as store:
        journal = store.start("t", {})

        async def one_gives_up() -> dict[str, object]:
            first, second = (asyncio.ensure_future(journal.remembered("evaluate", "x", worker)) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            return await second

        assert asyncio.run(one_gives_up())["prompt_tokens"] == 8
        assert worker.asked == 1


def test_a_question_that_was_given_up_can_be_asked_again(url: str) -> None:
    with Store(url) as store:
        journal = store.start("t", {})

        async def again() -> dict[str, object]:
            for turns in range(4):
                asked = asyncio.ensure_future(journal.remembered("evaluate", "x", never))
                for _ in range(turns):
                    await asyncio.sleep(0)
                asked.cancel()
                await asyncio.wait([asked])
            return await asyncio.wait_for(journal.remembered("evaluate", "x", Worker()), 5)

        assert asyncio.run(again())["prompt_tokens"] == 8


def test_what_was_in_flight_is_asked_once_more_and_shows_as_such(url: str) -> None:
    with Store(url) as store:
        journal = store.start("t", {})
        remember(journal, "1.0", Worker())
        with pytest.raises(KeyboardInterrupt):
            remember(journal, "1.1", killed)
    worker = Worker()
    with Store(url) as store:
        journal = store.open(journal.run)
        assert journal.asked_again() == []
        remember(journal, "1.0", worker)
        remember(journal, "1.1", worker)
        remember(journal, "1.1", worker)
        remember(journal, "1.2", worker)
        assert worker.asked == 2, "one in flight, one new"
        assert journal.asked_again() == [("policy", "1.1")]
        assert store.open(journal.run).asked_again() == [("policy", "1.1")]
        again = [event.payload for event in store.read(journal.run) if event.kind == "policy.asked"]
        assert again == [{}, {}, {"again": 1}, {}]


def test_looking_at_a_run_writes_nothing(url: str) -> None:
    with Store(url) as store:
        journal = store.start("t", {})
        answer = remember(journal, "1.0", Worker())
        before = kinds(store, journal.run)
        looking = journal.read_only()
        assert remember(looking, "1.0", Worker()) == answer
        remember(looking, "1.1", Worker())
        assert kinds(store, journal.run) == before


def test_answers_of_another_run_can_be_taken_over_by_kind(url: str) -> None:
    worker = Worker()
    with Store(url) as store:
        old, new = store.start("t", {}), store.start("t", {})
        answer = remember(old, "1.0", worker, "policy")
        remember(old, "x", worker, "evaluate")
        new.learn(old, ("policy",))
        assert remember(new, "1.0", worker, "policy") == answer
        assert worker.asked == 2
        remember(new, "x", worker, "evaluate")
        assert worker.asked == 3
        assert remember(store.open(new.run), "1.0", worker, "policy") == answer


def seconds_before(url: str, events: list[tuple[float, str]], monkeypatch: pytest.MonkeyPatch) -> float:
    """Of a run with these notes; times are such as clocks show."""
    now = [0.0]
    monkeypatch.setattr("maxcode.store.journal.time.time", lambda: now[0])
    with Store(url) as store:
        journal = store.start("t", {})
        for moment, kind in events:
            now[0] = 1_700_000_000.0 + moment
            journal.note(kind, {})
        return store.open(journal.run).seconds_before


WORK = [(0.0, "session.opened"), (10.0, "evaluate.answered")]


@pytest.mark.parametrize(
    ("events", "seconds"),
    [
        ([], 0.0),
        (WORK, 10.0),
        ([*WORK, (4000.0, "session.opened"), (4020.0, "clock.asked")], 30.0),
        ([(-5.0, "output"), *WORK], 10.0),
        ([*WORK, (4000.0, "output"), (4001.0, "session.opened"), (4021.0, "clock.asked")], 30.0),
        ([(-5.0, "critic.answered"), *WORK, (4000.0, "refused")], 10.0),
        ([(0.0, "evaluate.answered"), (10.0, "policy.asked")], 0.0),
        ([*WORK, (12.0, "session.closed"), (4000.0, "profile.answered")], 10.0),
        ([*WORK, (4000.0, "report.opened"), (4030.0, "profile.answered")], 10.0),
        ([*WORK, (-100.0, "clock.answered")], 10.0),
    ],
    ids=[
        "nothing",
        "one session",
        "the time between sessions",
        "a note before the first session",
        "a note before the second session",
        "answers taken over",
        "no session on record",
        "after a session",
        "a report",
        "a clock that was set back",
    ],
)
def test_search_time_is_that_of_work_in_sessions(
    url: str, events: list[tuple[float, str]], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seconds_before(url, events, monkeypatch) == pytest.approx(seconds)


def test_an_id_that_exists_is_drawn_again(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["a", "a", "a", "b"])
    monkeypatch.setattr("maxcode.store.journal._new_id", lambda: next(drawn))
    with Store(url) as store:
        assert [store.start("t", {}).run, store.start("t", {}).run] == ["a", "b"]


def test_the_first_of_two_answers_is_the_one_that_both_writers_have(url: str) -> None:
    with Store(url) as store:
        one = store.start("t", {})
        other = store.open(one.run)
        assert remember(one, "1.0", Worker(7)) == remember(other, "1.0", Worker(100))
        assert [kind for kind, _ in kinds(store, one.run)].count("policy.answered") == 1
        with pytest.raises(JournalError, match="UNIQUE"):
            store.append(one.run, "policy.answered", "1.0", {})


def answer_all(url: str, run: str, gate: Any, number: int) -> None:
    gate.wait()
    with Store(url) as store:
        journal = store.open(run)
        for i in range(40):
            remember(journal, str(i), Worker(1000 * number))


def test_two_writers_of_one_run_record_no_answer_twice(url: str) -> None:
    context = multiprocessing.get_context("fork")
    with Store(url) as store:
        run = store.start("t", {}).run
    gate = context.Barrier(3)
    writers = [context.Process(target=answer_all, args=(url, run, gate, i)) for i in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with Store(url) as store:
        assert sorted(event.key for event in store.read(run, "policy.answered")) == sorted(map(str, range(40)))


def test_a_run_that_a_process_works_on_is_not_given_to_another(url: str) -> None:
    mine = session(this_process())
    with Store(url) as store, subprocess.Popen(["sleep", "60"]) as other:
        journal = store.start("t", {})
        store.open_session(journal.run, session(process_of(other.pid)))
        with pytest.raises(InputError, match=f"process {other.pid} on .* is working on it"), journal.session(mine):
            pass
        before = kinds(store, journal.run)
        other.kill()
        other.wait()
        with journal.session(mine):
            assert kinds(store, journal.run) == [*before, ("session.opened", "")]


def test_a_run_that_a_process_is_done_with_is_given_to_another(url: str) -> None:
    with Store(url) as store, subprocess.Popen(["sleep", "60"]) as other:
        journal = store.start("t", {})
        with journal.session(session(process_of(other.pid))):
            pass
        with journal.session(session(this_process())):
            other.kill()


def test_a_run_of_a_process_elsewhere_can_be_taken_over(url: str) -> None:
    """Whether it lives cannot be told, and machines that are gone must not hold runs for ever."""
    elsewhere = this_process().model_copy(update={"host": "another", "pid": 1})
    with Store(url) as store:
        journal = store.start("t", {})
        store.open_session(journal.run, session(elsewhere))
        with journal.session(session(this_process())):
            pass


def test_a_run_is_found_by_the_beginning_of_its_id_and_as_last(url: str) -> None:
    with Store(url) as store:
        first, second = store.start("a", {}), store.start("b", {})
        assert store.info(first.run).task == "a"
        assert store.info(first.run[:-1]).task == "a" or first.run[:-1] == second.run[:-1]
        assert store.open("last").run == second.run
        assert [info.id for info in store.runs()] == [first.run, second.run]


@pytest.mark.parametrize(("asked", "message"), [("zzz", "run zzz: no such run"), ("", "2 runs begin with that")])
def test_a_run_that_is_not_clear_is_refused(url: str, asked: str, message: str) -> None:
    with Store(url) as store:
        store.start("a", {})
        store.start("b", {})
        with pytest.raises(InputError, match=message):
            store.open(asked)


def test_there_is_no_last_run_in_an_empty_store(url: str) -> None:
    with Store(url) as store, pytest.raises(InputError, match="run last: no such run"):
        store.open("last")


def test_a_journal_of_a_newer_version_is_refused_and_left_alone(url: str, tmp_path: Path) -> None:
    with Store(url) as store:
        store.start("t", {})
    with sqlite3.connect(tmp_path / "journal.db") as connection:
        connection.execute("UPDATE about SET value = ?", (str(SCHEMA + 1),))
    with pytest.raises(InputError, match=rf"journal.db: written by a newer MaxCode \(schema {SCHEMA + 1}.*Upgrade"):
        Store(url)
    with sqlite3.connect(tmp_path / "journal.db") as connection:
        assert connection.execute("SELECT value FROM about").fetchall() == [(str(SCHEMA + 1),)]


def test_a_file_that_is_no_journal_is_refused_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    file.write_text("These are my notes, and there are quite a few of them.\n" * 50)
    with pytest.raises(InputError, match=r"journal\.db"):
        Store(f"sqlite:///{file}")
    assert file.read_text().startswith("These are my notes")


def write_some(url: str, gate: object, number: int) -> None:
    gate.wait()  # type: ignore[attr-defined]
    with Store(url) as store:
        journal = store.start(f"task {number}", {})
        for i in range(30):
            remember(journal, str(i), Worker(1000 * number + i))


def test_several_processes_can_begin_and_write_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    for attempt in range(3):
        url, gate = f"sqlite:///{tmp_path / f'{attempt}.db'}", context.Barrier(4)
        writers = [context.Process(target=write_some, args=(url, gate, i)) for i in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join(60)
        assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
        with Store(url) as store:
            for info in store.runs():
                number = int(info.task.split()[1])
                answers = [e.payload["prompt_tokens"] for e in store.read(info.id) if e.kind == "policy.answered"]
                assert answers == [1000 * number + i + 1 for i in range(30)]
            assert len(store.runs()) == 4


FILL = """
import resource, sys
from maxcode.store.journal import Store
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
with Store(sys.argv[1]) as store:
    run = store.start("t", {}).run
    print(run, flush=True)
    for i in range(10_000):
        store.append(run, "kind", str(i), {"text": "x" * 1000})
        print(i, flush=True)
"""


def test_a_full_disk_is_an_error_that_loses_nothing_acknowledged(url: str) -> None:
    done = subprocess.run([sys.executable, "-c", FILL, url], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "full" in done.stderr or "I/O" in done.stderr
    run, *acknowledged = done.stdout.split()
    assert 10 < len(acknowledged) < 9_999
    with Store(url) as store:
        assert [event.key for event in store.read(run)][: len(acknowledged)] == acknowledged
        store.append(run, "kind", "more", {})
        assert list(store.read(run))[-1].key == "more"


READ_ONLY = """
import os, sys
from maxcode.store.journal import Store
Store("sqlite://").close()  # loads all it needs
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
with Store(sys.argv[1]) as store:
    store.append(sys.argv[2], "kind", "new", {})
"""


def test_a_journal_that_cannot_be_written_is_an_error_and_stays_as_it_is(open_folder: Path) -> None:
    url = f"sqlite:///{open_folder / 'journal.db'}"
    with Store(url) as store:
        run = store.start("t", {}).run
        store.append(run, "kind", "old", {})
    (open_folder / "journal.db").chmod(0o444)
    open_folder.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, url, run], capture_output=True, text=True, check=False, cwd="/"
    )
    open_folder.chmod(0o755)
    assert done.returncode != 0
    assert "readonly database" in done.stderr or "unable to open" in done.stderr
    (open_folder / "journal.db").chmod(0o644)
    with Store(url) as store:
        assert [event.key for event in store.read(run)] == ["old"]


def test_the_journal_is_in_the_home_unless_said_otherwise() -> None:
    with Store() as store:
        store.start("t", {})
    assert (Path(os.environ["MAXCODE_HOME"]) / "journal.db").is_file()
