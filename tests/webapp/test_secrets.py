"""Before the end a hidden card leaves the server for its owner alone, whatever anybody asks for.

Two evenings are alike in everything but Ana's card. Whoever does not own her seat walks through
every address of the server, with every form that there is, in both: the answers must be alike too.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.conftest import FULL_MATRIX, in_full
from tests.webapp.conftest import HERE, Player, game_at, players_form
from tests.webapp.evening import ANA, EVA, Evening, print_nothing
from tests.webapp.every_form import FORMS, PERSONAL, Request, content, may_tell_of
from webapp.web import event_streams

HIDDEN = PERSONAL[:2]
"""Ana's card in the one evening and in the other; her board fulfils the first alone."""


@pytest.fixture
def evenings(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Sequence[Evening]]:
    """Two evenings alike in everything but Ana's card, entered as they play or for the score."""
    monkeypatch.setattr(event_streams, "MOST_LISTENERS", 0)  # they end when all is told
    print_nothing(monkeypatch)
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


def answer(player: Player, asked: Request) -> str:
    """What comes back, without what is random or of the moment."""
    if asked.form is None:
        got: TestResponse = player.get(asked.path)
    elif asked.endpoint == "api.score":
        got = player.client.post(asked.path, base_url=HERE, json={})
    else:
        got = player.post(asked.path, asked.form())
    reported = content(got)
    if got.mimetype == "application/zip":
        reported = without_identifiers(reported)
    text = f"{got.status_code} {got.headers.get('Location', '')}\n{reported}"
    text = re.sub(r'(csrf_token" value|data-token)="[^"]+"', "", text)
    text = re.sub(r"\b[0-9a-f]{16}\b", "ID", text)
    text = re.sub(r'data-shown="[0-9a-f]{8}"', "", text)  # of what they see, with photographs' ids
    text = re.sub(r'"t": [\d.]+', "", text)
    text = re.sub(r"<time.*?</time>", "", text)
    return re.sub(r"\d{2}:\d{2}:\d{2}", "TIME", text)


def without_identifiers(packed: str) -> str:
    """What is told by a backup, without browsers' names, moments, and what is sealed."""
    text = re.sub(r"\b[0-9a-f]{32}\b", "BROWSER", packed)
    text = re.sub(r'"gAAAA[\w=-]+"', "SEALED", text)
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+", "MOMENT", text)


def walk(evenings: Sequence[Evening], who: str, method: str) -> Iterator[Request]:
    """Ask for everything in both evenings; the answers are the same to the letter."""
    for one, other in zip(*(evening.requests(method) for evening in evenings), strict=True):
        if not may_tell_of(one, evenings[0].id):
            continue
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


@pytest.mark.parametrize(
    ("evenings", "who"),
    in_full([(laid_open, who) for laid_open in (False, True) for who in WALKERS], (True, "guest")),
    indirect=["evenings"],
    ids=lambda given: {False: "entered while they play", True: "laid open"}.get(given, given),
)
def test_nobody_else_reads_or_changes_a_hidden_card(evenings: Sequence[Evening], who: str) -> None:
    pages = {one.endpoint for one in walk(evenings, who, "GET")}
    assert pages >= {"live.table", "sharing.as_game_file", "nebula.personal", "score.sheet"}
    for asked in walk(evenings, who, "POST"):
        for evening, card in zip(evenings, HIDDEN, strict=True):
            ana, eva = evening.card_for(evening.ana, ANA), evening.card_for(evening.eva, EVA)
            if (asked.endpoint, who) == ("boards.give_back", "computer"):
                assert ana is None  # forgotten, not shown: she enters it again
                assert evening.enter(evening.ana, ANA, card) == 204
                ana = card
            assert (ana, eva) == (card, "O5"), f"{asked.path} as {who}"
    if FULL_MATRIX:  # and again, after all that they could send
        list(walk(evenings, who, "GET"))


def test_answers_that_are_secret_together_are_hidden_as_a_card_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "MOST_LISTENERS", 0)  # they end when all is told
    print_nothing(monkeypatch)
    made = [Evening(tmp_path / card) for card in ("S3", "S4")]
    for evening, card, bonus in zip(made, ("S3", "S4"), ("1", "2"), strict=True):
        form = players_form("Ana", "Luis", "Eva", mode="", markers=("red", "yellow", "blue"))
        begun = evening.luis.post("/games/new", {**form, "game": "ptolemaeus"})
        evening.game = game_at(begun.headers["Location"])
        evening.id = evening.game.rsplit("/", 1)[1]
        for question, answered in (("secret", card), ("nova", bonus)):
            page = f"{evening.game}/questions/{question}/{ANA}"
            assert evening.ana.post(page, {"answer": answered}).status_code == 303
    assert "sharing.as_game_file" in {one.endpoint for one in walk(made, "guest", "GET")}
    for question in ("secret", "nova"):
        pages = [
            Request("questions.ask", f"{evening.game}/questions/{question}/{ANA}")
            for evening in made
        ]
        for who, alike in (("guest", True), ("ana", False)):
            first, second = map(answer, [getattr(one, who) for one in made], pages)
            assert (first == second) is alike, question
    for evening in made:
        evening.close()


def test_every_form_is_walked_through(app: Flask) -> None:
    taking = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in rule.methods}
    assert taking == set(FORMS), "say in every_form.py what a guest may send there"
