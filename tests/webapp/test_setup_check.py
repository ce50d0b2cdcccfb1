"""A photograph of the finished setup: what a board lacks, and what does not belong there yet."""

import io

import pytest

from calibration import load_profile
from scorer.places import Place, counted, in_region
from tests.webapp.conftest import Player, TellingReader, jpeg
from webapp.app.game_pages import pages_of
from webapp.app.setup_check import check_setup

SKY, VALLEY = load_profile("polaris/standard"), load_profile("via_nebula/standard")
MOON = {Place("1", "dial"): "new_moon"}


def neutral(colour: str) -> dict[Place, str]:
    """The stars that are nobody's with two players, of a colour that nobody plays."""
    return {Place(at): colour for at in SKY.board.starred}


@pytest.mark.parametrize("colour", ["neutral", "white", "yellow"])
def test_a_sky_for_two_needs_its_neutral_stars_of_any_colour(colour: str) -> None:
    pages, stars = pages_of("polaris"), neutral(colour)
    right = check_setup(pages, SKY, {**stars, **MOON}, 2, mode="phases")
    assert not right.lacks and not right.extra
    (gone, *_others) = stars
    left = {at: piece for at, piece in stars.items() if at != gone} | {Place("1b1"): "red"}
    found = check_setup(pages, SKY, {**left, **MOON}, 2, mode="phases")
    assert ("neutral", gone.id) in found.lacks and ("red", "1b1") in found.extra
    of_four = check_setup(pages, SKY, {**stars, **MOON}, 4, mode="phases")
    assert not of_four.lacks and len(of_four.extra) == 10


def test_what_chance_lays_may_be_anything_but_has_to_be_there() -> None:
    pages = pages_of("via_nebula")
    empty = check_setup(pages, VALLEY, {}, 2)
    places = [at for _piece, at in empty.lacks]
    assert len(places) == 24 and all(piece == "" for piece, _at in empty.lacks)
    token = next(piece.id for piece in pages.game.pieces if piece.supply == 1)
    lying: dict[Place, str] = {}
    for at in places[1:]:
        lying |= in_region(at, {token: 1})
    found = check_setup(pages, VALLEY, lying, 2)
    assert found.lacks == [("", places[0])] and not found.extra
    assert counted(lying, places[1])[token] == 1


def test_the_page_says_what_a_photograph_lacks_and_what_it_is_not_read_for(
    player: Player, reader: TellingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webapp.games.polaris.pages.PolarisPages.cards", lambda *_: [])
    lying = {at.id: {"star": "yellow", "confidence": 1.0} for at in [*neutral("yellow")][1:]}
    empty = {at.id: {"star": None, "confidence": 1.0} for at in SKY.places if at.kind == "spot"}
    reader.boards = [
        {
            "profile": SKY.name,
            "game": "polaris",
            "corners": [[0, 0], [9, 0], [9, 9], [0, 9]],
            "spaces": {**empty, **lying},
            "new_moon": {"sector": 1, "confidence": 1.0},
            "flags": [],
        }
    ]
    sent = {"players": "2", "photo": (io.BytesIO(jpeg()), "sky.jpg")}
    answer = player.post("/table/polaris", sent)
    assert answer.status_code == 200, answer.text
    assert reader.profiles == [("polaris/standard",)]
    assert answer.text.count("<li>Missing: ") == 1 and "Not there yet" not in answer.text
    assert "look yourselves: cards, action card, telescope, score marker" in answer.text
    assert player.post("/table/polaris", {"players": "2"}).status_code == 422
