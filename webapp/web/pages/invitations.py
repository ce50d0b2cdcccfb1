"""Access for other devices, by the invitation in the QR code."""

import io

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext as _
from markupsafe import Markup

from webapp.server.guard import admit, admit_keeper, keeper_token, require_host, serves
from webapp.server.network_switch import NetworkSwitch
from webapp.server.waitress_server import PortTakenError
from webapp.web.changes import Right, changes
from webapp.web.context import services

blueprint = Blueprint("invitations", __name__)


@blueprint.get("/join", defaults={"secret": ""})
@blueprint.get("/join/<secret>")
def join(secret: str) -> ResponseReturnValue:
    """Admit a guest who scanned the QR code, or who pasted its `address`."""
    if not admit(secret or request.args.get("address", "").strip().rstrip("/").rpartition("/")[2]):
        abort(401)
    return redirect(url_for("games.home"), 303)


@blueprint.get("/invite")
def invite(problem: str = "") -> ResponseReturnValue:
    """Show the QR code for another guest."""
    settings, switch = services().settings, _switch()
    address = f"{settings.origin}/join/{settings.invitation}" if settings.invitation else None
    page = render_template(
        "invite.html",
        address=address,
        code=_qr(address) if address else None,
        switch=switch if serves() else None,
        is_https=settings.origin.startswith("https:"),
        problem=problem,
    )
    return page, 422 if problem else 200


def _switch() -> NetworkSwitch | None:
    """Return the switch for network access; None if another program runs the server."""
    found: NetworkSwitch | None = current_app.extensions.get("stargazer switch")
    return found


@blueprint.post("/invite/open")
@changes(Right.HOST)
def open_network() -> ResponseReturnValue:
    """Open the server to the local network, with or without HTTPS."""
    switch = _switch()
    if switch is not None:
        try:
            switch.open("yes" in request.form.getlist("https"))
        except PortTakenError:
            return invite(_("This computer cannot be reached from the network at the moment."))
    return redirect(url_for(".invite"), 303)


@blueprint.post("/invite/shut")
@changes(Right.HOST)
def shut_network() -> ResponseReturnValue:
    """Close the server to the network, as far as it was opened here."""
    switch = _switch()
    if switch is not None:
        switch.shut()
    return redirect(url_for(".invite"), 303)


@blueprint.get("/invite/boards")
def invite_keeper() -> ResponseReturnValue:
    """Show the QR code that lets a phone add boards; on the host only."""
    require_host()
    settings = services().settings
    if settings.invitation is None:
        return render_template("invite.html", address=None, code=None)
    address = f"{settings.origin}/invite/boards/{keeper_token()}"
    return render_template("invite.html", address=address, code=_qr(address), keeper=True)


@blueprint.get("/invite/boards/<secret>")
def let_in(secret: str) -> ResponseReturnValue:
    """Let a phone that scanned that code add boards."""
    if not admit_keeper(secret):
        abort(401)
    return redirect(url_for("profiles.show"), 303)


def _qr(address: str) -> Markup:
    """Return a QR code as SVG without style attributes, which the page's policy forbids."""
    import segno  # imported on use: starting the server does not need it

    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=3, light="#fff"
    )
    return Markup(out.getvalue().decode())  # noqa: S704  segno's own drawing
