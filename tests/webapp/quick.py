"""Servers that tests start in their own process, made quick: what is the same in each is done once.

A power cut does not interrupt these tests, so nothing waits for the disk. Servers in processes of
their own (`test_crash.py`, `test_data_folder.py`) are as they ship.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import URL, Engine, event
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from calibration import owned, profile
from calibration.layout import Layout
from calibration.profile import Image
from webapp.app import database

Loader = Callable[[Path, Layout], Image | None]


@contextmanager
def quick_servers(folder: Path) -> Iterator[None]:
    """Compile each template and address once, make each new database as a copy of the first."""
    kept = _CompiledOnce(str(folder))
    options = {**Flask.jinja_options, "bytecode_cache": kept}
    event.listen(Engine, "connect", _wait_for_no_disk)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", options)
        patch.setattr(Rule, "compile", _once_a_rule(Rule.compile))
        patch.setattr(database, "create_engine", _alike(database.create_engine))
        patch.setattr(database, "migrate", _copied(database.migrate))
        patch.setattr(profile, "_load_reference", _once_a_file(profile._load_reference))
        encoded = _encoded_once(profile.encode_reference)
        for module in (import_module("calibration.calibrate"), owned):
            patch.setattr(module, "encode_reference", encoded)
        patch.setattr(os, "fsync", lambda _file: None)
        yield
    event.remove(Engine, "connect", _wait_for_no_disk)


class _CompiledOnce(FileSystemBytecodeCache):
    """Compiled templates: of all processes in files, what this one has read of them in memory."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self._read: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give the code of a template as it is."""
        known = (bucket.key, bucket.checksum)
        if known not in self._read:
            super().load_bytecode(bucket)
            if bucket.code is None:
                return
            self._read[known] = bucket.code
        bucket.code = self._read[known]


def _wait_for_no_disk(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=OFF")


def _once_a_rule(compiled: Callable[[Rule], None]) -> Callable[[Rule], None]:
    """Werkzeug's compiler of an address: what it makes depends on the rule and its converters."""
    made: dict[object, Rule] = {}

    def compile_rule(rule: Rule) -> None:
        converters = tuple(rule.map.converters.items())
        where = rule.host, rule.subdomain, rule.map.host_matching
        how = rule.strict_slashes, rule.merge_slashes, repr(rule.defaults), converters
        key = (rule.rule, where, how)
        if key not in made:
            compiled(rule)
            made[key] = rule
            return
        same = made[key]
        rule._parts, rule._trace, rule._converters = same._parts, same._trace, same._converters
        rule.arguments |= same.arguments
        rule._build = same._build.__func__.__get__(rule)  # type: ignore[attr-defined]
        rule._build_unknown = same._build_unknown.__func__.__get__(rule)  # type: ignore[attr-defined]

    return compile_rule


class _StatementsOfAnyEngine(LRUCache):
    """SQLAlchemy's compiled statements, kept for every engine that `open_database` makes."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a statement; the key names the dialect first, which is of one engine."""
        return super().get(key[1:], default)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key[1:], value)


def _alike(create: Callable[..., Engine]) -> Callable[..., Engine]:
    """SQLAlchemy's maker of engines: those for SQLite compile the same statements the same way."""
    statements = _StatementsOfAnyEngine(1000)

    def engine(url: URL, **options: Any) -> Engine:
        made = create(url, **options)
        if made.dialect.name == "sqlite":
            made._compiled_cache = statements
        return made

    return engine


def _once_a_file(load: Loader) -> Loader:
    """The loader of a board's reference picture; nobody writes into what it gives."""
    loaded: dict[object, Image] = {}

    def reference(path: Path, layout: Layout) -> Image | None:
        if not path.is_file():
            return None
        file = path.stat()
        key = (path, file.st_ino, file.st_mtime_ns, layout.size_mm)
        if key not in loaded:
            image = load(path, layout)
            loaded[key] = image
            image.flags.writeable = False
        return loaded[key]

    return reference


def _encoded_once(encode: Callable[[Image], bytes]) -> Callable[[Image], bytes]:
    """The encoder of a board's reference picture: each of those that nobody writes into, once."""
    encoded: dict[int, tuple[Image, bytes]] = {}  # with the picture, whose id is no other's then

    def png(reference: Image) -> bytes:
        if reference.flags.writeable:
            return encode(reference)
        if id(reference) not in encoded:
            encoded[id(reference)] = reference, encode(reference)
        return encoded[id(reference)][1]

    return png


def _copied(migrate: Callable[[Engine], None]) -> Callable[[Engine], None]:
    """Migrate the first new database; the ones after it are copies."""
    first = sqlite3.connect(":memory:", check_same_thread=False)

    def tables(connection: sqlite3.Connection) -> int:
        return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

    def bring_up_to_date(engine: Engine) -> None:
        raw = engine.raw_connection()
        try:
            file = raw.driver_connection
            is_new = isinstance(file, sqlite3.Connection) and not tables(file)
            if is_new and tables(first):
                first.backup(file)
                return
        finally:
            raw.close()
        migrate(engine)
        if is_new:
            with engine.connect() as connection:
                connection.connection.driver_connection.backup(first)

    return bring_up_to_date
