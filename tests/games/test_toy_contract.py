"""The toy game keeps what every game keeps."""

from typing import ClassVar

from scorer.game import Game
from scorer.places import Place
from tests.games.ponds import PONDS, Ponds
from tests.scorer.game_contract import GameContract, with_photos

ROW = ("p1", "p2", "p3", "p4", "p5")


class TestPonds(GameContract):
    game = PONDS
    lying: ClassVar = {Place("p1"): "amber", Place("p3"): "teal"}
    breaking: ClassVar = {Place(pad): "teal" for pad in ROW}
    impossible: ClassVar = {Place("p6"): "teal"}
    file: ClassVar = {
        "format": 1,
        "game": "ponds",
        "players": [
            {"name": "Ana", "frogs": {"p1": "teal", "p2": "teal"}, "guess": 1},
            {"name": "Eva", "frogs": {}, "guess": 2},
        ],
    }
    photographed = with_photos(file, ("frogs",))
    layout: ClassVar = {
        "spaces": {pad: {"at": [20 * n, 20], "radius": 9} for n, pad in enumerate(ROW, 1)},
        "streams": [["p1", "p2"], ["p2", "p3"]],
    }


class Unasked(Ponds):
    """The game without its guess."""

    questions = Game.questions


class TestAGameThatAsksNothing(TestPonds):
    game = Unasked()
