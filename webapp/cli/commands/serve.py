"""`stargazer serve`: the web companion for the phones at the table."""

import gc
import os
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.cli.terminal.options import data_option, profile_option
from webapp.cli.terminal.outcome import InputError

if TYPE_CHECKING:
    from socket import socket

    from flask import Flask

    from webapp.app.settings import Network, Settings


@click.command()
@click.option("--host", default=None, help="Address to listen on; the network's is --lan.")
@click.option(
    "--port", default=8765, show_default=True, type=click.IntRange(1, 65535), help="Port."
)
@click.option(
    "--lan", is_flag=True, help="Open it to the local network, for whoever has the invitation."
)
@click.option(
    "--https", is_flag=True, help="Use a certificate of this computer's, so that cameras open."
)
@data_option()
@click.option(
    "--storage",
    default=10,
    show_default=True,
    type=click.IntRange(1),
    metavar="GB",
    help="Most that games and photographs may take in DIR.",
)
@click.option(
    "--database",
    default="",
    metavar="URL",
    envvar="DATABASE_URL",
    help="SQLAlchemy URL, if not in DIR, such as postgresql://HOST/NAME.",
)
@click.option(
    "--redis",
    default="",
    metavar="URL",
    envvar="REDIS_URL",
    help="Where several servers meet that share DIR and a PostgreSQL.",
)
@click.option(
    "--proxy",
    "proxies",
    multiple=True,
    metavar="ADDRESS",
    envvar="STARGAZER_PROXY",
    callback=lambda _context, _option, given: _networks(given),
    help="Address, or network, of a proxy whose X-Forwarded-For is believed.",
)
@profile_option
@click.option("--name", "names", multiple=True, help="Another name that leads to this computer.")
@click.option("--new-invitation", is_flag=True, help="Make the old QR code worthless.")
def serve(
    host: str | None,
    port: int,
    lan: bool,
    https: bool,
    data: Path | None,
    storage: int,
    database: str,
    redis: str,
    proxies: "frozenset[Network]",
    profile: str,
    names: tuple[str, ...],
    new_invitation: bool,
) -> None:
    """Open the web companion: photograph the boards, see who won.

    Example: stargazer serve --lan
    """
    from calibration.profile import kept_in
    from webapp.app.settings import LOOPBACK, Settings, default_data_folder
    from webapp.server.guard import is_local
    from webapp.server.waitress_server import addresses_of_this_computer, names_of_this_computer

    host = host or ("0.0.0.0" if lan else "127.0.0.1")
    is_open = host != "localhost" and not is_local(host)
    everywhere = host in {"0.0.0.0", "::"}
    outside = addresses_of_this_computer() if everywhere else [host] if is_open else []
    own = names_of_this_computer()
    hosts = LOOPBACK | {name.lower() for name in names} | (own | set(outside) if is_open else set())
    shown = names[0] if names else outside[0] if outside else "127.0.0.1"
    origin = f"{'https' if https else 'http'}://{f'[{shown}]' if ':' in shown else shown}:{port}"
    if proxies and names:  # phones connect to the proxy
        origin = f"https://{names[0]}"
    settings = Settings(
        data_dir=data or default_data_folder(),
        database_url=database,
        redis_url=redis,
        proxies=proxies,
        profile=profile,
        hosts=frozenset(hosts),
        https=https,
        origin=origin,
        max_stored_bytes=storage * 1000**3,
    )
    with ExitStack() as until_the_end:
        # All files written from here on, by any library, are private to this user.
        until_the_end.callback(os.umask, os.umask(0o077))
        _allow_open_files()
        until_the_end.enter_context(kept_in(data))
        _serve(settings, host, port, is_open, new_invitation, until_the_end)


def _networks(given: tuple[str, ...]) -> "frozenset[Network]":
    from ipaddress import ip_network

    try:
        return frozenset(ip_network(one) for one in given)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _serve(
    settings: "Settings",
    host: str,
    port: int,
    is_open: bool,
    new_invitation: bool,
    until_the_end: ExitStack,
) -> None:
    """Claim what only one server can have; then load the rest, and open the data."""
    # Objects loaded by a server live to its end, so that collecting them is wasted work.
    gc.disable()
    until_the_end.callback(gc.enable)
    data = settings.data_dir
    try:
        settings = _claim_folder(settings, until_the_end)
        # Alone, so that callers wait; one of several is not called until it can answer.
        sockets = [] if settings.redis_url else _listen(host, port, until_the_end)
        from webapp.app.data_folder import invitation, make_private
        from webapp.app.database import sqlite_file
        from webapp.server.certificate import tls_context
        from webapp.server.network_switch import NetworkSwitch
        from webapp.server.waitress_server import make_server
        from webapp.web.presentation import compile_templates

        make_private(data, sqlite_file(settings.database))
        tls = tls_context(data, settings.hosts) if settings.https else None
        if is_open:
            settings = replace(settings, invitation=invitation(data, new_invitation))
        app = _application(settings)
    except OSError as error:
        reason = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
        raise InputError(f"--data {data}: {reason}; choose another folder") from error
    until_the_end.callback(app.extensions["stargazer"].reading_queue.close)
    until_the_end.callback(app.extensions["stargazer"].drafts.close)
    until_the_end.callback(app.extensions["stargazer"].colour_calibrations.close)
    until_the_end.callback(app.extensions["stargazer live"].close)
    if not app.extensions["stargazer"].boards.default.is_calibrated:
        raise InputError(
            f"profile {settings.profile} is not calibrated: see stargazer calibrate --help"
        )
    compile_templates(app)
    gc.freeze()
    gc.enable()
    server = make_server(app, sockets or _listen(host, port, until_the_end), tls)
    app.extensions["stargazer switch"] = NetworkSwitch(app, server, port)
    _greet(settings)
    server.run()


def _claim_folder(settings: "Settings", until_the_end: ExitStack) -> "Settings":
    """Return the settings of the claimed data folder. Raise InputError or OSError."""
    from webapp.app.data_folder import bring_boards

    if settings.redis_url:
        settings = _share_data(settings, until_the_end)
    else:
        claim_data(settings, until_the_end)
    bring_boards(settings.data_dir)
    return settings


def _listen(host: str, port: int, until_the_end: ExitStack) -> "Sequence[socket]":
    """Listen on the port. Raise InputError if it is taken."""
    from webapp.server.waitress_server import PortTakenError, listen

    try:
        return [until_the_end.enter_context(one) for one in listen(host, port)]
    except PortTakenError as error:
        raise InputError(str(error)) from error


def _application(settings: "Settings") -> "Flask":
    """Create the application. Raise InputError or OSError."""
    from calibration import ProfileError
    from webapp.app.database import DatabaseError
    from webapp.app.peers import PeersError
    from webapp.app.reading.executors import ClusterError
    from webapp.web.application import create_app

    try:
        return create_app(settings)
    except (ClusterError, DatabaseError, PeersError, ProfileError) as error:
        raise InputError(str(error)) from error


def _allow_open_files() -> None:
    """Raise the limit on open files to what the connections take, as far as permitted.

    A connection takes up to three, and macOS starts with 256 in all.
    """
    from webapp.server.connection_limits import MOST_CONNECTIONS

    if os.name != "posix":
        return
    import resource

    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 8 * MOST_CONNECTIONS
    if now != resource.RLIM_INFINITY and now < wanted:
        wanted = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def claim_data(settings: "Settings", until_the_end: ExitStack) -> None:
    """Claim the data folder and database for this process. Raise InputError or OSError."""
    data = settings.data_dir
    _claim(data / "serve", f"--data {data}", settings, until_the_end)
    from webapp.app.database import sqlite_file

    file = sqlite_file(settings.database)
    if file is not None:
        _claim(file, f"--database {file}", settings, until_the_end)


def _share_data(settings: "Settings", until_the_end: ExitStack) -> "Settings":
    """Set whether this is the first of the servers that share a folder. Raise InputError."""
    from filelock import FileLock

    from webapp.app.data_folder import InUseError, claim, invitation, session_key
    from webapp.app.database import sqlite_file

    if sqlite_file(settings.database) is not None:
        raise InputError("--redis is for several servers: they need a PostgreSQL as --database")
    data = settings.data_dir
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with FileLock(data / "serve.start.lock", mode=0o600):  # the first server makes these
        session_key(data)
        invitation(data)
        try:
            until_the_end.enter_context(claim(data / "serve", settings.origin))
        except InUseError:
            return replace(settings, is_first=False)
    return settings


def _claim(path: Path, what: str, settings: "Settings", until_the_end: ExitStack) -> None:
    """Claim a folder or a database for this server."""
    from webapp.app.data_folder import InUseError, claim

    try:
        until_the_end.enter_context(claim(path, settings.origin))
    except InUseError as error:
        raise InputError(
            f"{what} is served already, at {error.address or 'another address'}:"
            " stop that server first, or choose another one"
        ) from error


def _greet(settings: "Settings") -> None:
    """Print the companion's address, and the QR code of the invitation."""
    import segno

    invited = settings.invitation is not None
    address = f"{settings.origin}/join/{settings.invitation}" if invited else settings.origin
    segno.make(address, error="l").terminal(compact=True, border=2)
    click.echo(f"Stargazer is at {address}")
    if invited:
        click.echo("Whoever scans the code can see and change the games at this table.")
    else:
        click.echo("Only this computer reaches it; its page Invite, or --lan, opens it to phones.")
    if settings.https:
        click.echo(
            "Phones warn once of an unknown certificate: it is this computer's own."
            f" {settings.origin}/trust tells how they come to trust it."
        )
    click.echo("Ctrl-C stops it; every confirmed step is saved.")
