"""An append-only record of runs in a database (SQLite by default, another by URL).

Work is written down before it starts (`asked`) and when it ends (`answered`). A search is a deterministic function of
its settings and these answers, so resuming is running it again with what is known: nothing finished is done twice, and
what was in flight when a process was killed is asked for again, once, and shows as such. One process works on a run at
a time, and no question has two answers, whoever writes.
"""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Self

import sqlalchemy as sql

from maxcode.core import Corrupt, Frozen, InputError, JournalError
from maxcode.home import home
from maxcode.processes import Process

SCHEMA = 3
"""Version of the schema. 1: the tables. 2: how many programs an answer has, beside it, so that listing runs reads no
payloads. 3: a question of a run has one answer."""
OPENED, CLOSED = "session.opened", "session.closed"
"""Kinds of events: a process began to work on a run; it ended that work in good order."""
_ONE_ANSWER = sql.text("kind LIKE '%.answered' AND key <> ''")
_metadata = sql.MetaData()
_about = sql.Table(
    "about", _metadata, sql.Column("name", sql.String, primary_key=True), sql.Column("value", sql.String)
)
_runs = sql.Table(
    "runs",
    _metadata,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("started", sql.Float, nullable=False),
    sql.Column("task", sql.String, nullable=False),
    sql.Column("settings", sql.Text, nullable=False),
)
_events = sql.Table(
    "events",
    _metadata,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=True),
    sql.Column("run", sql.String, nullable=False),
    sql.Column("time", sql.Float, nullable=False),
    sql.Column("kind", sql.String, nullable=False),
    sql.Column("key", sql.String, nullable=False),
    sql.Column("payload", sql.Text, nullable=False),
    sql.Column("programs", sql.Integer),
    sql.Index("events_by_run", "run", "number"),
    sql.Index("events_by_kind", "run", "kind", "number", "programs"),
    sql.Index("one_answer", "run", "kind", "key", unique=True, sqlite_where=_ONE_ANSWER, postgresql_where=_ONE_ANSWER),
)


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


class Store:
    """A database of runs. Several processes may write at once, each to its own runs."""

    def __init__(self, url: str | None = None) -> None:
        if url is None:
            home().mkdir(parents=True, exist_ok=True)
            url = f"sqlite:///{home() / 'journal.db'}"
        self._engine = sql.create_engine(url)
        if self._engine.dialect.name == "sqlite":
            sql.event.listen(self._engine, "connect", _prepare_sqlite)
        self._prepare(url)

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
        with self._writing() as connection:
            run = _new_id()
            while connection.execute(sql.select(_runs.c.id).where(_runs.c.id == run)).first():
                run = _new_id()
            connection.execute(
                _runs.insert().values(id=run, started=time.time(), task=task, settings=json.dumps(settings))
            )
        return Journal(self, run)

    def open(self, run: str) -> Journal:
        return Journal(self, self.info(run).id)

    def info(self, run: str, last_of: Callable[[RunInfo], bool] = lambda _: True) -> RunInfo:
        """The run of an id or of the beginning of one; `last` is the newest, or the newest of a kind."""
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
            rows = connection.execute(sql.select(_runs).order_by(_runs.c.started)).all()
        return [RunInfo(id=r.id, started=r.started, task=r.task, settings=_settings(r.settings)) for r in rows]

    def programs(self) -> dict[str, int]:
        """Number of programs that each run was answered with; no payload is read for it."""
        query = sql.select(_events.c.run, sql.func.sum(_events.c.programs)).group_by(_events.c.run)
        with self._engine.connect() as connection:
            found = connection.execute(query.where(_events.c.kind == ANSWERED))
            return {run: int(programs or 0) for run, programs in found}

    def append(self, run: str, kind: str, key: str, payload: dict[str, Any]) -> None:
        """Adds an event, which is durable when this returns. JournalError when it cannot be written."""
        with _reporting_errors(), self._engine.begin() as connection:
            connection.execute(_events.insert().values(_row(run, kind, key, payload)))

    def answer(self, run: str, kind: str, key: str, payload: dict[str, Any]) -> dict[str, Any]:
        """Records an answer. Returns the one that is on record: this one, or that of a writer who was first."""
        here = (_events.c.run == run, _events.c.kind == kind, _events.c.key == key)
        with _reporting_errors(), self._writing() as connection:
            found = connection.execute(sql.select(_events.c.payload).where(*here)).scalar()
            if found is None:
                connection.execute(_events.insert().values(_row(run, kind, key, payload)))
        return payload if found is None else dict(json.loads(found))

    def open_session(self, run: str, payload: dict[str, Any]) -> None:
        """Records who works on a run. InputError where another process of this machine does."""
        with _reporting_errors(), self._writing() as connection:
            _refuse_taken(connection, run, payload)
            connection.execute(_events.insert().values(_row(run, OPENED, "", payload)))

    def refuse_taken(self, run: str, payload: dict[str, Any]) -> None:
        """Raises InputError where a session could not be opened now."""
        with self._engine.connect() as connection:
            _refuse_taken(connection, run, payload)

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        """Transaction during which no other process writes."""
        with self._engine.begin() as connection:
            if self._engine.dialect.name == "sqlite":  # its driver begins a transaction only at the first change
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            else:
                _schema(connection)
            yield connection

    def read(self, run: str, kind: str | None = None, *, since: int = 0) -> Iterator[Event]:
        """Events of a run in order; only those of one kind, or after event `since`, where asked."""
        query = sql.select(_events).where(_events.c.run == run, _events.c.number > since).order_by(_events.c.number)
        if kind is not None:
            query = query.where(_events.c.kind == kind)
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
        columns = (_events.c.number, _events.c.run, _events.c.time, _events.c.kind, _events.c.key, _events.c.programs)
        query = sql.select(*columns).where(_events.c.number > since).order_by(_events.c.number).limit(most)
        with self._engine.connect() as connection:
            return [Head(**row._mapping) for row in connection.execute(query)]

    def latest(self) -> list[Head]:
        """The last event of every run that has one."""
        last = sql.select(sql.func.max(_events.c.number)).group_by(_events.c.run)
        columns = (_events.c.number, _events.c.run, _events.c.time, _events.c.kind, _events.c.key, _events.c.programs)
        with self._engine.connect() as connection:
            rows = connection.execute(sql.select(*columns).where(_events.c.number.in_(last)))
            return [Head(**row._mapping) for row in rows]

    def _prepare(self, url: str) -> None:
        """Makes the tables where there are none; several processes may do so at once, and one wins."""
        for attempt in range(100):
            try:
                _metadata.create_all(self._engine)
                return self._check_schema(url)
            except (sql.exc.OperationalError, sql.exc.IntegrityError) as error:
                if attempt == 99:
                    raise InputError(f"{url}: cannot be opened ({error.orig}). Set MAXCODE_HOME elsewhere.") from None
                time.sleep(0.02)
            except sql.exc.DatabaseError as error:
                raise InputError(f"{url}: not a journal ({error.orig})") from None
        return None

    def _check_schema(self, url: str) -> None:
        with self._engine.begin() as connection:
            found = _schema(connection)
            if found is None:
                connection.execute(_about.insert().values(name="schema", value=str(SCHEMA)))
        if found is not None and found > SCHEMA:
            raise InputError(f"{url}: written by a newer MaxCode (schema {found}, this one knows {SCHEMA}). Upgrade.")
        if found is not None and found < SCHEMA:
            self._migrate(url)

    def _migrate(self, url: str) -> None:
        """Brings an older journal up to date, or leaves it as it was. Of several processes, one does it."""
        with self._writing() as connection:
            found = _schema(connection)
            try:
                if found == 1:
                    _add_programs(connection)
                if found in (1, 2):
                    _drop_second_answers(connection)
            except ValueError as error:
                raise InputError(
                    f"{url}: is of schema {found} and cannot be brought to {SCHEMA}: {error}. Nothing was changed."
                ) from None
            for index in _events.indexes:
                index.create(connection, checkfirst=True)
            connection.execute(_about.update().where(_about.c.name == "schema").values(value=str(SCHEMA)))


ANSWERED = "policy.answered"


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
    return {**row, "programs": _programs(kind, payload)}


@contextmanager
def _reporting_errors() -> Iterator[None]:
    try:
        yield
    except sql.exc.DatabaseError as error:
        raise JournalError(
            f"the journal cannot be written ({error.orig}); what it holds is safe. Free some space."
        ) from None


def _refuse_taken(connection: sql.Connection, run: str, payload: dict[str, Any]) -> None:
    holder = _holder(connection, run)
    if holder is not None and holder.alive and holder.model_dump() != payload.get("process"):
        raise InputError(
            f"run {run}: process {holder.pid} on {holder.host} is working on it. Wait for its end, or stop it."
        )


def _holder(connection: sql.Connection, run: str) -> Process | None:
    """The process that a run was last given to, unless it said that it was done."""
    query = sql.select(_events.c.kind, _events.c.payload).where(_events.c.run == run)
    sessions = query.where(_events.c.kind.in_((OPENED, CLOSED))).order_by(_events.c.number.desc())
    for kind, payload in connection.execute(sessions):
        noted = json.loads(payload).get("process")
        if kind == CLOSED or noted:
            return None if kind == CLOSED else Process.model_validate(noted)
    return None


def _programs(kind: str, payload: dict[str, Any]) -> int | None:
    return len(payload["proposals"]) if kind == ANSWERED and "proposals" in payload else None


def _schema(connection: sql.Connection) -> int | None:
    query = sql.select(_about.c.value).where(_about.c.name == "schema").with_for_update()
    found = connection.execute(query).scalar()
    return None if found is None else int(found)


def _add_programs(connection: sql.Connection) -> None:
    """Migrates schema 1 to 2."""
    connection.execute(sql.text("ALTER TABLE events ADD COLUMN programs INTEGER"))
    answered = sql.select(_events.c.number, _events.c.payload).where(_events.c.kind == ANSWERED)
    counts = [(number, _programs(ANSWERED, json.loads(payload))) for number, payload in connection.execute(answered)]
    update = _events.update().where(_events.c.number == sql.bindparam("place"))
    if counts:
        connection.execute(update, [{"place": number, "programs": programs} for number, programs in counts])


def _drop_second_answers(connection: sql.Connection) -> None:
    """Migrates schema 2 to 3. The last answer stays: it is the one that readers were shown."""
    last = sql.select(sql.func.max(_events.c.number)).where(_ONE_ANSWER)
    kept = last.group_by(_events.c.run, _events.c.kind, _events.c.key)
    connection.execute(_events.delete().where(_ONE_ANSWER, _events.c.number.not_in(kept)))


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


def _prepare_sqlite(connection: Any, _: object) -> None:
    for statement in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {statement}")
