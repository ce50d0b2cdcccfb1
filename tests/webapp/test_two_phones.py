"""Two phones at one game: each confirms only what its own page showed."""

import re

import pytest
from flask import Flask, template_rendered
from jinja2 import Template

from tests.webapp.conftest import (
    CARDS,
    HERE,
    VALUES,
    MakeApp,
    Player,
    TellingReader,
    both_databases,
    read_board,
)

pytestmark = both_databases

DIGEST = 'data-shown="([0-9a-f]+)"'
SURE = {**read_board(doubtful=""), "flags": []}


def shown(page: str) -> str:
    """The revision that a page was drawn from, as its form says."""
    found = re.search(r'name="shown"[^>]* value="(\d+)"', page)
    assert found is not None, page
    return found[1]


@pytest.fixture
def phones(make_app: MakeApp) -> tuple[Player, Player]:
    """Two browsers at the same server."""
    app = make_app(rate_limits=False)
    return Player(app.test_client()), Player(app.test_client())


@pytest.fixture
def game(phones: tuple[Player, Player], reader: TellingReader) -> str:
    """A game of two players, both boards read."""
    reader.boards = [SURE, SURE]
    game = phones[0].new_game("Ana", "Luis")
    phones[0].lay_cards(game)
    phones[0].send_photograph(game)
    phones[0].wait_for_reading(game)
    return game


def confirmed(player: Player, game: str) -> list[str]:
    app: Flask = player.client.application
    found = app.extensions["stargazer"].games.open(game.rsplit("/", 1)[1])
    return list(found.document["confirmed"])


def test_a_board_that_changed_after_it_was_shown_is_not_confirmed(
    phones: tuple[Player, Player], game: str
) -> None:
    one, other = phones
    review = f"{game}/players/0/review"
    page = one.get(f"{review}?alone=yes").text
    other.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    answer = one.post(review, {"shown": shown(page)})
    assert answer.status_code == 409 and "Look at it again" in answer.text
    assert "review-0" not in confirmed(one, game)
    assert re.search(r'data-space="ar1"[^>]* data-star="red"', answer.text), "as it is now"
    reported = one.post(review, {"shown": shown(page)}, headers={"X-Partial": "1"})
    assert reported.status_code == 409 and "Look at it again" in reported.json["message"]
    assert one.post(review, {"shown": shown(answer.text)}).status_code == 303
    assert "review-0" in confirmed(one, game)


def test_a_board_stays_as_shown_while_another_is_changed(
    phones: tuple[Player, Player], game: str
) -> None:
    one, other = phones
    page = one.get(f"{game}/players/0/review?alone=yes").text
    other.post(f"{game}/players/1/star", {"space": "ar1", "star": "red"})
    other.post(f"{game}/nebula/players/1/personal", {"card": "O19"})
    answer = one.post(f"{game}/players/0/review", {"shown": shown(page)})
    assert answer.status_code == 303 and "review-0" in confirmed(one, game)


def test_boards_that_are_confirmed_together_are_those_that_were_shown(
    phones: tuple[Player, Player], game: str
) -> None:
    one, other = phones
    page = one.get(f"{game}/players/0/review").text
    assert 'name="together" value="0,1"' in page
    other.post(f"{game}/players/1/star", {"space": "ar1", "star": "red"})
    seen = {"shown": shown(page), "together": "0,1"}
    assert one.post(f"{game}/players/0/review", seen).status_code == 409
    fresh = {"shown": shown(one.get(f"{game}/players/0/review").text), "together": "0"}
    assert one.post(f"{game}/players/0/review", fresh).status_code == 303
    assert "review-0" in confirmed(one, game) and "review-1" not in confirmed(one, game)


@pytest.mark.parametrize(
    ("step", "mine", "theirs"),
    [
        ("nebula/cards", CARDS, {**CARDS, "career": "V1,V2,V3,V4"}),
        ("nebula/values", VALUES, {**VALUES, "colours": "red"}),
    ],
)
def test_an_answer_is_not_given_over_one_that_was_not_shown(
    phones: tuple[Player, Player],
    game: str,
    step: str,
    mine: dict[str, str],
    theirs: dict[str, str],
) -> None:
    one, other = phones
    page = shown(one.get(f"{game}/{step}").text)
    other.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    assert one.post(f"{game}/{step}", {**mine, "shown": page}).status_code == 303, (
        "no board is asked"
    )
    assert other.post(f"{game}/{step}", theirs).status_code == 303
    assert one.post(f"{game}/{step}", {**theirs, "shown": page}).status_code == 303, "the same"
    answer = one.post(f"{game}/{step}", {**mine, "shown": page})
    assert answer.status_code == 409 and "Enter mine again" in answer.text
    assert mine["career" if step == "nebula/cards" else "colours"] in answer.text, "what was typed"
    assert one.post(f"{game}/{step}", {**mine, "shown": shown(answer.text)}).status_code == 303


def test_markers_follow_from_boards_that_were_shown(
    phones: tuple[Player, Player], game: str
) -> None:
    one, other = phones
    page = shown(one.get(f"{game}/nebula/markers").text)
    other.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    assert one.post(f"{game}/nebula/markers", {"shown": page}).status_code == 409
    assert "markers" not in confirmed(one, game)


def test_no_number_of_a_revision_breaks_a_page(phones: tuple[Player, Player], game: str) -> None:
    for number in ("9223372036854775808", "-1", "999"):
        answer = phones[0].post(f"{game}/players/0/review", {"shown": number})
        assert answer.status_code == 409


def test_a_form_that_does_not_say_what_it_was_made_of_changes_nothing(
    phones: tuple[Player, Player], game: str
) -> None:
    one = phones[0]

    def standing() -> list[str]:
        return re.findall(r'data-revision="(\d+)"', one.get(f"{game}/players").text)

    before = standing()
    assert one.post(f"{game}/undo", {"revision": ""}).status_code == 400
    assert standing() == before
    assert one.post(f"{game}/undo").status_code == 303
    assert standing() != before


def test_a_page_that_shows_the_same_is_not_drawn_again(
    phones: tuple[Player, Player], game: str
) -> None:
    one, other = phones

    def asked(step: str) -> tuple[int, str | None]:
        known = {"If-None-Match": f'W/"{digests[step]}"'}
        answer = one.get(f"{game}/{step}", headers=known)
        assert answer.headers["Cache-Control"] == "no-store"
        assert (answer.status_code == 304) == (not answer.data)
        drawn.clear()
        head = one.client.head(f"{game}/{step}", headers=known, base_url=HERE)
        assert (head.status_code, drawn) == (answer.status_code, [])
        assert head.get_etag() == (re.findall(DIGEST, one.get(f"{game}/{step}").text)[0], True)
        return answer.status_code, answer.headers.get("X-Revision")

    digests, drawn = dict[str, str](), list[Template]()

    def note(_: Flask, template: Template, **_more: object) -> None:
        drawn.append(template)

    template_rendered.connect(note, one.client.application)
    for step in ("nebula/values", "players/0/review", "players/1/review"):
        (digests[step],) = re.findall(DIGEST, one.get(f"{game}/{step}").text)
    revision = one.client.application.extensions["stargazer"].games.open(game[-16:]).revision
    assert {asked(step) for step in digests} == {(304, str(revision))}
    other.post(f"{game}/players/0/star", {"space": "ar1", "star": "red"})
    assert asked("players/0/review") == (200, None)
    assert asked("players/1/review") == asked("nebula/values") == (304, str(revision + 1))
    other.post(f"{game}/nebula/values", {**VALUES, "advanced": "I,II"})
    assert asked("nebula/values") == (200, None)
    assert asked("players/1/review")[0] == 304
