"""Sessions that no clock ends: the computer at the table may have none that is right."""

from datetime import UTC, datetime

from flask import Flask, Request, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

FAR_OFF = datetime(2100, 1, 1, tzinfo=UTC)


class LastingSessions(SecureCookieSessionInterface):
    """Flask's signed cookies, whose age and end are not told by this computer's clock.

    A Raspberry Pi without a network starts with a clock that is behind. By that clock, cookies
    signed before are from the future and worth nothing, and new ones end before the phone's clock
    says that they begin. A session ends with the invitation, or where the browser ends it.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return what a browser's cookie says, nothing where it was not signed here."""
        signer = self.get_signing_serializer(app)
        assert signer is not None, "the application has a key"
        try:
            kept = signer.loads(request.cookies.get(self.get_cookie_name(app), ""))
        except BadSignature:
            kept = {}
        return self.session_class(kept)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Say whether the cookie is for TLS alone: where the browser has come that way."""
        return bool(super().get_cookie_secure(app)) or request.is_secure

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Return a date that is to come by any clock; browsers shorten it to what they allow."""
        return FAR_OFF if session.permanent else None
