"""The clock is set back, or was wrong from the start: nobody is put out, and nothing is lost."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from tests.webapp.conftest import HERE, MakeApp, Player
from webapp.app.session import saved_games
from webapp.server import certificate
from webapp.server.certificate import tls_context
from webapp.web import rate_limits

FRIEND = {"REMOTE_ADDR": "192.168.1.20"}
DAYS = 24 * 3600


@pytest.mark.parametrize("days", [-3000, -1, 400])
def test_guests_stay_in_whatever_the_clock_says(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    guest = make_app(invitation="open-sesame", rate_limits=False).test_client()
    guest.get("/join/open-sesame", base_url=HERE, environ_overrides=FRIEND)
    at = time.time()
    monkeypatch.setattr(time, "time", lambda: at + days * DAYS)
    assert guest.get("/", base_url=HERE, environ_overrides=FRIEND).status_code == 200


def test_a_form_is_taken_that_was_opened_before_the_clock_was_set_back(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(make_app(rate_limits=False).test_client())
    player.new_game("Ana")
    at = time.time()
    monkeypatch.setattr(time, "time", lambda: at - 1000 * DAYS)
    player.new_game("Luis")


def test_a_cookie_does_not_end_by_a_clock_that_is_behind(make_app: MakeApp) -> None:
    guest = make_app(invitation="open-sesame").test_client()
    answer = guest.get("/join/open-sesame", base_url=HERE, environ_overrides=FRIEND)
    parts = answer.headers["Set-Cookie"].split("; ")
    ends = next(part.removeprefix("Expires=") for part in parts if part.startswith("Expires="))
    assert parsedate_to_datetime(ends) == datetime(2100, 1, 1, tzinfo=UTC)


def test_too_many_requests_wait_a_minute_and_not_an_hour(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = make_app(invitation="open-sesame").test_client()

    def join() -> int:
        return client.get("/join/wrong", base_url=HERE).status_code

    begun = time.monotonic()
    assert [join() for _ in range(21)] == [401] * 20 + [429]
    wall, steady = time.time(), time.monotonic()
    monkeypatch.setattr(time, "time", lambda: wall - 3600)
    monkeypatch.setattr(rate_limits, "monotonic", lambda: begun + 59)
    assert join() == 429
    monkeypatch.setattr(rate_limits, "monotonic", lambda: steady + 62)
    assert [join() for _ in range(21)] == [401] * 20 + [429]


def test_counts_that_have_ended_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = rate_limits.MonotonicStorage()
    for address in range(1000):
        storage.incr(str(address), 60)
    steady = time.monotonic()
    monkeypatch.setattr(rate_limits, "monotonic", lambda: steady + 61)
    assert storage.get("5") == 0
    assert storage.incr("5", 60) == 1
    assert storage.reset() == 1


@pytest.mark.parametrize("hours", [-1000, +1000])
def test_a_deleted_game_goes_though_the_clock_was_set(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    app = make_app(rate_limits=False)
    player = Player(app.test_client())
    game = player.new_game("Ana")
    player.post(f"{game}/delete")
    kept = app.extensions["stargazer"].games
    assert kept.purge() == [], "it can still be brought back"
    now = saved_games.now()
    monkeypatch.setattr(saved_games, "now", lambda: now + timedelta(hours=hours))
    assert kept.purge() == [game.rsplit("/", 1)[1]]


def test_a_certificate_from_the_future_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class AheadOfTime(datetime):
        @classmethod
        def now(cls, zone: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(days=100)

    with monkeypatch.context() as patched:
        patched.setattr(certificate, "datetime", AheadOfTime)
        tls_context(tmp_path, ["localhost"])
    first = (tmp_path / "certificate.pem").read_bytes()
    tls_context(tmp_path, ["localhost"])
    assert (tmp_path / "certificate.pem").read_bytes() != first
