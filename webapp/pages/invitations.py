"""The way in for other devices: the invitation that the QR code holds."""

import io

import segno
from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from webapp.guard import NotTheHostError, admit, admit_keeper, keepers_secret, serves
from webapp.services import services

blueprint = Blueprint("invitations", __name__)


@blueprint.get("/join/<secret>")
def join(secret: str) -> ResponseReturnValue:
    """Let a guest in who scanned the QR code."""
    if not admit(secret):
        abort(401)
    return redirect(url_for("games.home"), 303)


@blueprint.get("/invite")
def invite() -> ResponseReturnValue:
    """Show the QR code to another guest."""
    settings = services().settings
    if settings.invitation is None:
        return render_template("invite.html", address=None, code=None)
    address = f"{settings.origin}/join/{settings.invitation}"
    return render_template("invite.html", address=address, code=_qr(address))


@blueprint.get("/invite/boards")
def invite_keeper() -> ResponseReturnValue:
    """Show the QR code that lets a phone add boards, on this computer alone."""
    if not serves():
        raise NotTheHostError
    settings = services().settings
    if settings.invitation is None:
        return render_template("invite.html", address=None, code=None)
    address = f"{settings.origin}/invite/boards/{keepers_secret()}"
    return render_template("invite.html", address=address, code=_qr(address), keeper=True)


@blueprint.get("/invite/boards/<secret>")
def let_in(secret: str) -> ResponseReturnValue:
    """Let a phone add boards that scanned that code."""
    if not admit_keeper(secret):
        abort(401)
    return redirect(url_for("profiles.show"), 303)


def _qr(address: str) -> Markup:
    """Draw a QR code as SVG without style attributes, which the page's policy forbids."""
    out = io.BytesIO()
    segno.make(address, error="m").save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=3, light="#fff"
    )
    return Markup(out.getvalue().decode())
