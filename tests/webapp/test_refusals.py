"""What palettes mark is what the rules would refuse: under review, by hand and live."""

from flask import Flask

from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import COLOURS
from tests.webapp.conftest import STARS, Player
from tests.webapp.live.conftest import Table

LEGAL = {"core": "red", "ar1": "blue", "ta1": "white"}


def expected(stars: dict[str, str]) -> dict[str, set[str]]:
    """The colours that may not be placed, by space; none where all may."""
    galaxy = Galaxy(stars)
    refused = {
        space: {colour for colour in COLOURS if galaxy.illegal(space, colour)}
        for space in galaxy.board.spaces
    }
    return {space: colours for space, colours in refused.items() if colours}


def marked(found: dict[str, dict[str, str]]) -> dict[str, set[str]]:
    """The colours that an answer has marked; under "" all are."""
    return {space: set(COLOURS) if "" in why else set(why) for space, why in found.items()}


def enter(player: Player, stars: dict[str, str]) -> str:
    """Enter a board by hand; the address of its review."""
    game = player.new_game("Ana", "Luis")
    player.lay_cards(game)
    for space, star in stars.items():
        player.post(f"{game}/players/0/star", {"space": space, "star": star})
    return f"{game}/players/0"


def test_under_review_and_by_hand(player: Player) -> None:
    for stars in ({}, LEGAL):
        answer = player.get(f"{enter(player, stars)}/refused")
        assert marked(answer.get_json()) == expected(stars)


def test_why_is_said_with_the_names_of_spaces(player: Player) -> None:
    found = player.get(f"{enter(player, LEGAL)}/refused").get_json()
    spaces = "A space of Aries on orbit 1 and a space of Aries on orbit 2"
    assert found["ar2"] == {"blue": f"{spaces} are linked and both blue."}
    assert list(found["ar5"]) == [""] and "no path" in found["ar5"][""].lower()


def test_what_a_photograph_showed_is_judged_as_it_lies(player: Player) -> None:
    game = player.play_to_score("Ana", "Luis")
    found = player.get(f"{game}/players/1/refused").get_json()
    assert marked(found) == expected(STARS)
    assert player.get(f"{game}/players/2/refused").status_code == 404


def test_live_and_without_what_is_said_to_have_lain_elsewhere(app: Flask) -> None:
    table = Table(app)
    table.place(0, LEGAL)
    address = f"{table.game}/live/refused"
    assert marked(table.player.get(f"{address}?seat=0").get_json()) == expected(LEGAL)
    assert marked(table.player.get(f"{address}?seat=1").get_json()) == expected({})
    moved = {space: star for space, star in LEGAL.items() if space != "ar1"}
    without = table.player.get(f"{address}?seat=0&without=ar1").get_json()
    assert marked(without) == expected(moved)
    for wrong in ("", "?seat=2", "?seat=x"):
        assert table.player.get(address + wrong).status_code == 422
