"""Who may call, and what a browser may do with the answer."""

import re
from itertools import product

import pytest
from flask import Flask

from tests.webapp.conftest import HERE, MakeApp, Player

FRIEND = {"REMOTE_ADDR": "192.168.1.20"}
TABLE = "http://192.168.1.10:8765"


@pytest.fixture
def open_app(make_app: MakeApp) -> Flask:
    """A server opened to the network."""
    return make_app(
        hosts=frozenset({"localhost", "127.0.0.1", "192.168.1.10"}),
        origin=TABLE,
        invitation="open-sesame",
        rate_limits=False,
    )


def test_every_page_is_sealed(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    for path in (
        "/",
        "/games/new",
        f"{game}/nebula/cards",
        f"{game}/score",
        "/nothing",
        "/healthz",
    ):
        headers = player.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"


def test_no_page_has_what_the_policy_forbids(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    paths = ("", "/players", "/photographs", "/players/0/review", "/score", "/score/0")
    own = ("cards", "values", "markers", "players/0/personal")
    of_game = [f"{game}{path}" for path in (*paths, *(f"/nebula/{page}" for page in own))]
    for path in ("/", "/games/new", "/preferences", "/invite", "/api", *of_game):
        answer = player.get(path)
        assert answer.status_code in (200, 303), path
        text = answer.text
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text), path
        assert not re.search(r'(src|href)="https?://(?!app\.bgstatsapp\.com)', text), path
        assert len(text.encode()) < 200_000


def test_cookies_are_out_of_reach_of_scripts_and_of_other_sites(player: Player) -> None:
    answer = player.post("/preferences", {"language": "es", "appearance": "dark"})
    cookies = answer.headers.getlist("Set-Cookie")
    assert len(cookies) >= 2
    for cookie in cookies:
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_cookies_are_secure_over_https(make_app: MakeApp) -> None:
    client = make_app(https=True).test_client()
    answer = client.get("/games/new", base_url="https://127.0.0.1:8765")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_a_form_without_its_token_changes_nothing(player: Player) -> None:
    answer = player.client.post("/games/new", base_url=HERE, data={"count": "1", "mode": "full"})
    assert answer.status_code == 400
    assert "This page was open for too long" in answer.text
    assert "Your games" not in player.get("/").text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_what_another_site_sends_is_refused(player: Player, headers: dict[str, str]) -> None:
    answer = player.client.post("/api/score", base_url=HERE, json={}, headers=headers)
    assert answer.status_code == 403
    assert answer.json["error"] == 403


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "", "[::1", "127.0.0.1.x"])
def test_a_foreign_name_for_this_computer_is_refused(player: Player, host: str) -> None:
    answer = player.client.get("/", headers={"Host": host})
    assert answer.status_code == 421


def test_what_can_be_no_name_at_all_is_no_error_of_the_server(player: Player) -> None:
    hosts = ("x" * 9_000, "127.0.0.1:x", "[::1", "a b", "\x80")
    for host, path in product(hosts, ("/", "/nothing", "/games/new")):
        answer = player.client.get(path, headers={"Host": host})
        assert answer.status_code < 500, (host, path)


def test_a_form_with_a_field_without_a_name_is_refused_in_words(player: Player) -> None:
    body = b'--edge\r\nContent-Disposition: form-data; name="two\nlines"\r\n\r\n1\r\n--edge--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=edge"}
    answer = player.client.post("/preferences", base_url=HERE, data=body, headers=headers)
    assert answer.status_code == 400


def test_the_network_needs_the_invitation(open_app: Flask) -> None:
    guest = open_app.test_client()
    for path in ("/", "/games/new", "/api/openapi.json", "/invite", "/assets/nebula/cards/V5.svg"):
        answer = guest.get(path, base_url=TABLE, environ_overrides=FRIEND)
        assert answer.status_code == 401, path
    for path, status in (("/healthz", 200), ("/healthz/invited", 401)):
        assert guest.get(path, base_url=TABLE, environ_overrides=FRIEND).status_code == status
    assert (
        guest.post("/api/score", base_url=TABLE, environ_overrides=FRIEND, json={}).status_code
        == 401
    )


def test_the_invitation_opens_the_door_and_keeps_it_open(open_app: Flask) -> None:
    guest = open_app.test_client()
    wrong = guest.get("/join/open-says-me", base_url=TABLE, environ_overrides=FRIEND)
    assert wrong.status_code == 401 and "That invitation is no longer valid" in wrong.text
    right = guest.get("/join/open-sesame", base_url=TABLE, environ_overrides=FRIEND)
    assert right.status_code == 303
    assert "open-sesame" not in right.headers["Set-Cookie"]
    assert guest.get("/", base_url=TABLE, environ_overrides=FRIEND).status_code == 200
    answer = guest.post("/api/score", base_url=TABLE, environ_overrides=FRIEND, json={})
    assert answer.status_code == 422


def test_a_new_invitation_ends_the_old_one(make_app: MakeApp, open_app: Flask) -> None:
    guest = open_app.test_client()
    guest.get("/join/open-sesame", base_url=TABLE, environ_overrides=FRIEND)
    cookie = guest.get_cookie("stargazer", "192.168.1.10")
    renewed = make_app(
        hosts=frozenset({"192.168.1.10"}), origin=TABLE, invitation="another", rate_limits=False
    ).test_client()
    renewed.set_cookie("stargazer", cookie.value, domain="192.168.1.10")
    assert renewed.get("/", base_url=TABLE, environ_overrides=FRIEND).status_code == 401


def test_whoever_cannot_scan_the_invitation_can_paste_its_address(open_app: Flask) -> None:
    guest = open_app.test_client()

    def code(path: str) -> int:
        return guest.get(path, base_url=TABLE, environ_overrides=FRIEND).status_code

    page = guest.get("/", base_url=TABLE, environ_overrides=FRIEND)
    assert page.status_code == 401 and 'action="/join"' in page.text
    for wrong in ("/join", "/join?address=", "/join?address=http://192.168.1.10/join/other"):
        assert code(wrong) == 401
    assert code(f"/join?address=%20{TABLE}/join/open-sesame/") == 303
    assert code("/") == 200


def test_headers_do_not_make_a_caller_local(open_app: Flask) -> None:
    lies = {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "Forwarded": "for=127.0.0.1"}
    guest = open_app.test_client()
    answer = guest.get("/", base_url=TABLE, environ_overrides=FRIEND, headers=lies)
    assert answer.status_code == 401
    named = guest.get("/", base_url=HERE, environ_overrides=FRIEND)
    assert named.status_code == 401


def test_this_computer_needs_no_invitation(open_app: Flask) -> None:
    assert Player(open_app.test_client()).get("/").status_code == 200


def test_photographs_are_for_those_invited_only(open_app: Flask) -> None:
    host = Player(open_app.test_client())
    game = host.new_game("Ana")
    text = host.read_photograph(game)
    found = re.search(r'src="([^"]+boards/0\.jpg)"', text)
    assert host.get(found[1]).mimetype == "image/jpeg"
    stranger = open_app.test_client()
    assert stranger.get(found[1], base_url=TABLE, environ_overrides=FRIEND).status_code == 401
    other = host.new_game("Eva")
    assert host.get(found[1].replace(game, other)).status_code == 404


def test_the_invitation_is_shown_as_a_qr_code(open_app: Flask) -> None:
    page = Player(open_app.test_client()).get("/invite").text
    assert f"{TABLE}/join/open-sesame" in page
    assert "<svg" in page.split('class="qr"')[1]


def test_too_many_requests_are_refused(make_app: MakeApp) -> None:
    client = make_app(invitation="open-sesame").test_client()
    codes = {client.get("/join/wrong", base_url=HERE).status_code for _ in range(25)}
    assert codes == {401, 429}


def test_a_failure_shows_no_traceback(app: Flask, player: Player, monkeypatch) -> None:
    def broken() -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(app.extensions["stargazer"].games, "recent", broken)
    answer = player.get("/")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text and "Traceback" not in answer.text


def test_asking_for_the_head_of_a_page_changes_nothing(app: Flask, player: Player) -> None:
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    games = app.extensions["stargazer"].games
    before = games.open(game.rsplit("/", 1)[1])
    of_game = ["", "/players", "/photographs", "/score", "/live"]
    of_game += [f"/nebula/{page}" for page in ("cards", "values", "markers")]
    for path in ("/", "/games/new", *(f"{game}{page}" for page in of_game)):
        assert player.client.head(path, base_url=HERE).status_code in (200, 303), path
    assert games.open(before.id) == before
    assert len(games.recent()) == 1
