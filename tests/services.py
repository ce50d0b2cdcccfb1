"""Temporary PostgreSQL and Redis servers for tests."""

import contextlib
import os
import pwd
import random
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 60

COMMAND = """
from webapp.cli.main import main
from webapp.web import presentation
presentation.compile_templates = lambda app: None
main()
"""
"""The command `stargazer`, with templates compiled on first use.

The shipped one compiles them all at start, which takes almost half of the start time.
"""

GIVEN_BY_NO_SYSTEM = range(20_000, 32_000)
"""Ports outside the range that systems assign automatically, so that no other test gets one."""


def free_port(host: str = "127.0.0.1") -> int:
    """Return a port that is free, and that is not assigned automatically."""
    for port in random.SystemRandom().sample(GIVEN_BY_NO_SYSTEM, 100):
        with contextlib.suppress(OSError), socket.create_server((host, port)):
            return port
    raise OSError("of a hundred ports none is free")


def postgresql_programs() -> Path | None:
    """Return the folder of Debian's newest PostgreSQL, else of the one on the PATH."""
    folders = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    found = max(folders, key=lambda file: float(file.parts[-3]), default=shutil.which("initdb"))
    return Path(found).parent if found else None


@contextmanager
def postgresql(durable: bool = False) -> Iterator[str]:
    """Run a PostgreSQL; yield its URL up to the database name.

    Unless `durable`, it does not sync to disk.
    """
    programs = postgresql_programs()
    assert programs is not None, "apt-get install postgresql"
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="stargazer-postgresql-") as folder:
        user: Mapping[str, Any] = {}
        if os.name == "posix" and os.geteuid() == 0:  # it refuses to run as root
            user = {"user": "postgres", "group": "postgres", "extra_groups": ()}
            os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
        made = f"-D {folder} -U stargazer -A trust -E UTF8 --locale=C --no-sync --no-instructions"
        command = [programs / "initdb", *made.split()]
        subprocess.run(command, check=True, capture_output=True, **user)
        options = {"listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": folder}
        options["max_connections"] = 200
        if not durable:
            options |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
        given = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        log = Path(folder, "log").open("w")  # noqa: SIM115 - the server's until it ends
        server = subprocess.Popen(
            [programs / "postgres", "-D", folder, *given], stdout=log, stderr=log, **user
        )
        try:
            _wait_for(port, server)
            subprocess.run(
                f"until {programs}/pg_isready -q -h 127.0.0.1 -p {port}; do sleep 0.05; done",
                shell=True,
                check=True,
                timeout=PATIENCE_S,
            )
            yield f"postgresql://stargazer@127.0.0.1:{port}/"
        finally:
            server.send_signal(2)  # fast shutdown, despite open connections
            server.wait(PATIENCE_S)
            log.close()


@contextmanager
def redis() -> Iterator[str]:
    """Run a Redis without persistence; yield its URL."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
    server = subprocess.Popen([*command, "--appendonly", "no"], stdout=subprocess.DEVNULL)
    try:
        _wait_for(port, server)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


def new_database(server: str, template: str = "template0") -> str:
    """Create a database; return its URL."""
    import psycopg

    name = f"d{secrets.token_hex(6)}"
    with psycopg.connect(f"{server}postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{server}{name}"


def _wait_for(port: int, server: "subprocess.Popen[bytes]") -> None:
    """Wait until a server accepts connections."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        assert server.poll() is None, f"{server.args} has ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            assert time.monotonic() < deadline, f"{server.args} takes nobody in"
            time.sleep(0.05)


def missing(*names: str) -> Sequence[str]:
    """Return which of these services are missing, by Debian package name."""
    from importlib.util import find_spec

    lacking = []
    if "postgresql" in names and postgresql_programs() is None:
        lacking.append("postgresql")
    if "redis" in names and shutil.which("redis-server") is None:
        lacking.append("redis-server")
    lacking += [name for name in ("psycopg", "redis") if find_spec(name) is None]
    return lacking
