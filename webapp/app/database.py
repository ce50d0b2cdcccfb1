"""The database: games with their revisions, their seats, and the photographs that belong to them.

A file of SQLite, with a write-ahead log and full synchronisation, or PostgreSQL for several
servers: what a commit has returned from survives a killed process and a power cut. Either way one
transaction writes at a time, and what only reads sees the database as it was when it began.
"""

import errno
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    JSON,
    DateTime,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    create_engine,
    event,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    NoSuchModuleError,
    OperationalError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, sessionmaker
from sqlalchemy.sql.functions import FunctionElement

from webapp.app import read_view

MIGRATIONS = Path(__file__).with_name("migrations")
ONLY_READS = "stargazer_only_reads"
"""The option of a connection that writes nothing."""
LONGEST_KEPT = 1 << 14
"""Of a JSON text that is parsed once while it is among those that were read last."""
WRITERS = 0x5742617A
"""PostgreSQL's number of the lock that whoever writes holds until the end of the transaction."""


class DatabaseError(Exception):
    """The database cannot be used; one line: what is wrong and what to do."""


class Base(DeclarativeBase):
    """The tables' common base."""


def now() -> datetime:
    """The present moment in UTC, without a zone: as the database keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


class GameRow(Base):
    """A game; `revision` is the number of the revision that is current."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    revision: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(DateTime, default=now)
    changed_at: Mapped[datetime] = mapped_column(DateTime, default=now, index=True)
    deleted_at: Mapped[datetime | None] = mapped_column(DateTime, default=None)


class RevisionRow(Base):
    """A game as it was after one confirmed step.

    `document` is None where what is kept is no JSON, as in a damaged file. `parent` is the revision
    that the step was made from, None for the first that is kept: undoing leads there. `browser` is
    whose step it was, None for the server's own. `delivery` is what the phone called it that sent
    it.
    """

    __tablename__ = "revisions"
    __table_args__ = (Index("ix_revisions_delivery", "game_id", "delivery", unique=True),)

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[str] = mapped_column(String(40))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)
    parent: Mapped[int | None] = mapped_column(Integer, default=None)
    browser: Mapped[str | None] = mapped_column(String(32), default=None)
    delivery: Mapped[str | None] = mapped_column(String(32), default=None)


class PhotographRow(Base):
    """A photograph of a game: `state` is waiting, read or failed; `reading` what was read.

    `player` is the seat that it was taken for, None while it waits to be dealt one.
    `begun` counts the servers that have begun to read it and not come to an end. `delivery` is what
    the phone called it that sent it.
    """

    __tablename__ = "photographs"
    __table_args__ = (Index("ix_photographs_delivery", "game_id", "delivery", unique=True),)

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id", ondelete="CASCADE"), index=True)
    player: Mapped[int | None] = mapped_column(Integer, default=None)
    state: Mapped[str] = mapped_column(String(10), default="waiting", index=True)
    problem: Mapped[str | None] = mapped_column(String(40), default=None)
    reading: Mapped[dict[str, Any] | None] = mapped_column(JSON, default=None)
    begun: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    added_at: Mapped[datetime] = mapped_column(DateTime, default=now)
    delivery: Mapped[str | None] = mapped_column(String(32), default=None)


class SeatRow(Base):
    """A seat that somebody has taken, and their hidden card; whose it is, seats.py decides."""

    __tablename__ = "seats"

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(32))
    card: Mapped[str | None] = mapped_column(Text)
    laid_open: Mapped[bool]
    lost_by: Mapped[str | None] = mapped_column(String(32))


class ResultRow(Base):
    """What the history keeps of a game, made of it as it was when it was changed `at`.

    `board` is what the board is called, `profile` and `version` which one it was.

    `state` is final, open or unscorable; `standings` are those of a final score: seat, name, total
    and place. `words` is what is searched, folded.
    """

    __tablename__ = "results"

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    at: Mapped[datetime] = mapped_column(DateTime)
    state: Mapped[str] = mapped_column(String(12))
    game: Mapped[str] = mapped_column(String(100))
    mode: Mapped[str] = mapped_column(String(100))
    board: Mapped[str] = mapped_column(String(100))
    profile: Mapped[str] = mapped_column(String(300))
    version: Mapped[float] = mapped_column(Float)
    names: Mapped[list[str]] = mapped_column(JSON)
    standings: Mapped[list[dict[str, Any]]] = mapped_column(JSON)
    words: Mapped[str] = mapped_column(Text)


class CountRow(Base):
    """A finished game's score as it was counted; `key` says of which state, on which board."""

    __tablename__ = "counts"

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    score: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)


class PersonRow(Base):
    """Somebody who plays; `picture` names the file that shows them."""

    __tablename__ = "persons"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    colour: Mapped[str | None] = mapped_column(String(12), default=None)
    picture: Mapped[str | None] = mapped_column(String(16), default=None)


class PersonNameRow(Base):
    """A name, folded, by which games know a person."""

    __tablename__ = "person_names"

    key: Mapped[str] = mapped_column(String(300), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("persons.id", ondelete="CASCADE"), index=True)


class PersonChangeRow(Base):
    """A change of persons that can be undone: `before` is what they were, with their names."""

    __tablename__ = "person_changes"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    before: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)


class LessonRow(Base):
    """A lesson that somebody has done: who has this `name`, folded, or where it is "" a browser."""

    __tablename__ = "lessons"

    name: Mapped[str] = mapped_column(String(300), primary_key=True, default="")
    browser: Mapped[str] = mapped_column(String(32), primary_key=True, default="")
    game: Mapped[str] = mapped_column(String(100), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(100), primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)


class WholeJSON(FunctionElement[Any]):
    """A JSON column to look into: as null where SQLite would refuse the query for what is none."""

    type = JSON()
    inherit_cache = True


@compiles(WholeJSON)
def _as_it_is(element: Any, compiler: Any, **more: Any) -> str:
    return str(compiler.process(element.clauses, **more))


@compiles(WholeJSON, "sqlite")
def _if_it_is_valid(element: Any, compiler: Any, **more: Any) -> str:
    column = compiler.process(element.clauses, **more)
    return f"CASE WHEN json_valid({column}) THEN {column} END"


def open_database(url: str) -> sessionmaker[Session]:
    """Open the database at `url`, bring it up to date, and return a maker of sessions.

    Raises DatabaseError where the URL is none, its driver is missing, it does not answer, is
    damaged, or a newer version has written it.
    """
    try:
        target = make_url(url)
        file = sqlite_file(url)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # What an error says goes to the log: never with the values, which may be somebody's secret.
        options: dict[str, Any] = {"hide_parameters": True, "json_deserializer": _from_json}
        # A server's threads at work hold one each, and another one to write.
        pool = {"pool_size": 16, "max_overflow": 32}
        if file is not None:
            options |= pool
        if target.get_backend_name() == "postgresql":
            options |= {"pool_pre_ping": True, **pool}  # one that was cut is made anew
            options["connect_args"] = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
        engine = create_engine(target, **options)
        if engine.dialect.name == "sqlite":
            _harden_sqlite(engine)
            _check_sqlite(engine)
        elif engine.dialect.name == "postgresql":
            _prepare_postgresql(engine)
        _renew_after_writes(engine)
        migrate(engine)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise DatabaseError(
            f"--database {url!r} is not a database that can be used here: {error}"
        ) from error
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        if is_damaged(error):
            raise DatabaseError(
                f"the database {target.render_as_string()} is damaged ({reason}): keep a copy of"
                " it, then begin with another --data and bring your last backup back there"
                " (stargazer restore)"
            ) from error
        raise DatabaseError(
            f"the database {target.render_as_string()} cannot be used ({reason}):"
            " choose another --data or --database"
        ) from error
    return sessionmaker(engine, expire_on_commit=False)


@contextmanager
def reading(sessions: sessionmaker[Session]) -> Iterator[Session]:
    """Give a session that only reads: it waits for nobody who writes, and nobody waits for it.

    Within a view to read of it is always the same one, until the database refuses something.
    """
    view = read_view.current()
    if view is None:
        with _begun(sessions) as session:
            yield session
        return
    with view.in_use():
        try:
            yield view.cached(sessions, lambda: view.enter(_begun(sessions)))
        except SQLAlchemyError:
            read_view.renew(view)
            raise


@contextmanager
def _begun(sessions: sessionmaker[Session]) -> Iterator[Session]:
    session = sessions()
    try:
        session.connection(execution_options={ONLY_READS: True})
        yield session
    finally:
        with suppress(SQLAlchemyError):  # cut off since: what was read was read
            session.close()


def sqlite_file(url: str) -> Path | None:
    """Return the file of a database, None where it is not one file.

    >>> str(sqlite_file("sqlite:///games.db")), sqlite_file("postgresql://host/games")
    ('games.db', None)
    """
    try:
        target = make_url(url)
    except ArgumentError:
        return None
    named = target.database or ""
    is_file = target.get_backend_name() == "sqlite" and named not in {"", ":memory:"}
    return Path(named) if is_file else None


def _from_json(text: str) -> Any:
    """What JSON says; None for what is none, which is one row's trouble and not the table's.

    The same text gives the same object, which nobody changes.
    """
    try:
        return _parsed(text) if len(text) <= LONGEST_KEPT else json.loads(text)
    except (ValueError, RecursionError):
        return None


@lru_cache(maxsize=512)
def _parsed(text: str) -> Any:
    return json.loads(text)


def _check_sqlite(engine: Engine) -> None:
    """Look through the file, but for what is within the fields. Raises DBAPIError for damage."""
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        damaged = sqlite3.DatabaseError(str(found))
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise DBAPIError("PRAGMA quick_check", {}, damaged)


def _harden_sqlite(engine: Engine) -> None:
    """Set SQLite up for several threads: a write-ahead log, and a lock from the start.

    The driver's own transactions begin at the first write, which lets two sessions read
    the same revision before either writes; BEGIN IMMEDIATE makes a step wait its turn. What only
    reads sees the database as it was when it began, and needs no turn.
    """

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=10000",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        only_reads = connection.get_execution_options().get(ONLY_READS, False)
        begin_transaction(connection, "BEGIN" if only_reads else "BEGIN IMMEDIATE")


def _renew_after_writes(engine: Engine) -> None:
    """Have a thread that writes read of a new view after that."""

    @event.listens_for(engine, "begin")
    @event.listens_for(engine, "commit")
    def written(connection: Any) -> None:
        if not connection.get_execution_options().get(ONLY_READS, False):
            read_view.renew()


def begin_transaction(connection: Any, statement: str) -> None:
    """Begin, once more where others were quicker all the time (SQLITE_PROTOCOL)."""
    try:
        connection.exec_driver_sql(statement)
    except OperationalError as error:
        if _sqlite_code(error) != sqlite3.SQLITE_PROTOCOL:
            raise
        connection.exec_driver_sql(statement)


def _prepare_postgresql(engine: Engine) -> None:
    """Have PostgreSQL's transactions see and wait as SQLite's do, whichever server they are of."""

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        if connection.get_execution_options().get(ONLY_READS, False):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS})")


def migrate(engine: Engine) -> None:
    """Bring the database's tables up to date.

    Raises DatabaseError where they are of a version that is not known here.
    """
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        if not known.issuperset(MigrationContext.configure(connection).get_current_heads()):
            raise DatabaseError(
                "a newer Stargazer has written this database: update this one,"
                " or choose another --data or --database"
            )
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def is_temporary(error: Exception) -> bool:
    """Whether what could not be kept can be, once there is room or nobody else writes."""
    no_room = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    is_query = _sqlite_code(error) == sqlite3.SQLITE_ERROR  # one that cannot be answered at all
    return no_room or (isinstance(error, OperationalError) and not is_query)


def is_held_up(error: Exception) -> bool:
    """Whether it is others that write, and not room that is lacking."""
    held_up = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
    return _sqlite_code(error) in held_up


def is_unreachable(error: Exception) -> bool:
    """Whether PostgreSQL does not answer, is being shut down, or has no connection left."""
    if isinstance(error, PoolTimeout):
        return True
    state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
    is_connection = (
        isinstance(error, OperationalError) and not state and _sqlite_code(error) is None
    )
    return is_connection or state.startswith(("08", "53300", "57P"))


def is_damaged(error: Exception) -> bool:
    """Whether a database's file has something in it that is not the database's."""
    return _sqlite_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _sqlite_code(error: Exception) -> int | None:
    """SQLite's number of what went wrong, without the details; None for everything else."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
