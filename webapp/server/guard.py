"""Who may call, and what a browser may do with the answer.

Callers on this computer are trusted; those from the network need the invitation. Callers are
identified by the connection's own address, never by a header that they send.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection, Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, current_app, request, session

from webapp.app.settings import Network, Settings

if TYPE_CHECKING:
    from webapp.app.services import Services

OPEN_ENDPOINTS = frozenset(
    {"api.healthz", "invitations.join", "invitations.let_in", "offline.away", "offline.worker"}
)
"""What anybody may request besides shipped files: the health check, and the way in."""

NOBODY_KNOWS = "0.0.0.0"
"""The address of a caller whose proxy does not name it."""
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' blob:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "worker-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), microphone=(), geolocation=()",
}


class NotTheHostError(PermissionError):
    """An action that only the person at the server may take."""


def protect(app: Flask) -> None:
    """Check every request before it is answered, and add security headers to every answer."""
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.before_request(_check_invitation)
    app.before_request(_check_form)
    app.before_request(_know_the_browser)
    app.after_request(_seal)


def is_local(address: str | None) -> bool:
    """Whether a connection's own address is this computer's.

    >>> is_local("127.0.0.1"), is_local("::ffff:127.0.0.1"), is_local("192.168.1.7")
    (True, True, False)
    """
    try:
        found = ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found).is_loopback


def caller_of(proxy: str, proxies: Collection[Network], forwarded: str) -> str:
    """Return the caller of a connection from an address, which may be one of the `proxies`.

    Such a proxy appends its own caller to `forwarded`; earlier entries are not trusted. If the last
    one is no address, the caller is unknown.

    >>> from ipaddress import ip_network
    >>> ours = [ip_network("10.1.0.0/24")]
    >>> caller_of("10.1.0.2", ours, "127.0.0.1, 192.0.2.7"), caller_of("192.0.2.7", ours, "::1")
    ('192.0.2.7', '192.0.2.7')
    >>> caller_of("10.1.0.2", ours, "")
    '0.0.0.0'
    """
    own = ip_address(proxy)
    if not any((getattr(own, "ipv4_mapped", None) or own) in network for network in proxies):
        return proxy
    try:
        return str(ip_address(forwarded.rpartition(",")[2].strip()))
    except ValueError:
        return NOBODY_KNOWS


def token(invitation: str) -> str:
    """Return the value by which a guest's session proves the invitation, without revealing it."""
    return hashlib.sha256(f"stargazer invitation {invitation}".encode()).hexdigest()


def admit(secret: str) -> bool:
    """Admit the caller's session if `secret` is the invitation."""
    invitation = _settings().invitation
    if invitation is None or not hmac.compare_digest(secret.encode(), invitation.encode()):
        return False
    session["guest"] = token(invitation)
    session.permanent = True
    return True


def has_invitation(app: Flask, cookies: str) -> bool:
    """Whether a caller's cookies are a guest's, before the request has arrived completely."""
    shown = app.session_interface.open_session(app, Request({"HTTP_COOKIE": cookies}))
    return _is_guest(shown or {}, app.extensions["stargazer"].settings.invitation)


def _is_guest(shown: Mapping[str, object], invitation: str | None) -> bool:
    guest = shown.get("guest")
    return (
        invitation is not None
        and isinstance(guest, str)
        and hmac.compare_digest(guest, token(invitation))
    )


def is_static(endpoint: str | None) -> bool:
    """Whether an endpoint sends shipped files, of the pages or of a game.

    >>> is_static("static"), is_static("game_assets.static"), is_static("games.home")
    (True, True, False)
    """
    return (endpoint or "").rpartition(".")[2] == "static"


def serves() -> bool:
    """Whether the caller is at the computer that serves."""
    return is_local(request.remote_addr)


def keeps_boards() -> bool:
    """Whether the caller may add and change boards: at the server, or on a phone allowed to."""
    shown = session.get("keeper")
    return serves() or (isinstance(shown, str) and hmac.compare_digest(shown, keeper_token()))


def require_host() -> None:
    """Raise NotTheHostError unless the caller is at the computer that serves."""
    if not serves():
        raise NotTheHostError


def require_keeper() -> None:
    """Raise NotTheHostError unless the caller may change boards."""
    if not keeps_boards():
        raise NotTheHostError


def keeper_token() -> str:
    """The secret in the link that lets a phone change boards; it depends on the invitation."""
    key: bytes = current_app.config["SECRET_KEY"]
    message = f"stargazer boards {_settings().invitation}"
    return hmac.new(key, message.encode(), hashlib.sha256).hexdigest()[:32]


def admit_keeper(secret: str) -> bool:
    """Admit the caller's session, and let it change boards, if `secret` is the keepers'."""
    invitation = _settings().invitation
    if invitation is None or not hmac.compare_digest(secret.encode(), keeper_token().encode()):
        return False
    session["keeper"] = secret
    return admit(invitation)


def browser() -> str | None:
    """Return the id by which the calling browser is recognised; None for a program."""
    known: str | None = session.get("browser")
    return known


def _check_host() -> None:
    """Refuse foreign host names: a web site may have its name resolve to this computer."""
    try:
        name = urlsplit(f"//{request.headers.get('Host', '')}").hostname
    except ValueError:
        name = None
    if name not in _settings().hosts:
        abort(421)


def _check_origin() -> None:
    """Refuse requests that another web site makes a browser send, including to the API."""
    if request.method in SAFE_METHODS:
        return
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        abort(403, "another web site sent this request")
    if request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
        abort(403, "another web site sent this request")


def _check_invitation() -> None:
    if not (_is_open() or serves() or _is_guest(session, _settings().invitation)):
        abort(401)


def _is_open() -> bool:
    return request.endpoint in OPEN_ENDPOINTS or is_static(request.endpoint)


def _check_form() -> None:
    """Refuse forms with a field without a name, on which looking up the token fails."""
    if request.method not in SAFE_METHODS and request.blueprint != "api" and None in request.form:
        abort(400)


def _know_the_browser() -> None:
    """Give a browser an id on its first page, long before a seat depends on it."""
    asks_for_pages = not _is_open() and request.blueprint != "api"
    if asks_for_pages and "browser" not in session:
        session["browser"] = secrets.token_hex(16)
        session.permanent = True


def _settings() -> Settings:
    services: Services = current_app.extensions["stargazer"]
    return services.settings


def _seal(response: Response) -> Response:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    if not is_static(request.endpoint):
        response.headers.setdefault("Cache-Control", "no-store")
    return response
