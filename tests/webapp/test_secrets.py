"""Before the end a hidden card leaves the server for its owner alone, whatever anybody asks for.

Two evenings are alike in everything but Ana's card. Whoever does not own her seat walks through
every address of the server, with every form that there is, in both: the answers must be alike too.
"""

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.webapp.conftest import CARDS, HERE, VALUES, Player, jpeg, players_form
from tests.webapp.evening import ANA, EVA, Evening
from webapp.live import news

HIDDEN = ("O19", "O7")
"""Ana's card in the one evening and in the other; her board fulfils the first alone."""

Form = Callable[[], Mapping[str, Any]]


@pytest.fixture(params=[False, True], ids=["entered while they play", "laid open for the score"])
def evenings(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Sequence[Evening]]:
    """Two evenings alike in everything but Ana's card."""
    monkeypatch.setattr(news, "MOST_LISTENERS", 0)  # the news end when all is told
    made = [Evening(tmp_path / card) for card in HIDDEN]
    for evening, card in zip(made, HIDDEN, strict=True):
        evening.lay_boards()
        for seat, own in enumerate((card, "O3", "O5")):
            assert evening.enter(evening.phones[seat], seat, own) == 204
        if request.param:
            assert evening.lay_open(evening.ana, ANA, card) == 303
    yield made
    for evening in made:
        evening.close()


def photo() -> Mapping[str, Any]:
    return {"photo": (io.BytesIO(jpeg()), "x.jpg"), "player": ANA}


def recording() -> Mapping[str, Any]:
    line = b'{"t": 1, "board": 0, "kind": "placed", "space": "core", "star": "white"}\n'
    return {"recording": (io.BytesIO(line), "x.jsonl"), "speed": "all"}


def just(**form: Any) -> Form:
    return lambda: form


OF_THE_PHOTOGRAPH = "the photograph's first"

FORMS: Mapping[str, Sequence[Form]] = {
    "api.read": [photo],
    "api.score": [just()],
    "boards.black": [just(count=2)],
    "boards.confirm": [just(), *(just(card=card) for card in (*HIDDEN, "O2"))],
    "boards.personal": [just(), *(just(card=card) for card in (*HIDDEN, "O2"))],
    "boards.redo": [just()],
    "boards.give_back": [just()],
    "boards.star": [just(space="ar3", star="red")],
    "boards.undo": [just()],
    "games.delete": [just()],
    "games.new": [lambda: players_form("Rut")],
    "games.players": [
        lambda: players_form("Ana", "Luis"),
        lambda: players_form("Luis"),
        lambda: players_form("Luis", "Ana", "Eva"),
        lambda: players_form("Ana", "Luis", "Eva", "Rut"),
    ],
    "games.redo": [just()],
    "games.restore": [just()],
    "games.undo": [just()],
    "live.amend": [just(what="nothing"), just(what="again")],
    "live.assign": [just(source="cam", board=0, seat=1)],
    "live.bag": [just(empty="yes")],
    "live.black": [just(seat=0, count=1)],
    "live.claim": [just(seat=0, card="V5")],
    "live.finish": [just()],
    "live.indicator": [just(by=1)],
    "live.personal": [just(seat=ANA, card=card) for card in (*HIDDEN, "O2")],
    "live.restart": [just()],
    "live.star": [just(seat=0, space="core", star="red")],
    "live.value": [just(token="red")],
    "live_cameras.frame": [just()],
    "live_cameras.replay": [recording],
    "live_cameras.start": [just(address="/nowhere")],
    "live_cameras.stop": [just(name="cam")],
    "live_cameras.stop_replay": [just()],
    "photographs.add": [photo],
    "photographs.by_hand": [just()],
    "photographs.choose_board": [just(board=OF_THE_PHOTOGRAPH)],
    "photographs.done": [just()],
    "photographs.remove": [just()],
    "preferences.save": [just(language="en")],
    "table.cards_on_table": [lambda: CARDS],
    "table.markers": [just()],
    "table.values": [lambda: VALUES],
}
"""What a guest may send to each address that takes something."""

QUERIES = {
    "live.show": ["", "?mine=0", "?mine=0&at=1", "?at=2"],
    "live.table": ["", "?mine=0", "?mine=0&at=1", "?at=2"],
    "live.events": ["?after=0"],
    "games.home": ["", "?skip=1", "?deleted=x"],
}


@dataclass(frozen=True)
class Request:
    """What is asked for: `form` is sent, None where a page is opened."""

    endpoint: str
    path: str
    form: Form | None = None


def requests(evening: Evening, method: str) -> Iterator[Request]:
    """Everything that can be asked of a server by a method, about Ana's seat where one is named."""
    page = evening.luis.get(f"{evening.game}/photographs/list").text
    photographs = re.findall(r"photographs/(\w{16})/boards", page)
    values = {
        "game_id": evening.id,
        "player": ANA,
        "photograph_id": photographs[0] if photographs else "0" * 16,
        "board": 0,
        "number": 1,
        "card": "V1",
        "secret": "wrong",
        "filename": "icon.svg",
    }
    rules = sorted(evening.app.url_map.iter_rules(), key=lambda rule: rule.endpoint)
    for rule in rules:
        if method not in (rule.methods or ()):
            continue
        path = _path(rule, values)
        if method == "GET":
            for query in QUERIES.get(rule.endpoint, [""]):
                yield Request(rule.endpoint, path + query)
        else:
            for form in FORMS[rule.endpoint]:  # a new address has to say here what it takes
                yield Request(rule.endpoint, path, _filled(form, values))


def _path(rule: Rule, values: Mapping[str, Any]) -> str:
    built = rule.build({name: values[name] for name in rule.arguments}, append_unknown=False)
    assert built is not None, rule
    return built[1]


def _filled(form: Form, values: Mapping[str, Any]) -> Form:
    def fill() -> Mapping[str, Any]:
        made = form()
        if made.get("board") == OF_THE_PHOTOGRAPH:
            return {**made, "board": f"{values['photograph_id']}.0"}
        return made

    return fill


def answer(player: Player, asked: Request) -> str:
    """What comes back, without what is random or of the moment."""
    if asked.form is None:
        got: TestResponse = player.get(asked.path)
    elif asked.endpoint == "api.score":
        got = player.client.post(asked.path, base_url=HERE, json={})
    else:
        got = player.post(asked.path, asked.form())
    text = (
        f"{got.status_code} {got.headers.get('Location', '')}\n{got.get_data().decode('latin-1')}"
    )
    text = re.sub(r'(csrf_token" value|data-token)="[^"]+"', "", text)
    text = re.sub(r"\b[0-9a-f]{16}\b", "ID", text)
    text = re.sub(r'"t": [\d.]+', "", text)
    text = re.sub(r"\d{4}-\d{2}-\d{2}T[\d:.]+Z?", "MOMENT", text)
    return re.sub(r"\b\d{1,2}:\d{2}(:\d{2})?\b", "TIME", text)


def walk(evenings: Sequence[Evening], who: str, method: str) -> Iterator[Request]:
    """Ask for everything in both evenings; the answers are the same to the letter."""
    for one, other in zip(*(requests(evening, method) for evening in evenings), strict=True):
        answers = [
            answer(getattr(evening, who), asked)
            for evening, asked in zip(evenings, (one, other), strict=True)
        ]
        assert answers[0] == answers[1], f"{method} {one.path} as {who} tells Ana's card"
        for evening in evenings:
            if one.endpoint == "games.delete":
                evening.luis.post(f"{evening.game}/restore")
            if one.endpoint == "photographs.add":
                evening.luis.wait_for_reading(evening.game)
        yield one


WALKERS = ("luis", "guest", "computer")
"""One with a seat of his own, one without, and the computer that serves."""


@pytest.mark.parametrize("who", WALKERS)
def test_nobody_else_reads_or_changes_a_hidden_card(evenings: Sequence[Evening], who: str) -> None:
    pages = {one.endpoint for one in walk(evenings, who, "GET")}
    assert pages >= {"live.table", "sharing.as_game_file", "boards.personal", "score.sheet"}
    for asked in walk(evenings, who, "POST"):
        for evening, card in zip(evenings, HIDDEN, strict=True):
            ana, eva = evening.card_for(evening.ana, ANA), evening.card_for(evening.eva, EVA)
            if (asked.endpoint, who) == ("boards.give_back", "computer"):
                assert ana is None  # forgotten, not shown: she enters it again
                assert evening.enter(evening.ana, ANA, card) == 204
                ana = card
            assert (ana, eva) == (card, "O5"), f"{asked.path} as {who}"
    list(walk(evenings, who, "GET"))


def test_every_form_is_walked_through(app: Flask) -> None:
    taking = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    assert taking == set(FORMS), "say above what a guest may send there"
