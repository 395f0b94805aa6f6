"""An append-only record of runs in a database (SQLite by default, another by URL).

Work is written down before it starts (`asked`) and when it ends (`answered`). A search is a deterministic function of
its settings and these answers, so resuming is running it again with what is known: nothing finished is done twice, and
what was in flight when a process was killed is asked for again, once, and shows as such. One process works on a run at
a time, and no question has two answers, whoever writes.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import sqlalchemy as sql

from maxcode.core import Corrupt, Frozen, InputError, JournalError
from maxcode.store.schema import ANSWERED, events, open_database, programs_of, runs, writing
from maxcode.system.home import home
from maxcode.system.processes import Process

URL = "MAXCODE_JOURNAL"
"""Environment variable with the address of a journal that several machines share."""
OPENED, CLOSED = "session.opened", "session.closed"
"""Kinds of events: a process began to work on a run; it ended that work in good order."""


class Event(Frozen):
    """One thing that happened."""

    number: int
    run: str
    time: float
    kind: str
    key: str
    payload: dict[str, Any]


class Head(Frozen):
    """An event without its payload."""

    number: int
    run: str
    time: float
    kind: str
    key: str
    programs: int | None


class RunInfo(Frozen):
    id: str
    started: float
    task: str
    settings: dict[str, Any]


_HEAD = (events.c.number, events.c.run, events.c.time, events.c.kind, events.c.key, events.c.programs)
"""Columns of a `Head`."""
SESSION = "session"
"""Policy on record of runs whose programs an agent or a person brings: they have no critic, profile or races."""
COMPARISON = "compare:"
"""Beginning of the task of a run that is a comparison of commands or commits, and no search."""


def is_comparison(info: RunInfo) -> bool:
    return info.task.startswith(COMPARISON)


def _is_more(info: RunInfo) -> bool:
    return not is_comparison(info)


class Store:
    """A database of runs. Several processes may write at once, each to its own runs.

    Without a URL, that of the environment's MAXCODE_JOURNAL, else a file of SQLite in MAXCODE_HOME.
    """

    def __init__(self, url: str | None = None) -> None:
        url = url or os.environ.get(URL)
        if url is None:
            home().mkdir(parents=True, exist_ok=True)
            url = f"sqlite:///{home() / 'journal.db'}"
        self._engine = open_database(url)

    @property
    def place(self) -> str:
        """Address of the database, without passwords."""
        return self._engine.url.render_as_string()

    def close(self) -> None:
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, task: str, settings: dict[str, Any]) -> Journal:
        with writing(self._engine) as connection:
            run = _new_id()
            while connection.execute(sql.select(runs.c.id).where(runs.c.id == run)).first():
                run = _new_id()
            connection.execute(
                runs.insert().values(id=run, started=time.time(), task=task, settings=json.dumps(settings))
            )
        return Journal(self, run)

    def open(self, run: str) -> Journal:
        return Journal(self, self.info(run).id)

    def info(self, run: str, last_of: Callable[[RunInfo], bool] = _is_more) -> RunInfo:
        """The run of an id or of the beginning of one; `last` is the newest that is no comparison, or of a kind."""
        found = self.runs()
        if run == "last" and any(map(last_of, found)):
            return next(filter(last_of, reversed(found)))
        matches = [each for each in found if each.id == run] or [each for each in found if each.id.startswith(run)]
        if len(matches) != 1:
            problem = "no such run" if not matches else f"{len(matches)} runs begin with that"
            raise InputError(f"run {run}: {problem}. `maxcode runs` lists them.")
        return matches[0]

    def runs(self) -> list[RunInfo]:
        with self._engine.connect() as connection:
            rows = connection.execute(sql.select(runs).order_by(runs.c.started)).all()
        return [RunInfo(id=r.id, started=r.started, task=r.task, settings=_settings(r.settings)) for r in rows]

    def programs(self) -> dict[str, int]:
        """Number of programs that each run was answered with; no payload is read for it."""
        query = sql.select(events.c.run, sql.func.sum(events.c.programs)).group_by(events.c.run)
        with self._engine.connect() as connection:
            found = connection.execute(query.where(events.c.kind == ANSWERED))
            return {run: int(programs or 0) for run, programs in found}

    def append(self, run: str, kind: str, key: str, payload: dict[str, Any]) -> None:
        """Adds an event, which is durable when this returns. JournalError when it cannot be written."""
        with _reporting_errors(), writing(self._engine) as connection:  # so that numbers are in the order of commits
            connection.execute(events.insert().values(_row(run, kind, key, payload)))

    def answer(self, run: str, kind: str, key: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Records an answer. Returns the one that is on record: this one, or that of a writer who was first."""
        here = (events.c.run == run, events.c.kind == kind, events.c.key == key)
        with _reporting_errors(), writing(self._engine) as connection:
            found = connection.execute(sql.select(events.c.payload).where(*here)).scalar()
            if found is None:
                connection.execute(events.insert().values(_row(run, kind, key, payload)))
        return payload if found is None else dict(json.loads(found))

    def open_session(self, run: str, payload: dict[str, Any]) -> None:
        """Records who works on a run. InputError where another process of this machine does."""
        with _reporting_errors(), writing(self._engine) as connection:
            _refuse_taken(connection, run, payload)
            connection.execute(events.insert().values(_row(run, OPENED, "", payload)))

    def refuse_taken(self, run: str, payload: dict[str, Any]) -> None:
        """Raises InputError where a session could not be opened now."""
        with self._engine.connect() as connection:
            _refuse_taken(connection, run, payload)

    def read(self, run: str, kind: str | None = None, *, since: int = 0) -> Iterator[Event]:
        """Events of a run in order; only those of one kind, or after event `since`, where asked."""
        query = sql.select(events).where(events.c.run == run, events.c.number > since).order_by(events.c.number)
        if kind is not None:
            query = query.where(events.c.kind == kind)
        with self._engine.connect() as connection:
            for r in connection.execute(query):
                payload = self._payload(r.payload, r.run, r.number)
                yield Event(number=r.number, run=r.run, time=r.time, kind=r.kind, key=r.key, payload=payload)

    def _payload(self, text: str, run: str, number: int) -> dict[str, Any]:
        """Payload of an event. Corrupt where it is not what was written."""
        try:
            found = json.loads(text)
        except (ValueError, TypeError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise Corrupt(
                f"run {run}: event {number} in {self.place} is damaged. Put back a copy of "
                "that file, or start the run anew; other runs are not affected."
            )
        return found

    def news(self, since: int, most: int = 10_000) -> list[Head]:
        """Events of any run after event `since`, in order, without payloads; `most` of them at most."""
        query = sql.select(*_HEAD).where(events.c.number > since).order_by(events.c.number).limit(most)
        with self._engine.connect() as connection:
            return [Head(**row._mapping) for row in connection.execute(query)]

    def latest(self) -> list[Head]:
        """The last event of every run that has one."""
        last = sql.select(sql.func.max(events.c.number)).group_by(events.c.run)
        with self._engine.connect() as connection:
            rows = connection.execute(sql.select(*_HEAD).where(events.c.number.in_(last)))
            return [Head(**row._mapping) for row in rows]


def _settings(text: str) -> dict[str, Any]:
    """A run's settings; {} where they are damaged, so that the run is listed, and refused when it is opened."""
    try:
        found = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _new_id() -> str:
    return time.strftime("%y%m%d-%H%M%S-") + uuid.uuid4().hex[:4]


def _row(run: str, kind: str, key: str, payload: dict[str, Any]) -> dict[str, Any]:
    row = {"run": run, "time": time.time(), "kind": kind, "key": key, "payload": json.dumps(payload)}
    return {**row, "programs": programs_of(kind, payload)}


@contextmanager
def _reporting_errors() -> Iterator[None]:
    try:
        yield
    except sql.exc.DatabaseError as error:
        raise JournalError(
            f"the journal cannot be written ({error.orig}); what it holds is safe. Free some space, or see to its "
            "server."
        ) from None


def _refuse_taken(connection: sql.Connection, run: str, payload: dict[str, Any]) -> None:
    holder = _holder(connection, run)
    if holder is not None and holder.alive and holder.model_dump() != payload.get("process"):
        raise InputError(
            f"run {run}: process {holder.pid} on {holder.host} is working on it. Wait for its end, or stop it."
        )


def _holder(connection: sql.Connection, run: str) -> Process | None:
    """The process that a run was last given to, unless it said that it was done."""
    query = sql.select(events.c.kind, events.c.payload).where(events.c.run == run)
    sessions = query.where(events.c.kind.in_((OPENED, CLOSED))).order_by(events.c.number.desc())
    for kind, payload in connection.execute(sessions):
        noted = json.loads(payload).get("process")
        if kind == CLOSED or noted:
            return None if kind == CLOSED else Process.model_validate(noted)
    return None


def over_in_words(info: RunInfo) -> str:
    """State of a run whose last session is over: an agent's has ended, others can be resumed."""
    return "ended" if info.settings.get("policy") == SESSION else "stopped"


class Journal:
    """One run's part of the store, with its answers in memory."""

    def __init__(self, store: Store, run: str) -> None:
        self.store = store
        self.run = run
        self._writes = True
        self._answers: dict[tuple[str, str], dict[str, Any]] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self._pending: dict[tuple[str, str], asyncio.Future[dict[str, Any]]] = {}
        self._waiting: dict[tuple[str, str], int] = {}
        self.seconds_before = 0.0
        """Seconds that this run has taken in earlier sessions, each from its opening to the last work that it noted."""
        self._replay()

    async def remembered(self, kind: str, key: str, work: Callable[[], Awaitable[Frozen]]) -> dict[str, Any]:
        """Answer on record, or that of `work`, which is then put on record.

        Concurrent callers share one call of `work`.
        """
        place = (kind, key)
        if place in self._answers:
            return self._answers[place]
        if place not in self._pending:
            self._pending[place] = asyncio.ensure_future(self._answer(place, work))
            self._waiting[place] = 0
        pending = self._pending[place]
        self._waiting[place] += 1
        try:
            return await asyncio.shield(pending)
        finally:
            self._waiting[place] -= 1
            if not self._waiting[place] and self._pending.get(place) is pending:
                del self._pending[place]
                pending.cancel()

    async def _answer(self, place: tuple[str, str], work: Callable[[], Awaitable[Frozen]]) -> dict[str, Any]:
        kind, key = place
        again = self._asked.get(place, 0)
        self._asked[place] = again + 1
        try:
            if self._writes:
                self.store.append(self.run, f"{kind}.asked", key, {"again": again} if again else {})
            answer = (await work()).model_dump(mode="json")
            if self._writes:
                answer = self.store.answer(self.run, f"{kind}.answered", key, answer)
            self._answers[place] = answer
            return answer
        finally:
            if self._pending.get(place) is asyncio.current_task():
                del self._pending[place]

    def has(self, kind: str, key: str) -> bool:
        """True if the answer is on record."""
        return (kind, key) in self._answers

    def learn(self, other: Journal, kinds: tuple[str, ...]) -> None:
        """Takes over another run's answers of some kinds, as if they were given here."""
        for (kind, key), answer in other._answers.items():
            if kind in kinds:
                self._answers[(kind, key)] = self.store.answer(self.run, f"{kind}.answered", key, answer)

    def read_only(self) -> Journal:
        """Copy with the same answers that writes nothing, for looking at a run."""
        copy = Journal(self.store, self.run)
        copy._writes = False
        return copy

    def note(self, kind: str, payload: dict[str, Any]) -> None:
        if self._writes:
            self.store.append(self.run, kind, "", payload)

    def note_once(self, kind: str, payload: dict[str, Any]) -> None:
        """Adds a note unless the run has one of this kind: what ended before is not told again when it is resumed."""
        if not any(self.store.read(self.run, kind)):
            self.note(kind, payload)

    @contextmanager
    def session(self, payload: dict[str, Any]) -> Iterator[None]:
        """Marks the time in which a process works on the run. InputError where another one does already."""
        self.store.open_session(self.run, payload)
        try:
            yield
        finally:
            with suppress(JournalError):  # the process will be gone anyway; the error under way matters more
                self.note(CLOSED, {})

    def under_way(self) -> Counter[str]:
        """Number of questions of each kind that are being answered now."""
        return Counter(kind for kind, _ in self._pending)

    def asked_again(self) -> list[tuple[str, str]]:
        """Calls that were in flight when an earlier session ended and were sent once more."""
        return [place for place, times in self._asked.items() if times > 1]

    def _replay(self) -> None:
        opened: float | None = None
        in_session = 0.0
        for event in self.store.read(self.run):
            kind, _, stage = event.kind.rpartition(".")
            if stage == "answered":
                self._answers[(kind, event.key)] = event.payload
            elif stage == "asked":
                self._asked[(kind, event.key)] = self._asked.get((kind, event.key), 0) + 1
            elif stage in ("opened", "closed"):
                self.seconds_before += in_session
                opened, in_session = event.time if event.kind == OPENED else None, 0.0
            if opened is not None and stage in ("asked", "answered"):  # other notes may come at any time
                in_session = max(in_session, event.time - opened)
        self.seconds_before += in_session
