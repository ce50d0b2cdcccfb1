"""What the campaign reports of a server with faults: a checker that sees none is none."""

import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.campaign import requests, scenarios
from tests.campaign import server as servers
from tests.campaign.__main__ import read_log
from tests.campaign.evening import Writer
from tests.campaign.findings import Findings, Kind
from tests.campaign.server import HOST, Browser, Server
from tests.campaign.waits import HonestGuest
from tests.conftest import in_ci
from tests.webapp.conftest import reads_nothing
from webapp.app.settings import Settings
from webapp.web.application import create_app

pytestmark = pytest.mark.skipif(
    os.name != "posix", reason="addresses and kill -9 as POSIX has them"
)

SLOW = 1.0
FAULTY = f"""
import time
from itertools import count
from flask import request
from webapp.cli import main as cli
from webapp.web import application
from webapp.app.live.entry import Entry
from webapp.app.live.log import Log

def fail():
    if request.blueprint == "boards" and request.method == "GET":
        time.sleep({SLOW})
    if request.blueprint in ("live_cameras", "sharing", "score", "questions"):
        raise RuntimeError("planted")

def faulty(*settings, create_app=application.create_app):
    made = create_app(*settings)
    made.before_request_funcs[None].insert(0, fail)
    return made

def careless(*arguments, append=Log.append, turn=count(), tap=None, after=None):
    added = [Entry(1, "hand", {{}}, None)]
    for _ in range(next(turn) % 3):
        added = append(*arguments)
    return added

application.create_app, Log.append = faulty, careless
cli.main()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that sleeps over pages, fails at others, and forgets or doubles what it is told."""
    (tmp_path / "data").mkdir()
    made = Server(tmp_path, FAULTY)
    made.start()
    yield made
    with suppress(psutil.NoSuchProcess):  # killed already
        made.kill()


def test_a_server_that_answers_nothing_hangs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "HANGS_AFTER", 0.2)
    silent, findings = Server(tmp_path), Findings(tmp_path)
    with socket.create_server(("127.0.0.1", silent.port)):
        scene = scenarios.Scene(silent, 0, findings)
        scene.judge(Browser(silent, HOST.format(9)).get("/"))
    assert findings.bad["hang"] == 1


def test_what_is_open_to_a_stranger_is_what_the_guard_opens(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path), reads_nothing)
    app.extensions["stargazer"].reading_queue.close()
    opened = ("/static/icon.svg", "/healthz?x=1", "/away", "/service-worker.js", "/invite/boards/x")
    for path in opened:
        assert requests.is_open(app, path, "GET"), path
    for path in ("/", "/joint", "/invite/boards", "/games/static", "/%2e%2e/static/icon.svg"):
        assert not requests.is_open(app, path, "GET"), path


def test_ctrl_c_is_heard_though_the_campaign_runs_in_the_background(tmp_path: Path) -> None:
    waits = Server(tmp_path, "import time; print('Stargazer is at'); time.sleep(600)")
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        waits.start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert waits.stop()


@in_ci
def test_what_is_wrong_with_a_server_is_reported(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "AT_ONCE", 2)
    monkeypatch.setattr(requests, "NETWORK", HOST)  # here a stranger is at home, and let in
    findings = Findings(tmp_path / "requests")
    kinds: tuple[Kind, ...] = ("5xx", "traceback", "other")
    for seed in range(12):
        requests.attack(server, seed, 20, findings, b"no picture")
        read_log(server, findings)
        if all(findings.bad[kind] for kind in kinds):
            break
    assert [kind for kind in kinds if not findings.bad[kind]] == []

    writer = Writer(Browser(server, HOST.format(9)), "x", random.Random(1))
    thread = threading.Thread(target=writer.write)
    thread.start()
    guest = HonestGuest(Browser(server, HOST.format(8)), ["/games/x/players/0/review"])
    guest.since(begun := time.monotonic())
    waits = guest.since(begun)
    guest.close()
    assert waits.longest >= SLOW
    assert waits.failed == len(waits.pages)

    while writer.ledger.sent.total() < 20:
        time.sleep(0.1)
    assert not server.kill()
    thread.join()
    kept = Findings(tmp_path / "kills")
    writer.ledger.check(server, kept)
    assert kept.bad["lost"] and kept.bad["doubled"]
