"""The database: games with their revisions, seats and photographs.

SQLite with a write-ahead log and full synchronisation, or PostgreSQL for several servers. A
committed transaction survives a killed process and a power cut. In both, one transaction writes at
a time, and read-only transactions see a snapshot from when they began.
"""

import errno
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any

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
    inspect,
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
"""The execution option that marks a connection as read-only."""
LONGEST_KEPT = 1 << 14
"""The longest JSON text (characters) whose parsed value is cached."""
WRITERS = 0x5742617A
"""The key of the PostgreSQL advisory lock that a writer holds until its transaction ends."""


class DatabaseError(Exception):
    """The database cannot be used; the one-line message says why and what to do."""


class Base(DeclarativeBase):
    """The declarative base of all tables."""


OfGame = Annotated[str, mapped_column(ForeignKey("games.id", ondelete="CASCADE"), primary_key=True)]
"""The column of a table that has its rows by game."""


def now() -> datetime:
    """Return the current time as the database stores it: UTC without tzinfo."""
    return datetime.now(UTC).replace(tzinfo=None)


class GameRow(Base):
    """A game; `revision` is the number of the current revision."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    revision: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(DateTime, default=now)
    changed_at: Mapped[datetime] = mapped_column(DateTime, default=now, index=True)
    deleted_at: Mapped[datetime | None] = mapped_column(DateTime, default=None)


class RevisionRow(Base):
    """The state of a game after one confirmed step.

    `document` is None if the stored text is not valid JSON, as in a damaged file. `parent` is the
    revision that the step was made from, where undo leads; None for the first one kept. `browser`
    is the one that made the step, None for the server. `delivery` is the id that the sending phone
    gave the step.
    """

    __tablename__ = "revisions"
    __table_args__ = (Index("ix_revisions_delivery", "game_id", "delivery", unique=True),)

    game_id: Mapped[OfGame]
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    step: Mapped[str] = mapped_column(String(40))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)
    parent: Mapped[int | None] = mapped_column(Integer, default=None)
    browser: Mapped[str | None] = mapped_column(String(32), default=None)
    delivery: Mapped[str | None] = mapped_column(String(32), default=None)


class PhotographRow(Base):
    """A photograph of a game; `state` is as in `Photograph`, and `reading` is the result.

    `player` is the seat it was taken for, None until it is assigned. `begun` counts the servers
    that started reading it and did not finish. `delivery` is the id that the sending phone gave it.
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
    """A claimed seat and its hidden card; `seats.py` decides who owns it."""

    __tablename__ = "seats"

    game_id: Mapped[OfGame]
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    owner: Mapped[str | None] = mapped_column(String(32))
    card: Mapped[str | None] = mapped_column(Text)
    laid_open: Mapped[bool]
    lost_by: Mapped[str | None] = mapped_column(String(32))


class ResultRow(Base):
    """The history entry of a game, computed from the game as changed `at` that time.

    `board` is the board's title; `profile` and `version` identify it. `state` is final, open or
    unscorable. `standings` has seat, name, total and place of each player of a final score. `words`
    is the folded text for searching.
    """

    __tablename__ = "results"

    game_id: Mapped[OfGame]
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
    """The computed score of a finished game; `key` identifies the state and board it is for."""

    __tablename__ = "counts"

    game_id: Mapped[OfGame]
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    score: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)


class PersonRow(Base):
    """A player; `picture` is the name of their image file."""

    __tablename__ = "persons"

    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    colour: Mapped[str | None] = mapped_column(String(12), default=None)
    picture: Mapped[str | None] = mapped_column(String(16), default=None)


class PersonNameRow(Base):
    """A folded name that identifies a person in games."""

    __tablename__ = "person_names"

    key: Mapped[str] = mapped_column(String(300), primary_key=True)
    person_id: Mapped[str] = mapped_column(ForeignKey("persons.id", ondelete="CASCADE"), index=True)


class PersonChangeRow(Base):
    """An undoable change of persons; `before` has the earlier persons and their names."""

    __tablename__ = "person_changes"

    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    before: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)


class LessonRow(Base):
    """A completed lesson, by the folded `name` of a player or, where that is "", by browser."""

    __tablename__ = "lessons"

    name: Mapped[str] = mapped_column(String(300), primary_key=True, default="")
    browser: Mapped[str] = mapped_column(String(32), primary_key=True, default="")
    game: Mapped[str] = mapped_column(String(100), primary_key=True)
    lesson: Mapped[str] = mapped_column(String(100), primary_key=True)
    at: Mapped[datetime] = mapped_column(DateTime, default=now)


class WholeJSON(FunctionElement[Any]):
    """A JSON column for use in queries: NULL for invalid JSON, which SQLite would reject."""

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
    """Open the database at `url`, migrate it, and return a session factory.

    Raises DatabaseError if the URL is invalid, the driver is missing, or the database does not
    answer, is damaged, or was written by a newer version.
    """
    try:
        target = make_url(url)
        file = sqlite_file(url)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Errors are logged: leave out parameter values, which may be somebody's secrets.
        options: dict[str, Any] = {"hide_parameters": True, "json_deserializer": _from_json}
        # Each of a server's worker threads may hold one connection for reading and one for writing.
        pool = {"pool_size": 16, "max_overflow": 32}
        if file is not None:
            options |= pool
        if target.get_backend_name() == "postgresql":
            options |= {"pool_pre_ping": True, **pool}  # reconnects after a dropped connection
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
    """Yield a read-only session, which neither blocks writers nor is blocked by them.

    Within a read view it is always the same session, until the database raises an error.
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
        with suppress(SQLAlchemyError):  # connection lost meanwhile: the results are already read
            session.close()


def sqlite_file(url: str) -> Path | None:
    """Return the path of a SQLite database file; None for any other database.

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
    """Parse JSON; return None for invalid text, so that one damaged row does not fail the query.

    Equal texts may share one cached object: do not modify it.
    """
    try:
        return _parsed(text) if len(text) <= LONGEST_KEPT else json.loads(text)
    except (ValueError, RecursionError):
        return None


_parsed = lru_cache(maxsize=512)(json.loads)


def _check_sqlite(engine: Engine) -> None:
    """Check the file's integrity, except for column contents. Raises DBAPIError if damaged."""
    with engine.connect() as connection:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        damaged = sqlite3.DatabaseError(str(found))
        damaged.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise DBAPIError("PRAGMA quick_check", {}, damaged)


def _harden_sqlite(engine: Engine) -> None:
    """Set SQLite up for several threads: a write-ahead log, and a lock from the start.

    The driver's own transactions begin at the first write, so two sessions could read the same
    revision before either writes. With BEGIN IMMEDIATE the second one waits. Read-only transactions
    see a snapshot and take no lock.
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
    """Give a thread a new read view when it starts or commits a write."""

    @event.listens_for(engine, "begin")
    @event.listens_for(engine, "commit")
    def written(connection: Any) -> None:
        if not connection.get_execution_options().get(ONLY_READS, False):
            read_view.renew()


def begin_transaction(connection: Any, statement: str) -> None:
    """Begin a transaction; retry once on SQLITE_PROTOCOL, a lost race for the lock."""
    try:
        connection.exec_driver_sql(statement)
    except OperationalError as error:
        if _sqlite_code(error) != sqlite3.SQLITE_PROTOCOL:
            raise
        connection.exec_driver_sql(statement)


def _prepare_postgresql(engine: Engine) -> None:
    """Give PostgreSQL the same isolation as SQLite: snapshot reads, one writer across servers."""

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        if connection.get_execution_options().get(ONLY_READS, False):
            connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        else:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({WRITERS})")


def migrate(engine: Engine) -> None:
    """Migrate the database's tables to the current version.

    Raises DatabaseError if their version is unknown, that is, newer.
    """
    newest = max(script.name for script in (MIGRATIONS / "versions").glob("*.py")).split("_")[0]
    with engine.connect().execution_options(**{ONLY_READS: True}) as connection:
        if inspect(connection).has_table("alembic_version"):
            version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").all()
            if version == [(newest,)]:
                return
    # Loading Alembic takes a seventh of a server's start.
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

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
    """Whether a failed write may succeed later: no space left, or another writer."""
    no_room = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
    is_query = _sqlite_code(error) == sqlite3.SQLITE_ERROR  # an invalid query fails every time
    return no_room or (isinstance(error, OperationalError) and not is_query)


def is_held_up(error: Exception) -> bool:
    """Whether other writers caused the error, rather than lack of space."""
    held_up = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL)
    return _sqlite_code(error) in held_up


def is_unreachable(error: Exception) -> bool:
    """Whether PostgreSQL does not answer, is shutting down, or has no connection left."""
    if isinstance(error, PoolTimeout):
        return True
    state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
    is_connection = (
        isinstance(error, OperationalError) and not state and _sqlite_code(error) is None
    )
    return is_connection or state.startswith(("08", "53300", "57P"))


def is_damaged(error: Exception) -> bool:
    """Whether SQLite reports a corrupt file or one that is not a database."""
    return _sqlite_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def _sqlite_code(error: Exception) -> int | None:
    """Return SQLite's primary error code, None for other errors."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", None)
    return None if code is None else code & 0xFF
