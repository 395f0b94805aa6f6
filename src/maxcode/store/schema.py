"""Tables of the journal's database: opening them, and bringing those of older versions up to date."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sql

from maxcode.core import InputError

SCHEMA = 3
"""Version of the schema. 1: the tables. 2: how many programs an answer has, beside it, so that listing runs reads no
payloads. 3: a question of a run has one answer."""
ANSWERED = "policy.answered"
_ONE_ANSWER = sql.text("kind LIKE '%.answered' AND key <> ''")
_metadata = sql.MetaData()
_about = sql.Table(
    "about", _metadata, sql.Column("name", sql.String, primary_key=True), sql.Column("value", sql.String)
)
runs = sql.Table(
    "runs",
    _metadata,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("started", sql.Float, nullable=False),
    sql.Column("task", sql.String, nullable=False),
    sql.Column("settings", sql.Text, nullable=False),
)
events = sql.Table(
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


def open_database(url: str) -> sql.Engine:
    """The database at a URL, with tables of today. InputError for one that is newer, or no journal."""
    try:
        engine = sql.create_engine(url, pool_pre_ping=True)  # a server may have been started again
    except ModuleNotFoundError as error:
        raise InputError(f"the journal needs the package '{error.name}': pip install 'maxcode[postgres]'.") from None
    except sql.exc.ArgumentError:
        raise InputError(f"{url}: not a database's URL, such as postgresql+psycopg://HOST/NAME.") from None
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _prepare_sqlite)
    _prepare(engine, url)
    return engine


@contextmanager
def writing(engine: sql.Engine) -> Iterator[sql.Connection]:
    """Transaction during which no other process writes."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":  # its driver begins a transaction only at the first change
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            _schema(connection)
        yield connection


def programs_of(kind: str, payload: dict[str, Any]) -> int | None:
    return len(payload["proposals"]) if kind == ANSWERED and "proposals" in payload else None


def _prepare_sqlite(connection: Any, _: object) -> None:
    for statement in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=30000"):
        connection.execute(f"PRAGMA {statement}")


def _prepare(engine: sql.Engine, url: str) -> None:
    """Makes the tables where there are none; several processes may do so at once, and one wins."""
    for attempt in range(100):
        try:
            _metadata.create_all(engine)
            return _check_schema(engine, url)
        except (sql.exc.OperationalError, sql.exc.IntegrityError) as error:
            if attempt == 99:
                raise InputError(f"{url}: cannot be opened ({error.orig}). Set MAXCODE_HOME elsewhere.") from None
            time.sleep(0.02)
        except sql.exc.DatabaseError as error:
            raise InputError(f"{url}: not a journal ({error.orig})") from None
    return None


def _check_schema(engine: sql.Engine, url: str) -> None:
    with engine.begin() as connection:
        found = _schema(connection)
        if found is None:
            connection.execute(_about.insert().values(name="schema", value=str(SCHEMA)))
    if found is not None and found > SCHEMA:
        raise InputError(f"{url}: written by a newer MaxCode (schema {found}, this one knows {SCHEMA}). Upgrade.")
    if found is not None and found < SCHEMA:
        _migrate(engine, url)


def _migrate(engine: sql.Engine, url: str) -> None:
    """Brings an older journal up to date, or leaves it as it was. Of several processes, one does it."""
    with writing(engine) as connection:
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
        for index in events.indexes:
            index.create(connection, checkfirst=True)
        connection.execute(_about.update().where(_about.c.name == "schema").values(value=str(SCHEMA)))


def _schema(connection: sql.Connection) -> int | None:
    query = sql.select(_about.c.value).where(_about.c.name == "schema").with_for_update()
    found = connection.execute(query).scalar()
    return None if found is None else int(found)


def _add_programs(connection: sql.Connection) -> None:
    """Migrates schema 1 to 2."""
    connection.execute(sql.text("ALTER TABLE events ADD COLUMN programs INTEGER"))
    answered = sql.select(events.c.number, events.c.payload).where(events.c.kind == ANSWERED)
    counts = [(number, programs_of(ANSWERED, json.loads(payload))) for number, payload in connection.execute(answered)]
    update = events.update().where(events.c.number == sql.bindparam("place"))
    if counts:
        connection.execute(update, [{"place": number, "programs": programs} for number, programs in counts])


def _drop_second_answers(connection: sql.Connection) -> None:
    """Migrates schema 2 to 3. The last answer stays: it is the one that readers were shown."""
    last = sql.select(sql.func.max(events.c.number)).where(_ONE_ANSWER)
    kept = last.group_by(events.c.run, events.c.kind, events.c.key)
    connection.execute(events.delete().where(_ONE_ANSWER, events.c.number.not_in(kept)))
