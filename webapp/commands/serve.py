"""`stargazer serve`: the web companion, for the phones at the table."""

import secrets
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webapp.terminal.options import profile_option
from webapp.terminal.outcome import InputError

if TYPE_CHECKING:
    from webapp.settings import Settings


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
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    metavar="DIR",
    help="Folder for games and photographs.",
)
@click.option("--database", default="", metavar="URL", help="SQLAlchemy URL, if not in DIR.")
@profile_option
@click.option("--name", "names", multiple=True, help="Another name that leads to this computer.")
@click.option("--new-invitation", is_flag=True, help="Make the old QR code worthless.")
def serve(
    host: str | None,
    port: int,
    lan: bool,
    https: bool,
    data: Path | None,
    database: str,
    profile: str,
    names: tuple[str, ...],
    new_invitation: bool,
) -> None:
    """Open the web companion: photograph the boards, see who won.

    Example: stargazer serve --lan
    """
    import platformdirs

    from calibration import ProfileError
    from webapp.app import create_app
    from webapp.certificate import tls_context
    from webapp.database import DatabaseError
    from webapp.guard import is_local
    from webapp.server import PortTakenError, addresses_of_this_computer, listen, make_server
    from webapp.settings import LOOPBACK, Settings

    data = data or platformdirs.user_data_path("stargazer")
    host = host or ("0.0.0.0" if lan else "127.0.0.1")
    is_open = host != "localhost" and not is_local(host)
    everywhere = host in {"0.0.0.0", "::"}
    outside = addresses_of_this_computer() if everywhere else [host] if is_open else []
    own = {socket.gethostname().lower(), f"{socket.gethostname()}.local".lower()}
    hosts = LOOPBACK | {name.lower() for name in names} | (own | set(outside) if is_open else set())
    shown = names[0] if names else outside[0] if outside else "127.0.0.1"
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        tls = tls_context(data, hosts) if https else None
        invitation = _invitation(data / "invitation", new_invitation) if is_open else None
    except OSError as error:
        raise InputError(f"--data {data}: {error.strerror}; choose another folder") from error
    origin = f"{'https' if https else 'http'}://{f'[{shown}]' if ':' in shown else shown}:{port}"
    settings = Settings(
        data_dir=data,
        database_url=database,
        profile=profile,
        hosts=frozenset(hosts),
        https=https,
        origin=origin,
        invitation=invitation,
    )
    try:
        sockets = listen(host, port)
        app = create_app(settings)
        server = make_server(app, sockets, tls)
    except (DatabaseError, PortTakenError, ProfileError) as error:
        raise InputError(str(error)) from error
    if app.extensions["stargazer"].profile.reference is None:
        raise InputError(f"profile {profile} is not calibrated: see stargazer calibrate --help")
    _greet(settings)
    try:
        server.run()
    finally:
        server.close()
        app.extensions["stargazer live"].close()
        app.extensions["stargazer"].desk.close()


def _invitation(path: Path, renew: bool) -> str:
    """Return the secret of this table, the same at the next start so that guests stay in."""
    if renew or not path.exists():
        path.touch(mode=0o600)
        path.write_text(secrets.token_urlsafe(12), encoding="ascii")
    return path.read_text(encoding="ascii").strip()


def _greet(settings: "Settings") -> None:
    """Print where the companion is, and the QR code of the invitation."""
    import segno

    invited = settings.invitation is not None
    address = f"{settings.origin}/join/{settings.invitation}" if invited else settings.origin
    segno.make(address, error="l").terminal(compact=True, border=2)
    click.echo(f"Stargazer is at {address}")
    if invited:
        click.echo("Whoever scans the code can see and change the games at this table.")
    else:
        click.echo("Only this computer reaches it; --lan opens it to the phones at the table.")
    if settings.https:
        click.echo(
            "Phones warn of a certificate they do not know, once: it is this computer's own."
        )
    click.echo("Ctrl-C stops it; every confirmed step is saved.")
