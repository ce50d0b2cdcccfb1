"""Requests that no page sends: every route and method, with hostile values, from everybody.

Each request is drawn from the seed and its own number, starting from one that a page would send
(`tests.webapp.every_form`, which has to know every route): so each can be sent again.
"""

import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote_from_bytes, unquote

from flask import Flask
from werkzeug.exceptions import HTTPException

from tests.campaign.findings import Findings, Kind, side_by_side
from tests.campaign.hostile import HEADERS, TEXTS, changed_bytes, changed_picture, changed_text
from tests.campaign.server import HOST, NETWORK, Answer, Browser, Server, encoded, request
from tests.commands.conftest import GAME
from tests.webapp import every_form
from tests.webapp.conftest import CARDS, VALUES, game_at, players_form, reads_nothing
from webapp.app.settings import Settings
from webapp.server.guard import OPEN_ENDPOINTS, is_static
from webapp.web.application import create_app

AT_ONCE = 12
GAME_LASTS = 80
"""Requests about a game, before another one is begun."""
MEANT = {503, 507}
"""Codes from 500 on that say in words what to do: wait a moment; make room."""
METHODS = ("GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "X" * 200)


@dataclass(frozen=True)
class Hostile:
    """A request as it goes over the line; `endpoint` is the one whose request it was."""

    endpoint: str
    method: str
    path: str
    body: bytes | None
    headers: dict[str, str]


class Table:
    """A game, and the browsers around it: who serves, three guests, and who is not invited."""

    def __init__(self, server: Server, number: int) -> None:
        """Gather everybody; `number` gives each table addresses of its own."""
        self.host = Browser(server, HOST.format(2 + number))
        self.guests = [
            Browser(server, NETWORK.format(20 + 3 * number + one)).join() for one in range(3)
        ]
        self.stranger = Browser(server, NETWORK.format(80 + number))
        self.game, self.photograph = "", "0" * 16

    def begin(self, picture: bytes) -> None:
        """Begin a game in which there is something to attack."""
        made = self.guests[0].post("/games/new", players_form("Ana", "Luis", "Eva"))
        if made.status != 303:  # twelve a minute
            made = self.host.post("/games/new", players_form("Ana", "Luis", "Eva"))
        if made.status != 303:
            return
        self.game = game_at(made.headers["Location"])
        self.host.post(f"{self.game}/nebula/cards", CARDS)
        self.host.post(f"{self.game}/nebula/values", VALUES)
        self.host.post(f"{self.game}/photographs", {"photo": (picture, "a.jpg"), "player": 0})
        listed = self.host.get(f"{self.game}/photographs").text
        self.photograph = next(iter(_photographs(listed)), "0" * 16)
        self.host.tap(f"{self.game}/live/star", {"seat": 0, "space": "core", "star": "red"})


def _photographs(page: str) -> Iterator[str]:
    for part in page.split("/photographs/")[1:]:
        if part[16:17] in {"/", "."} and part[:16].isalnum():
            yield part[:16]


def attack(server: Server, seed: int, count: int, findings: Findings, picture: bytes) -> None:
    """Send `count` requests, a dozen at a time."""
    with TemporaryDirectory() as folder:
        app = create_app(Settings(data_dir=Path(folder)), reads_nothing)
        app.extensions["stargazer"].reading_queue.close()
        lock = threading.Lock()
        per_table = -(-count // AT_ONCE)

        def play(number: int) -> None:
            table = Table(server, number)
            for turn in range(max(0, min(per_table, count - number * per_table))):
                if findings.is_over:
                    return
                if number == 0 and turn % GAME_LASTS == 0:
                    print(f"  {turn * AT_ONCE} requests", flush=True)
                if turn % GAME_LASTS == 0:
                    table.begin(picture)
                rng = random.Random(f"{seed} request {number} {turn}")
                with lock:  # the forms' files are made with Flask, which is not asked twice at once
                    asked = hostile_request(rng, app, table)
                _ask(rng, table, asked, findings, app)

        side_by_side(play, range(AT_ONCE), AT_ONCE)


def hostile_request(rng: random.Random, app: Flask, table: Table) -> Hostile:
    """A request of a page with some of it changed; one in twelve is left as it is."""
    method = rng.choice(["GET", "POST", "POST"])
    game_id = table.game.rsplit("/", 1)[-1]
    meant = rng.choice(_meant(app, game_id, table.photograph, method))
    fields = list(meant.form().items()) if meant.form is not None else []
    path, headers, body = meant.path, dict[str, str](), None
    changes = rng.choice([0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3])
    if meant.endpoint == "games.delete" and rng.random() < 0.9:
        changes = max(1, changes)  # or there would be no game to attack
    for _ in range(changes):
        change = rng.choice(["path", "query", "form", "form", "form", "header", "method", "body"])
        if change == "path":
            path = _changed_path(rng, path)
        elif change == "query":
            joint = "&" if "?" in path else "?"
            names = ["after", "at", "mine", "game", "name", "skip", "camera", "deleted", "x"]
            path += f"{joint}{rng.choice(names)}={_quoted(rng.choice(TEXTS))}"
        elif change == "form":
            fields = _changed_fields(rng, fields)
        elif change == "header":
            name = rng.choice(sorted(HEADERS))
            headers[name] = rng.choice(HEADERS[name])
        elif change == "method":
            method = rng.choice(METHODS)
        else:
            body = changed_text(rng, GAME, as_json=True)
            headers["Content-Type"] = rng.choice(["application/json", "image/jpeg", "x"])
    if meant.endpoint == "api.score" and body is None and method == "POST":
        body, headers["Content-Type"] = changed_text(rng, GAME, True), "application/json"
    if body is None and (fields or method != "GET"):
        body, kind = encoded(fields)
        headers.setdefault("Content-Type", kind)
        if rng.random() < 0.05:
            body = changed_bytes(rng, body)
    if "Transfer-Encoding" in headers:
        size = b"%x\r\n" % len(body or b"") if rng.random() < 0.5 else b""
        body = size + (body or b"") + b"\r\n0\r\n\r\n"  # or the rest is waited for
    return Hostile(meant.endpoint, method, path, body, headers)


def _meant(app: Flask, game: str, photograph: str, method: str) -> list[every_form.Request]:
    return list(every_form.requests(app, game or "0" * 16, photograph, method))


def _changed_path(rng: random.Random, path: str) -> str:
    parts = path.split("/")
    at = rng.randrange(1, len(parts))
    change = rng.random()
    if change < 0.7:
        parts[at] = _quoted(rng.choice(TEXTS))
    elif change < 0.85:
        parts[at] += rng.choice(["%00", "%ff", "..", ".999999999999999999999", "%2f", ";x", " x"])
    else:
        parts[at:at] = rng.choice([[""], [".."], ["%2e%2e"], ["a"] * 500])
    return "/".join(parts)


def _changed_fields(rng: random.Random, fields: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    changed = list(fields) or [(rng.choice(["seat", "card", "player", "x"]), "0")]
    at = rng.randrange(len(changed))
    name, value = changed[at]
    change = rng.random()
    if isinstance(value, tuple) and change < 0.7:
        suffix, picture = changed_picture(rng)
        changed[at] = (name, (picture, f"a{suffix}"))
    elif change < 0.6:
        changed[at] = (name, rng.choice(TEXTS))
    elif change < 0.7:
        changed[at] = (rng.choice(TEXTS).replace("\0", ""), value)
    elif change < 0.8:
        del changed[at]
    elif change < 0.9:
        changed[at:at] = [(name, rng.choice(TEXTS))] * rng.choice([1, 5, 500])
    else:
        changed.append((name, (b"x", rng.choice(TEXTS))))
    return changed


def _quoted(text: str) -> str:
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


def _ask(rng: random.Random, table: Table, asked: Hostile, findings: Findings, app: Flask) -> None:
    """Send a request as somebody, and judge the answer."""
    whose = rng.choice(["host", "guest", "guest", "stranger"])
    browser = {
        "host": table.host,
        "guest": rng.choice(table.guests),
        "stranger": table.stranger,
    }[whose]
    headers = dict(asked.headers)
    if whose != "stranger" and rng.random() < 0.95:
        headers["X-CSRFToken"] = browser.token()
    cookie = browser.cookie
    answer = browser.ask(asked.method, asked.path, asked.body, headers)
    browser.cookie = cookie  # an answer to a broken request gives nobody another name
    findings.count(_outcome(answer), answer.seconds)
    kind, problem = _problem(answer, whose, asked, app)
    if kind is not None:
        line = f"{problem}\n{whose} {browser.address} {asked.endpoint}\n".encode()
        sent = request(asked.method, asked.path, browser.origin, asked.body, headers)
        findings.add(kind, problem, line + sent + b"\n\n" + answer.body)


def _outcome(answer: Answer) -> str:
    return "hung up" if answer.status == 0 else str(answer.status)


def is_open(app: Flask, path: str, method: str) -> bool:
    """Whether what answers at an address is for anybody, invited or not."""
    bare = unquote(path.partition("?")[0].partition("#")[0])
    try:
        endpoint, _values = app.url_map.bind(NETWORK).match(bare, method)
    except HTTPException:
        return False
    return endpoint in OPEN_ENDPOINTS or is_static(endpoint)


def _problem(answer: Answer, whose: str, asked: Hostile, app: Flask) -> tuple[Kind | None, str]:
    """Say what is wrong with an answer; None where it is one that may be given."""
    if answer.hung:
        return "hang", f"{asked.method[:10]} {asked.endpoint}"
    # Waitress says 501 itself where it is asked for a way to transfer that it does not know.
    if answer.status >= 500 and answer.status not in MEANT | {501}:
        return "5xx", f"{answer.status} {asked.endpoint}"
    is_let_in = whose == "stranger" and answer.status in {200, 201, 202, 204, 303}
    if is_let_in and not is_open(app, asked.path, asked.method):
        return "other", f"let in without an invitation: {asked.endpoint}"
    return None, ""
