"""A running server is opened to the network from its own page, with HTTPS, and shut again."""

import ssl
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.webapp.conftest import MakeApp, Player
from webapp.server import network_switch
from webapp.server.network_switch import NetworkSwitch
from webapp.server.waitress_server import listen, make_server

UNCHECKED = ssl.create_default_context()
UNCHECKED.check_hostname = False
UNCHECKED.verify_mode = ssl.CERT_NONE


@pytest.fixture
def served(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """A server that runs for this computer alone, as `stargazer serve` starts it."""
    monkeypatch.setattr(network_switch, "addresses_of_this_computer", lambda: ["127.0.0.1"])
    monkeypatch.setattr(network_switch, "EVERYWHERE", "127.0.0.1")
    app = make_app(rate_limits=False)
    server = make_server(app, listen("127.0.0.1", 0), None)
    port = int(server.effective_listen[0][1])
    app.extensions["stargazer switch"] = NetworkSwitch(app, server, port)
    app.config["HERE"] = f"http://127.0.0.1:{port}"
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    yield app
    server.close()
    thread.join(5)


def asked(address: str) -> tuple[int, str]:
    """The answer's code and cookies."""
    with urllib.request.urlopen(address, timeout=60, context=UNCHECKED) as answer:
        return answer.status, str(answer.headers.get("Set-Cookie"))


@pytest.mark.parametrize("https", [True, False])
def test_it_is_opened_and_shut_while_it_runs(served: Flask, https: bool) -> None:
    host = Player(served.test_client())
    assert "Open to the phones at the table" in host.get("/invite").text
    assert host.post("/invite/open", {"https": "yes"} if https else {}).status_code == 303
    page = host.get("/invite").text
    settings = served.extensions["stargazer"].settings
    assert settings.origin.startswith("https:" if https else "http:")
    assert f"{settings.origin}/join/{settings.invitation}" in page and "<svg" in page
    code, cookie = asked(f"{settings.origin}/preferences")
    assert code == 200 and ("Secure" in cookie) is https
    code, cookie = asked(f"{served.config['HERE']}/preferences")
    assert code == 200 and "Secure" not in cookie, "the first way in is as it was"
    assert host.post("/invite/shut").status_code == 303
    with pytest.raises((urllib.error.URLError, OSError)):
        asked(f"{settings.origin}/healthz")
    assert asked(f"{served.config['HERE']}/healthz")[0] == 200
    assert served.extensions["stargazer"].settings.invitation is None
    assert "Open to the phones at the table" in host.get("/invite").text


def test_guests_do_not_switch_it(served: Flask) -> None:
    host = Player(served.test_client())
    host.post("/invite/open", {"https": "yes"})
    guest = Player(served.test_client())
    guest.client.environ_base["REMOTE_ADDR"] = "192.168.1.20"
    assert guest.get("/invite").status_code == 401
    invitation = served.extensions["stargazer"].settings.invitation
    assert guest.get(f"/join/{invitation}").status_code == 303
    assert "Close it again" not in guest.get("/invite").text
    for deed in ("open", "shut"):
        assert guest.post(f"/invite/{deed}").status_code == 403
    host.post("/invite/shut")
    assert guest.get("/").status_code == 401, "whoever came in there is out"


def test_a_server_that_cannot_be_switched_says_how_it_is_started(player: Player) -> None:
    assert "stargazer serve --lan --https" in player.get("/invite").text
