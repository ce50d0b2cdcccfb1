"""What the rules would refuse on a place, whatever game it is of."""

import random

from scorer.nebula.board import STANDARD_BOARD
from scorer.nebula.contract import NEBULA
from scorer.nebula.galaxy import Galaxy
from scorer.nebula.words import COLOURS
from scorer.places import Place
from scorer.polaris.contract import POLARIS_GAME
from scorer.referee import Refusals, refusals
from scorer.table import Pieces


def grown(luck: random.Random) -> Galaxy:
    """A galaxy of legal placements."""
    galaxy = Galaxy({})
    for _ in range(luck.randrange(26)):
        choices = list(galaxy.legal_placements())
        if choices:
            galaxy = galaxy.place(*luck.choice(choices))
    return galaxy


def refused(pieces: Pieces, space: str) -> Refusals:
    return refusals(NEBULA, STANDARD_BOARD, pieces, Place(space))


def test_what_is_refused_on_a_galaxy_is_what_may_not_be_placed_there() -> None:
    luck = random.Random(4)
    for _ in range(40):
        galaxy = grown(luck)
        for space in STANDARD_BOARD.spaces:
            found = refused(NEBULA.pieces_of(galaxy), space)
            for colour in COLOURS:
                is_refused = found.place is not None or colour in found.pieces
                assert is_refused == bool(galaxy.illegal(space, colour)), (galaxy, space, colour)


def test_what_every_piece_would_break_is_said_of_the_place() -> None:
    found = refused({Place("ar3"): "red"}, "ar2")
    assert found.place is not None and found.place.kind == "not_connected"
    assert [broken.kind for broken in found.pieces.values()] == ["same_colour_link"]
    assert list(found.pieces) == ["red"]


def test_what_is_broken_elsewhere_is_no_fault_of_a_piece() -> None:
    lying = {Place("core"): "red", Place("ar1"): "red", Place("ta1"): "blue"}
    assert set(refused(lying, "ta2").pieces) == {"blue"}
    assert "red" in refused(lying, "ar1").pieces, "the piece that lies there, too"


def test_more_stars_of_a_colour_than_there_are_are_refused() -> None:
    twenty = {Place(space): "red" for space in STANDARD_BOARD.spaces[:20]}
    found = refused(twenty, STANDARD_BOARD.spaces[-1])
    assert "red" in found.pieces


def test_another_game_is_asked_in_the_same_way() -> None:
    board = POLARIS_GAME.standard_board
    of_two = {
        "format": 1,
        "game": "polaris",
        "players": [{"name": "Ana", "colour": "red"}, {"name": "Eva", "colour": "blue"}],
        "photo": "sky.jpg",
    }
    played = POLARIS_GAME.game_from_data(of_two, board)
    free, starred = Place("1a1"), Place(board.starred[0])
    refused_there = refusals(POLARIS_GAME, board, {}, free, played)
    assert refused_there.place is None
    assert set(refused_there.pieces) == set(POLARIS_GAME.admits(free)) - {"red", "blue"}
    on_starred = refusals(POLARIS_GAME, board, {}, starred, played)
    assert "neutral" not in on_starred.pieces and "red" in on_starred.pieces
    unknown = refusals(POLARIS_GAME, board, {}, free)
    assert unknown == Refusals(), "nobody has said who plays"
