"""Installing this computer's certificate authority on a phone, and removing it."""

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID
from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from webapp.server import authority, guard
from webapp.server.certificate import fingerprint
from webapp.web.context import services

blueprint = Blueprint("trust", __name__, url_prefix="/trust")


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Explain how a phone comes to trust this computer, and what that means."""
    certificate = _kept()
    if certificate is None:
        return redirect(url_for("invitations.invite"), 303)
    (name,) = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    agent = request.user_agent.string
    return render_template(
        "trust.html",
        name=name.value,
        fingerprint=fingerprint(certificate),
        address=f"{services().settings.origin}{url_for('.show')}" if guard.serves() else None,
        is_android="Android" in agent,
        is_apple="iPhone" in agent or "iPad" in agent,
    )


@blueprint.get("/stargazer.crt")
def download() -> ResponseReturnValue:
    """Return the authority's certificate in the form that phones install."""
    certificate = _kept()
    if certificate is None:
        abort(404)
    data = certificate.public_bytes(Encoding.DER)
    response = Response(data, mimetype="application/x-x509-ca-cert")
    response.headers.set("Content-Disposition", "attachment", filename="stargazer.crt")
    return response


def _kept() -> x509.Certificate | None:
    return authority.kept(services().settings.data_dir)
