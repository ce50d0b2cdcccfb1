"""Sessions that do not expire, as the computer at the table may have a wrong clock."""

from datetime import UTC, datetime

from flask import Flask, Request, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from itsdangerous import BadSignature

FAR_OFF = datetime(2100, 1, 1, tzinfo=UTC)


class LastingSessions(SecureCookieSessionInterface):
    """Flask's signed cookies, independent of this computer's clock.

    A Raspberry Pi without a network starts with a slow clock. Cookies signed earlier would be from
    the future and invalid, and new ones would expire before they begin by the phone's clock. A
    session ends with the invitation, or when the browser ends it.
    """

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession:
        """Return the session of a browser's cookie, empty if it was not signed here."""
        signer = self.get_signing_serializer(app)
        assert signer is not None, "the application has a key"
        try:
            kept = signer.loads(request.cookies.get(self.get_cookie_name(app), ""))
        except BadSignature:
            kept = {}
        return self.session_class(kept)

    def get_cookie_secure(self, app: Flask) -> bool:
        """Return whether the cookie is limited to TLS: if the request used it."""
        return bool(super().get_cookie_secure(app)) or request.is_secure

    def get_expiration_time(self, app: Flask, session: SessionMixin) -> datetime | None:
        """Return a date in the far future; browsers shorten it to their maximum."""
        return FAR_OFF if session.permanent else None
